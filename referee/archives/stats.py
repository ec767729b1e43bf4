"""Statistics of an archive: lengths, results by side and option, openings, pieces used."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from referee.archives.files.shards import Shard
from referee.archives.valid_games import RUNNING, LeftOutGames, ValidGame, valid_games_of
from referee.terminal import counted

_OPENING = 2
"""Plies of an opening, by default."""

MOST_OPENINGS = 20_000
"""Maximum number of openings counted: beyond it the rarer half is dropped, to save memory."""


@dataclass
class GameStats:
    """The counts over all valid games of one kind.

    `results` are by name of the winner, or DRAW or RUNNING; `by_option` has them for each value of an option in a
    header; `pieces` counts the moves of each side by piece.
    """

    games: int = 0
    plies: Counter[int] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    by_option: dict[str, Counter[str]] = field(default_factory=dict)
    openings: Counter[str] = field(default_factory=Counter)
    pieces: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, other: GameStats) -> None:
        """Add other counts."""
        self.games += other.games
        self.plies += other.plies
        self.results += other.results
        self.ends += other.ends
        for mine, theirs in ((self.by_option, other.by_option), (self.pieces, other.pieces)):
            for name, counts in theirs.items():
                mine.setdefault(name, Counter()).update(counts)
        self.openings.update(other.openings)
        if len(self.openings) > MOST_OPENINGS:
            self.openings = Counter(dict(self.openings.most_common(MOST_OPENINGS // 2)))

    def length(self, share: float) -> int:
        """The number of plies that this share of the games does not exceed: 0.5 gives the median."""
        seen = 0
        for plies in sorted(self.plies):
            seen += self.plies[plies]
            if seen >= share * self.games:
                return plies
        return 0

    @property
    def mean(self) -> float:
        """The mean number of plies."""
        return sum(plies * games for plies, games in self.plies.items()) / max(1, self.games)

    def as_json(self, most: int) -> dict[str, Any]:
        """Everything, with the `most` frequent openings."""
        return {
            "games": self.games,
            "plies": {
                "least": min(self.plies),
                "median": self.length(0.5),
                "mean": round(self.mean, 2),
                "most": max(self.plies),
                "games": {str(plies): self.plies[plies] for plies in sorted(self.plies)},
            },
            "results": dict(self.results.most_common()),
            "ends": dict(self.ends.most_common()),
            "by_option": {name: dict(self.by_option[name].most_common()) for name in sorted(self.by_option)},
            "openings": dict(self.openings.most_common(most)),
            "pieces": {side: dict(counts.most_common()) for side, counts in sorted(self.pieces.items())},
        }


@dataclass
class Stats:
    """The counts by game, and the games that were left out."""

    games: dict[str, GameStats] = field(default_factory=dict)
    left: LeftOutGames = field(default_factory=LeftOutGames)

    def add(self, other: Stats) -> None:
        """Add other counts."""
        self.left.add(other.left)
        for name, stats in other.games.items():
            self.games.setdefault(name, GameStats()).add(stats)

    def as_json(self, most: int) -> dict[str, Any]:
        """Everything, with the `most` frequent openings."""
        return {
            "wrong": self.left.games,
            "left_out": self.left.as_json(),
            "games": {name: one.as_json(most) for name, one in sorted(self.games.items())},
        }

    def as_text(self, most: int) -> str:
        """The counts for people."""
        lines = []
        for name, one in sorted(self.games.items()):
            lines += [f"{name}: {counted(one.games, 'game', 'games')}", *_rows("results", one.results, one.games)]
            lines += _rows("ends", one.ends, one.games)
            lines.append(
                f"  plies: {min(one.plies)} to {max(one.plies)}, median {one.length(0.5)}, mean {one.mean:.1f}; "
                f"nine in ten between {one.length(0.05)} and {one.length(0.95)}"
            )
            for option in sorted(one.by_option):
                counts = one.by_option[option]
                lines += _rows(option, counts, counts.total())
            for side in sorted(one.pieces):
                lines += _rows(f"{side} moves", one.pieces[side], one.pieces[side].total())
            for opening, games in one.openings.most_common(most):
                lines.append(f"  opening: {games:,} x {opening}")
        if self.left.games or not lines:
            lines += self.left.as_text()
        return "\n".join(lines)


def stats_shard(shard: Shard, opening: int = _OPENING) -> Stats:
    """The counts over the valid games of a shard; every game is judged."""
    stats = Stats()
    for game in valid_games_of(shard, stats.left):
        _count(stats.games.setdefault(game.game, GameStats()), game, opening)
    return stats


def _count(stats: GameStats, game: ValidGame, opening: int) -> None:
    """Add one game."""
    result, steps = game.result, game.steps(opening)
    stats.games += 1
    stats.plies[len(game.plies)] += 1
    stats.results[result] += 1
    stats.ends[game.outcome.termination if game.outcome else RUNNING] += 1
    if len(steps) == opening:
        stats.openings["; ".join(steps)] += 1
    for name, value in game.options.items():
        if value is None or isinstance(value, str | int):
            said = value if isinstance(value, str) else json.dumps(value)
            stats.by_option.setdefault(f"{name}: {said}", Counter())[result] += 1
    for (side, piece), moves in Counter(game.start.pieces(chain.from_iterable(game.plies))).items():
        if piece:
            stats.pieces.setdefault(side, Counter())[piece] += moves


def _rows(title: str, counts: Counter[str], total: int) -> list[str]:
    shares = ", ".join(f"{name} {number:,} ({number / total:.0%})" for name, number in counts.most_common())
    return [f"  {title}: {shares}"] if shares else []
