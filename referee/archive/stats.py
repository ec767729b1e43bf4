"""Statistics of an archive: lengths, results by side and option, openings, pieces used."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.archive.files.forms import read_text
from referee.archive.files.shards import Shard
from referee.errors import FileError
from referee.game import GameFile
from referee.game.file.judge import ending
from referee.rules import Moves, Outcome, cursor_at
from referee.terminal import counted, visible

_OPENING = 2
"""Plies of an opening, by default."""

MOST_OPENINGS = 20_000
"""Maximum number of openings counted: beyond it the rarer half is dropped, to save memory."""

_NAMED = 10
"""Maximum files named for games that were left out; the others are counted."""

DRAW, RUNNING = "draw", "not over"


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
class LeftOutGames:
    """Wrong games, which were left out.

    `codes` counts them by the code of their first finding, `files` by file, in order; `broken` counts the unreadable.
    """

    broken: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """Their number."""
        return self.codes.total()

    @property
    def exit_status(self) -> int:
        """0 all well, 1 a game is wrong, 2 something cannot be read."""
        return 2 if self.broken else int(bool(self.games))

    def add(self, other: LeftOutGames) -> None:
        """Add other counts."""
        self.broken += other.broken
        self.codes += other.codes
        self.files.update(other.files)

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        return {"codes": dict(self.codes.most_common()), "files": dict(self.files)}

    def as_text(self) -> list[str]:
        """The number of games, the reasons, and the files."""
        codes = ", ".join(f"{code} {games:,}" for code, games in self.codes.most_common())
        why = f" ({codes})" if codes else ""
        head = f"left out because something is wrong with them: {counted(self.games, 'game', 'games')}{why}"
        named = [
            f"  {visible(file)}: {counted(games, 'game', 'games')}" for file, games in [*self.files.items()][:_NAMED]
        ]
        more = len(self.files) - len(named)
        return [head, *named, *([f"  and {counted(more, 'more file', 'more files')}"] if more else [])]


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
    for part in shard.parts:
        for text in part.texts:
            try:
                game = read_text(part, text, suggest=False)
                one = _count(game, opening)
                stats.games.setdefault(game.game, GameStats()).add(one)
            except FileError as error:
                stats.left.add(LeftOutGames(int(error.unreadable), Counter([error.code]), Counter([part.file])))
    return stats


def _count(game: GameFile, opening: int) -> GameStats:
    stats = GameStats(games=1)
    here = cursor_at(game.start())
    opening_moves: list[str] = []
    number = 0

    def play(moves: Moves) -> None:
        for side, move in moves.items():
            if side in here.to_move and (piece := here.piece_of(side, move)):
                stats.pieces.setdefault(side, Counter())[piece] += 1
        here.play(moves)

    for number, (_, _, moves) in enumerate(game.turns(here, play, suggest=False), 1):
        if number <= opening:
            opening_moves.append(" | ".join(map(str, moves.values())))
    outcome, findings = ending(game, here.position)
    if findings:
        raise FileError(game.file, findings)
    result = result_of(outcome)
    stats.plies[number] += 1
    stats.results[result] += 1
    stats.ends[outcome.termination if outcome else RUNNING] += 1
    if len(opening_moves) == opening:
        stats.openings["; ".join(opening_moves)] += 1
    for name, value in game.options.items():
        if value is None or isinstance(value, str | int):
            said = value if isinstance(value, str) else json.dumps(value)
            stats.by_option.setdefault(f"{name}: {said}", Counter())[result] += 1
    return stats


def result_of(outcome: Outcome | None) -> str:
    """The result of a game in statistics: "south wins", DRAW or RUNNING."""
    if outcome is None:
        return RUNNING
    return f"{outcome.winner} wins" if outcome.winner else DRAW


def _rows(title: str, counts: Counter[str], total: int) -> list[str]:
    shares = ", ".join(f"{name} {number:,} ({number / total:.0%})" for name, number in counts.most_common())
    return [f"  {title}: {shares}"] if shares else []
