"""The cases of tests/game/findings.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from referee.errors import FileError, Finding
from referee.game import loads
from referee.game.judge import judge
from tests.support.tables import table


class Case(NamedTuple):
    """A file, what is wrong in it, and what to try instead."""

    shows: str
    file: str
    findings: dict[str, str]
    tries: Mapping[str, list[str] | int] = MappingProxyType({})


def cases() -> list[Case]:
    file = Path(__file__).parents[1] / "game" / "findings.yaml"
    data: list[dict[str, Any]] = table(file)
    return [Case(**one) for one in data]


@cache
def found(text: str) -> tuple[Finding, ...]:
    """All findings about a game file: those of reading it, or else those of judging it."""
    try:
        return judge(loads(text)).findings
    except FileError as error:
        return error.findings
