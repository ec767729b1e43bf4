"""Large archives, a core beside a core: pgn-extract with as many moves of chess, and the same rules in C."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from bench.ended import ended_games, moves_of
from bench.figures import Figure
from bench.kernel import compare_verdicts, compiled
from bench.startup import processor_seconds
from referee.game import GameFile, to_json

DISTINCT = 1_000
"""Different games; each file has all of them again and again."""

MOVES = 1_000_000
PAIRS = 3

GAMES = ("beams", "boundary", "the-beam", "laser-chess")


def figures() -> Iterator[Figure]:
    """Nanoseconds of processor time a move, of whole commands: ours with one job, and programs in C."""
    extract = shutil.which("pgn-extract", path=f"{os.environ['PATH']}:/usr/games")
    if extract is None:
        print("left out: the Debian package pgn-extract is not installed", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pgn, archive, kernel = folder / "games.pgn", folder / "games.jsonl", compiled(folder)
        in_pgn = _write(pgn, map(_chess_game, range(DISTINCT))) if extract else 0
        ours = [sys.executable, "-m", "referee", "check", "--no-suggest", "-j", "1", str(archive)]
        for game in GAMES:
            moves = _write(archive, (_own_game(one) for one in ended_games(game, {}, DISTINCT, "beside")))
            if extract:
                theirs = [extract, "-r", "-s", str(pgn)]
                yield _beside(f"an archive of {game}; pgn-extract", (ours, moves), (theirs, in_pgn), ">= 0.6")
            if game == "beams" and kernel is not None:
                compare_verdicts(kernel, folder)
                theirs = [str(kernel), str(archive)]
                yield _beside(f"an archive of {game}; its rules in C", (ours, moves), (theirs, moves), ">= 0.071")
    if kernel is None:
        print("left out: the rules in C, as there is no gcc", file=sys.stderr)


def _beside(name: str, ours: tuple[list[str], int], theirs: tuple[list[str], int], goal: str) -> Figure:
    """A command and its moves beside another one with its own."""
    pairs = [[1e9 * processor_seconds(command) / moves for command, moves in (ours, theirs)] for _ in range(PAIRS)]
    mine, other = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(two / one for one, two in pairs)
    return Figure(name, f"{mine:,.0f} ns", f"{other:,.0f} ns", ratio, goal)


def _write(path: Path, games: Iterator[tuple[str, int]]) -> int:
    """Write games repeatedly, up to about `MOVES` moves; return the exact number of moves."""
    texts, moves = [], 0
    for text, made in games:
        texts.append(text)
        moves += made
    times = round(MOVES / moves)
    path.write_text("".join(texts) * times, encoding="utf-8")
    return moves * times


def _chess_game(number: int) -> tuple[str, int]:
    """A random legal game of 80 plies, or of fewer if it is over, and their number."""
    chance, board = random.Random(number), chess.Board()
    while board.ply() < 80 and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return f"{chess.pgn.Game.from_board(board)}\n\n", board.ply()


def _own_game(game: GameFile) -> tuple[str, int]:
    """A line of an archive, and its moves."""
    return f"{to_json(game)}\n", moves_of([game])
