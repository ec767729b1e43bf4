"""Checking game files: parse, judge and apply every move, counters after every ply, beside python-chess."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from bench.figures import Figure, rate
from bench.games import random_game
from bench.peers import PAIRS, Job, compared, peer
from referee.game import loads
from referee.game.file.loader import dumps
from referee.rules import game_named

FILES = 150


GAMES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("beams", {"mode": "asynchronous"}, ">= 2.0"),
    ("beams", {"mode": "synchronous"}, ">= 1.5"),
    ("boundary", {}, ">= 1.5"),
    ("the-beam", {}, ">= 1.3"),
    ("laser-chess", {}, ">= 2.0"),
)


def figures() -> Iterator[Figure]:
    """Moves per second over distinct random games, for each game."""
    beside = peer()
    for name, options, goal in GAMES:
        mine, theirs, ratio = compared(checking(name, options), beside, 3 * PAIRS, time.process_time)
        said = "".join(f", {value}" for value in options.values())
        yield Figure(f"check YAML files, {name}{said}", rate(mine), rate(theirs), ratio, goal)


def checking(name: str, options: dict[str, Any]) -> Job:
    """Checking many YAML files of one game, the score after every ply."""
    chance = random.Random(7)
    games = [random_game(name, chance, 80, **options, **_secret(name, chance)) for _ in range(FILES)]
    texts = [dumps(game) for game in games]
    moves = sum(len(one.moves) for game in games for one in game.rounds)

    def work() -> None:
        for text in texts:
            for ply in loads(text).replay():
                assert ply.position.score is not None

    return Job(f"{name}", moves, work)


def _secret(name: str, chance: random.Random) -> dict[str, Any]:
    """A different secret for every game with chance."""
    secret = game_named(name).secret
    if secret is None:
        return {}
    seed = str(chance.random())
    return {option: {"seed": seed} for option in secret.known({}, seed, None)}
