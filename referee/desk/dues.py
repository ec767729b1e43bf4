"""When the clock next does something in each game: kept beside the logs, from which it follows.

It is written in the transaction that adds to a log, so that the desk finds what is due without reading every log.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select, text

from referee.desk.automatic import next_due
from referee.desk.database import Transactions, insert
from referee.desk.log import write_time
from referee.desk.schema import ALL_DUE, DUE
from referee.desk.state import State

_GAMES_DUE = select(DUE.c.game).where(DUE.c.at <= bindparam("now")).order_by(DUE.c.game)


class Dues(Transactions):
    """The games in which the clock has something to do."""

    def games_due(self, at: datetime) -> list[str]:
        """The games in which the clock has something to do by a time, or of which nobody knows."""
        return [row.game for row in self._read(_GAMES_DUE, {"now": write_time(at)})]

    def forget_dues(self) -> None:
        """Forget when games are due: the next tick looks at each that is not over, and notes it anew."""

        def forgotten(connection: Connection) -> None:
            connection.execute(delete(DUE))
            connection.execute(text(ALL_DUE))

        self._write(forgotten)

    def _note_due(self, connection: Connection, state: State) -> None:
        """Keep when a game is next due, in a transaction that is under way; what is known of a later entry stays."""
        at = next_due(state)
        row = {"number": state.number, "at": at and write_time(at)}
        note = insert(self._engine, DUE).values(game=state.id, **row)
        newer = note.on_conflict_do_update(index_elements=["game"], set_=row, where=DUE.c.number <= state.number)
        connection.execute(newer)
