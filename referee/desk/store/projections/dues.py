"""When the clock next does something in each game: kept beside the logs, from which it follows.

It is written in the transaction that adds to a log, so that the desk finds what is due without reading every log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, bindparam, delete, exists, select, text

from referee import __version__
from referee.desk.law.automatic import next_due
from referee.desk.log.log import write_time
from referee.desk.state.state import State
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Transactions, keeping
from referee.desk.store.tables.derivation import ALL_DUE
from referee.desk.store.tables.schema import DUE, EVENT, META

_HAS_LOG = exists().where(EVENT.c.game == DUE.c.game, EVENT.c.number == 0)
_GAMES_DUE = select(DUE.c.game).where(DUE.c.at <= bindparam("now"), _HAS_LOG).order_by(DUE.c.game)
"""A row of a game that is not there must not stop the clocks of all others."""

_RULES, _PACKAGE = "zones", "referee"
"""Where the rules are kept by which times were found, and among them the version of the package: no zone's name."""


class Dues(Transactions):
    """The games in which the clock has something to do."""

    def __init__(self, where: str | Path) -> None:
        """Open a store; `Transactions` says what is raised."""
        super().__init__(where)
        self._keep_due = keeping(self._engine, DUE, newest="number")
        self._keep_meta = keeping(self._engine, META)

    def games_due(self, at: datetime) -> list[str]:
        """The games in which the clock has something to do by a time, or of which nobody knows."""
        return [row.game for row in self._read(_GAMES_DUE, {"now": write_time(at)})]

    def forget_dues(self) -> None:
        """Forget when games are due: the next tick looks at each that is not over, and notes it anew."""
        self._write(_forget)

    def expect_rules(self, rules: Mapping[str, str]) -> None:
        """Forget when games are due, unless this version has found it, by these rules of time zones.

        The rules are digests by the zone's name; an empty one says that nobody knows them.
        """
        found = self._read(select(META.c.value).where(META.c.name == _RULES))
        with rows.row_faults("the rules of time zones that the desk has noted"):
            known = {**json.loads(found[0].value)} if found else {}
        wanted = {_PACKAGE: __version__, **rules}
        if wanted.items() <= known.items() and all(rules.values()):
            return

        def noted(connection: Connection) -> None:
            _forget(connection)
            connection.execute(self._keep_meta, {"name": _RULES, "value": json.dumps(wanted)})

        self._write(noted)

    def _note_due(self, connection: Connection, state: State) -> None:
        """Keep when a game is next due, in a transaction that is under way; what is known of a later entry stays."""
        at = next_due(state)
        row = {"game": state.id, "number": state.number, "at": at and write_time(at)}
        connection.execute(self._keep_due, row)


def _forget(connection: Connection) -> None:
    connection.execute(delete(DUE))
    connection.execute(text(ALL_DUE))
