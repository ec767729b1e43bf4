"""Archives for tests: random games of every kind, and lines that are wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from referee.archive.generate import Generation, generate_batch
from referee.archive.verdict import ShardReport
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
