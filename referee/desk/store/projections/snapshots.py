"""Snapshots: where games stood lately, so that a worker that meets one need not fold its whole log.

A log stays the truth. A snapshot is made only if it gives the very state when it is read again, and used only if this
version of the package has made it and its head is that of the entry. Whoever audits or exports a log reads none.
It is JSON of what the log says, and has no secrets. The position is not in it, but follows from the moves.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import TZPATH

from sqlalchemy import Connection, bindparam, delete, select

from referee import __version__
from referee.desk.state.state import State, position_after
from referee.desk.store.tables.database import Transactions, insert
from referee.desk.store.tables.schema import SNAPSHOT
from referee.desk.store.tables.typed_json import Codec, field_codecs
from referee.errors import RefereeError

SPACING = 25
"""Entries of a log from one snapshot to the next."""

FOLD = 4
"""The version of what `State` makes of a log; a change in that between two versions of the package counts it up."""

_SNAPSHOT = select(SNAPSHOT).where(SNAPSHOT.c.game == bindparam("of"))


class Snapshots(Transactions):
    """One snapshot a game, the newest."""

    def forget_snapshots(self) -> None:
        """Forget all snapshots: every state is folded from its log, until new ones are made."""
        self._write(lambda connection: connection.execute(delete(SNAPSHOT)))

    def _snapshot(self, connection: Connection, game: str) -> State | None:
        """Where a game stood when its snapshot was made; None if there is none that can be used."""
        row = connection.execute(_SNAPSHOT, {"of": game}).one_or_none()
        state = state_in(row.state) if row is not None else None
        if row is None or state is None:
            return None
        same = (state.id, state.number, state.head) == (row.game, row.number, row.head)
        return state if same and row.version == version_of(state) else None

    def _keep_snapshot(self, connection: Connection, snapshot: dict[str, Any]) -> None:
        """Keep a snapshot instead of the one before, in the transaction that adds to the log."""
        keep = insert(self._engine, SNAPSHOT).values(**snapshot)
        connection.execute(keep.on_conflict_do_update(index_elements=["game"], set_=snapshot))


def snapshot_between(before: State | None, after: State) -> dict[str, Any] | None:
    """The row of a state, if one is due since the state before it; None if not, or if it could not be read again."""
    if (before.number if before else 0) // SPACING == after.number // SPACING:
        return None
    text = snapshot_text(after)
    if state_in(text) != after:
        return None
    row = {"game": after.id, "number": after.number, "head": after.head}
    return {**row, "version": version_of(after), "state": text}


def version_of(state: State) -> str:
    """What a snapshot follows from, besides the log: the package, and the rules of the zone of the game's clock."""
    zone = state.clock.terms.zone if state.clock.terms else ""
    return f"referee {__version__}.{FOLD} {zone_rules(zone) if zone else ''}".rstrip()


def snapshot_text(state: State) -> str:
    """A state as JSON, all but its position."""
    said = {name: codec.write(getattr(state, name)) for name, codec in _codecs().items()}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def state_in(text: str) -> State | None:
    """The state that `snapshot_text` wrote; None if it was somebody else."""
    codecs = _codecs()
    try:
        said = {name: codecs[name].read(one) for name, one in json.loads(text).items()}
        return State(**said, position=position_after(said["game"], said["options"], said["plies"]))
    except (RefereeError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return None


@cache
def _codecs() -> dict[str, Codec]:
    """The codecs of what a state has, all but its position."""
    return field_codecs(State, without="position")


@cache
def zone_rules(name: str) -> str:
    """A digest of the rules that this machine has for a zone, which change now and then; empty if it has none."""
    try:
        for folder in TZPATH:
            if (file := Path(folder, name)).is_file():
                return sha256(file.read_bytes()).hexdigest()
        return sha256(files("tzdata").joinpath("zoneinfo", *name.split("/")).read_bytes()).hexdigest()
    except (OSError, ImportError):
        return ""
