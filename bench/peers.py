"""The peer that runs beside us, and the comparison of two jobs: alternating, pair by pair, in one process."""

from __future__ import annotations

import gc
import io
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import chess
import chess.pgn

PAIRS = 7


@dataclass(frozen=True)
class Job:
    """Work to time: its name, the number of moves (or other units) that it handles, and the function."""

    name: str
    units: int
    work: Callable[[], object]


Clock = Callable[[], float]


def seconds(job: Job, clock: Clock = time.perf_counter) -> float:
    """The time of the work, once."""
    gc.collect()
    start = clock()
    job.work()
    return clock() - start


class Comparison(NamedTuple):
    """Units per second of ours and of the peer (medians), and the median of the ratios, round by round."""

    ours: float
    peer: float
    ratio: float


def compared(ours: Job, peer: Job, pairs: int = PAIRS, clock: Clock = time.perf_counter) -> Comparison:
    """Compare with one peer, pair by pair.

    If all work is done in this process, its own time (`time.process_time`) leaves out other work of the machine.
    """
    return compared_with_all(ours, [peer], pairs, clock)[0]


def compared_with_all(
    ours: Job, peers: Sequence[Job], rounds: int = PAIRS, clock: Clock = time.perf_counter
) -> list[Comparison]:
    """Compare with each of some peers; in each round all of them run once."""
    jobs = [ours, *peers]
    for job in jobs:
        seconds(job)
    rates = [[job.units / seconds(job, clock) for job in jobs] for _ in range(rounds)]
    mine, *theirs = zip(*rates, strict=True)
    return [
        Comparison(
            statistics.median(mine),
            statistics.median(rate),
            statistics.median(one / other for one, other in zip(mine, rate, strict=True)),
        )
        for rate in theirs
    ]


def chess_games(games: int = 150, plies: int = 80, seed: int = 1) -> tuple[str, int]:
    """PGN text of random legal games, and its number of moves."""
    chance = random.Random(seed)
    texts = []
    moves = 0
    for _ in range(games):
        board = chess.Board()
        game: chess.pgn.GameNode = chess.pgn.Game()
        root = game
        while board.ply() < plies and (legal := list(board.legal_moves)):
            move = chance.choice(legal)
            board.push(move)
            game = game.add_variation(move)
        moves += board.ply()
        texts.append(str(root))
    return "\n\n".join(texts) + "\n", moves


def read_chess(pgn: str) -> None:
    """Read every game into a tree: parse, judge and apply each move."""
    file = io.StringIO(pgn)
    while chess.pgn.read_game(file) is not None:
        pass


def check_chess(pgn: str) -> None:
    """Read every game and keep only its last position: parse, judge and apply each move."""
    file = io.StringIO(pgn)
    while (board := chess.pgn.read_game(file, Visitor=chess.pgn.BoardBuilder)) is not None:
        assert board.move_stack


def push_chess(games: list[list[str]]) -> None:
    """Play games whose moves name both squares, so that nothing is searched: judge and apply each move."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)


def peer() -> Job:
    """python-chess reading random games of 80 plies into trees."""
    pgn, moves = chess_games()
    return Job("python-chess read_game", moves, lambda: read_chess(pgn))


def peer_without_tree() -> Job:
    """The same games with their last positions alone, as a checker needs them."""
    pgn, moves = chess_games()
    return Job("python-chess BoardBuilder", moves, lambda: check_chess(pgn))


def peer_without_notation() -> Job:
    """The same games, their moves given as pairs of squares."""
    pgn, moves = chess_games()
    file = io.StringIO(pgn)
    games = [[move.uci() for move in game.mainline_moves()] for game in iter(lambda: chess.pgn.read_game(file), None)]
    return Job("python-chess push_uci", moves, lambda: push_chess(games))


def maker() -> Job:
    """python-chess making random games of 80 plies and writing them as PGN."""
    _, moves = chess_games()
    return Job("python-chess, random games", moves, chess_games)
