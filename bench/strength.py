"""How strong the engines are: each level against the one below it, and against chance.

`python -m bench.strength` takes hours with its 200 games; `python -m bench strength` plays few games of low levels.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping

from bench.figures import Figure
from referee.archive.executors import cores
from referee.engine import LEVELS, choose
from referee.engine.dice import Dice
from referee.engine.match import Contest, MatchResult, play_match
from referee.rules import first_position, movers

RIVALS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("beams", {"mode": "asynchronous"}),
    ("beams", {"mode": "synchronous"}),
    ("boundary", {}),
    ("laser-chess", {}),
)
FEW, HIGHEST = 20, 3
"""Games of each match, and the highest level, where nobody asks for more."""

STEP, BEGINNER, TEAM = 0.65, 0.95, 1.3
"""The share against the level below, that of level 1 against chance, and how many times its points the best has."""

LONGEST_MOVE = 5.0


def figures(games: int = FEW, highest: int = HIGHEST) -> Iterator[Figure]:
    """The shares of games that stronger players win."""
    for game, options in RIVALS:
        yield _step(game, options, "1", "chance", games, BEGINNER)
        for level in range(2, highest + 1):
            yield _step(game, options, str(level), str(level - 1), games, STEP)
    team = play_match(Contest("the-beam", str(highest), "1", {}), games, cores())
    ratio = team.points(0).mean / team.points(1).mean
    yield Figure(
        f"the-beam, points of level {highest} and 1", str(team.points(0)), str(team.points(1)), ratio, f">= {TEAM}"
    )
    for game, options in (*RIVALS, ("the-beam", {})):
        seconds = max(_times(game, options, highest))
        yield Figure(
            f"{_name(game, options)}, longest move of level {highest}",
            f"{seconds:.2f} s",
            f"{LONGEST_MOVE:.0f} s",
            seconds / LONGEST_MOVE,
            "<= 1.0",
        )


def _step(game: str, options: Mapping[str, object], strong: str, weak: str, games: int, goal: float) -> Figure:
    result = play_match(Contest(game, strong, weak, options), games, cores())
    name = f"{_name(game, options)}, {strong} against {weak}"
    return Figure(name, str(result.share), _counts(result), result.share.mean, f">= {goal}")


def _name(game: str, options: Mapping[str, object]) -> str:
    return ", ".join((game, *map(str, options.values())))


def _counts(result: MatchResult) -> str:
    games = len(result.games)
    return f"{result.won} of {games}, {games - result.won - result.lost} drawn"


def _times(game: str, options: Mapping[str, object], level: int) -> Iterator[float]:
    """Seconds of each move of a game that chance opens with a few plies."""
    position, dice = first_position(game, options), Dice("times")
    for ply in range(8):
        moves = {}
        for side in movers(position):
            begin = time.perf_counter()
            moves[side] = choose(position, side, level, "times")
            yield time.perf_counter() - begin
            if ply % 2:
                moves[side] = position.any_move(side, dice.below)
        position = position.play(moves)
        if not position.to_move:
            return


def main() -> None:
    """Play as many games as asked for, up to the highest level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="games of each match")
    parser.add_argument("--highest", type=int, default=len(LEVELS))
    wanted = parser.parse_args()
    for figure in figures(wanted.n, wanted.highest):
        print(figure.as_line(), flush=True)


if __name__ == "__main__":
    main()
