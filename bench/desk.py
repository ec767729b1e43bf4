"""The desk: folding a long log, and meeting a game with a snapshot."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from bench.figures import Figure
from referee.desk import Act, By, Change, Context, Entry, Held, Key, acts, read_entry, set_up
from referee.desk.law.seat_addresses import address_secrets
from referee.desk.play.progress import act
from referee.desk.state.fold import fold
from referee.desk.store.projections.snapshots import SPACING
from referee.desk.store.store import Store
from referee.game import GameFile
from referee.rules import all_games

EVENTS = 500
FOLDS = 25
MOST, MOST_MET = 10, 5
"""Milliseconds that a fold may take, and meeting a game."""

BEGIN = datetime(2027, 3, 1, tzinfo=UTC)
KEY = Key(b"the key of a desk to measure with")


def figures() -> Iterator[Figure]:
    """The median times to read and fold a log, and to meet its game in a store."""
    for game in all_games():
        lines = [entry.as_line() for entry in long_log(game)]
        median = statistics.median(folding(lines) for _ in range(FOLDS)) * 1000
        name = f"reading and folding {len(lines)} events of {game}"
        yield Figure(name, f"{median:.1f} ms", f"{MOST} ms", median / MOST, "<= 1.0")
        median = statistics.median(meeting(game)) * 1000
        yield Figure(
            f"meeting that game of {game}", f"{median:.1f} ms", f"{MOST_MET} ms", median / MOST_MET, "<= 1.0"
        )


def meeting(game: str) -> Iterator[float]:
    """Seconds until a worker knows the state of a long game that it has not met yet.

    Its snapshot is as old as it can be.
    """
    log = long_log(game)
    newest = (EVENTS - 1) // SPACING * SPACING + 1
    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "desk.sqlite") as store:
        for change in (Change(tuple(log[:newest])), Change(tuple(log[newest:]))):
            store.games.change("game", BEGIN, partial(_given, change))
        for _ in range(FOLDS):
            with Store(Path(folder) / "desk.sqlite") as worker:
                worker.catalogue.ids()
                begin = time.perf_counter()
                worker.games.held("game")
                yield time.perf_counter() - begin


def _given(change: Change, _: Held) -> Change:
    return change


def folding(lines: list[str]) -> float:
    """Seconds of processor time from the lines of a log to the state of the game."""
    begin = time.process_time()
    fold(map(read_entry, lines))
    return time.process_time() - begin


def long_log(game: str) -> list[Entry]:
    """A log of EVENTS entries: a game of random moves, and messages once it is over."""
    chance, at = random.Random(1), BEGIN
    begun = set_up("game", GameFile(game), at)
    state, secrets, log = begun.state, dict(begun.secrets), list(begun.entries)
    while len(log) < EVENTS:
        at += timedelta(hours=1)
        if state.closed:
            side = state.position.sides[0]
            asks: Act = acts.Message("Good game!")
        else:
            side = sorted(state.owing)[0]
            asks = acts.MakeMove(str(chance.choice(list(state.position.legal_moves(side)))))
        secrets |= address_secrets(KEY, state, secrets, ["desk@example.org"])
        done = act(Context(state, at, secrets, KEY.draw), By(side), [asks])
        state, log = done.state, [*log, *done.entries]
        secrets.update(done.secrets)
    return log[:EVENTS]
