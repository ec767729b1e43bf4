"""A check that everything that a store keeps next to its logs follows from them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from referee.desk import Desk, State, engine_to_move, read_time
from referee.desk.glances import glance_of, phase_of
from referee.desk.law.automatic import next_due
from referee.desk.store.projections.projections import glance_in
from referee.desk.store.projections.snapshots import state_in
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import PROJECTION, SNAPSHOT, STANDING
from tests.support.logs import fold_log


def owed_since(state: State) -> datetime | None:
    """The time since which an engine has owed a move; None if none does."""
    side = engine_to_move(state)
    return None if side is None else state.clock.turns[side].since


def expect_dues(store: Store | Desk) -> None:
    """Check that due times, snapshots and states in memory are those of the logs."""
    read = store.games.database.read
    logs = {game: store.games.log(game) for game in store.catalogue.ids()}
    states = {game: fold_log(log) for game, log in logs.items()}
    kept = {row.game: row for row in read(select(STANDING))}
    assert {game: row.due and read_time(row.due) for game, row in kept.items()} == {
        game: next_due(state) for game, state in states.items()
    }
    since = {game: row.since and read_time(row.since) for game, row in kept.items()}
    assert since == {game: owed_since(state) if state.engines else None for game, state in states.items()}
    standing = {game: (state.number, state.at, phase_of(state), state.clock.paused) for game, state in states.items()}
    assert standing == {game: (row.number, read_time(row.at), row.phase, row.paused) for game, row in kept.items()}
    assert all(glance_in(row.value) == glance_of(states[game]) for game, row in kept.items())
    for row in read(select(PROJECTION).where(PROJECTION.c.kind == SNAPSHOT)):
        assert state_in(row.value) == fold_log(logs[row.game][: row.number + 1])
    assert {game: store.games.held(game).state for game in states} == states
