"""The header of a game file: its keys and their values."""

from __future__ import annotations

import re
from typing import Any

from referee.errors import Finding, shown
from referee.game.document import HIDDEN, Document
from referee.game.schema import TEXT, anything, findings, keys, mapping_of, one_of, optional, scalar, whole
from referee.rules import GAMES, Termination

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
        return {}, (Finding("empty", f"nothing is in here; {_FIRST}"),)
    if not isinstance(document.data, dict):
        return {}, (Finding("wrong-type", f"this is no mapping of keys to values; {_FIRST}"),)
    # An optional key without a value counts as missing.
    data = {name: value for name, value in document.data.items() if value is not None or name == "game"}
    if not (faults := _HEADER(data, ())):
        return data, ()
    wrong = {fault.key[0] for fault in faults}
    valid = {} if "game" in wrong else {name: data[name] for name in data if name not in wrong}
    return valid, findings(document, faults)


def is_text(value: object) -> bool:
    """True for one line of text, neither empty nor too long nor with hidden characters."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and bool(value.strip()) and not HIDDEN.search(value)


def is_address(value: object) -> bool:
    """True for a text in the shape of an e-mail address."""
    return isinstance(value, str) and is_text(value) and _ADDRESS.fullmatch(value) is not None


def line_fault(text: str) -> str | None:
    """Why a text is no line as names are; None if it is."""
    if len(text) > LONGEST_TEXT:
        return f"at most {LONGEST_TEXT} characters fit here"
    return None if is_text(text) else "one line of text belongs here, without hidden characters"


def address_fault(text: str) -> str | None:
    """Why a text is no e-mail address; None if it is."""
    return None if is_address(text) else f"{shown(text)} is not an e-mail address"


LINE = scalar(str, "text", line_fault)
"""One line of text."""

_KINDS = {
    "game": LINE,
    "rules": whole(),
    "id": LINE,
    "date": LINE,
    "event": LINE,
    "players": mapping_of(keys({"name": LINE, "email": optional(scalar(str, "text", address_fault))}, ["name"])),
    "options": mapping_of(anything),
    "start": TEXT,
    "end": keys({"how": one_of(ENDINGS), "by": optional(LINE)}, ["how"]),
    "result": mapping_of(whole()),
    "moves": TEXT,
}
_HEADER = keys(_KINDS, ["game"])
KEYS = frozenset(_KINDS)
