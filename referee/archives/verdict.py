"""Results of a run: a verdict on each game, a report on each part of a shard, a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.errors import Finding
from referee.rules import Facts, Frozen, score_text, team_text
from referee.terminal import counted

if TYPE_CHECKING:
    from referee.notes.repair.repair import Repair


class GameVerdict(NamedTuple):
    """The verdict on one game.

    `line` is that of its archive, from 1, and 0 for a game file. `plies` is the number of legal ones, from the first;
    `score` is the score after them, `outcome` is None while the game runs. `trace` has a checksum of the position
    after each ply, and `repairs` are changes that may make a wrong game legal, if the settings ask for them.
    `names` are the players'.
    """

    file: str
    line: int = 0
    id: str | None = None
    plies: int = 0
    outcome: Facts | None = None
    score: Mapping[str, int] = Frozen()
    findings: tuple[Finding, ...] = ()
    unreadable: bool = False
    trace: tuple[str, ...] | None = None
    repairs: tuple[Repair, ...] | None = None
    names: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The game's id and players, to identify it in an archive; empty for a game file."""
        known = ([self.id] if self.id else []) + list(self.names)
        return f"[{', '.join(known)}]" if self.line and known else ""

    @property
    def ok(self) -> bool:
        """True if nothing is wrong."""
        return not self.findings

    def as_json(self) -> dict[str, object]:
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
            **({} if self.repairs is None else {"repairs": [repair.as_json() for repair in self.repairs]}),
        }

    @property
    def standing(self) -> str:
        """The score, and the winner once there is one, in words."""
        points = score_text(self.score)
        if self.outcome is None:
            return f"; {points}; not over"
        if (scored := team_text(self.score)) is not None:
            return f"; {scored}"
        return f"; {points}; {self.outcome['winner']} wins" if self.outcome["winner"] else f"; {points}; a draw"


@dataclass(frozen=True, slots=True)
class PartReport:
    """The report on a part of a shard.

    `verdicts` are those of all games, or only of those with findings. `codes` counts findings by code, `ends` the
    valid games by their end; `broken` counts unreadable games.
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


@dataclass
class Summary:
    """Counts over all reports so far."""

    files: int = 0
    games: int = 0
    plies: int = 0
    wrong: int = 0
    broken: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    def add(self, part: PartReport) -> None:
        """Add a report."""
        self.files += part.first
        self.games += part.games
        self.plies += part.plies
        self.wrong += part.wrong
        self.broken += part.broken
        self.codes += part.codes
        self.ends += part.ends

    @property
    def exit_status(self) -> int:
        """0 all well, 1 something is wrong, 2 something cannot be read."""
        return 2 if self.broken else int(bool(self.wrong))

    def as_json(self) -> dict[str, Any]:
        """The counts by name."""
        return {
            "files": self.files,
            "games": self.games,
            "plies": self.plies,
            "ok": self.games - self.wrong,
            "wrong": self.wrong - self.broken,
            "unreadable": self.broken,
            "ends": dict(self.ends.most_common()),
            "codes": dict(self.codes.most_common()),
        }

    def as_text(self) -> str:
        """The counts in words: games, plies and verdicts, then ends and codes."""
        lines = [
            f"{counted(self.games, 'game', 'games')}, {counted(self.plies, 'ply', 'plies')} "
            f"in {counted(self.files, 'file', 'files')}: {self.games - self.wrong:,} ok, "
            f"{self.wrong - self.broken:,} wrong, {self.broken:,} unreadable"
        ]
        for title, counts in (("ends", self.ends), ("findings", self.codes)):
            if counts:
                lines.append(f"{title}: " + ", ".join(f"{name} {number:,}" for name, number in counts.most_common()))
        return "\n".join(lines)
