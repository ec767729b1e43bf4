"""A whole run over many files: it hands out shards, prints and counts their reports, and keeps a journal.

The journal is a file from which another run can continue after an interruption. Its first line identifies the run;
each further line is a finished shard: its number and checksum, its report, and the size of the output after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from referee.archives.compare import Comparison
from referee.archives.executors.executors import Executor
from referee.archives.files.shards import Shard, shards
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.printer import Printer
from referee.archives.verdict import GameVerdict, PartReport, ShardReport, Summary
from referee.errors import Finding
from referee.game import unreadable


def run(
    files: Iterable[str],
    settings: CheckSettings,
    executor: Executor,
    printer: Printer | Comparison,
    *,
    flush: Callable[[], int],
    journal: Journal | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Iterator[Summary]:
    """Judge files and archives, and yield the summary so far after each shard.

    `flush` writes out the printed text before a shard counts as finished, and returns its size so far. Shards in the
    `journal` are not judged again. `progress` gets the number of bytes read for each shard.

    Raises:
        FileError: `archive-changed`, if a shard of the journal has changed.
    """
    summary = Summary()
    waiting = shards(files, lists=settings.bare is not None)

    def take(shard: Shard, report: ShardReport, *, printed: bool) -> None:
        for part in report:
            summary.add(part)
            printer.add(part, printed=printed)
        progress(shard.read)

    if journal is not None:
        for shard, report in journal.resume(waiting):
            take(shard, report, printed=True)
    yield summary
    for shard, report in executor(partial(check_shard, settings=settings), waiting):
        take(shard, report, printed=False)
        size = flush()
        if journal is not None:
            journal.add(shard, report, size)
        yield summary


class Done(NamedTuple):
    """A shard that an earlier run finished, and the size of the output after it."""

    number: int
    checksum: int
    report: ShardReport
    size: int


class Journal:
    """The journal of one run; `size` is that of the output so far."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        """Open a journal of the same `run`, or begin one.

        Raises:
            FileError: `another-run`; it belongs to another run, or is not a journal.
            OSError: the file cannot be written.
        """
        self._path = path
        self._run = json.loads(json.dumps(run))
        self._whole = 0
        self.size = 0
        for done in self._records():
            self.size = done.size
        with self._path.open("a", encoding="utf-8") as file:
            file.truncate(self._whole)
            if not self._whole:
                file.write(json.dumps(self._run) + "\n")

    def resume(self, waiting: Iterator[Shard]) -> Iterator[tuple[Shard, ShardReport]]:
        """The waiting shards that earlier runs have finished, with their reports; FileError `archive-changed`."""
        for done in self._records():
            shard = next(waiting, None)
            if shard is None or shard.checksum != done.checksum:
                message = (
                    f"shard {done.number} is not what it was when this run began: start again with a new journal"
                )
                raise unreadable(str(self._path), "archive-changed", message)
            yield shard, done.report

    def _records(self) -> Iterator[Done]:
        """The shards that earlier runs have finished, up to a truncated or damaged line."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            first = file.readline()
            if not first.endswith(b"\n") or _read(first) != self._run:
                message = "this is the journal of another run: name another file, or remove this one"
                raise unreadable(str(self._path), "another-run", message)
            self._whole = len(first)
            for line in file:
                if not line.endswith(b"\n") or (done := _done(line)) is None:
                    return
                self._whole += len(line)
                yield done

    def add(self, shard: Shard, report: ShardReport, size: int) -> None:
        """Record a finished shard."""
        parts = [_as_json(part) for part in report]
        record = {"shard": shard.number, "checksum": shard.checksum, "report": parts, "written": size}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def _read(line: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _done(line: bytes) -> Done | None:
    """The finished shard in a line; None if there is none."""
    record = _read(line)
    try:
        report = tuple(_part(part) for part in record["report"])
        return Done(int(record["shard"]), int(record["checksum"]), report, int(record["written"]))
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


def _as_json(part: PartReport) -> dict[str, Any]:
    fields = {name: getattr(part, name) for name in PartReport.__slots__ if name != "verdicts"}
    findings = [finding.as_json() for verdict in part.verdicts for finding in verdict.findings]
    return {**fields, "findings": findings}


def _part(record: dict[str, Any]) -> PartReport:
    """The report of a record, with all findings in one game, as their number is enough here."""
    findings = tuple(Finding(**{**one, "suggestions": tuple(one["suggestions"])}) for one in record.pop("findings"))
    verdicts = (GameVerdict(record["file"], findings=findings),) if findings else ()
    record["codes"], record["ends"] = Counter(record["codes"]), Counter(record["ends"])
    return PartReport(**record, verdicts=verdicts)
