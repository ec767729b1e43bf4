"""What came out of a whole run, in a few lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.archive.check import counted
from referee.archive.verdict import PartReport


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
        """Count a report in."""
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
        """The counts in words: games and plies, verdicts, and under them ends and codes."""
        lines = [
            f"{counted(self.games, 'game', 'games')}, {counted(self.plies, 'ply', 'plies')} "
            f"in {counted(self.files, 'file', 'files')}: {self.games - self.wrong:,} ok, "
            f"{self.wrong - self.broken:,} wrong, {self.broken:,} unreadable"
        ]
        for title, counts in (("ends", self.ends), ("findings", self.codes)):
            if counts:
                lines.append(f"{title}: " + ", ".join(f"{name} {number:,}" for name, number in counts.most_common()))
        return "\n".join(lines)
