"""The syntax of files and settings: YAML, or one JSON object, as a document with places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.errors import Span, shown
from referee.game.file.document import Document
from referee.game.file.json_document import parse_json


def option_values(settings: Iterable[str]) -> dict[str, Any]:
    """Key -> value of settings such as `columns=17`, each value read as in a game file.

    Raises:
        ValueError: a setting is not KEY=VALUE, or its value is none.
    """
    values = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"{shown(setting)} is not KEY=VALUE")
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
