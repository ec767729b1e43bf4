"""The header of a game file: which keys there are, and what each may hold.

A header that holds is recognised here. What is wrong with any other is told by the schema (`schema.py`), whose
library takes as long to load as everything else together and is needed for nothing but that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from referee.errors import Finding
from referee.game.document import HIDDEN, Document
from referee.rules import GAMES, Termination

TEXTS = ("game", "id", "date", "event")
KEYS = frozenset({*TEXTS, "rules", "players", "options", "start", "end", "result", "moves"})
ENDINGS = (
    Termination.RESIGNATION,
    Termination.AGREEMENT,
    Termination.REPETITION,
    Termination.TIMEOUT,
    Termination.ADJUDICATION,
)
"""The ends that a game file can tell of."""

LONGEST_TEXT = 200

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_FIRST = f"a game file begins with its game, such as 'game: {GAMES[0]}'"


def header(document: Document) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The header of a document as far as it holds, and what is wrong with the rest of it.

    If there is no game in it at all, nothing of it holds.
    """
    if document.data is None:
        return {}, (Finding("empty", f"nothing is in here; {_FIRST}"),)
    if not isinstance(document.data, dict):
        return {}, (Finding("wrong-type", f"this is no mapping of keys to values; {_FIRST}"),)
    # An optional key that is written with nothing after it says nothing.
    data = {name: value for name, value in document.data.items() if value is not None or name == "game"}
    if holds(data):
        return data, ()
    from referee.game.schema import explained

    findings, wrong = explained(document, data)
    return {} if "game" in wrong else {name: data[name] for name in data if name not in wrong}, findings


def holds(data: dict[str, Any]) -> bool:
    """Whether every key is known and has a value of the right kind; the schema says the same, and why."""
    return (
        "game" in data
        and data.keys() <= KEYS
        and all(is_text(data[name]) for name in TEXTS if name in data)
        and type(data.get("rules", 1)) is int
        and isinstance(data.get("moves", ""), str)
        and isinstance(data.get("start", ""), str)
        and isinstance(data.get("options", {}), dict)
        and _each(data.get("players", {}), _is_player)
        and _each(data.get("result", {}), lambda points: type(points) is int)
        and ("end" not in data or _is_end(data["end"]))
    )


def is_text(value: object) -> bool:
    """Whether a value is one line of text, neither empty nor too long nor with hidden characters."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and bool(value.strip()) and not HIDDEN.search(value)


def is_address(value: object) -> bool:
    """Whether a value has the shape of an e-mail address."""
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
