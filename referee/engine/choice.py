"""An engine's choice of a move, which depends only on the public position, its level and its seed."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

from referee.engine.levels import HASTILY, level_of
from referee.engine.search.dice import Dice
from referee.engine.search.prospect import CostSearch, GameSearch, Prospect
from referee.errors import RefereeError, expect
from referee.rules import GAMES, Move, Position, game_named, part
from referee.rules.guard import guarded

VERSION = 1
"""The version of all engines: the moves of a version never change."""


def choose(position: Position, side: str, level: int | str = 4, seed: str = "") -> Move:
    """The move of an engine for a side that is to move.

    It follows from the public parts of the position and of those before it that could be repeated, the level, the
    seed and the `VERSION` of the engines, and is the same on every machine and in every Python.

    Raises:
        RefereeError: `level`, or `no-engine` if none plays this game.
        IllegalMove: `not-your-turn` or `game-over`.

    >>> import referee
    >>> from referee.engine import choose
    >>> position = referee.start("laser-chess")
    >>> choose(position, "blue", level=1, seed="a") in position.legal_moves("blue")
    True
    """
    return ponder(position, side, level, seed).move


def ponder(position: Position, side: str, level: int | str = 8, seed: str = "", *, sober: bool = False) -> Prospect:
    """The move of an engine for a side, with its expectation; a `sober` one is never hasty. It raises as `choose`."""
    expect(Position, position, "a position")
    expect(str, side, "the name of a side")
    expect(str, seed, "a seed")
    strength, search = level_of(level), search_of(position)
    if side not in position.to_move:
        raise position.out_of_turn(side)
    dice = dice_for(position, side, strength.number, seed)
    moves = list(position.legal_moves(side))
    if not sober and dice.share() < strength.hasty:
        moves = dice.sample(moves, HASTILY)
    return search.find(position, side, moves, strength.nodes, dice)


def dice_for(position: Position, side: str, level: int, seed: str) -> Dice:
    """The dice of an engine, which follow from the public position, its side, level, seed and version."""
    return Dice(f"{VERSION} {level} {side} {seed} {json.dumps(position.facts(), sort_keys=True)}")


def search_of(position: Position) -> GameSearch:
    """The search that suits a position; RefereeError `no-engine` if no engine plays its game."""
    game = game_named(position.game)
    if not game.engine or (game.secret and game.secret.whole):
        raise RefereeError("no-engine", f"no engine plays {game.title} yet")
    search: GameSearch = part(game, game.engine).search(position)
    return search if game.name in GAMES else _guarded(search, game.name)


def _guarded(search: GameSearch, game: str) -> GameSearch:
    """The search of another package's game: any error that it raises is a fault, even from referee's own parts."""

    def find(position: Position, *asked: Any) -> Prospect:  # noqa: ANN401 - as a search is asked
        found = search.find(position, *asked)
        expect(Prospect, found, "a prospect")
        expect(position.kinds, found.move, "a move of its game")
        return found

    made = SimpleNamespace(find=guarded(find, lambda *_: game, passes=()))
    if isinstance(search, CostSearch):
        made.cost = guarded(search.cost, lambda *_: game, int, ())
    return cast(GameSearch, made)
