"""Positions that the search visits in a second, beside the same search over python-chess."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Any, cast

import chess

from bench.figures import Figure, rate
from referee.engine.choice import search_of
from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import Evaluation
from referee.engine.search.prospect import GameSearch
from referee.rules import Move, Outcome, Position, first_position, movers

NODES, PAIRS, OPENING = 3_000, 5, 8
_WORTH = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
_SIDES = {chess.WHITE: "white", chess.BLACK: "black"}
_TO_MOVE = {colour: frozenset((side,)) for colour, side in _SIDES.items()}


class ChessPosition:
    """A board of python-chess with the part of the contract that the search needs."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board

    @property
    def to_move(self) -> frozenset[str]:
        """The side to move; none once the game is over."""
        return _TO_MOVE[self.board.turn] if any(self.board.generate_legal_moves()) else frozenset()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game."""
        if self.to_move:
            return None
        winner = _SIDES[not self.board.turn] if self.board.is_check() else None
        return Outcome(winner, "king", {side: int(side == winner) for side in _SIDES.values()})

    def legal_moves(self, _side: str) -> Collection[chess.Move]:
        """Its legal moves."""
        return cast(Collection[chess.Move], self.board.legal_moves)

    def play_unchecked(self, moves: Mapping[str, chess.Move]) -> ChessPosition:
        """The position after a legal move."""
        board = self.board.copy(stack=False)
        board.push(next(iter(moves.values())))
        return ChessPosition(board)

    def claims(self, _side: str) -> frozenset[str]:
        """Nothing can be claimed."""
        return frozenset()


class ChessEvaluation(Evaluation[Any]):
    """The pieces."""

    def value(self, position: ChessPosition, side: str) -> int:
        """The pieces of a side against the other's."""
        board, total = position.board, 0
        for piece, worth in _WORTH.items():
            total += worth * (len(board.pieces(piece, chess.WHITE)) - len(board.pieces(piece, chess.BLACK)))
        return total if side == "white" else -total

    def key(self, position: ChessPosition) -> Hashable:
        """The key that python-chess itself compares."""
        return position.board._transposition_key()

    def promising(self, position: ChessPosition, side: str, moves: Iterable[Any]) -> list[Any]:
        """Captures first."""
        return sorted(moves, key=lambda move: not position.board.is_capture(move))


def figures() -> Iterator[Figure]:
    """Nodes a second of each game that is played in turn, and of the other games by their own count."""
    peer = AlphaBeta(cast(Any, ChessEvaluation()))
    for game, options in (
        ("boundary", {}),
        ("laser-chess", {}),
        ("beams", {"mode": "synchronous"}),
        ("beams", {"mode": "asynchronous"}),
        ("the-beam", {}),
    ):
        pairs = [
            (_rate(search_of(one), one), _rate(peer, _chess(seed)))
            for seed in range(PAIRS)
            if (one := _opened(first_position(game, options), seed))
        ]
        ours, theirs = (statistics.median(rates) for rates in zip(*pairs, strict=True))
        ratio = statistics.median(one / other for one, other in pairs)
        name = ", ".join(("nodes", game, *options.values()))
        yield Figure(name, rate(ours), rate(theirs), ratio, "none of its own")


def _rate(search: GameSearch, position: Any) -> float:  # noqa: ANN401 - a position of ours or of chess
    side = sorted(position.to_move)[0]
    moves = list(position.legal_moves(side))
    begin = time.process_time()
    found = search.find(position, side, cast(list[Move], moves), NODES, Dice("nodes"))
    return found.nodes / (time.process_time() - begin)


def _opened(position: Position, seed: int) -> Position:
    """The position after a few random plies."""
    chance = random.Random(seed)
    for _ in range(OPENING):
        after = position.play({side: position.any_move(side, chance.randrange) for side in movers(position)})
        if not after.to_move:
            break
        position = after
    return position


def _chess(seed: int) -> ChessPosition:
    chance, board = random.Random(seed), chess.Board()
    for _ in range(OPENING):
        board.push(chance.choice(list(board.legal_moves)))
    return ChessPosition(board)
