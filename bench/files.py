"""Checking game files: parse, judge and apply every move, counters after every ply, beside python-chess."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.figures import Figure, rate
from bench.games import random_game
from bench.peers import Job, compared, peer
from referee.game import loads
from referee.game.writing import to_yaml

FILES = 150


def figures() -> Iterator[Figure]:
    """Moves per second over distinct random games, for each way of playing."""
    beside = peer()
    for mode in ("asynchronous", "synchronous"):
        mine, theirs, ratio = compared(beams_files(mode), beside)
        goal = ">= 1.0, stretch 1.5" if mode == "asynchronous" else "(no goal of its own)"
        yield Figure(f"check YAML files, beams {mode}", rate(mine), rate(theirs), ratio, goal)


def beams_files(mode: str) -> Job:
    """Checking many YAML files of one way of playing."""
    chance = random.Random(7)
    games = [random_game("beams", chance, mode=mode) for _ in range(FILES)]
    texts = [to_yaml(game) for game in games]
    moves = sum(len(one.moves) for game in games for one in game.rounds)

    def work() -> None:
        for text in texts:
            for ply in loads(text).replay():
                assert ply.position.score is not None

    return Job(f"beams {mode}", moves, work)
