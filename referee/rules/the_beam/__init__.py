"""The Beam: the game (rules/the-beam.md).

`pieces` has the grid, the moves and the beam, and `deal` draws the cards. `position` judges and plays moves, and
`lane` does the same in integers.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from referee.errors import OptionError
from referee.rules.contract import Position
from referee.rules.description import Data, Game, Secret, own_parts
from referee.rules.frozen import frozen_data
from referee.rules.the_beam.deal import EXAMPLE, ROUNDS, Deal, commitment, dealt, draw_seed, fault, read
from referee.rules.the_beam.lane import TheBeamLane
from referee.rules.the_beam.pieces import TEAM, Allocate, Move, Place, PlaceMirror, Slash, TakeMirror, TurnMirror
from referee.rules.the_beam.position import TheBeamCursor, TheBeamPosition, opening

__all__ = [
    "GAME",
    "Allocate",
    "Move",
    "Place",
    "PlaceMirror",
    "Slash",
    "TakeMirror",
    "TheBeamPosition",
    "TurnMirror",
    "commitment",
    "draw_seed",
]


def _known(options: Mapping[str, Any], seed: str, position: Position | None) -> Mapping[str, Any]:
    """The deal as the players may know it: the cards of the rounds so far, and at the end the seed."""
    promise, told = commitment(seed), options.get("deal", {})
    if not hmac.compare_digest(promise, told.get("commitment", promise).lower()):
        raise OptionError((("deal", "this is not the seed that the game's commitment was made from"),))
    if told.get("seed", seed) != seed:
        raise OptionError((("deal", "this is not the seed that the deal names"),))
    if (wrong := fault({**told, "seed": seed})) is not None:
        raise OptionError((("deal", wrong),))
    if position is not None and position.outcome is not None:
        return {"deal": {"seed": seed, "commitment": promise}}
    rounds, deal = _rounds(position), dealt(seed)
    first, second = deal.decks
    shown = Deal(deal.discs, (first[:rounds], second[:rounds]))
    return {"deal": {"commitment": promise, **shown.as_option()}}


def _rounds(position: Position | None) -> int:
    return position.round if isinstance(position, TheBeamPosition) else 1


def _fits(before: Mapping[str, Any], after: Mapping[str, Any], position: Position | None) -> bool:
    """True if commitment and discs are those `before`, if any, and each round has shown one card of each deck."""
    option = frozen_data(after.get("deal"))
    if fault(option) is not None or "seed" in option or "commitment" not in option:
        return False
    deal, promise = read(option), option["commitment"].lower()
    discs = {colour: tuple(sorted(columns)) for colour, columns in deal.discs.items()}
    if len(deal.decks[0]) != _rounds(position):
        return False
    known = frozen_data(before.get("deal"))
    if known is None or known == option:
        return True
    whole = option == frozen_data({"commitment": promise, **Deal(discs, deal.decks).as_option()})
    return whole and known["commitment"] == promise and read(known).begins(deal)


def _needed(options: Mapping[str, Any]) -> bool:
    """True if the decks of the options lack cards that will be turned over."""
    return any(len(deck) < ROUNDS for deck in read(options["deal"]).decks)


def _begin(options: Mapping[str, Any]) -> TheBeamPosition:
    return opening(read(options["deal"]))


GAME = Game(
    **own_parts("the-beam"),
    title="The Beam",
    designer="a cooperative classroom game",
    sides=TheBeamPosition.sides,
    options=(Data("deal", EXAMPLE, "where the discs lie and how the decks are shuffled", fault),),
    begin=_begin,
    scored=(TEAM,),
    silent=True,
    secret=Secret(draw_seed, _known, _fits, _needed),
    cursor=TheBeamCursor,
    lane=TheBeamLane,
)
