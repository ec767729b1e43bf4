"""Snapshots of recent states, so that a worker need not fold a game's whole log.

A log stays the truth. A snapshot is made only if it gives exactly the state when it is read again, and used only if
this version of the package has made it and its head is that of the entry. Audits and exports read none. It is JSON of
the log's content, and has no secrets. The position is not in it, but follows from the moves.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from zoneinfo import TZPATH

from referee import __version__
from referee.desk.log.bodies import CODECS
from referee.desk.state.state import State, position_after
from referee.errors import RefereeError
from referee.rules.codec import Codec

SPACING = 25
"""Entries of a log from one snapshot to the next."""

FOLD = 1
"""The version of what `State` makes of a log; a change in that between two versions of the package counts it up."""


def snapshot_between(before: State | None, after: State) -> str | None:
    """A state as JSON, if a snapshot is due since the state before it; None if not, or if it cannot be read again."""
    if (before.number if before else 0) // SPACING == after.number // SPACING:
        return None
    text = snapshot_text(after)
    return text if state_in(text) == after else None


def version_of(state: State) -> str:
    """The origin of a snapshot besides the log: the package, and the rules of the zone of the game's clock."""
    zone = state.clock.terms.zone if state.clock.terms else ""
    return f"referee {__version__}.{FOLD} {zone_rules(zone) if zone else ''}".rstrip()


def snapshot_text(state: State) -> str:
    """A state as JSON, all but its position."""
    said = {name: codec.write(getattr(state, name)) for name, codec in _codecs().items()}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def state_in(text: str) -> State | None:
    """The state that `snapshot_text` wrote; None for any other text."""
    codecs = _codecs()
    try:
        said = {name: codecs[name].read(one) for name, one in json.loads(text).items()}
        return State(**said, position=position_after(said["game"], said["options"], said["plies"]))
    except (RefereeError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return None


@cache
def _codecs() -> dict[str, Codec]:
    return CODECS.fields(State, without="position")


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
