"""The syntax of files and settings: YAML or JSON as a document with places; or moves, their header in comments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from referee.errors import Span, shown
from referee.game.file.document import Document, KeyPath
from referee.game.file.json_document import parse_json

_HEADER = re.compile(r"((?:; (?!moves:\n)[^\n]*+\n)++); moves:\n")
_FIRST = "; game: "
_MOVES = "moves: |\n"


def option_values(settings: Iterable[str]) -> dict[str, Any]:
    """Key -> value of settings such as `columns=17`, as in a game file; ValueError if one is none or repeated."""
    values: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"{shown(setting)} is not KEY=VALUE")
        if key in values:
            raise ValueError(f"{shown(key)} is given more than once")
        values[key] = option_value(key, text)
    return values


def option_value(key: str, text: str) -> Any:  # noqa: ANN401 - plain data of any shape
    """The value that the text of a key has in a game file; ValueError if it has none."""
    document = parse_document(f"value: {text}")
    if document.findings:
        raise ValueError(f"{key}: {document.findings[0].message}")
    if document.mapping.keys() != {"value"}:
        raise ValueError(f"{key}: {shown(text)} is not a value")
    return document.mapping["value"]


def move_list(text: str) -> Document:
    """A bare move list as a document."""
    return Document(text, text, (), "moves", lambda _: Span(1, 1), lambda _, span: span, move_list)


def parse_document(text: str) -> Document:
    """The document of a text: JSON if it reads as one object, else YAML."""
    if text.lstrip().startswith("{") and (document := parse_json(text)) is not None:
        return document
    from referee.game.file.yaml_document import parse_yaml  # loads the library for YAML

    return parse_yaml(text)


def is_headed(text: str) -> bool:
    """True for a move list with its header in comments."""
    return text.startswith(_FIRST) and _HEADER.match(text) is not None


def headed_list(text: str) -> Document:
    """A move list with its header in comments as a document, each value at its place in the text."""
    found = _HEADER.match(text)
    assert found is not None
    header = parse_document(re.sub(r"^; ", "  ", found[1], flags=re.MULTILINE))
    if not isinstance(header.data, dict):
        return header
    moves = "\n" * found[0].count("\n") + text[found.end() :]

    def inside(key: KeyPath, place: Span) -> Span:
        return place if key == ("moves",) else header.inside(key, place)

    data = {**header.data, "moves": moves}
    return replace(header, text=text, data=data, form="moves", inside=inside, again=headed_list)


def as_yaml(text: str) -> str:
    """A list with a header as YAML, line by line."""
    found = _HEADER.match(text)
    assert found is not None
    header = re.sub(r"^; ", "", found[1], flags=re.MULTILINE)
    return header + _MOVES + re.sub(r"^(?=.)", "  ", text[found.end() :], flags=re.MULTILINE)


def from_yaml(text: str) -> str:
    """The list with a header of a YAML text that has its moves in a block."""
    header, *moves = re.split(rf"^{re.escape(_MOVES)}", text, maxsplit=1, flags=re.MULTILINE)
    commented = re.sub(r"^(?=.)", "; ", header, flags=re.MULTILINE)
    return f"{commented}; moves:\n" + re.sub(r"^  ", "", "".join(moves), flags=re.MULTILINE)
