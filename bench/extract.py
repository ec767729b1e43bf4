"""Large archives on all cores, beside pgn-extract with as many moves of chess."""

from __future__ import annotations

import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from bench.figures import Figure, rate
from referee.archive.executors import cores
from referee.archive.generate import Generation, random_game
from referee.game.dumper import to_json

DISTINCT = 1_000
"""Different games; each file has all of them again and again."""

MOVES = 1_000_000
PAIRS = 3

GAMES = ("beams", "boundary", "the-beam", "laser-chess")


def figures() -> Iterator[Figure]:
    """Moves a second of processor time of whole commands, ours as often as there are cores; pgn-extract has one.

    What jobs on all cores give is measured by `bench.cores`. Their processor time cannot be seen from outside.
    """
    program = shutil.which("pgn-extract", path=f"{os.environ['PATH']}:/usr/games")
    if program is None:
        print("left out: the Debian package pgn-extract is not installed", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        pgn, archive = Path(folder) / "games.pgn", Path(folder) / "games.jsonl"
        theirs = [program, "-r", "-s", str(pgn)]
        ours = [sys.executable, "-m", "referee", "check", "--no-suggest", "-j", "1", str(archive)]
        in_pgn = _write(pgn, map(_chess_game, range(DISTINCT)))
        for name in GAMES:
            in_archive = _write(archive, (_own_game(name, number) for number in range(DISTINCT)))
            pairs = [(in_archive * cores() / _seconds(ours), in_pgn / _seconds(theirs)) for _ in range(PAIRS)]
            mine, their_rate = (statistics.median(rates) for rates in zip(*pairs, strict=True))
            ratio = statistics.median(one / other for one, other in pairs)
            yield Figure(f"an archive beside pgn-extract, {name}", rate(mine), rate(their_rate), ratio, ">= 0.5")


def _seconds(command: list[str]) -> float:
    """What a whole command takes of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _write(path: Path, games: Iterator[tuple[str, int]]) -> int:
    """Write games as often as gives about `MOVES` moves; the exact number of moves."""
    texts, moves = [], 0
    for text, made in games:
        texts.append(text)
        moves += made
    times = round(MOVES / moves)
    path.write_text("".join(texts) * times, encoding="utf-8")
    return moves * times


def _chess_game(number: int) -> tuple[str, int]:
    """A random legal game of 80 plies, or of fewer if it is over, and how many they are."""
    chance, board = random.Random(number), chess.Board()
    while board.ply() < 80 and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return f"{chess.pgn.Game.from_board(board)}\n\n", board.ply()


def _own_game(name: str, number: int) -> tuple[str, int]:
    """The same of a game of ours, to its end."""
    game = random_game(Generation(name, "beside"), number + 1)
    return f"{to_json(game)}\n", sum(len(one.moves) for one in game.rounds)
