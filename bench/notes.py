"""Notes of a whole game: the time to import them, beside the time to check the game file that comes of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

from bench.figures import Figure
from bench.peers import PAIRS
from referee.archive.generate import Generation, random_game
from referee.game import GameFile, loads
from referee.game.dumper import dumps
from referee.game.judge import judge
from referee.game.notes import import_notes, note_lines
from referee.rules import GAMES

PLIES = 40


def figures() -> Iterator[Figure]:
    """Each game in plain rounds, then one of them in everyday words."""
    for name in GAMES:
        game = random_game(Generation(name, "notes", plies=PLIES), 1)
        options = dict(game.options)
        lines = note_lines(rounds(game), "notes")
        ours, other = _pair(lambda: import_notes(lines, name, options), lambda: judge(loads(dumps(game))))
        yield _figure(f"import of {PLIES} plies of {name}", ours, other)
    spoken = note_lines(rounds(random_game(Generation("beams", "notes", plies=PLIES), 1), "put ", "rotate "), "notes")
    game = import_notes(spoken).game
    ours, other = _pair(lambda: import_notes(spoken), lambda: judge(loads(dumps(game))))
    yield _figure("the same in words, its game unknown", ours, other)


def rounds(game: GameFile, place: str = "P ", turn: str = "R ") -> str:
    """The moves of a game as people write them: a round on each line, a slash between two moves."""
    texts = [" / ".join(str(one.move) for one in each.moves) for each in game.rounds]
    said = "\n".join(f"{number}) {text}" for number, text in enumerate(texts, 1))
    return said if place == "P " else said.replace("P ", place).replace("R ", turn)


def _figure(name: str, ours: float, other: float) -> Figure:
    return Figure(name, f"{ours * 1e3:.0f} ms", f"{other * 1e3:.1f} ms", ours / other, "<= 100")


def _pair(one: Callable[[], object], two: Callable[[], object]) -> tuple[float, float]:
    """The median times of two functions, run in turns."""
    one(), two()
    pairs = [(_seconds(one), _seconds(two)) for _ in range(PAIRS)]
    first, second = zip(*pairs, strict=True)
    return statistics.median(first), statistics.median(second)


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin
