"""The evaluation of Beams, Boosters and Barriers: the points on the board, and the pieces in hand."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from operator import mul

from referee.engine.search.candidates import CandidateSearch
from referee.engine.search.evaluation import Evaluation, Trial, lead
from referee.engine.search.rounds import MatrixSearch
from referee.rules import Position
from referee.rules.beams import BeamsPosition
from referee.rules.beams.board import other
from referee.rules.beams.light import LiveLight
from referee.rules.beams.pieces import FAN, GENERATORS, PLACED_PIECES, Move, PieceType, Place, PlacedPiece

BEAM, BARRIER, BOOST = 100, 100, 30
"""The worth of a generator in hand for each of its beams, of a barrier for each component, and of a booster."""

_IN_HAND = {
    piece: (BEAM if piece in GENERATORS else BARRIER) * len(fan) if fan else BOOST for piece, fan in FAN.items()
}


class BeamsEvaluation(Evaluation[BeamsPosition]):
    """The counters on both rear boundaries, and the pieces in both hands.

    A piece is worth more the later it is placed, because the opponent then has fewer left to answer it. So a player
    places only pieces that are worth as much at once.
    """

    def value(self, position: BeamsPosition, side: str) -> int:
        """The lead of a side in points, with those of the pieces in hand."""
        hands = position.hands
        return lead(position.score, side) + _kept(hands[side]) - _kept(hands[other(side)])

    def key(self, position: BeamsPosition) -> Hashable:
        """Everything except the light, which follows from the rest."""
        return position.stones, position.hands, position.mover, position.rotated, position.left

    def trial(self, position: BeamsPosition, side: str) -> Trial:
        """As in any game, but without positions, as only the light and the pieces in hand count."""
        if position.left is not None:
            return super().trial(position, side)
        kept = _kept(position.hands[side]) - _kept(position.hands[other(side)])
        light, sites, stones = position.light, position.board.sites, position.stones

        def value(moves: Mapping[str, Move]) -> int:
            after, changed = kept, dict[int, PlacedPiece]()
            for mover, move in moves.items():
                site = sites[mover][move.cell]
                if isinstance(move, Place):
                    changed[site] = PLACED_PIECES[move.piece, move.clock]
                    after += -_IN_HAND[move.piece] if mover == side else _IN_HAND[move.piece]
                else:
                    changed[site] = stones[site].turned(move.turn)
            south, north = LiveLight(light).left_after(changed)
            return after + 100 * (north - south if side == "south" else south - north)

        return value


def _kept(hand: Mapping[PieceType, int]) -> int:
    return sum(map(mul, map(_IN_HAND.__getitem__, hand), hand.values()))


_EVALUATION = BeamsEvaluation()
_ROUNDS, _TURNS = MatrixSearch(_EVALUATION), CandidateSearch(_EVALUATION)


def search(position: Position) -> MatrixSearch | CandidateSearch:
    """A matrix where both sides move at once, candidates and replies where they move in turn."""
    return _ROUNDS if len(position.to_move) > 1 else _TURNS
