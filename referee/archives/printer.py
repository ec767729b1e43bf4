"""The output of a run: findings one by one, or a JSON object for each file or game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from referee.archives.verdict import GameVerdict, PartReport
from referee.terminal import Pen, counted, plain_pen, visible, visible_json

_IN_MEMORY = 1 << 20
_NO_REPAIR = "none found"


class Printer:
    """Prints reports in their order, with only the counts of a file in memory."""

    def __init__(
        self,
        put: Callable[[str], object],
        pen: Pen = plain_pen,
        /,
        *,
        objects: bool = False,
        each: bool = False,
        repair: bool = False,
    ) -> None:
        """Print through `put`: JSON objects or words, coloured by a pen; for each game or file; with repairs."""
        self._put = put
        self._pen = pen
        self._objects = objects
        self._each = each
        self._lists = ("findings", "repairs") if repair else ("findings",)
        self._games = self._plies = 0
        self._ok = True
        self._spools: dict[str, IO[str]] = {}

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
        for spool in self._spools.values():
            spool.close()
        self._spools = {}

    def _lines(self, part: PartReport) -> Iterator[str]:
        for verdict in part.verdicts:
            if self._objects:
                yield visible_json(verdict.as_json())
            elif not verdict.ok:
                if verdict.title:
                    yield f"{visible(f'{verdict.file}:{verdict.line}')}: {visible(verdict.title)}"
                yield from (finding.as_text(visible(verdict.file), self._pen) for finding in verdict.findings)
                if verdict.repairs is not None:
                    said = (visible(str(repair)) for repair in verdict.repairs or (_NO_REPAIR,))
                    yield from (f"    repair: {self._pen(one, 'hint')}" for one in said)
            elif self._each or not part.archive:
                yield _words(verdict, self._pen)
        if part.archive and part.last and self._ok and not self._each:
            games = counted(self._games, "game", "games")
            ok = self._pen("ok", "green")
            yield f"{visible(part.file)}: {ok}, {counted(self._plies, 'ply', 'plies')} in {games}"

    def _collect(self, part: PartReport, *, printed: bool) -> None:
        """Keep the findings of a file until its end, because its object begins with `ok`."""
        if not self._spools or part.first:
            self.close()
            self._spools = {name: _spool() for name in self._lists}
        for verdict in part.verdicts:
            for name, spool in self._spools.items():
                for one in getattr(verdict, name) or ():
                    spool.write(visible_json(one.as_json()) + "\n")
        if part.last:
            if not printed:
                self._put_object(part.file)
            self.close()

    def _put_object(self, file: str) -> None:
        """Print the object of a file, one finding at a time: they may be more than memory holds."""
        head = visible_json({"file": file, "ok": self._ok, "plies": self._plies})
        self._put(head[:-1])
        for name, spool in self._spools.items():
            spool.seek(0)
            self._put(f', "{name}": [')
            for number, one in enumerate(spool):
                self._put(f"{', ' if number else ''}{one.rstrip()}")
            self._put("]")
        self._put("}\n")


def _spool() -> IO[str]:
    import tempfile

    return tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace")


def _words(verdict: GameVerdict, pen: Pen) -> str:
    place = visible(verdict.file) + (f":{verdict.line}" if verdict.line else "")
    title = f" {visible(verdict.title)}" if verdict.title else ""
    return f"{place}: {pen('ok', 'green')}, {counted(verdict.plies, 'ply', 'plies')}{verdict.standing}{title}"
