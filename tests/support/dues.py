"""What must hold of the times at which the clock looks at games."""

from __future__ import annotations

from sqlalchemy import select

from referee.desk.automatic import next_due
from referee.desk.log import read_time
from referee.desk.schema import DUE
from referee.desk.store import Store
from tests.support.logs import fold_log


def expect_dues(store: Store) -> None:
    """What a store keeps beside its logs follows from them: when each game is due, and the states in memory."""
    states = {game: fold_log(store.log(game)) for game in store.games()}
    kept = {row.game: (row.number, row.at and read_time(row.at)) for row in store._read(select(DUE))}
    assert kept == {game: (state.number, next_due(state)) for game, state in states.items()}
    for game, state in store._states.items():
        assert state.number < states[game].number or state == states[game]
