"""What must hold of everything that a store keeps beside its logs: it follows from them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from referee.desk.law.automatic import next_due
from referee.desk.law.engine_seats import engine_to_move
from referee.desk.log.log import read_time
from referee.desk.state.state import State
from referee.desk.store.catalogue import phase_of
from referee.desk.store.projections.glances import glance_in, glance_of
from referee.desk.store.projections.snapshots import state_in
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import DUE, ENGINE_TURN, SNAPSHOT, STANDING
from tests.support.logs import fold_log


def owed_since(state: State) -> datetime | None:
    """Since when an engine owes a move; None if none does."""
    side = engine_to_move(state)
    return None if side is None else state.clock.turns[side].since


def expect_dues(store: Store) -> None:
    """When each game is due, the snapshots, and the states in memory are those of the logs."""
    logs = {game: store.log(game) for game in store.games()}
    states = {game: fold_log(log) for game, log in logs.items()}
    kept = {row.game: (row.number, row.at and read_time(row.at)) for row in store._read(select(DUE))}
    assert kept == {game: (state.number, next_due(state)) for game, state in states.items()}
    assert {
        row.game: (row.number, row.since and read_time(row.since)) for row in store._read(select(ENGINE_TURN))
    } == {game: (state.number, owed_since(state)) for game, state in states.items() if state.engines}
    standing = {game: (state.number, state.at, phase_of(state), state.clock.paused) for game, state in states.items()}
    assert {
        row.game: (row.number, read_time(row.at), row.phase, row.paused) for row in store._read(select(STANDING))
    } == standing
    glances = {row.game: row.glance and glance_in(row.glance) for row in store._read(select(STANDING))}
    assert all(glance is None or glance == glance_of(states[game]) for game, glance in glances.items())
    for row in store._read(select(SNAPSHOT)):
        assert state_in(row.state) == fold_log(logs[row.game][: row.number + 1])
    for game, state in store._states.items():
        assert state.number < states[game].number or state == states[game]
