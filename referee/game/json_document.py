"""JSON, strictly, with the place of every value found when it is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined] # the stubs leave it out
from typing import Any

from referee.errors import Finding, Span
from referee.game.document import DEEPEST, Document, Key

_BLANKS = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^,\]}\s]+")


def parse(text: str) -> Document | None:
    """The data of a JSON text, or None if it is not JSON."""
    repeated: list[str] = []

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) != len(pairs):
            names = [name for name, _ in pairs]
            repeated.extend(name for name in data if names.count(name) > 1)
        return data

    try:
        data = json.loads(text, object_pairs_hook=mapping, parse_constant=_refuse)
    except RecursionError:
        return _only(text, Finding("too-deep", f"lists and mappings are nested more than {DEEPEST} deep"))
    except ValueError:
        return None
    if _depth(data) > DEEPEST:
        return _only(text, Finding("too-deep", f"lists and mappings are nested more than {DEEPEST} deep"))
    findings = tuple(_repeated(text)) if repeated else ()
    return Document(text, data, findings, "json", lambda key: _place(text, key), lambda key, _: _place(text, key))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _only(text: str, finding: Finding) -> Document:
    return Document(text, None, (finding,), "json", lambda _: Span(1, 1), lambda _key, _span: Span(1, 1))


def _depth(data: object) -> int:
    if isinstance(data, dict):
        return 1 + max(map(_depth, data.values()), default=0)
    if isinstance(data, list):
        return 1 + max(map(_depth, data), default=0)
    return 0


def _repeated(text: str) -> Iterator[Finding]:
    seen: set[Key] = set()
    for key, span in _places(text):
        if key in seen:
            yield Finding(
                "repeated-key", f"the key {key[-1]!r} stands here for the second time", span.line, span.column
            )
        seen.add(key)


def _place(text: str, key: Key) -> Span:
    """The place of an entry; the last part of the key that is there at all, for one that is missing."""
    places = dict(_places(text))
    while key and key not in places:
        key = key[:-1]
    return places.get(key, Span(1, 1))


def _places(text: str) -> Iterator[tuple[Key, Span]]:
    """Every value's key and place; an entry of a mapping stands where its name stands."""
    yield from _Scan(text).value(0, ())


class _Scan:
    """A second look at a text that is known to be JSON; `end` is where the last value read ended."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0

    def value(self, start: int, key: Key) -> Iterator[tuple[Key, Span]]:
        start = self._skip(start)
        opening = self.text[start]
        if opening == '"':
            _, self.end = scanstring(self.text, start + 1)
        elif opening in "{[":
            yield from self._items(start + 1, key, named=opening == "{")
        else:
            scalar = _SCALAR.match(self.text, start)
            self.end = scalar.end() if scalar else start + 1

    def _items(self, at: int, key: Key, *, named: bool) -> Iterator[tuple[Key, Span]]:
        at = self._skip(at)
        number = 0
        while self.text[at] not in "}]":
            name: str | int = number
            here = at
            if named:
                name, at = scanstring(self.text, at + 1)
                at = self._skip(at) + 1
            yield (*key, name), self._span(here)
            yield from self.value(at, (*key, name))
            at = self._skip(self.end)
            if self.text[at] == ",":
                at = self._skip(at + 1)
            number += 1
        self.end = at + 1

    def _skip(self, at: int) -> int:
        blanks = _BLANKS.match(self.text, at)
        return blanks.end() if blanks else at

    def _span(self, at: int) -> Span:
        line = self.text.count("\n", 0, at) + 1
        return Span(line, at - self.text.rfind("\n", 0, at))
