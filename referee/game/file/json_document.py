"""Strict JSON, with the place of every value, found on demand."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice
from json.decoder import scanstring  # type: ignore[attr-defined] # the stubs leave it out
from typing import Any

from referee.errors import Finding, Span, shown
from referee.game.file.document import DEEPEST, MOST_FINDINGS, MOST_VALUES, Document, KeyPath
from referee.rules.frozen import Frozen, frozen_data

_BLANKS = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_SCALAR = re.compile(r"[^,\]}\s]+")
_HALVES = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..|[\ud800-\udfff])|\\.")


def parse_json(text: str) -> Document | None:
    """The data of a JSON text, or None if it is not JSON, or has more values than are read (YAML finds the place)."""
    if _too_many_values(text):
        return None
    places = _Places(text)
    repeated = False
    try:
        try:
            data = _STRICT.decode(text)
            data = frozen_data(data) if "[" in text else data
        except _RepeatedError:
            repeated = True
            data = frozen_data(json.loads(text, parse_constant=_refuse))
        deep = text.count("{") + text.count("[") > DEEPEST and _deeper(data, DEEPEST)
    except RecursionError:
        deep = True
    except ValueError:
        return None
    halves = "\\u" in text or not text.isascii()  # there may be some
    fatal = [places.too_deep()] if deep else list(places.halves()) if halves else []
    findings = (*fatal, *(places.repeated() if repeated and not deep else ()))
    return Document(
        text,
        None if fatal else data,
        findings,
        "json",
        places.place,
        lambda key, _: places.place(key),
        parse_json,
        places.extent,
    )


def _too_many_values(text: str) -> bool:
    """True if a JSON text may have too many values: each needs much more memory than its text."""
    if text.count(",") + text.count("{") + text.count("[") < MOST_VALUES // 2:
        return False
    bare = _STRING.sub("", text)
    return 2 * (bare.count(",") + bare.count("{") + bare.count("[")) > MOST_VALUES


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


class _RepeatedError(Exception):
    """A mapping has a name twice."""


def _mapping(pairs: list[tuple[str, Any]]) -> Frozen[str, Any]:
    data = Frozen(pairs)
    if len(data) != len(pairs):
        raise _RepeatedError
    return data


_STRICT = json.JSONDecoder(object_pairs_hook=_mapping, parse_constant=_refuse)


def _deeper(data: object, levels: int) -> bool:
    """True if lists and mappings are nested deeper than this many levels."""
    if not isinstance(data, dict | tuple):
        return False
    return not levels or any(_deeper(one, levels - 1) for one in (data.values() if isinstance(data, dict) else data))


class _Places:
    """The places of all values in a text that is known to be JSON."""

    def __init__(self, text: str) -> None:
        self.text = text

    def place(self, key: KeyPath) -> Span:
        """The place of an entry, or of its nearest existing parent."""
        while key and key not in self._spans:
            key = key[:-1]
        return self._spans.get(key, Span(1, 1))

    def extent(self, key: KeyPath) -> tuple[Span, Span] | None:
        """The beginning and the end of the value at a key."""
        if key and key not in self._spans:
            return None
        place = self._spans.get(key, Span(1, 1))
        start = self._starts[place.line - 1] + place.column - 1
        scan = _Scan(self.text)
        start = scan.past_name(start) if key and isinstance(key[-1], str) else scan.past_blanks(start)
        for _ in scan.value(start, key):
            pass
        return self._span(start), self._span(scan.end)

    def repeated(self) -> Iterator[Finding]:
        """A finding for each repeated name of a mapping."""
        seen: set[KeyPath] = set()
        for key, at in _Scan(self.text).value(0, ()):
            if key in seen:
                yield self._finding("repeated-key", f"the key {shown(key[-1])} is written twice", at)
            seen.add(key)

    def halves(self) -> Iterator[Finding]:
        """A finding for each half of a surrogate pair, which is not a character and cannot be written."""
        halves = (found for found in _HALVES.finditer(self.text) if found[1])
        for found in islice(halves, MOST_FINDINGS + 1):
            yield self._finding("json", "half of a surrogate pair is not a character", found.start())

    def too_deep(self) -> Finding:
        """The finding for lists and mappings nested too deep."""
        return self._finding("too-deep", f"lists and mappings are nested more than {DEEPEST} deep", 0)

    @cached_property
    def _spans(self) -> dict[KeyPath, Span]:
        return {key: self._span(at) for key, at in _Scan(self.text).value(0, ())}

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self._lines), initial=0))

    def _span(self, at: int) -> Span:
        line = bisect(self._starts, at)
        return Span(line, at - self._starts[line - 1] + 1)

    def _finding(self, code: str, message: str, at: int) -> Finding:
        span = self._span(at)
        return Finding(code, message, span.line, span.column, excerpt=self._lines[span.line - 1])


class _Scan:
    """A second pass over a text that is known to be JSON; `end` is the end of the last value read.

    It gives every key with the offset of its entry, which in a mapping is that of its name.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0

    def past_name(self, start: int) -> int:
        """The offset of the value whose name begins at an offset."""
        _, end = scanstring(self.text, start + 1)
        return self.past_blanks(self.past_blanks(end) + 1)

    def past_blanks(self, at: int) -> int:
        """The offset of the first character from here that is no blank."""
        blanks = _BLANKS.match(self.text, at)
        return blanks.end() if blanks else at

    def value(self, start: int, key: KeyPath) -> Iterator[tuple[KeyPath, int]]:
        """Every key in a value with the offset of its entry."""
        start = self.past_blanks(start)
        opening = self.text[start]
        if opening == '"':
            _, self.end = scanstring(self.text, start + 1)
        elif opening in "{[":
            yield from self._items(start + 1, key, named=opening == "{")
        else:
            scalar = _SCALAR.match(self.text, start)
            self.end = scalar.end() if scalar else start + 1

    def _items(self, at: int, key: KeyPath, *, named: bool) -> Iterator[tuple[KeyPath, int]]:
        at = self.past_blanks(at)
        number = 0
        while self.text[at] not in "}]":
            name: str | int = number
            here = at
            if named:
                name, _ = scanstring(self.text, at + 1)
                at = self.past_name(at)
            yield (*key, name), here
            yield from self.value(at, (*key, name))
            at = self.past_blanks(self.end)
            if self.text[at] == ",":
                at = self.past_blanks(at + 1)
            number += 1
        self.end = at + 1
