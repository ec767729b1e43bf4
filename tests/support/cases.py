"""Rules case by case: a file of cases, and the verdicts of positions on them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee import parse_move
from referee.errors import IllegalMove
from referee.rules import Event, Position
from tests.support.tables import table

Case = dict[str, Any]


def cases(file: str) -> list[Case]:
    """The cases of a file in tests/rules."""
    found: list[Case] = table(Path(__file__).parents[1] / "rules" / file)["cases"]
    return found


def shows(case: Case) -> str:
    """The name of a case: what it shows."""
    return str(case["shows"])


def flat(plies: str | list[Any]) -> Iterator[str]:
    """The rounds of a case, shared ones included."""
    for ply in [plies] if isinstance(plies, str) else plies:
        yield from flat(ply) if isinstance(ply, list) else [ply]


def divided(texts: str | list[Any]) -> list[str]:
    """The moves or events of a case: a list, or a line with bars between them."""
    return [text.strip() for line in flat(texts) for text in line.split("|")]


def judged(name: str, position: Position, case: Case) -> Iterator[tuple[str, str, str]]:
    """Each move that is judged, with the code and the sentence of its refusal, both empty if it is legal."""
    for side in position.sides:
        for text in divided(case.get(side, [])):
            try:
                position.check(side, parse_move(name, text))
            except IllegalMove as error:
                yield text, error.code, error.message
            else:
                yield text, "", ""


def told(event: Event) -> str:
    """An event as a case writes it: its name, then its values, those of tuples one by one."""
    assert dataclasses.is_dataclass(event)
    values = [getattr(event, field.name) for field in dataclasses.fields(event)]
    return " ".join([type(event).__name__, *_words(values)])


def _words(values: Any) -> Iterator[str]:  # noqa: ANN401 - anything that an event holds
    for value in values:
        if isinstance(value, list | tuple) and type(value).__str__ is object.__str__:
            yield from _words(value)
        else:
            yield str(value)
