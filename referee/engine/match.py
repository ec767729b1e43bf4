"""Matches of two players over many games, and their score with its confidence interval."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import NamedTuple

from referee.archives.executors.executors import processes
from referee.engine.players import Chooser, chooser
from referee.errors import RefereeError, Refusal
from referee.rules import Moves, Position, first_position, game_named, movers

MOST_MATCH_PLIES = 400
"""Plies after which a game of a match is a draw."""

NORMAL = 1.96
"""Standard deviations on each side of the mean that contain 95 of 100 results."""


class Interval(NamedTuple):
    """A mean, and the bounds that contain the true one in 95 of 100 matches."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ({self.low:.3f} to {self.high:.3f})"


@dataclass(frozen=True, slots=True)
class Contest:
    """The terms of a match: players as texts for `chooser`, the seed of all chance, and the plies until a draw."""

    game: str
    first: str
    second: str
    options: Mapping[str, object]
    seed: str = "match"
    longest: int = MOST_MATCH_PLIES

    @property
    def is_shared(self) -> bool:
        """True if the sides of the game are one team, so that each player plays alone for points."""
        return bool(game_named(self.game).scored)


class MatchGame(NamedTuple):
    """One game of a match: the points of each player, the number of plies, and the fault that ended it, if any."""

    first: float
    second: float
    plies: int
    fault: str = ""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of a match."""

    contest: Contest
    games: tuple[MatchGame, ...]

    @property
    def won(self) -> int:
        """The games that the first player won."""
        return sum(one.first > one.second for one in self.games)

    @property
    def lost(self) -> int:
        """The games that the second player won."""
        return sum(one.first < one.second for one in self.games)

    @property
    def drawn(self) -> int:
        """The drawn games."""
        return len(self.games) - self.won - self.lost

    @property
    def share(self) -> Interval:
        """The first player's share of the games, draws as halves, by Wilson's interval."""
        return wilson(self.won + self.drawn / 2, len(self.games))

    def points(self, place: int) -> Interval:
        """The mean of a player's points, 0 for the first and 1 for the second."""
        return mean_of([one.second if place else one.first for one in self.games])


def wilson(won: float, number: int) -> Interval:
    """A share with Wilson's interval.

    >>> print(wilson(65, 100))
    0.650 (0.553 to 0.736)
    """
    share, square = won / number, NORMAL * NORMAL / number
    middle = (share + square / 2) / (1 + square)
    reach = sqrt(share * (1 - share) * square + square * square / 4) / (1 + square)
    return Interval(share, middle - reach, middle + reach)


def mean_of(numbers: Sequence[float]) -> Interval:
    """A mean with the interval of the normal distribution."""
    mean = statistics.fmean(numbers)
    reach = NORMAL * statistics.stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return Interval(mean, mean - reach, mean + reach)


def play_match(contest: Contest, games: int, jobs: int = 1) -> MatchResult:
    """The result of a number of games, the same for any number of processes.

    Raises:
        RefereeError: `level`, `no-engine`, `no-match` if the game is not for two, `program` if a program cannot be
            started, or `worker-lost`.
    """
    return MatchResult(contest, tuple(played(contest, range(games), jobs)))


def played(contest: Contest, numbers: Iterable[int], jobs: int = 1) -> Iterator[MatchGame]:
    """The games of a match with these numbers, one after another."""
    for _, game in processes(partial(play_one, contest), numbers, jobs):
        yield game


def play_one(contest: Contest, number: int) -> MatchGame:
    """Game number `number` of a match, from 0; the players change sides after each."""
    if contest.is_shared:
        first, plies, fault = _shared(contest, contest.first, number)
        second, others, other_fault = _shared(contest, contest.second, number)
        return MatchGame(first, second, plies + others, fault or other_fault)
    game = game_named(contest.game)
    if len(game.sides) != 2:
        raise Refusal("no-match", f"{game.title} has {len(game.sides)} sides, and a match is between two players")
    position, sides = _start(contest, number), game.sides
    specs = (contest.first, contest.second) if number % 2 == 0 else (contest.second, contest.first)
    end = _played_out(contest, position, dict(zip(sides, specs, strict=True)), number)
    points = [0.5, 0.5] if end.winner is None else [float(end.winner == side) for side in sides]
    first, second = points if number % 2 == 0 else reversed(points)
    return MatchGame(first, second, end.plies, end.fault)


def _shared(contest: Contest, spec: str, number: int) -> tuple[float, int, str]:
    """The points of a player on all sides, the number of plies, and the fault, if any."""
    position = _start(contest, number)
    end = _played_out(contest, position, dict.fromkeys(position.sides, spec), number)
    return float(sum(end.position.score.values())), end.plies, end.fault


class _End(NamedTuple):
    position: Position
    winner: str | None
    plies: int
    fault: str = ""


def _played_out(contest: Contest, position: Position, specs: Mapping[str, str], number: int) -> _End:
    """The end of a game; a program that makes no legal move loses it."""
    history: list[Moves] = []
    with ExitStack() as running:
        players: dict[str, Chooser] = {}
        for side, spec in specs.items():
            seed = f"{contest.seed} {number} {side}"
            players[side] = running.enter_context(chooser(spec, seed, contest.options))
        while position.to_move and len(history) < contest.longest:
            moves = {}
            for side in movers(position):
                try:
                    moves[side] = players[side](position, side, history)
                except RefereeError as error:
                    if error.code != "program":
                        raise
                    winner = next(one for one in position.sides if one != side)
                    return _End(position, winner, len(history), error.message)
            position = position.play(moves)
            history.append(moves)
    return _End(position, position.outcome.winner if position.outcome else None, len(history))


def _start(contest: Contest, number: int) -> Position:
    seed = f"{contest.seed} {number}"
    drawn = {name: {"seed": seed} for name in game_named(contest.game).chance}
    return first_position(contest.game, {**drawn, **contest.options})
