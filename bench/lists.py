"""Long move lists: memory beside the size of the list once it is read, and time beside half the list."""

from __future__ import annotations

import random
import statistics
import time
import tracemalloc
from collections.abc import Iterator

from bench.figures import Figure
from bench.peers import PAIRS
from referee.game import GameFile, judge, loads_moves
from referee.rules import start

LINES = 10_000


def figures() -> Iterator[Figure]:
    """Memory and time of a long list of distinct rounds."""
    text, longer = move_list(LINES), move_list(2 * LINES)
    parsed, peak = _memory(text)
    ours, other = f"{peak / 2**20:.1f} MiB", f"{parsed / 2**20:.1f} MiB"
    yield Figure("10,000-line list: growth beside its parsed size", ours, other, peak / parsed, "<= 1.0")
    pairs = [(_seconds(longer), _seconds(text)) for _ in range(PAIRS)]
    twice, once = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    yield Figure("20,000 lines beside 10,000", f"{twice:.2f} s", f"{once:.2f} s", ratio, "<= 2.3")


def move_list(lines: int) -> str:
    """A list of rounds in the notation of beams; only its beginning can be legal."""
    moves = [str(move) for move in start("beams").legal_moves("south")]
    chance = random.Random(2)
    return "".join(f"{n}. {chance.choice(moves)} | {chance.choice(moves)}\n" for n in range(1, lines + 1))


def _seconds(text: str) -> float:
    begin = time.perf_counter()
    judge(loads_moves(text, GameFile("beams")))
    return time.perf_counter() - begin


def _memory(text: str) -> tuple[int, int]:
    """The size of the list once read, and the rise of memory above it while it is read and judged."""
    judge(loads_moves(text, GameFile("beams")))
    tracemalloc.start()
    game = loads_moves(text, GameFile("beams"))
    parsed, _ = tracemalloc.get_traced_memory()
    judge(game)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return parsed, peak - parsed
