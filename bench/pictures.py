"""Pictures, pages and prints: their processor times and sizes, beside their goals."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.figures import Figure
from bench.games import random_game
from bench.peers import PAIRS
from referee.draw import drawing
from referee.draw.page import page
from referee.draw.paper.book import book_page
from referee.draw.paper.book_pdf import book_pdf
from referee.draw.paper.print_set import print_set
from referee.draw.paper.score_sheet import score_sheet
from referee.draw.record import LETTER_BYTES, letter_picture, moving_record
from referee.draw.scenes.png import scene_png
from referee.draw.scenes.svg import scene_svg
from referee.game import GameFile
from referee.rules import GAMES
from referee.rules.beams import Rotate

PLIES = 46

_LARGE = 7_266
"""The widest PNG of a standard board, which has 64 million pixels."""


def figures() -> Iterator[Figure]:
    """The picture of a full position of beams, and the page of a game of 46 plies."""
    game = random_game("beams", random.Random(4))
    plies = [*game.replay()]
    last, late = plies[-1], iter(plies[-PAIRS - 1 :])

    def picture() -> str:
        return scene_svg(drawing("beams").scene(last.position, view="south", events=last.events))

    taken = _median(picture)
    yield Figure("SVG of a full position", f"{taken * 1000:.1f} ms", "3 ms", taken / 0.003, "<= 1.0")
    size = len(picture().encode())
    yield Figure("its size", f"{size / 1000:.1f} kB", "60 kB", size / 60_000, "<= 1.0")

    def next_picture() -> bytes:  # each is of another position, because the last pictures are kept
        ply = next(late)
        return letter_picture(ply.position, "south", ply.events)

    taken = _median(next_picture)
    yield Figure("a letter's PNG of such a one", f"{taken * 1000:.0f} ms", "1.0 s", taken, "<= 1.0")
    size = len(letter_picture(last.position, "south", last.events))
    yield Figure("its size", f"{size / 1000:.1f} kB", f"{LETTER_BYTES // 1000} kB", size / LETTER_BYTES, "<= 1.0")
    scene = drawing("beams").scene(last.position, view="south", events=last.events)
    taken = _median(lambda: scene_png(scene, width=_LARGE), pairs=3)
    yield Figure(f"a PNG of it, {_LARGE} pixels wide", f"{taken:.1f} s", "5 s", taken / 5, "<= 1.0")
    long = _long_game()
    taken = _median(lambda: page(long))
    yield Figure("HTML record of 46 plies", f"{taken:.2f} s", "0.2 s", taken / 0.2, "<= 1.0")
    size = len(page(long).encode())
    yield Figure("its size", f"{size / 1000:.0f} kB", "300 kB", size / 300_000, "<= 1.0")
    taken = _median(lambda: book_page([long] * 10), pairs=3)
    yield Figure("HTML book of ten such games", f"{taken:.1f} s", "5 s", taken / 5, "<= 1.0")
    taken = _median(lambda: book_pdf([long] * 10), pairs=3)
    yield Figure("PDF book of them", f"{taken:.1f} s", "30 s", taken / 30, "<= 1.0")
    for form, most in (("svg", 300_000), ("png", 2_500_000)):
        size = len(moving_record(long, form, view="south"))
        yield Figure(
            f"one as a moving {form.upper()}", f"{size / 1000:.0f} kB", f"{most / 1000:.0f} kB", size / most, "<= 1.0"
        )
    yield from _prints("score sheet of it", partial(score_sheet, long), 3.0, 300_000)
    for name in GAMES:
        yield from _prints(f"set to print of {name}", partial(print_set, name), 3.0, 300_000)


def _prints(what: str, work: Callable[[], bytes], seconds: float, most: int) -> Iterator[Figure]:
    """The time and the size of a PDF document."""
    taken, size = _median(work, pairs=3), len(work())
    yield Figure(what, f"{taken:.2f} s", f"{seconds:.0f} s", taken / seconds, "<= 1.0")
    yield Figure("its size", f"{size / 1000:.0f} kB", f"{most / 1000:.0f} kB", size / most, "<= 1.0")


def _long_game() -> GameFile:
    """A synchronous game of 46 plies: every placement after the first is followed by a rotation."""
    game = random_game("beams", random.Random(4), plies=PLIES, mode="synchronous", prefer=Rotate)
    assert 2 * len(game.rounds) == PLIES
    return game


def _median(work: Callable[[], object], pairs: int = PAIRS) -> float:
    work()
    times = []
    for _ in range(pairs):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return statistics.median(times)
