"""The desk: folding a long log."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from bench.figures import Figure
from referee.desk import Act, By, Entry, Key, State, acts
from referee.desk.log import read_entry
from referee.desk.progress import act
from referee.desk.setup import set_up
from referee.game import GameFile

EVENTS = 500
FOLDS = 9
MOST = 50
"""Milliseconds that a fold may take."""

BEGIN = datetime(2027, 3, 1, tzinfo=UTC)
KEY = Key(b"the key of a desk to measure with")


def figures() -> Iterator[Figure]:
    """The median time that it takes to read and fold a log, in a game with sealed moves and in one without."""
    for game in ("beams", "boundary"):
        lines = [entry.as_line() for entry in long_log(game)]
        median = statistics.median(folding(lines) for _ in range(FOLDS)) * 1000
        name = f"reading and folding {len(lines)} events of {game}"
        yield Figure(name, f"{median:.1f} ms", f"{MOST} ms", median / MOST, "<= 1.0")


def folding(lines: list[str]) -> float:
    """Seconds from the lines of a log to where the game stands."""
    begin = time.perf_counter()
    first, *others = map(read_entry, lines)
    state = State.start(first)
    for entry in others:
        state = state.after(entry)
    return time.perf_counter() - begin


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
        done = act(state, By(side), [asks], at, secrets, KEY.draw)
        state, log = done.state, [*log, *done.entries]
        secrets.update(done.secrets)
    return log[:EVENTS]
