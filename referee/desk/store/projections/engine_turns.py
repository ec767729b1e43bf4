"""The moves that engines owe, kept beside the logs, from which they follow.

A worker takes a move before its engine thinks about it, so several workers never compute one twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, bindparam, case, delete, or_, select, text, update

from referee.desk.law.engine_seats import engine_to_move
from referee.desk.log.log import write_time
from referee.desk.state.state import State
from referee.desk.store.tables.database import Transactions, insert
from referee.desk.store.tables.derivation import ALL_ENGINE_TURNS
from referee.desk.store.tables.schema import ENGINE_TURN

_LEASE = timedelta(seconds=30)
"""For how long a move belongs to the worker that has taken it, unless the worker says that it is still thinking."""

_RIVALS = 16
"""Further games that are looked at, as other workers take some of the same ones."""

_TURNS = ENGINE_TURN.c
_IS_FREE = or_(
    _TURNS.taken.is_(None),
    _TURNS.taken <= bindparam("now"),
    _TURNS.taken > bindparam("beyond"),  # it was taken by a clock that was ahead
)
_FREE = select(_TURNS.game).where(_TURNS.since.is_not(None), _IS_FREE).order_by(_TURNS.since).limit(bindparam("most"))
_TAKE = (
    update(ENGINE_TURN)
    .where(_TURNS.game == bindparam("of"), _TURNS.since.is_not(None), _IS_FREE)
    .values(taken=bindparam("until"))
)


class EngineTurns(Transactions):
    """The games in which an engine owes a move, the oldest first."""

    def __init__(self, where: str | Path) -> None:
        """Open a store; `Transactions` says what is raised."""
        super().__init__(where)
        row = insert(self._engine, ENGINE_TURN)
        new = row.excluded
        claim = case((_TURNS.owed == new.owed, _TURNS.taken), else_=None)
        values = {"number": new.number, "owed": new.owed, "since": new.since, "taken": claim}
        newer = _TURNS.number <= new.number
        self._keep_turn = row.on_conflict_do_update(index_elements=["game"], set_=values, where=newer)

    def engine_turns(self, before: datetime) -> list[str]:
        """The games in which an engine has owed a move since a time, or for longer."""
        owed = select(_TURNS.game).where(_TURNS.since <= write_time(before)).order_by(_TURNS.since)
        return [row.game for row in self._read(owed)]

    def take_engine_turns(self, at: datetime, most: int) -> list[str]:
        """Games in which an engine owes a move, at most so many; for a while they are this worker's."""
        free = self._read(_FREE, {**_times(at), "most": most + _RIVALS})
        return [*islice((row.game for row in free if self._take_turn(row.game, at)), most)]

    def keep_engine_turns(self, games: Sequence[str], at: datetime) -> None:
        """Keep moves that this worker has taken, while it is still thinking about them."""
        if games:
            kept = update(ENGINE_TURN).where(_TURNS.game.in_(games), _TURNS.since.is_not(None))
            claimed = kept.values(taken=write_time(at + _LEASE))
            self._write(lambda connection: connection.execute(claimed))

    def free_engine_turns(self, games: Sequence[str]) -> None:
        """Let others take moves that this worker has taken, and thinks about no longer."""
        if games:
            freed = update(ENGINE_TURN).where(_TURNS.game.in_(games)).values(taken=None)
            self._write(lambda connection: connection.execute(freed))

    def note_engine_turn(self, state: State) -> None:
        """Keep whether an engine owes a move in a game, as it stands."""
        self._write(lambda connection: self._note_engine_turn(connection, state))

    def forget_engine_turns(self) -> None:
        """Forget what engines owe: each of their games that is not over is looked at anew."""

        def forgotten(connection: Connection) -> None:
            connection.execute(delete(ENGINE_TURN))
            connection.execute(text(ALL_ENGINE_TURNS))

        self._write(forgotten)

    def _take_turn(self, game: str, at: datetime) -> bool:
        mine = {**_times(at), "of": game, "until": write_time(at + _LEASE)}
        return self._write(lambda connection: connection.execute(_TAKE, mine).rowcount == 1)

    def _note_engine_turn(self, connection: Connection, state: State) -> None:
        """Keep whether an engine owes a move, in a transaction that is under way; who has taken it keeps it."""
        if state.engines:
            side = engine_to_move(state)
            since = None if side is None else write_time(state.clock.turns[side].since)
            row = {"game": state.id, "number": state.number, "owed": f"{state.ply} {side}", "since": since}
            connection.execute(self._keep_turn, row)


def _times(at: datetime) -> Mapping[str, str]:
    """When a move is free at a time; the clocks of workers may differ a little."""
    return {"now": write_time(at), "beyond": write_time(at + 2 * _LEASE)}
