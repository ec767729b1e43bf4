"""What a run prints: findings as they come, or objects, for each file or for each game."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Self

from referee.archive.verdict import GameVerdict, PartReport
from referee.terminal import counted, visible, visible_json

_IN_MEMORY = 1 << 20


class Printer:
    """Prints reports in the order they come in; of a file only counts are kept, and findings not in memory."""

    def __init__(self, put: Callable[[str], object], *, objects: bool = False, each: bool = False) -> None:
        """Say where text goes; whether it is JSON objects; whether there is one for each game."""
        self._put = put
        self._objects = objects
        self._each = each
        self._games = self._plies = 0
        self._ok = True
        self._spool: IO[str] | None = None

    def add(self, part: PartReport, *, printed: bool = False) -> None:
        """Print what can be said after a report; or only remember it, if that was printed in an earlier run."""
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()

    def _forget(self) -> None:
        """Forget the findings of a file."""
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
                yield in_words(verdict)
        if part.archive and part.last and self._ok and not self._each:
            games = counted(self._games, "game", "games")
            yield f"{visible(part.file)}: ok, {counted(self._plies, 'ply', 'plies')} in {games}"

    def _collect(self, part: PartReport, *, printed: bool) -> None:
        """Keep the findings of a file until it ends: its object says first whether there are any."""
        if self._spool is None or part.first:
            self._forget()
            self._spool = tempfile.SpooledTemporaryFile(  # noqa: SIM115
                _IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace"
            )
        for verdict in part.verdicts:
            for finding in verdict.findings:
                self._spool.write(visible_json(finding.as_json()) + "\n")
        if part.last:
            if not printed:
                self._put_object(part.file, self._spool)
            self._forget()

    def _put_object(self, file: str, findings: IO[str]) -> None:
        """Print the object of a file, finding by finding, as there may be more than memory holds."""
        findings.seek(0)
        head = visible_json({"file": file, "ok": self._ok, "plies": self._plies})
        self._put(f'{head[:-1]}, "findings": [')
        for number, finding in enumerate(findings):
            self._put(f"{', ' if number else ''}{finding.rstrip()}")
        self._put("]}\n")


def in_words(verdict: GameVerdict) -> str:
    """A verdict on a game that holds, on one line."""
    place = visible(verdict.file) + (f":{verdict.line}" if verdict.line else "")
    return f"{place}: ok, {counted(verdict.plies, 'ply', 'plies')}{verdict.standing}"
