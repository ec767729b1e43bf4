"""Notes of a game: the time to import them, beside a second, which a person who waits does not notice."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence

from bench.figures import Figure
from bench.peers import PAIRS
from referee.archive.generate import Generation, random_game
from referee.game import GameFile
from referee.notes import NoteLine, import_notes, note_lines
from referee.rules import GAMES

PLIES = 40


def figures() -> Iterator[Figure]:
    """Each game in plain rounds, then one of them in everyday words."""
    for name in GAMES:
        game = random_game(Generation(name, "notes", plies=PLIES), 1)
        lines = note_lines(rounds(game), "notes")
        yield _figure(f"import {PLIES} plies of {name}", _seconds(lines, name, dict(game.options)))
    game = random_game(Generation("beams", "notes", plies=PLIES), 1)
    lines = note_lines(rounds(game, "put ", "rotate "), "notes")
    yield _figure("the same of beams in words, its game unknown", _seconds(lines, None, {}))


def rounds(game: GameFile, place: str = "P ", turn: str = "R ") -> str:
    """The moves of a game as people write them: a round on each line, a slash between two moves."""
    texts = [" / ".join(str(one.move) for one in each.moves) for each in game.rounds]
    said = "\n".join(f"{number}) {text}" for number, text in enumerate(texts, 1))
    return said if place == "P " else said.replace("P ", place).replace("R ", turn)


def _figure(name: str, seconds: float) -> Figure:
    return Figure(name, f"{seconds * 1e3:.0f} ms", "1 s", seconds, "<= 1.0")


def _seconds(lines: Sequence[NoteLine], game: str | None, options: dict[str, object]) -> float:
    """The median time of an import, after a first one that loads what it needs."""
    import_notes(lines, game, options)
    times = []
    for _ in range(PAIRS):
        begin = time.perf_counter()
        import_notes(lines, game, options)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)
