"""Perft of Laser Chess: the same plain recursion as over python-chess's legal moves, and the known figures."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from bench.figures import Figure, rate
from bench.peers import Job, compared
from referee.rules import Position, perft, start

KNOWN = {
    "ace": 34_065_081,
    "curiosity": 27_828_431,
    "grail": 23_091_809,
    "mercury": 18_771_585,
    "sophie": 26_829_747,
}
"""Sequences of four legal moves from each set-up."""


def figures() -> Iterator[Figure]:
    """Leaves per second beside the peer; then every set-up to depth 4, which must be exact."""
    ace = start("laser-chess", setup="ace")
    ours = Job("ace, depth 3", 451_859, lambda: leaves(ace, 3))
    peer = Job("chess, depth 4", 197_281, lambda: chess_leaves(chess.Board(), 4))
    mine, theirs, ratio = compared(ours, peer)
    yield Figure("perft of ace through play(), leaves", rate(mine), rate(theirs), ratio, ">= 0.3")
    for name, known in KNOWN.items():
        found = perft(start("laser-chess", setup=name), 4)
        yield Figure(f"perft of {name}, depth 4", f"{found:,}", f"{known:,}", found / known, "= 1")


def leaves(position: Position, depth: int) -> int:
    """Plain recursion through the public contract: every move is judged and played, the last ones too."""
    if depth == 0:
        return 1
    (side,) = position.to_move or ("",)
    return sum(leaves(position.play({side: move}), depth - 1) for move in position.legal_moves(side))


def chess_leaves(board: chess.Board, depth: int) -> int:
    """The same over python-chess."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += chess_leaves(board, depth - 1)
        board.pop()
    return total
