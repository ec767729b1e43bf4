"""A forgotten bar after `moves:`, without which YAML makes one line of all the rounds, or a forgotten indent."""

from __future__ import annotations

import re

from referee.errors import Finding
from referee.game.file.document import Document

_OUTSIDE = "the rounds below 'moves: |' must be indented: begin each line with two blanks"

_MOVES = re.compile(r"moves[ \t]*:")
_KEY = re.compile(r"[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?:\s|$)")
_BLOCK = re.compile(r"\|[0-9+-]{0,2}(?:\s+#.*)?")
_FOLLOWS_FROM_IT = frozenset({"yaml", "wrong-type", "syntax", "half-round", "round-number"})
"""The codes of findings that a missing bar causes."""


def with_bar(document: Document, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings; one about the missing bar or indent replaces those that it causes."""
    if document.form != "yaml":
        return findings
    outside = _unindented(document)
    moves = outside or _moves(document)
    others = tuple(one for one in findings if one.code not in _FOLLOWS_FROM_IT or one.line not in moves)
    if len(others) == len(findings):
        return findings
    if outside:
        return (*others, Finding("moves-block", _OUTSIDE, outside.start, 1, (), document.line(outside.start)))
    message = "each round needs a line of its own, indented, below 'moves: |'; without the bar YAML joins the lines"
    line = document.line(moves.start)
    return (*others, Finding("moves-block", message, moves.start, line.index(":") + 2, ("moves: |",), line))


def _unindented(document: Document) -> range:
    """The lines below a bar, if the first of them has a round at its beginning."""
    for number, line in enumerate(document.lines, 1):
        if _MOVES.match(line) and _BLOCK.fullmatch(line.partition(":")[2].strip()):
            below = document.line(number + 1)
            is_round = below and not below[0].isspace() and below[0] != "#" and not _KEY.match(below)
            return range(number + 1, len(document.lines) + 1) if is_round else range(0)
    return range(0)


def _moves(document: Document) -> range:
    """The lines of the moves from their key on, if YAML has several of them, in no block and without quotes."""
    lines = document.lines
    first = next((place for place, line in enumerate(lines) if _MOVES.match(line)), len(lines))
    if first == len(lines):
        return range(0)
    value = lines[first].partition(":")[2].strip()
    if value.startswith(("'", '"')) or _BLOCK.fullmatch(value):
        return range(0)
    end = next((place for place in range(first + 1, len(lines)) if _KEY.match(lines[place])), len(lines))
    below = sum(bool(line.strip()) for line in lines[first + 1 : end])
    beside = value[:1] not in ("", "#", ">")
    moves = document.mapping.get("moves")
    joined = below + beside > 1 or ((below or value.startswith("|")) and not isinstance(moves, str))
    return range(first + 1, end + 1) if joined else range(0)
