"""The header of a game file: its keys and their values.

This module recognises a valid header. Only the findings about an invalid one need the schema (`schema.py`), whose
library takes as long to load as everything else together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from referee.errors import Finding
from referee.game.file.document import HIDDEN, Document
from referee.rules import GAMES, Termination

_TEXTS = ("game", "id", "date", "event")
KEYS_IN_ORDER = ("game", "rules", "id", "date", "event", "players", "options", "start", "end", "result", "moves")
"""The keys of a game file, in the order in which it is written."""

KEYS = frozenset(KEYS_IN_ORDER)
ENDINGS = (
    Termination.RESIGNATION,
    Termination.AGREEMENT,
    Termination.REPETITION,
    Termination.TIMEOUT,
    Termination.ADJUDICATION,
)
"""The ends that a game file can have."""

LONGEST_TEXT = 200

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_FIRST = f"a game file begins with its game, such as 'game: {GAMES[0]}'"


def header(document: Document) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The valid part of a document's header, and the findings about the rest.

    Without a game no part of it is valid.
    """
    if document.data is None:
        return {}, (Finding("empty", f"this is empty; {_FIRST}"),)
    if not isinstance(document.data, dict):
        return {}, (Finding("wrong-type", f"expected a mapping of keys to values; {_FIRST}"),)
    # An optional key without a value counts as missing.
    data = {name: value for name, value in document.data.items() if value is not None or name == "game"}
    if holds(data):
        return data, ()
    from referee.game.file.schema import explained

    findings, wrong = explained(document, data)
    return {} if "game" in wrong else {name: data[name] for name in data if name not in wrong}, findings


def holds(data: dict[str, Any]) -> bool:
    """True if every key is known and has a value of the right kind; the schema agrees, and says why not."""
    return (
        "game" in data
        and data.keys() <= KEYS
        and all(is_text(data[name]) for name in _TEXTS if name in data)
        and type(data.get("rules", 1)) is int
        and isinstance(data.get("moves", ""), str)
        and isinstance(data.get("start", ""), str)
        and isinstance(data.get("options", {}), dict)
        and _each(data.get("players", {}), _is_player)
        and _each(data.get("result", {}), lambda points: type(points) is int)
        and ("end" not in data or _is_end(data["end"]))
    )


def is_text(value: object) -> bool:
    """True for one line of text, neither empty nor too long nor with hidden characters."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and bool(value.strip()) and not HIDDEN.search(value)


def is_address(value: object) -> bool:
    """True for a text in the shape of an e-mail address."""
    return isinstance(value, str) and is_text(value) and _ADDRESS.fullmatch(value) is not None


def _each(values: object, fits: Callable[[Any], bool]) -> bool:
    return isinstance(values, dict) and all(isinstance(name, str) and fits(values[name]) for name in values)


def _is_player(player: object) -> bool:
    return (
        isinstance(player, dict)
        and player.keys() <= {"name", "email"}
        and is_text(player.get("name"))
        and (player.get("email") is None or is_address(player["email"]))
    )


def _is_end(end: object) -> bool:
    return (
        isinstance(end, dict)
        and end.keys() <= {"how", "by"}
        and end.get("how") in ENDINGS
        and (end.get("by") is None or is_text(end["by"]))
    )
