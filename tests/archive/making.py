"""Archives to work on, and functions that processes work with."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from referee.archive.generate import Generation, generate_batch
from referee.archive.judge import Settings, check_shard
from referee.archive.printer import Printer
from referee.archive.shards import Shard, shards
from referee.archive.verdict import ShardReport, Summary
from referee.errors import Finding
from referee.rules import GAMES

BAD = (
    '{"game": "beams", "id": "cell", "moves": "1. P S A2 | P S A1\\n"}',
    '{"game": "beams", "moves": "1. P S A2 | P S A2\\n2. X | P S A4\\n"}',
    '{"game": "beams", "result": {"south": 9, "north": 0}, "moves": ""}',
    '{"game": "draughts"}',
    '{"game": "beams", "options": {"columns": 8}}',
    '{"game": "beams", "moves": "1. P S A2 | P S A2\\n1. P S A4 | P S A4\\n"}',
    "no JSON",
    "[]",
    '{"game": "beams", "game": "beams"}',
)
"""Lines of an archive that are wrong, each in its way."""


@cache
def lines(name: str, games: int = 30, plies: int = 40) -> tuple[str, ...]:
    """Random games of one kind, as lines without their ends."""
    return tuple(generate_batch(Generation(name, "test", plies=plies), (1, games + 1)).splitlines())


def mixed(games: int) -> list[str]:
    """Games of all kinds, a wrong one behind every seventh, and blank lines."""
    kinds = [lines(name, 20) for name in GAMES]
    made = []
    for number in range(games):
        made.append(kinds[number % len(kinds)][number // len(kinds) % 20])
        if number % 7 == 0:
            made.append(BAD[number // 7 % len(BAD)])
        if number % 11 == 0:
            made.append("")
    return made


def archive(path: Path, made: list[str]) -> Path:
    """An archive with these lines."""
    path.write_text("".join(f"{line}\n" for line in made), encoding="utf-8")
    return path


def parts(report: ShardReport) -> list[object]:
    """What a report says, to be compared."""
    return [json.loads(json.dumps([verdict.as_json() for verdict in part.verdicts])) for part in report]


class Report(NamedTuple):
    """What judging one file gave, part by part put together."""

    summary: Summary
    findings: list[Finding]

    @property
    def ok(self) -> bool:
        return not self.findings


def report(path: Path, game: str | None = None, options: Mapping[str, Any] | None = None) -> Report:
    """The report on a file; a move list is of this game, with these options."""
    summary, findings = Summary(), []
    for shard in shards([str(path)], lists=game is not None):
        for part in check_shard(shard, Settings(game, options or {})):
            summary.add(part)
            findings += [finding for verdict in part.verdicts for finding in verdict.findings]
    return Report(summary, findings)


def printed(path: Path, *, objects: bool = False) -> str:
    """What is printed about a file."""
    said: list[str] = []
    with Printer(said.append, objects=objects) as printer:
        for shard in shards([str(path)]):
            for part in check_shard(shard):
                printer.add(part)
    return "".join(said)


def doubled(number: int) -> int:
    """Some work."""
    return 2 * number


def refused(number: int) -> int:
    """Work that fails at one item."""
    if number == 7:
        raise ValueError("seven")
    return number


def dying_once(task: tuple[str, int]) -> int:
    """Work during which the process dies, the first time it is asked for number 5."""
    folder, number = task
    if number == 5:
        try:
            Path(folder, "died").mkdir()
        except FileExistsError:
            return number
        os._exit(9)
    return number


def dying(number: int) -> int:
    """Work that nobody survives."""
    os._exit(number)


def checked_slowly(shard: Shard) -> tuple[int, ShardReport]:
    """A shard checked, slowly enough to be interrupted, and the process that did it."""
    time.sleep(0.05)
    return os.getpid(), check_shard(shard, Settings(each=True))
