"""Perft: how many sequences of legal moves there are from a position."""

from __future__ import annotations

from referee.rules.contract import Position


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` legal moves, for games where one side moves at a time.

    The moves of the last ply are counted and not played. A game that is over has no sequence.
    """
    if depth == 0:
        return 1
    if not position.to_move:
        return 0
    (side,) = position.to_move
    moves = position.legal_moves(side)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(perft(position.play_unchecked({side: move}), depth - 1) for move in moves)
