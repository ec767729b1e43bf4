"""An engine's knowledge of The Beam: the cards that may still come, and the discs that a beam would collect now."""

from __future__ import annotations

from dataclasses import replace

from referee.engine.search.dice import Dice
from referee.engine.search.playouts import Playouts
from referee.rules import Move, Position
from referee.rules.the_beam import Allocate, PlaceMirror, Slash, TakeMirror, TheBeamPosition, TurnMirror
from referee.rules.the_beam.deal import ROUNDS, Deal
from referee.rules.the_beam.pieces import POINTS, SIZE, TEAM, Place, walked
from referee.rules.the_beam.position import MIRRORS

_EACH = 4
"""Cards of each number in the pack."""

_ROWS = {row: tuple(Place(row, column) for column in range(1, SIZE + 1)) for row in range(1, SIZE + 1)}


class TheBeamImagination:
    """Draws unknown cards from those that were not seen, and collects the most with each beam."""

    def imagined(self, position: TheBeamPosition, dice: Dice) -> TheBeamPosition:
        """The position with random cards after this round."""
        first, second = (deck[: position.round] for deck in position.deal.decks)
        seen = [*first, *second]
        left = [card for card in range(1, SIZE + 1) for _ in range(_EACH - seen.count(card))]
        dice.shuffle(left)
        missing = ROUNDS - len(first)
        decks = ((*first, *left[:missing]), (*second, *left[missing:]))
        return replace(position, deal=Deal(position.deal.discs, decks))

    def quick(self, position: TheBeamPosition) -> tuple[Move, int]:
        """The task that collects the most points in this round."""
        if position.allocated is not None:
            move, _, looked = self._best_mirror(position, position.allocated)
            return move, looked
        mirror, beam = position.cards or (0, 0)
        choices = [Allocate(mirror, beam), Allocate(beam, mirror)]
        found = [self._best_mirror(position, choice) for choice in choices]
        best = max((0, 1), key=lambda number: found[number][1])
        return choices[best], found[0][2] + found[1][2]

    def value(self, position: TheBeamPosition) -> int:
        """The points of the team."""
        return 100 * position.score[TEAM]

    def _best_mirror(self, position: TheBeamPosition, cards: Allocate) -> tuple[Move, int, int]:
        """The mirror's move with the most points for a beam, these points, and the number of moves."""
        mirrors, discs = dict(position.mirrors), position.discs
        best, most, looked = None, -1, 0
        for square in _ROWS[cards.mirror]:
            there = mirrors.get(square)
            moves: tuple[tuple[Move, Slash | None], ...]
            if there is not None:
                moves = ((TurnMirror(square), there.turned), (TakeMirror(square), None))
            elif square not in discs and len(mirrors) < MIRRORS:
                moves = tuple((PlaceMirror(slash, square), slash) for slash in Slash)
            else:
                continue
            for move, slash in moves:
                if slash is None:
                    del mirrors[square]
                else:
                    mirrors[square] = slash
                path = walked(cards.beam, mirrors, position.barriers).path
                points = sum(POINTS[discs[place]] for place in {*path} if place in discs)
                looked += 1
                if points > most:
                    best, most = move, points
            if there is None:
                del mirrors[square]
            else:
                mirrors[square] = there
        if best is None:
            best = next(iter(replace(position, allocated=cards).legal_moves()))
        return best, most, looked


_SEARCH = Playouts(TheBeamImagination())  # type: ignore[arg-type]


def search(position: Position) -> Playouts:
    """The search for any position."""
    return _SEARCH
