"""The Beam: the game (rules/the-beam.md)."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from referee.errors import OptionError
from referee.rules.contract import Data, Game, Position, Secret
from referee.rules.the_beam.deal import EXAMPLE, Deal, commitment, dealt, draw_seed, fault, read
from referee.rules.the_beam.pieces import (
    PLAYERS,
    TEAM,
    Allocate,
    Move,
    Place,
    PlaceMirror,
    Slash,
    TakeMirror,
    TurnMirror,
)
from referee.rules.the_beam.position import TheBeamPosition, opening

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
    """The deal as far as the players may know it: the cards of the rounds so far, and in the end the seed."""
    promise = commitment(seed)
    known = options.get("deal", {}).get("commitment", promise)
    if not hmac.compare_digest(promise, known.lower()):
        raise OptionError((("deal", "this is not the seed that the game's commitment was made of"),))
    if position is not None and position.outcome is not None:
        return {"deal": {"seed": seed, "commitment": promise}}
    rounds = position.round if isinstance(position, TheBeamPosition) else 1
    deal = dealt(seed)
    first, second = deal.decks
    shown = Deal(deal.discs, (first[:rounds], second[:rounds]))
    return {"deal": {"commitment": promise, **shown.as_option()}}


def _begin(options: Mapping[str, Any]) -> TheBeamPosition:
    return opening(read(options["deal"]))


GAME = Game(
    name="the-beam",
    title="The Beam",
    designer="a cooperative classroom game",
    sides=PLAYERS,
    options=(Data("deal", EXAMPLE, "where the discs lie and how the decks are shuffled", fault),),
    begin=_begin,
    scored=(TEAM,),
    secret=Secret(draw_seed, _known),
)
