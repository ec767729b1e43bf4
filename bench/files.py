"""YAML files beside python-chess: checked, points at the end; and replayed, with the score after every ply."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from bench.figures import Figure, rate
from bench.games import random_game
from bench.peers import PAIRS, Job, compared, peer
from referee.archives.files.shards import FilePart, GameText, Shard
from referee.archives.judge import check_shard
from referee.game import dumps, loads
from referee.rules import game_named

FILES = 150


GAMES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("beams", {"mode": "asynchronous"}, ">= 2.0"),
    ("beams", {"mode": "synchronous"}, ">= 1.5"),
    ("boundary", {}, ">= 2.0"),
    ("the-beam", {}, ">= 1.5"),
    ("laser-chess", {}, ">= 2.0"),
)
"""The games, their options, and the goal of checking them."""


def figures() -> Iterator[Figure]:
    """Moves per second over distinct random games, for each game."""
    beside = peer()
    for name, options, goal in GAMES:
        said = "".join(f", {value}" for value in options.values())
        texts, moves = _files(name, options)
        for what, job, least in (
            ("check", checking(texts, moves), goal),
            ("replay", replaying(texts, moves), "none of its own"),
        ):
            mine, theirs, ratio = compared(job, beside, 3 * PAIRS, time.process_time)
            yield Figure(f"{what} YAML files, {name}{said}", rate(mine), rate(theirs), ratio, least)


def _files(name: str, options: dict[str, Any]) -> tuple[list[str], int]:
    """Many files of one game, and the number of their moves."""
    chance = random.Random(7)
    games = [random_game(name, chance, 80, **options, **_secret(name, chance)) for _ in range(FILES)]
    return [dumps(game) for game in games], sum(len(one.moves) for game in games for one in game.rounds)


def checking(texts: list[str], moves: int) -> Job:
    """Checking files as the command does."""
    parts = (FilePart(f"{number}.yaml", False, (GameText(0, text.encode()),)) for number, text in enumerate(texts))
    shard = Shard(0, tuple(parts))

    def work() -> None:
        assert not any(report.wrong for report in check_shard(shard))

    return Job("check", moves, work)


def replaying(texts: list[str], moves: int) -> Job:
    """Reading files and replaying their games, the score after every ply."""

    def work() -> None:
        for text in texts:
            for ply in loads(text).replay():
                assert ply.position.score is not None

    return Job("replay", moves, work)


def _secret(name: str, chance: random.Random) -> dict[str, Any]:
    """A different secret for every game with chance."""
    secret = game_named(name).secret
    if secret is None:
        return {}
    seed = str(chance.random())
    return {option: {"seed": seed} for option in secret.known({}, seed, None)}
