"""Random games to measure with."""

from __future__ import annotations

import random
from dataclasses import replace

from referee.game import AnnotatedMove, GameFile, Player, new_game, rounds_of
from referee.rules import Move, Position


def random_game(
    name: str, chance: random.Random, plies: int | None = None, prefer: type = object, **options: object
) -> GameFile:
    """A game of random legal moves, of a preferred kind if there are any, to its end or to `plies`."""
    game = new_game(name, options, {side: Player(f"Player {side}") for side in _sides(name)})
    position = game.start()
    made: list[tuple[AnnotatedMove, ...]] = []
    while position.to_move and (plies is None or len(made) < plies):
        moves = {
            side: _any_move(position, side, chance, prefer) for side in position.sides if side in position.to_move
        }
        made.append(tuple(AnnotatedMove(move) for move in moves.values()))
        position = position.play(moves)
    flat = [noted for ply in made for noted in ply]
    return replace(game, rounds=rounds_of(flat, game.description.moves_per_round))


def _sides(name: str) -> tuple[str, ...]:
    from referee.rules import game_named

    return game_named(name).sides


def _any_move(position: Position, side: str, chance: random.Random, prefer: type) -> Move:
    moves = list(position.legal_moves(side))
    return chance.choice([move for move in moves if isinstance(move, prefer)] or moves)
