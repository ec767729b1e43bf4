"""What judging gave: a verdict for each game, a report for each part of a shard."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.errors import Finding


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """The verdict on one game.

    `line` is that of its archive, from 1, and 0 for a game file. `plies` says how many hold, from the first.
    `score` is that after them, `outcome` is None while the game runs. `trace` has a checksum of the position
    after each ply, if it was asked for.
    """

    file: str
    line: int = 0
    id: str | None = None
    plies: int = 0
    outcome: dict[str, Any] | None = None
    score: dict[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    unreadable: bool = False
    trace: tuple[str, ...] | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def as_json(self) -> dict[str, Any]:
        """The verdict as `referee check --each --format jsonl` prints it."""
        return {
            "file": self.file,
            "line": self.line,
            "id": self.id,
            "ok": self.ok,
            "plies": self.plies,
            "outcome": self.outcome,
            "score": self.score,
            "findings": [finding.as_json() for finding in self.findings],
            **({} if self.trace is None else {"trace": list(self.trace)}),
        }

    @property
    def standing(self) -> str:
        """The score, and the winner once there is one, in words."""
        points = ", ".join(f"{side} {n}" for side, n in self.score.items())
        if self.outcome is None:
            return f"; {points}; not over"
        return f"; {points}; {self.outcome['winner']} wins" if self.outcome["winner"] else f"; {points}; a draw"


@dataclass(frozen=True, slots=True)
class PartReport:
    """The report on a part of a shard.

    `verdicts` are those of all games, or only of those with findings. `codes` counts findings, `ends` how the
    good games ended, both by name; `broken` counts games that could not be read at all.
    """

    file: str
    archive: bool
    first: bool
    last: bool
    games: int
    plies: int
    wrong: int
    broken: int
    codes: Counter[str]
    ends: Counter[str]
    verdicts: tuple[GameVerdict, ...]


ShardReport = tuple[PartReport, ...]
"""The report on a shard, part by part."""
