"""The cases of tests/game/findings.yaml, and the corpus of slips next to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from referee.errors import FileError, Finding
from referee.game import loads
from referee.game.file.judge import judge
from tests.support.tables import table


class Case(NamedTuple):
    """A file, its faults, and the suggestions for them."""

    shows: str
    file: str
    findings: dict[str, str]
    tries: Mapping[str, list[str] | int] = MappingProxyType({})


@cache
def cases() -> list[Case]:
    """Every case: those of findings.yaml, then the slips by their kind."""
    here = Path(__file__).parent
    files = (here / "findings.yaml", *sorted((here / "slips").glob("*.yaml")))
    return [Case(**one) for file in files for one in table(file)]


@cache
def found(text: str) -> tuple[Finding, ...]:
    """All findings about a game file: those of reading it, or else those of judging it."""
    try:
        return judge(loads(text)).findings
    except FileError as error:
        return error.findings
