"""Projections of the logs, kept next to them: glances and due times of games, and snapshots of states.

They are written in the transaction that adds to a log, so that no log has to be read to find due games or to list
them. The logs stay the truth, and `rebuild` finds everything in them again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, case, delete, or_, select, update

from referee import __version__
from referee.desk.glances import NOT_OVER, Glance, glance_of, phase_of
from referee.desk.law.automatic import next_due
from referee.desk.law.engine_seats import engine_to_move
from referee.desk.log.bodies import CODECS
from referee.desk.log.log import write_time
from referee.desk.state.state import State
from referee.desk.store.projections.snapshots import snapshot_between, state_in, version_of
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database, insert, keeping
from referee.desk.store.tables.schema import EVENT, GAME, META, PROJECTION, SNAPSHOT

_RULES, _PACKAGE = "zones", "referee"
"""Key of the time zone rules behind the due times, and in them that of the package's version."""

_NOTHING = dict.fromkeys(column.name for column in PROJECTION.c)
_SNAPSHOT = select(PROJECTION).where(PROJECTION.c.kind == SNAPSHOT)

LOGS = select(EVENT.c.game).where(EVENT.c.number == 0)
"""The games that have a log."""

Projection = Mapping[str, Any]


class Projections:
    """The one writer of what follows from the logs; only who works on an engine's move is written elsewhere."""

    def __init__(self, database: Database) -> None:
        self.database = database
        row = insert(database.engine, PROJECTION)
        new = {name: row.excluded[name] for name in _NOTHING if name not in ("game", "kind", "taken")}
        # A worker that has taken an engine's move keeps it as long as that move is due.
        claim = case((PROJECTION.c.owed == row.excluded.owed, PROJECTION.c.taken), else_=None)
        self._keep = row.on_conflict_do_update(
            index_elements=["game", "kind"],
            set_={**new, "taken": claim},
            where=or_(PROJECTION.c.kind == SNAPSHOT, PROJECTION.c.number <= row.excluded.number),
        )

    def write(self, connection: Connection, found: Sequence[Projection]) -> None:
        """Keep projections in a transaction that is under way; what follows from later entries stays."""
        connection.execute(self._keep, found)

    def snapshot(self, connection: Connection, game: str) -> State | None:
        """The state in a game's snapshot; None if there is none that can be used."""
        row = connection.execute(_SNAPSHOT.where(PROJECTION.c.game == game)).one_or_none()
        state = state_in(row.value) if row is not None else None
        if row is None or state is None:
            return None
        same = (state.id, state.number) == (row.game, row.number)
        return state if same and row.version == version_of(state) else None

    def rebuild(self, games: Sequence[str], state_of: Callable[[Connection, str], State | None]) -> None:
        """Find again what follows from the logs of some games, in one transaction."""

        def rebuilt(connection: Connection) -> None:
            connection.execute(delete(PROJECTION).where(PROJECTION.c.game.in_(games)))
            connection.execute(delete(PROJECTION).where(PROJECTION.c.game.not_in(LOGS)))
            for game in games:
                state = state_of(connection, game)
                if state is not None:
                    self.write(connection, projections_of(None, state))

        self.database.write(rebuilt)

    def expect_rules(self, rules: Mapping[str, str]) -> None:
        """Have the next tick look at all games unless this version and these zones' rules gave their due times."""
        found = self.database.read(select(META.c.value).where(META.c.name == _RULES))
        with rows.row_faults("the rules of time zones that the desk has noted"):
            known = {**json.loads(found[0].value)} if found else {}
        wanted = {_PACKAGE: __version__, **rules}
        if wanted.items() <= known.items() and all(rules.values()):
            return

        def noted(connection: Connection) -> None:
            connection.execute(update(PROJECTION).where(PROJECTION.c.phase.in_(NOT_OVER)).values(due=""))
            connection.execute(keeping(self.database.engine, META), {"name": _RULES, "value": json.dumps(wanted)})

        self.database.write(noted)


def projections_of(before: State | None, state: State) -> list[Projection]:
    """The projections of a log up to a state; a snapshot only if one is due since the state before it."""
    due, side = next_due(state), engine_to_move(state) if state.engines else None
    game = {
        "game": state.id,
        "kind": GAME,
        "number": state.number,
        "value": json.dumps(_GLANCE.write(glance_of(state)), ensure_ascii=False, separators=(",", ":")),
        "at": write_time(state.at),
        "phase": phase_of(state),
        "paused": state.clock.paused,
        "due": due and write_time(due),
        "owed": None if side is None else f"{state.ply} {side}",
        "since": None if side is None else write_time(state.clock.turns[side].since),
    }
    text = snapshot_between(before, state)
    if text is None:
        return [_NOTHING | game]
    said = {"kind": SNAPSHOT, "value": text, "version": version_of(state)}
    return [_NOTHING | game, _NOTHING | {"game": state.id, "number": state.number} | said]


def glance_in(text: str) -> Glance | None:
    """The glance of a projection; None if another version of the package wrote it otherwise."""
    try:
        glance: Glance = _GLANCE.read(json.loads(text))
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return None
    return glance


_GLANCE = CODECS.of(Glance)
