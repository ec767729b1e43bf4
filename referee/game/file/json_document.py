"""Strict JSON, with the place of every value, found on demand."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice
from typing import Any, NamedTuple

from referee.errors import Finding, Span, shown
from referee.game.file.document import DEEPEST, MOST_FINDINGS, MOST_VALUES, Document, KeyPath
from referee.rules.frozen import Frozen, frozen_data

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]|[^\s\[\]{},:"]+', re.DOTALL)
"""A text, a bracket or another value; what is between them is not needed to find values."""

_HALVES = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..|[\ud800-\udfff])|\\.")


def parse_json(text: str) -> Document | None:
    """The data of a JSON text, or None if it is not JSON, or has more values than are read (YAML finds the place)."""
    if _too_many_values(text):
        return None
    places, repeated = _Places(text), False

    def mapping(pairs: list[tuple[str, Any]]) -> Frozen[str, Any]:
        nonlocal repeated
        data = Frozen(pairs)
        repeated = repeated or len(data) != len(pairs)
        return data

    try:
        data = json.loads(text, object_pairs_hook=mapping, parse_constant=_refuse)
        data = frozen_data(data) if "[" in text else data
        deep = text.count("{") + text.count("[") > DEEPEST and _deeper(data, DEEPEST)
    except RecursionError:
        deep = True
    except ValueError:
        return None
    halves = "\\u" in text or not text.isascii()  # there may be some
    fatal = [places.too_deep()] if deep else list(places.halves()) if halves else []
    findings = (*fatal, *(places.repeated() if repeated and not deep else ()))
    data, place = None if fatal else data, places.place
    return Document(text, data, findings, "json", place, lambda key, _: place(key), parse_json, places.extent)


def _too_many_values(text: str) -> bool:
    """True if a JSON text may have too many values: each needs much more memory than its text."""
    if text.count(",") + text.count("{") + text.count("[") < MOST_VALUES // 2:
        return False
    bare = _STRING.sub("", text)
    return 2 * (bare.count(",") + bare.count("{") + bare.count("[")) > MOST_VALUES


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _deeper(data: object, levels: int) -> bool:
    """True if lists and mappings are nested deeper than this many levels."""
    if not isinstance(data, dict | tuple):
        return False
    return not levels or any(_deeper(one, levels - 1) for one in (data.values() if isinstance(data, dict) else data))


class _Entry(NamedTuple):
    """A value in a text, from `start` to `end`; its entry begins `at` its name if it is in a mapping."""

    key: KeyPath
    at: int
    start: int
    end: int


def _entries(tokens: Iterator[re.Match[str]], first: re.Match[str], key: KeyPath, at: int) -> Iterator[_Entry]:
    """The entries of the values in a value, and its own; `first` is its first token."""
    last = first
    if first[0] == "[":
        number = 0
        while (last := next(tokens))[0] != "]":
            yield from _entries(tokens, last, (*key, number), last.start())
            number += 1
    elif first[0] == "{":
        while (last := next(tokens))[0] != "}":
            name = json.loads(last[0]) if "\\" in last[0] else last[0][1:-1]
            yield from _entries(tokens, next(tokens), (*key, name), last.start())
    yield _Entry(key, at, first.start(), last.end())


class _Places:
    """The places of all values in a text that is known to be JSON."""

    def __init__(self, text: str) -> None:
        self.text = text

    def place(self, key: KeyPath) -> Span:
        """The place of an entry, or of its nearest existing parent."""
        while key not in self._found:
            key = key[:-1]
        return self._span(self._found[key].at)

    def extent(self, key: KeyPath) -> tuple[Span, Span]:
        return self._span(self._found[key].start), self._span(self._found[key].end)

    def repeated(self) -> Iterator[Finding]:
        seen: set[KeyPath] = set()
        for key, at, *_ in sorted(self._all(), key=lambda one: one.at):
            if key in seen:
                yield self._finding("repeated-key", f"the key {shown(key[-1])} is written twice", at)
            seen.add(key)

    def halves(self) -> Iterator[Finding]:
        """A finding for each half of a surrogate pair, which is not a character and cannot be written."""
        halves = (found for found in _HALVES.finditer(self.text) if found[1])
        for found in islice(halves, MOST_FINDINGS + 1):
            yield self._finding("json", "half of a surrogate pair is not a character", found.start())

    def too_deep(self) -> Finding:
        return self._finding("too-deep", f"lists and mappings are nested more than {DEEPEST} deep", 0)

    def _all(self) -> Iterator[_Entry]:
        tokens = _TOKEN.finditer(self.text)
        return _entries(tokens, next(tokens), (), 0)

    @cached_property
    def _found(self) -> dict[KeyPath, _Entry]:
        return {one.key: one for one in self._all()}

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))

    def _span(self, at: int) -> Span:
        line = bisect(self._starts, at)
        return Span(line, at - self._starts[line - 1] + 1)

    def _finding(self, code: str, message: str, at: int) -> Finding:
        span = self._span(at)
        excerpt = self.text[self._starts[span.line - 1] : self._starts[span.line] - 1]
        return Finding(code, message, span.line, span.column, excerpt=excerpt)
