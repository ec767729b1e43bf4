"""Moves that engines owe; a worker takes one before its engine thinks, so that no other computes it too."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from sqlalchemy import bindparam, or_, select, update

from referee.desk.log.log import write_time
from referee.desk.records import LEASE
from referee.desk.store.tables.database import Part
from referee.desk.store.tables.schema import PROJECTION

_RIVALS = 16
"""Further games that are looked at, as other workers take some of the same ones."""

_TURNS = PROJECTION.c
_IS_FREE = or_(
    _TURNS.taken.is_(None),
    _TURNS.taken <= bindparam("now"),
    _TURNS.taken > bindparam("beyond"),  # it was taken by a clock that was ahead by more than a little
)
_FREE = select(_TURNS.game).where(_TURNS.since.is_not(None), _IS_FREE).order_by(_TURNS.since).limit(bindparam("most"))
_TAKE = (
    update(PROJECTION)
    .where(_TURNS.game == bindparam("of"), _TURNS.since.is_not(None), _IS_FREE)
    .values(taken=bindparam("until"))
)


class EngineTurns(Part):
    """The games with a move due from an engine, the oldest first."""

    def owed(self, before: datetime) -> list[str]:
        """The games with a move due from an engine since a time, or for longer."""
        owed = select(_TURNS.game).where(_TURNS.since <= write_time(before)).order_by(_TURNS.since)
        return [row.game for row in self.database.read(owed)]

    def take(self, at: datetime, most: int) -> list[str]:
        """Up to `most` games with an engine to move; for a while they are this worker's."""
        times = {"now": write_time(at), "beyond": write_time(at + 2 * LEASE)}
        free = self.database.read(_FREE, {**times, "most": most + _RIVALS})

        def taken(game: str) -> bool:
            mine = {**times, "of": game, "until": write_time(at + LEASE)}
            return self.database.write(lambda connection: connection.execute(_TAKE, mine).rowcount == 1)

        return [*islice((row.game for row in free if taken(row.game)), most)]

    def keep(self, games: Sequence[str], at: datetime) -> None:
        """Keep moves that this worker has taken, while it is still thinking about them."""
        if games:
            kept = update(PROJECTION).where(_TURNS.game.in_(games), _TURNS.since.is_not(None))
            self.database.execute(kept.values(taken=write_time(at + LEASE)))

    def free(self, games: Sequence[str]) -> None:
        """Let others take moves that this worker has taken, and thinks about no longer."""
        if games:
            self.database.execute(update(PROJECTION).where(_TURNS.game.in_(games)).values(taken=None))
