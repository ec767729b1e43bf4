"""The output of a run: findings as they come, or a JSON object for each file or game."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import IO

from referee.archive.verdict import GameVerdict, PartReport
from referee.terminal import counted, visible, visible_json

_IN_MEMORY = 1 << 20


class Printer:
    """Prints reports in their order; it keeps only counts of a file in memory, and no findings."""

    def __init__(self, put: Callable[[str], object], *, objects: bool = False, each: bool = False) -> None:
        """Print through `put`; as JSON objects or in words; for each game or for each file."""
        self._put = put
        self._objects = objects
        self._each = each
        self._games = self._plies = 0
        self._ok = True
        self._spool: IO[str] | None = None

    def add(self, part: PartReport, *, printed: bool = False) -> None:
        """Print a report; or only count it, if an earlier run has printed it."""
        if part.first:
            self._games = self._plies = 0
            self._ok = True
        self._games += part.games
        self._plies += part.plies
        self._ok = self._ok and not part.wrong
        if self._objects and not self._each:
            self._collect(part, printed=printed)
        elif not printed:
            for line in self._lines(part):
                self._put(f"{line}\n")

    def close(self) -> None:
        """Drop the findings of a file."""
        if self._spool is not None:
            self._spool.close()
            self._spool = None

    def _lines(self, part: PartReport) -> Iterator[str]:
        for verdict in part.verdicts:
            if self._objects:
                yield visible_json(verdict.as_json())
            elif not verdict.ok:
                yield from (finding.as_text(visible(verdict.file)) for finding in verdict.findings)
            elif self._each or not part.archive:
                yield _words(verdict)
        if part.archive and part.last and self._ok and not self._each:
            games = counted(self._games, "game", "games")
            yield f"{visible(part.file)}: ok, {counted(self._plies, 'ply', 'plies')} in {games}"

    def _collect(self, part: PartReport, *, printed: bool) -> None:
        """Keep the findings of a file until it ends: its object begins with `ok`."""
        if self._spool is None or part.first:
            self.close()
            self._spool = tempfile.SpooledTemporaryFile(  # noqa: SIM115
                _IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace"
            )
        for verdict in part.verdicts:
            for finding in verdict.findings:
                self._spool.write(visible_json(finding.as_json()) + "\n")
        if part.last:
            if not printed:
                self._put_object(part.file, self._spool)
            self.close()

    def _put_object(self, file: str, findings: IO[str]) -> None:
        """Print the object of a file, one finding at a time: they may be more than memory holds."""
        findings.seek(0)
        head = visible_json({"file": file, "ok": self._ok, "plies": self._plies})
        self._put(f'{head[:-1]}, "findings": [')
        for number, finding in enumerate(findings):
            self._put(f"{', ' if number else ''}{finding.rstrip()}")
        self._put("]}\n")


def _words(verdict: GameVerdict) -> str:
    """The line of a valid game."""
    place = visible(verdict.file) + (f":{verdict.line}" if verdict.line else "")
    return f"{place}: ok, {counted(verdict.plies, 'ply', 'plies')}{verdict.standing}"
