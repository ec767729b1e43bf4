"""Judging files, each to one report: game files, bare move lists and archives (JSON Lines)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.archive.judge import Settings, check_shard
from referee.archive.names import shown
from referee.archive.shards import shards
from referee.archive.verdict import PartReport
from referee.errors import Finding


@dataclass(frozen=True, slots=True)
class FileReport:
    """The verdict on one file; `games` counts the games in it, `summary` says in words how a game stands."""

    file: str
    plies: int = 0
    findings: tuple[Finding, ...] = ()
    unreadable: bool = False
    games: int = 1
    summary: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def exit_status(self) -> int:
        """0 all well, 1 something is wrong, 2 the file cannot be read."""
        return 2 if self.unreadable else int(bool(self.findings))

    def as_json(self) -> dict[str, object]:
        """The report as `referee check --format jsonl` prints it."""
        findings = [finding.as_json() for finding in self.findings]
        return {"file": self.file, "ok": self.ok, "plies": self.plies, "findings": findings}

    def as_text(self) -> str:
        """The report for people: one line if all is well, else the findings."""
        if self.ok:
            return f"{shown(self.file)}: ok, {counted(self.plies, 'ply', 'plies')}{self.summary}"
        return "\n".join(finding.as_text(shown(self.file)) for finding in self.findings)


def check_files(
    files: Iterable[str], game: str | None = None, options: Mapping[str, Any] | None = None
) -> Iterator[FileReport]:
    """Judge files one by one; those that cannot be read do not stop the rest.

    A report has all findings of its file: for archives that may be wrong from end to end there is `run.check`.

    Args:
        files: paths; "-" is the standard input.
        game: read every file as a bare move list of this game.
        options: the options of that game.
    """
    settings = Settings(game, options or {})
    for file in files:
        parts = [part for shard in shards([file], lists=game is not None) for part in check_shard(shard, settings)]
        yield _of_file(parts)


def _of_file(parts: list[PartReport]) -> FileReport:
    verdicts = [verdict for part in parts for verdict in part.verdicts]
    games = sum(part.games for part in parts)
    return FileReport(
        parts[0].file,
        plies=sum(part.plies for part in parts),
        findings=tuple(finding for verdict in verdicts for finding in verdict.findings),
        unreadable=any(part.broken for part in parts),
        games=games,
        summary=f" in {counted(games, 'game', 'games')}" if parts[0].archive else verdicts[0].standing,
    )


def counted(number: int, one: str, many: str) -> str:
    """A number of things in words."""
    return f"{number:,} {one if number == 1 else many}"
