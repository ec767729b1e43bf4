"""Notes of a game: the time to import them, beside a second, which a waiting person does not notice.

Lines of 9,900 characters full of moves are beside 0.3 s of processor time, each the median of several lines.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from bench.figures import Figure
from bench.peers import PAIRS
from referee.archives.generate import Generation, random_game
from referee.game import GameFile
from referee.notes import NoteLine, import_notes, note_lines
from referee.rules import GAMES

PLIES = 40

DENSE = {
    "moves": "{0}, ",
    "corrections": "{0} sorry, I meant {1}. ",
    "answers": "{0} ({1}) ",
    "prose": "then I played {0} and you answered with {1}, which was good. ",
    "unfinished moves": "{2} ",
}
"""Lines full of moves: two moves that follow each other, and the first without its end."""


def figures() -> Iterator[Figure]:
    """Each game in plain rounds, one of them in everyday words, then long lines."""
    for name in GAMES:
        game = random_game(Generation(name, "notes", plies=PLIES), 1)
        lines = note_lines(rounds(game), "notes")
        yield _figure(f"import {PLIES} plies of {name}", _seconds(lines, name, dict(game.options)))
    game = random_game(Generation("beams", "notes", plies=PLIES), 1)
    lines = note_lines(rounds(game, "put ", "rotate "), "notes")
    yield _figure("the same of beams in words, its game unknown", _seconds(lines, None, {}))
    for name in GAMES:
        for kind, said in DENSE.items():
            times = [
                _time(partial(import_notes, dense(name, said, seed)), time.process_time) for seed in range(PAIRS)
            ]
            seconds = statistics.median(times)
            yield Figure(f"10 kB of {kind}, {name}", f"{seconds * 1e3:.0f} ms", "300 ms", seconds / 0.3, "<= 1.0")


def dense(name: str, said: str, seed: int) -> Sequence[NoteLine]:
    """A line full of the moves of random games."""
    games = [random_game(Generation(name, f"dense {seed}", plies=60), number) for number in range(1, 41)]
    moves = [str(one.move) for game in games for each in game.rounds for one in each.moves]
    return note_lines("".join(said.format(one, two, one[:-2]) for one, two in pairwise(moves))[:9_900], "notes")


def rounds(game: GameFile, place: str = "P ", turn: str = "R ") -> str:
    """The moves of a game as people write them: a round on each line, a slash between two moves."""
    texts = [" / ".join(str(one.move) for one in each.moves) for each in game.rounds]
    said = "\n".join(f"{number}) {text}" for number, text in enumerate(texts, 1))
    return said if place == "P " else said.replace("P ", place).replace("R ", turn)


def _figure(name: str, seconds: float) -> Figure:
    return Figure(name, f"{seconds * 1e3:.0f} ms", "1 s", seconds, "<= 1.0")


def _seconds(lines: Sequence[NoteLine], game: str | None, options: dict[str, object]) -> float:
    """The median time of an import, after a first one that loads all modules."""
    work = partial(import_notes, lines, game, options)
    work()
    return statistics.median(_time(work) for _ in range(PAIRS))


def _time(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    begin = clock()
    work()
    return clock() - begin
