"""Targets of The Beam: cards, squares, and actions with the mirror of a square."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from referee.draw.scenes.grid import square_outline
from referee.draw.scenes.scene import Point
from referee.draw.scenes.target import TURN_SIGNS, Composition, Target, Wording
from referee.draw.the_beam.scene import BOARD, card_outline
from referee.rules.the_beam import Allocate, Move, Place, PlaceMirror, Slash, TakeMirror, TheBeamPosition, TurnMirror
from referee.rules.the_beam.deal import Deal
from referee.rules.the_beam.pieces import SIZE

_ASKS = ("a square", "what to do there")
_ALLOCATE = Wording("A {0}", "Take {0}.", ("the card of the mirror's row",))
_PLACE = Wording("P {1} {0}", "Put {1} on {0}.", _ASKS)
_TURN = Wording("R {0}", "Turn {0}.", _ASKS)
_TAKE = Wording("X {0}", "Take {0} away.", _ASKS)

_LEFT, _RIGHT = (square_outline((away, 0.0), 19.0) for away in (-56.0, 56.0))
"""The places of the two actions with a square."""


def targets(position: TheBeamPosition, *, side: str, view: str) -> Iterator[Target]:
    """The cards while they have no task, all squares from the upper left, then the actions with one."""
    if position.cards is not None and position.allocated is None:
        first, second = position.cards
        for place, (mirror, beam) in enumerate(dict.fromkeys(((first, second), (second, first)))):
            said = f"{mirror} for the mirror's row, {beam} for the beam's column"
            yield Target(f"card {place + 1}", f"card {said}", f"M{mirror} B{beam}", said, card_outline(place))
    for row in range(SIZE, 0, -1):
        for column in range(1, SIZE + 1):
            yield _square(position, Place(row, column), BOARD.outline(column, row))
    yield Target("rising", "a rising mirror /", "/", "a rising mirror /", _LEFT, beside=True)
    yield Target("falling", "a falling mirror \\", "\\", "a falling mirror \\", _RIGHT, beside=True)
    yield Target("turn", "turn the mirror", "R", "", _LEFT, TURN_SIGNS["R"], beside=True)
    yield Target("take", "take the mirror away", "X", "", _RIGHT, "\u2715", beside=True)


def _square(position: TheBeamPosition, place: Place, outline: tuple[Point, ...]) -> Target:
    wall = ", a barrier below it" if place in position.barriers else ""
    phrase = ""
    if slash := position.mirrors.get(place):
        held, phrase = f"{'rising' if slash is Slash.RISING else 'falling'} mirror {slash}", f"the mirror on {place}"
    elif colour := position.discs.get(place):
        held = f"{colour} disc"
    else:
        held = "empty"
    return Target(str(place), f"{place}, {held}{wall}", str(place), phrase, outline)


def composition(position: TheBeamPosition, side: str, move: Move) -> Composition:
    """The way to a move: a card, or a square and an action."""
    match move:
        case Allocate(mirror):
            assert position.cards is not None
            return Composition(_ALLOCATE, (f"card {position.cards.index(mirror) + 1}",))
        case PlaceMirror(slash, square):
            return Composition(_PLACE, (str(square), "rising" if slash is Slash.RISING else "falling"))
        case TurnMirror(square):
            return Composition(_TURN, (str(square), "turn"))
        case TakeMirror(square):
            return Composition(_TAKE, (str(square), "take"))
        case _:
            assert_never(move)


def trial(position: TheBeamPosition, side: str, move: Move) -> TheBeamPosition:
    """The position after a move, without the cards of rounds to come."""
    first, second = position.deal.decks
    open_cards = Deal(position.deal.discs, (first[: position.round], second[: position.round]))
    return replace(position, deal=open_cards).play_unchecked({side: move})
