"""An engine's knowledge of The Beam: the cards that may still come, and the discs that a beam would collect now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.engine.search.dice import Dice
from referee.engine.search.playouts import Playouts
from referee.rules import Move, Position
from referee.rules.the_beam import Allocate, PlaceMirror, Slash, TakeMirror, TheBeamPosition, TurnMirror
from referee.rules.the_beam.deal import ROUNDS, Deal
from referee.rules.the_beam.pieces import GRID, POINTS, SIZE, TEAM, Place, walked
from referee.rules.the_beam.position import MIRRORS

_EACH = 4
"""Cards of each number in the pack."""

_Change = tuple[Move, Slash | None]
"""A mirror's move, and the mirror that is on its square afterwards."""


def _changes(square: Place) -> dict[Slash | None, tuple[_Change, ...]]:
    """For each mirror on a square, and for none, the moves there."""
    placed = tuple((PlaceMirror(slash, square), slash) for slash in Slash)
    found: dict[Slash | None, tuple[_Change, ...]] = {None: placed}
    for slash in Slash:
        found[slash] = (TurnMirror(square), slash.turned), (TakeMirror(square), None)
    return found


_CHANGES = {row: {square: _changes(square) for square in GRID if square.row == row} for row in range(1, SIZE + 1)}
"""For each row, its squares and the moves there."""


class TheBeamImagination:
    """Draws unknown cards from those that were not seen, and collects the most with each beam."""

    def imagined(self, position: TheBeamPosition, dice: Dice) -> TheBeamPosition:
        """The position with random cards after this round."""
        if position.round == ROUNDS:
            return position
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
        mirrors, discs, barriers = position.mirrors, position.discs, position.barriers
        path = walked(cards.beam, mirrors, barriers).path
        best, most, looked, usual = None, -1, 0, _points(path, discs)
        for square, changes in _CHANGES[cards.mirror].items():
            there = mirrors.get(square)
            if there is None and (square in discs or len(mirrors) >= MIRRORS):
                continue
            for move, slash in changes[there]:
                points = usual
                if square in path:
                    changed = dict(mirrors)
                    if slash is None:
                        del changed[square]
                    else:
                        changed[square] = slash
                    points = _points(walked(cards.beam, changed, barriers).path, discs)
                looked += 1
                if points > most:
                    best, most = move, points
        if best is None:
            best = next(iter(replace(position, allocated=cards).legal_moves()))
        return best, most, looked


def _points(path: Iterable[Place], discs: Mapping[Place, str]) -> int:
    """The points of the discs that a beam collects on its way."""
    return sum(POINTS[discs[place]] for place in {*path} if place in discs)


_SEARCH = Playouts(TheBeamImagination())  # type: ignore[arg-type]


def search(position: Position) -> Playouts:
    """The search for any position."""
    return _SEARCH
