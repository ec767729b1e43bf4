"""A whole run over many files: shards given out, reports printed, counted and written down as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol

from referee.archive.journal import Journal
from referee.archive.judge import Settings, check_shard
from referee.archive.shards import Shard, shards
from referee.archive.summary import Summary
from referee.archive.verdict import PartReport, ShardReport

Shards = Iterable[Shard]
Reports = Iterator[tuple[Shard, ShardReport]]
Engine = Callable[[Callable[[Shard], ShardReport], Shards], Reports]


class Listener(Protocol):
    """What says something about reports."""

    def add(self, part: PartReport, *, printed: bool = False) -> None:
        """Say it; or only remember the report, of which an earlier run has said it."""
        ...


def check(
    files: Iterable[str],
    settings: Settings,
    engine: Engine,
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
        engine: where the work is done.
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
    for shard, report in engine(partial(check_shard, settings=settings), waiting):
        take(shard, report, printed=False)
        written = flush()
        if journal is not None:
            journal.add(shard, report, written)
        yield summary
