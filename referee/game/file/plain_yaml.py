"""YAML as game files are mostly written, read without a YAML parser, which takes ten times as long.

A plain file has a line for each key, short mappings in braces, and the moves in a block at its end. What is not
plain is left to the strict reader, which reads a plain file in the same way.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Any

from referee.errors import Span
from referee.game.file.document import MOST_VALUES, Document, KeyPath
from referee.rules.frozen import Frozen

_MOVES = "\nmoves: |\n"
_NOT_PLAIN = re.compile("[^\n -~\xa1-\u024f]")
_KEY = "[a-z][a-z0-9]{0,19}"
_LINE = re.compile(rf"(  )?({_KEY}):(?: (.{{1,500}}))?")
_ITEM = re.compile(rf"({_KEY}): (\{{[^{{}}]*\}}|\"[^\"]*\"|[^,{{}}\"]+)(?:, (?!$)|$)")
_WORD = re.compile(r"[^\W\d_](?:[\w .'@+-]{0,198}[\w'-])?")
_NO_TEXT = frozenset(("true", "false", "yes", "no", "on", "off", "null"))
"""Words that are no text in YAML 1.1, in any case."""

_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")
_QUOTED = re.compile(r'"[^"\\]*"')
_DATE = re.compile(r"[0-9][0-9-]*")

_REMEMBERED = 1 << 10
"""Maximum lines of headers that are read only once: the files of a tournament share most of them."""


class _NotPlainError(ValueError):
    """The text must be left to the strict reader."""


def parse_plain_yaml(text: str) -> Document | None:
    """The document of a plain game file; None for any other text."""
    head, _, moves = text.partition(_MOVES)
    if not moves or len(text) >= MOST_VALUES // 2 or _NOT_PLAIN.search(text):
        return None
    try:
        data = _header(head)
        _put(data, "moves", _unindented(moves))
    except _NotPlainError:
        return None
    places = _Places(text)
    return Document(text, Frozen(data), (), "yaml", places.place, places.inside, places.extent)


def _header(head: str) -> dict[str, Any]:
    """The data of the lines before the moves; indented ones belong to the key above them."""
    data: dict[str, Any] = {}
    above, below = "", dict[str, Any]()
    for line in (*head.split("\n"), ""):
        is_below, key, value = _entry(line) if line else (False, "", "")
        if is_below:
            if not above:
                raise _NotPlainError
            _put(below, key, value)
            continue
        if above:
            if not below:
                raise _NotPlainError
            _put(data, above, Frozen(below))
            above, below = "", {}
        if value is None:
            above = key
        elif key:
            _put(data, key, value)
    return data


@lru_cache(_REMEMBERED)
def _entry(line: str) -> tuple[bool, str, Any]:
    """A line of a header: whether it is indented, its key, and its value, None if others are below it."""
    found = _LINE.fullmatch(line)
    if found is None or (found[1] and not found[3]):
        raise _NotPlainError
    if found[2] == "date" and not found[1] and found[3] and _DATE.fullmatch(found[3]):
        return False, "date", found[3]
    return bool(found[1]), found[2], found[3] and _value(found[3])


def _value(text: str) -> Any:  # noqa: ANN401 - text, number or mapping
    if _WORD.fullmatch(text) and text.lower() not in _NO_TEXT:
        return text
    if _WHOLE.fullmatch(text):
        return int(text)
    if _QUOTED.fullmatch(text):
        return text[1:-1]
    if text.startswith("{") and text.endswith("}"):
        return _mapping(text[1:-1])
    raise _NotPlainError


def _mapping(text: str) -> Frozen[str, Any]:
    data: dict[str, Any] = {}
    at = 0
    while at < len(text):
        found = _ITEM.match(text, at)
        if found is None:
            raise _NotPlainError
        _put(data, found[1], _value(found[2]))
        at = found.end()
    return Frozen(data)


def _put(data: dict[str, Any], key: str, value: object) -> None:
    if key in data:
        raise _NotPlainError
    data[key] = value


def _unindented(block: str) -> str:
    """The text of a block whose lines all have the indentation of the first, and something behind it."""
    indent = "\n" + block[: len(block) - len(block.lstrip(" "))]
    lines = "\n" + block
    if len(indent) == 1 or not block.endswith("\n") or " \n" in lines:
        raise _NotPlainError
    if lines.count(indent) != block.count("\n"):
        raise _NotPlainError
    return lines[:-1].replace(indent, "\n")[1:] + "\n"


class _Places:
    """The places of all values in a plain file, found by the strict reader when one is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _document(self) -> Document:
        from referee.game.file.yaml_document import parse_yaml  # loads the library for YAML

        return parse_yaml(self._text)

    def place(self, key: KeyPath) -> Span:
        """As `Document.place`."""
        return self._document.place(key)

    def inside(self, key: KeyPath, span: Span) -> Span:
        """As `Document.inside`."""
        return self._document.inside(key, span)

    def extent(self, key: KeyPath) -> tuple[Span, Span] | None:
        """As `Document.extent`."""
        return self._document.extent(key)
