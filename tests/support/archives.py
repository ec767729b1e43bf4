"""Archives for tests: random games of every kind, and lines that are wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from referee.archives.files.shards import shards
from referee.archives.generate import Generation, generate_batch
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.printer import Printer
from referee.archives.verdict import ShardReport, Summary
from referee.errors import Finding
from referee.game import GameFile
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
"""Lines of an archive that are wrong, each in its own way."""


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
    """The parts of a report, for comparison."""
    return [json.loads(json.dumps([verdict.as_json() for verdict in part.verdicts])) for part in report]


class Report(NamedTuple):
    """The verdict on one file, put together from its parts."""

    summary: Summary
    findings: list[Finding]

    @property
    def ok(self) -> bool:
        return not self.findings


def report(path: Path, game: str | None = None, options: Mapping[str, Any] | None = None) -> Report:
    """The report on a file; a move list is of this game, with these options."""
    summary, findings = Summary(), []
    bare = None if game is None else GameFile(game, options=options or {})
    for shard in shards([str(path)], lists=game is not None):
        for part in check_shard(shard, CheckSettings(bare)):
            summary.add(part)
            findings += [finding for verdict in part.verdicts for finding in verdict.findings]
    return Report(summary, findings)


def printed(path: Path, *, objects: bool = False) -> str:
    """The output about a file."""
    said: list[str] = []
    with closing(Printer(said.append, objects=objects)) as printer:
        for shard in shards([str(path)]):
            for part in check_shard(shard):
                printer.add(part)
    return "".join(said)
