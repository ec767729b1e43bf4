"""Games that are played to their ends and have results: random ones, or an engine's if random play has no end.

A random game of Boundary has no winner after 10,000 plies. So the lowest level plays both sides: `python -m
bench.ended` plays these games, which takes minutes, and keeps them in `boundary.jsonl` next to this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from referee.archives.generate import Generation, random_game
from referee.engine import choose
from referee.game import AnnotatedMove, GameFile, loads, new_game, rounds_of, to_json
from referee.rules import movers

KEPT = Path(__file__).with_name("boundary.jsonl")
LONGEST = 1_000
"""Plies within which random games must end; a longer one is left out."""

PLAYED, LONGEST_PLAYED = 40, 400
"""Games of Boundary that are kept, and plies within which they must end: engines can go round in circles."""


def ended_games(name: str, options: Mapping[str, str], number: int, seed: str) -> list[GameFile]:
    """Different games, each to its end; of Boundary, those that are kept."""
    if name == "boundary":
        return [loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()][:number]
    generation = Generation(name, seed, options, LONGEST)
    random_games = (random_game(generation, one) for one in count(1))
    return list(islice((game for game in random_games if game.result is not None), number))


def moves_of(games: list[GameFile]) -> int:
    """The number of moves in all games."""
    return sum(len(one.moves) for game in games for one in game.rounds)


def played() -> Iterator[GameFile]:
    """Games of Boundary in which level 1 of the engine plays both sides until one wins."""
    for number in count(1):
        game = new_game("boundary", {"first": "south"}, id=f"level-1-{number}")
        position, moves = game.start(), list[AnnotatedMove]()
        while (sides := movers(position)) and len(moves) < LONGEST_PLAYED:
            made = {side: choose(position, side, 1, f"{game.id} {side}") for side in sides}
            moves += map(AnnotatedMove, made.values())
            position = position.play(made)
        if position.outcome is not None:
            rounds = rounds_of(moves, game.description.moves_per_round)
            yield replace(game, rounds=rounds, result=dict(position.outcome.score))


if __name__ == "__main__":
    with KEPT.open("w", encoding="utf-8") as file:
        for made in islice(played(), PLAYED):
            print(to_json(made), file=file, flush=True)
