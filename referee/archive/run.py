"""A whole run over many files: shards given out, reports printed, counted and written down as they come.

A journal keeps what a run has done in a file, so that another run can go on where it stopped. Its first line says
which run it is; each further line is a shard that is done: its number and checksum, its report, and the size of the
output after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from referee.archive.executors import Executor
from referee.archive.judge import Settings, check_shard
from referee.archive.shards import Shard, shards
from referee.archive.verdict import GameVerdict, PartReport, ShardReport, Summary
from referee.errors import Finding
from referee.game.document import unreadable


class Listener(Protocol):
    """What says something about reports."""

    def add(self, part: PartReport, *, printed: bool = False) -> None:
        """Say it; or only remember the report, of which an earlier run has said it."""
        ...


def run(
    files: Iterable[str],
    settings: Settings,
    executor: Executor,
    listener: Listener,
    *,
    flush: Callable[[], int],
    journal: Journal | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Iterator[Summary]:
    """Judge files and archives; the summary so far comes after each shard, and is complete in the end.

    Args:
        files: names of files.
        settings: how games are judged.
        executor: does the work.
        listener: is told of each report, such as a printer.
        flush: puts out what has been printed, before a shard counts as done, and says how much that is so far.
        journal: where shards that are done are written down; those of an earlier run are not done again.
        progress: is told how many more bytes of the files have been dealt with.

    Raises:
        FileError: `archive-changed`, if a shard that the journal has is another now.
    """
    summary = Summary()
    waiting = iter(shards(files, lists=settings.game is not None))

    def take(shard: Shard, report: ShardReport, *, printed: bool) -> None:
        for part in report:
            summary.add(part)
            listener.add(part, printed=printed)
        progress(shard.read)

    if journal is not None:
        for shard, report in journal.taken_up(waiting):
            take(shard, report, printed=True)
    yield summary
    for shard, report in executor(partial(check_shard, settings=settings), waiting):
        take(shard, report, printed=False)
        written = flush()
        if journal is not None:
            journal.add(shard, report, written)
        yield summary


class Done(NamedTuple):
    """A shard that was done by an earlier run, and how much it and those before it had written."""

    number: int
    checksum: int
    report: ShardReport
    written: int


class Journal:
    """The journal of one run; `run` is whatever must be the same for it to go on."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        """Open a journal, or begin one.

        Raises:
            FileError: `another-run`, if it is that of another run, or no journal.
            OSError: the file cannot be written.
        """
        self._path = path
        self._run = json.loads(json.dumps(run))
        self._file: IO[str] | None = None
        self._whole = 0
        self.written = 0
        for done in self._done():
            self.written = done.written
        self._opened()
        self.close()

    def taken_up(self, waiting: Iterator[Shard]) -> Iterator[tuple[Shard, ShardReport]]:
        """The first of the waiting shards, which earlier runs have done, with their reports.

        Raises:
            FileError: `archive-changed`, if one of them is not what it was.
        """
        for done in self._done():
            shard = next(waiting, None)
            if shard is None or shard.checksum != done.checksum:
                message = (
                    f"shard {done.number} is not what it was when this run began: begin anew, with a new journal"
                )
                raise unreadable(str(self._path), "archive-changed", message)
            yield shard, done.report

    def _done(self) -> Iterator[Done]:
        """The shards that earlier runs have done, in their order; a line that was cut short is not counted."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            first = file.readline()
            if not first.endswith(b"\n") or _read(first) != self._run:
                message = "this is the journal of another run: name another file, or take it away"
                raise unreadable(str(self._path), "another-run", message)
            self._whole = len(first)
            for line in file:
                if not line.endswith(b"\n") or (record := _read(line)) is None:
                    return
                self._whole += len(line)
                report = tuple(_part(part) for part in record["report"])
                yield Done(record["shard"], record["checksum"], report, record["written"])

    def add(self, shard: Shard, report: ShardReport, written: int) -> None:
        """Write down that a shard is done."""
        parts = [_as_json(part) for part in report]
        record = {"shard": shard.number, "checksum": shard.checksum, "report": parts, "written": written}
        self._opened().write(json.dumps(record) + "\n")
        self._opened().flush()

    def _opened(self) -> IO[str]:
        if self._file is None:
            self._file = self._path.open("a", encoding="utf-8")
            self._file.truncate(self._whole)
            if not self._whole:
                self._file.write(json.dumps(self._run) + "\n")
        return self._file

    def close(self) -> None:
        """Leave the journal as it is."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _read(line: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(line)
    except ValueError:
        return None


def _as_json(part: PartReport) -> dict[str, Any]:
    fields = {name: getattr(part, name) for name in PartReport.__slots__ if name != "verdicts"}
    findings = [finding.as_json() for verdict in part.verdicts for finding in verdict.findings]
    return {**fields, "findings": findings}


def _part(record: dict[str, Any]) -> PartReport:
    """The report that was written down; its findings are told of one game, which makes no difference any more."""
    findings = tuple(Finding(**{**one, "suggestions": tuple(one["suggestions"])}) for one in record.pop("findings"))
    verdicts = (GameVerdict(record["file"], findings=findings),) if findings else ()
    record["codes"], record["ends"] = Counter(record["codes"]), Counter(record["ends"])
    return PartReport(**record, verdicts=verdicts)
