"""A forgotten bar after `moves:`, without which YAML makes one line of all the rounds, or a forgotten indent."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.errors import Finding
from referee.game.document import Document

_SUGGESTION = "moves: |"
_OUTSIDE = "the rounds below 'moves: |' must be indented: begin each line with two blanks"

_MOVES = re.compile(r"moves[ \t]*:")
_KEY = re.compile(r"[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?:\s|$)")
_BLOCK = re.compile(r"\|[0-9+-]{0,2}(?:\s+#.*)?")
_FOLLOWS_FROM_IT = frozenset({"yaml", "wrong-type", "syntax", "half-round", "round-number"})
"""The codes of findings that a missing bar causes."""


class _Moves(NamedTuple):
    """The lines of the moves in YAML, counted from 0: that of their key, and the one after their last."""

    first: int
    end: int

    def holds(self, finding: Finding) -> bool:
        return self.first < finding.line <= self.end


def with_bar(document: Document, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings; one about the missing bar replaces those that it causes."""
    if (outside := _unindented(document)) is not None and any(_comes_of_it(outside, one) for one in findings):
        place = outside.first + 2
        hint = Finding("moves-block", _OUTSIDE, place, 1, (), document.line(place))
        return (*(one for one in findings if not _comes_of_it(outside, one)), hint)
    moves = _moves(document)
    if moves is None or not any(_comes_of_it(moves, one) for one in findings):
        return findings
    message = "each round needs a line of its own, indented, below 'moves: |'; without the bar YAML joins the lines"
    place, line = moves.first + 1, document.line(moves.first + 1)
    hint = Finding("moves-block", message, place, line.index(":") + 2, (_SUGGESTION,), line)
    return (*(one for one in findings if not _comes_of_it(moves, one)), hint)


def _comes_of_it(moves: _Moves, finding: Finding) -> bool:
    return finding.code in _FOLLOWS_FROM_IT and moves.holds(finding)


def _unindented(document: Document) -> _Moves | None:
    """The lines after the bar, if there is one and the first round stands at the beginning of its line."""
    if document.form != "yaml":
        return None
    for place, line in enumerate(document.lines[:-1]):
        if _MOVES.match(line) and _BLOCK.fullmatch(line.partition(":")[2].strip()):
            below = document.line(place + 2)
            outside = below and not below[0].isspace() and below[0] != "#" and not _KEY.match(below)
            return _Moves(place, len(document.lines)) if outside else None
    return None


def _moves(document: Document) -> _Moves | None:
    """The moves, if they are several lines of YAML and neither a block nor in quotes."""
    if document.form != "yaml":
        return None
    lines = document.lines
    first = next((place for place, line in enumerate(lines) if _MOVES.match(line)), len(lines))
    if first == len(lines):
        return None
    value = lines[first].partition(":")[2].strip()
    if value.startswith(("'", '"')) or _BLOCK.fullmatch(value):
        return None
    end = next((place for place in range(first + 1, len(lines)) if _KEY.match(lines[place])), len(lines))
    below = sum(bool(line.strip()) for line in lines[first + 1 : end])
    beside = value[:1] not in ("", "#", ">")
    joined = below + beside > 1 or ((below or value.startswith("|")) and not _is_text(document.data))
    return _Moves(first, end) if joined else None


def _is_text(data: object) -> bool:
    """True if YAML has made one text of the moves."""
    return isinstance(data, dict) and isinstance(data.get("moves"), str)
