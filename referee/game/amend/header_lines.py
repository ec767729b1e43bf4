"""The place of a header's key in a game file's text, so that nothing else in it changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from referee.game.amend.insertion import Edit
from referee.game.file.document import Document, KeyPath, value_at
from referee.game.file.dumper import setting_text, value_text
from referee.game.file.header import KEYS_IN_ORDER

_COMMENT = re.compile(r"\s*#.*")
_AFTER_KEY = re.compile(r"[^:#]+:\s+(#.*)")
_AFTER_VALUE = re.compile(r"\s+(#.*)")
_COMMA = re.compile(r"\s*,[ \t]*")
_COMMA_BEFORE = re.compile(r",\s*$")


def key_edit(document: Document, key: KeyPath, value: object) -> Edit | None:
    """The edit that gives a key a value; None if the layout of the file has no place for it."""
    if value_at(document, key) is not None:
        return _replacement(document, key, value)
    *above, name = key
    parent = value_at(document, tuple(above))
    if not isinstance(parent, Mapping) or not parent:
        return key_edit(document, tuple(above), {name: value})
    if name in parent:
        return _replacement(document, key, value)
    before = list(parent)[-1] if above else _before(parent, str(name))
    return _addition(document, (*above, before), str(name), value)


def key_removal(document: Document, key: KeyPath) -> Edit:
    """The edit that takes a key and its value away, but no comment."""
    if _is_flow(document, key[:-1]):
        return _cut(document, key)
    place, last = document.place(key), _last_line(document, key)
    indent = document.line(place.line)[: place.column - 1]
    remarks = {number - 1: indent + text for number, text in _remarks(document, key)}
    lines = range(place.line, last + 1)
    gone = frozenset(number - 1 for number in lines if not _COMMENT.fullmatch(document.line(number)))
    return Edit(remarks, 0, (), gone - remarks.keys())


def _remarks(document: Document, key: KeyPath) -> Iterator[tuple[int, str]]:
    """The comments next to a key and its value: each with the number of its line (from 1)."""
    value, place = value_at(document, key), document.place(key)
    in_block = isinstance(value, Mapping) and value and not _is_flow(document, key)
    if in_block:
        line, beside = place.line, _AFTER_KEY.match(document.line(place.line))
    else:
        _, end = document.extent(key)
        line, beside = end.line, _AFTER_VALUE.match(document.line(end.line), end.column - 1)
    if beside:
        yield line, beside[1]
    for name in value if in_block else ():
        yield from _remarks(document, (*key, name))


def _replacement(document: Document, key: KeyPath, value: object) -> Edit | None:
    """The edit that writes another value; a value on several lines of YAML gets a line of its own."""
    start, end = document.extent(key)
    if start.line == end.line:
        line = document.line(start.line)
        blank = " " if line[start.column - 2 : start.column - 1] == ":" else ""
        text = blank + _text(document, key, value)
        return Edit({start.line - 1: line[: start.column - 1] + text + line[end.column - 1 :]}, start.line - 1)
    if _is_flow(document, key) or _is_flow(document, key[:-1]):
        return None
    place = document.place(key)
    indent = document.line(place.line)[: place.column - 1]
    removal = key_removal(document, key)
    here = place.line - 1
    remark = removal.changed.get(here, "").strip()
    line = f"{indent}{key[-1]}: {_text(document, key, value)}" + (f"  {remark}" if remark else "")
    return Edit({**removal.changed, here: line}, here, (), removal.gone - {here})


def _addition(document: Document, before: KeyPath, name: str, value: object) -> Edit:
    key = (*before[:-1], name)
    if not _is_flow(document, before[:-1]):
        indent = " " * (document.place(before).column - 1)
        new = (f"{indent}{line}" for line in _entry(document, key, value))
        return Edit({}, _last_line(document, before) - 1, tuple(new))
    _, end = document.extent(before)
    line = document.line(end.line)
    named = json.dumps(name) if document.form == "json" else value_text(name)
    text = f", {named}: {_text(document, key, value)}"
    return Edit({end.line - 1: line[: end.column - 1] + text + line[end.column - 1 :]}, end.line - 1)


def _entry(document: Document, key: KeyPath, value: object) -> list[str]:
    """The lines of a new key in a block of YAML; each of the players gets one."""
    if key == ("players",) and isinstance(value, Mapping):
        return ["players:", *(f"  {side}: {value_text(one)}" for side, one in value.items())]
    return [f"{value_text(key[-1])}: {_text(document, key, value)}"]


def _cut(document: Document, key: KeyPath) -> Edit:
    """The edit that cuts a key with its value and one comma out of the lines."""
    start, (_, end) = document.place(key), document.extent(key)
    before, after = document.line(start.line)[: start.column - 1], document.line(end.line)[end.column - 1 :]
    changed = {}
    if comma := _COMMA.match(after):
        after = after[comma.end() :]
    elif before.strip():
        before = _COMMA_BEFORE.sub("", before)
    else:
        changed[start.line - 2] = _COMMA_BEFORE.sub("", document.line(start.line - 1))
    gone = set(range(start.line - 1, end.line))
    if (before + after).strip():
        changed[start.line - 1] = before + after
        gone.remove(start.line - 1)
    return Edit(changed, 0, (), frozenset(gone))


def _text(document: Document, key: KeyPath, value: object) -> str:
    if document.form == "json":
        return json.dumps(value, ensure_ascii=False)
    return setting_text(str(key[-1]), value) if len(key) == 1 else value_text(value)


def _is_flow(document: Document, key: KeyPath) -> bool:
    """True if the mapping at a key is written in braces."""
    start, _ = document.extent(key)
    return document.line(start.line)[start.column - 1 :].startswith("{")


def _last_line(document: Document, key: KeyPath) -> int:
    """The last line (from 1) of the value at a key."""
    value, (_, end) = value_at(document, key), document.extent(key)
    if isinstance(value, Mapping) and value and not _is_flow(document, key):
        return max(_last_line(document, (*key, name)) for name in value)
    # A block of text ends where the next line begins.
    return max(end.line - (end.column == 1), document.place(key).line)


def _before(header: Mapping[str, Any], name: str) -> str:
    """The key of a header after which a new one belongs; `game` is always there."""
    return [key for key in KEYS_IN_ORDER[: KEYS_IN_ORDER.index(name)] if key in header][-1]
