"""Random games that the slots of a club play again and again, each at its own time."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from referee.desk import TIMEOUT, canonical
from referee.game import GameFile
from referee.rules import Position, movers

EACH = 30
"""Different games by the same rules."""

PLIES = {"beams": 18, "boundary": 70, "laser-chess": 70}
"""Maximum plies of games, by their rules."""

SHORTEST = 5
LAPSED, PLAYED = 0.15, 0.2
"""The shares of games that end because time is over, or by their moves; the others are resigned."""


class End(NamedTuple):
    """The end of a game: because of a side, or by its moves."""

    how: str
    by: str | None
    winner: str | None
    score: Mapping[str, int]


class Playout(NamedTuple):
    """A game: its sides, the sides to move in each ply, and their moves; after the last ply it ends.

    It ends in the ply after the last one, if not by its moves. `simultaneous` is true if moves are sealed. `made` and
    `then` are the moves of each ply, and the sides to move after it, as logs have them.
    """

    rules: str
    protocol: str
    version: int
    sides: tuple[str, ...]
    simultaneous: bool
    moves_a_round: int
    owing: tuple[tuple[str, ...], ...]
    plies: tuple[Mapping[str, str], ...]
    made: tuple[str, ...]
    then: tuple[str, ...]
    end: End


def playouts(rules: str, chance: random.Random) -> list[Playout]:
    """Games by some rules."""
    return [_playout(GameFile(rules), chance) for _ in range(EACH)]


def _playout(game: GameFile, chance: random.Random) -> Playout:
    position, plies, owing = game.start(), list[Mapping[str, str]](), []
    most = PLIES[game.game] if chance.random() < PLAYED else chance.randint(SHORTEST, PLIES[game.game])
    while position.outcome is None and len(plies) < most:
        moves = {side: position.any_move(side, chance.randrange) for side in position.to_move}
        owing.append(movers(position))
        plies.append({side: str(moves[side]) for side in sorted(moves)})
        position = position.play(moves)
    owing.append(movers(position))
    version = game.description.versions[-1]
    return Playout(
        game.game,
        f"{game.game} {version}",
        version,
        game.description.sides,
        len(owing[0]) > 1,
        game.description.moves_per_round,
        tuple(owing),
        tuple(plies),
        tuple(map(canonical, plies)),
        tuple(map(canonical, owing[1:])),
        _end(position, chance),
    )


def _end(position: Position, chance: random.Random) -> End:
    if position.outcome is not None:
        how, by, outcome = str(position.outcome.termination), None, position.outcome
    else:
        how, owing = TIMEOUT if chance.random() < LAPSED else "resignation", movers(position)
        by = None if how == TIMEOUT and len(owing) > 1 else owing[-1]
        outcome = position.ended(how, by)
    return End(how, by, outcome.winner, dict(outcome.score))
