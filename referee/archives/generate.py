"""Random legal games by the million: a seed gives the same games on any machine, with any division of the work."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from referee.game import AnnotatedMove, GameFile, new_game, rounds_of, to_json
from referee.rules import cursor_at, game_named

LONGEST_GAME = 300
"""Default limit of plies, after which a game stays unfinished: random play of some games hardly ever ends."""

GAMES_PER_BATCH = 50
"""Games made at a time."""


@dataclass(frozen=True)
class Generation:
    """The games to make: their kind, seed, options, and maximum number of plies."""

    game: str
    seed: str = "0"
    options: Mapping[str, Any] = field(default_factory=dict)
    plies: int = LONGEST_GAME

    def batches(self, games: int) -> Iterator[tuple[int, int]]:
        """The numbers of the first game and of the one after the last, of each batch."""
        return ((first, min(first + GAMES_PER_BATCH, games + 1)) for first in range(1, games + 1, GAMES_PER_BATCH))


def generate_batch(generation: Generation, batch: tuple[int, int]) -> str:
    """The games of a batch as lines of an archive."""
    return "".join(f"{to_json(random_game(generation, number))}\n" for number in range(*batch))


def random_game(generation: Generation, number: int) -> GameFile:
    """Game `number`: each of its moves is a legal one, as likely as any other.

    Raises:
        RefereeError: `unknown-game`.
        OptionError: with every fault of the options.
    """
    # Only `random()` of a generator that was seeded with a text is promised to stay the same.
    chance = random.Random(f"{generation.seed}/{number}").random
    seed = f"{generation.seed}-{number}"
    drawn = {name: {"seed": seed} for name in game_named(generation.game).chance}
    game = new_game(generation.game, {**drawn, **generation.options}, id=seed)
    here = cursor_at(game.start())
    moves: list[AnnotatedMove] = []
    for _ in range(generation.plies):
        due = here.to_move
        if not due:
            break
        ply = {side: here.any_move(side, lambda below: int(chance() * below)) for side in here.sides if side in due}
        moves += map(AnnotatedMove, ply.values())
        here.play(ply)
    rounds = rounds_of(moves, game.description.moves_per_round)
    outcome = here.position.outcome
    return replace(game, rounds=rounds, result=dict(outcome.score) if outcome else None)
