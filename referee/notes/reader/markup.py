"""Marks of forums, messengers and Markdown in a text: quoted, struck out, emphasised, in tables, over several lines.

This pass comes before any move is looked for. It knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

STRUCK = "struck out: "
"""The beginning of a comment that keeps a struck-out text."""

_TITLE = re.compile(r"(?P<title>\S.{0,100}): (?:round \d+, after ply \d+|before the first ply)")
_RESULT = re.compile(r"result\s+(?P<winner>.+?)(?: wins)? \((?P<how>\w+)\)")
_SCORED = re.compile(r"result\s+the (?P<winner>\S+) scored [\d,]+ points?(?: \((?P<how>\w+)\))?")
_FIRST = re.compile(r"1\. ")
"""The heading of a printed report, its result, and its first round."""

_QUOTE = re.compile(r"(\[/?quote\b[^\]\n]{0,200}\]|</?blockquote\b[^>\n]{0,200}>)", re.IGNORECASE)
_QUOTED = re.compile(r"\s*(?:>\s?)+")
_NAMED_QUOTE = re.compile(r"\s*(?P<name>[^\W\d_][\w.' -]{0,40}:)\s*(?P<quote>>[^\n]*)")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*")
_RULE = re.compile(r"\s*(?:[-*_=\u2014]\s*){3,}|\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_ROW = re.compile(r"\s*\|(?P<cells>.*\|.*)\|\s*")
_HEADING = re.compile(r"\s*#{1,6}\s+(?=\S)")
_STRUCK = (
    re.compile(r"~~(?=\S)([^\n]{1,500}?)(?<=\S)~~"),
    re.compile(r"(?<![\w~])~(?=[^\s~])([^~\n]{1,500})(?<=\S)~(?![\w~])"),
    re.compile(r"\[(?:s|strike|del)\](.{1,500}?)\[/(?:s|strike|del)\]", re.IGNORECASE),
    re.compile(r"<(?:s|strike|del)>(.{1,500}?)</(?:s|strike|del)>", re.IGNORECASE),
)
_TAGS = (
    r"b|i|u|colou?r|size|font|center|left|right|url|img|code|list|li|ul|ol|\*|spoiler|hr|table|tbody|thead|tr|th|sub|sup"
    r"|pre|tt|em|strong|p|br|span|div|small|big|a|h[1-6]|details|summary|indent"
)
_LINE_END = re.compile(r"<br\s{0,9}/?>|</(?:p|div|li|tr|h[1-6])>", re.IGNORECASE)
_CELL = re.compile(r"\[/t[dh]\]|</t[dh]>", re.IGNORECASE)
_MARK = re.compile(
    rf"\[/?(?:{_TAGS}|td)(?:=[^\]\n]{{0,200}})?\]|</?(?:{_TAGS}|td)(?:\s[^>\n]{{0,200}})?/?>", re.IGNORECASE
)
_EMPHASIS = (
    re.compile(r"(\*\*\*|\*\*|__)(?=\S)([^\n]{1,500}?)(?<=\S)\1"),
    re.compile(r"(?<![\w*])(\*)(?=[^\s*])([^*\n]{1,500}?)(?<=\S)\*(?![\w*])"),
    re.compile(r"(?<![\w_])(_)(?=[^\s_])([^_\n]{1,500}?)(?<=\S)_(?![\w_])"),
    re.compile(r"(`{1,3})(?=\S)([^`\n]{1,500}?)(?<=\S)\1"),
)
_ESCAPE = re.compile(r"\\([*_~`#>.+-])")
_MOST_JOINED = 20
"""Lines over which a comment in braces may go."""

_OPEN_BRACKET = re.compile(r"(?<![:;=8-])\([^()]*$")
_CLOSING = re.compile(r"[^()]*\)")


class WrittenLine(NamedTuple):
    """A line without marks, its number in the text, and whether it quotes what was written before."""

    number: int
    text: str
    is_quote: bool = False


def unmarked(text: str) -> Iterator[WrittenLine]:
    """The lines of a text without marks; what is struck out is a comment, and comments over several lines are one."""
    lines = _joined(without_board(text.splitlines()))
    in_table = _table_lines(lines)
    depth = 0
    for number, line in enumerate(lines, 1):
        for part in (part for piece in _LINE_END.split(line) for part in _QUOTE.split(piece)):
            if _QUOTE.fullmatch(part):
                depth = max(0, depth + (-1 if part[1] == "/" else 1))
            elif part.strip() and not (_FENCE.fullmatch(part) or _RULE.fullmatch(part)):
                if named := _NAMED_QUOTE.fullmatch(part):
                    yield WrittenLine(number, named["name"])
                    part = named["quote"]
                quoted = _QUOTED.match(part)
                own = part[quoted.end() :] if quoted else part
                yield WrittenLine(number, _plain(own, is_row=number in in_table), bool(depth or quoted))


def _joined(lines: list[str]) -> list[str]:
    """The lines, with a comment that goes over several of them on its first one."""
    found = list(lines)
    for place, line in enumerate(found):
        if line.count("{") > line.count("}"):
            _join(found, place, "}", _MOST_JOINED)
        elif _OPEN_BRACKET.search(line):
            _join(found, place, ")", 2)
    return found


def _join(lines: list[str], place: int, closing: str, most: int) -> None:
    """Put the rest of a comment on the line on which it begins, if it ends within some lines."""
    rest = lines[place + 1 : place + 1 + most]
    end = next((at for at, line in enumerate(rest) if closing in line), None)
    if end is None or (closing == ")" and not (_CLOSING.match(rest[end]) and all(map(str.strip, rest[: end + 1])))):
        return
    lines[place] = " ".join([lines[place], *(line.strip() for line in rest[: end + 1])])
    lines[place + 1 : place + 2 + end] = [""] * (end + 1)


def _table_lines(lines: list[str]) -> frozenset[int]:
    """The numbers of the lines of Markdown tables without bars at their edges."""
    found: set[int] = set()
    for number, (above, line) in enumerate(pairwise(lines), 1):
        if "|" in line and ((_TABLE_RULE.fullmatch(line) and "|" in above) or number in found):
            found |= {number, number + 1}
    return frozenset(found)


def _plain(line: str, *, is_row: bool) -> str:
    """A line without marks; comments in braces keep theirs."""
    if "&" in line:
        from html import unescape  # its table of entities is large

        line = unescape(line)
    for pattern in _STRUCK:
        line = pattern.sub(lambda found: "{" + STRUCK + re.sub(r"[{}]", "", found[1]) + "}", line)
    parts = re.split(r"(\{[^{}]*\})", line)
    line = "".join(part if place % 2 else _without_emphasis(part) for place, part in enumerate(parts))
    line = _HEADING.sub("", line, count=1) if _HEADING.match(line) else line
    row = _ROW.fullmatch(line)
    if row:
        line = row["cells"]
    return "\t".join(cell.strip() for cell in line.split("|")) if row or is_row else line


def _without_emphasis(text: str) -> str:
    """A text without tags and without stars and the like around words."""
    if "[" in text or "<" in text:
        text = _MARK.sub("", _CELL.sub("\t", text))
    for pattern in _EMPHASIS:
        text = pattern.sub(r"\2", text)
    return _ESCAPE.sub(r"\1", text)


def without_board(lines: list[str]) -> list[str]:
    """The lines of a report with empty ones for its board and the text below; other lines stay as they are."""
    found = _TITLE.fullmatch(lines[0]) if lines else None
    begins = [
        place for place, line in enumerate(lines) if _FIRST.match(line) and place and not lines[place - 1].strip()
    ]
    if found is None or not begins:
        return lines
    head = lines.index("") if "" in lines else 0
    results = (_SCORED.fullmatch(line) or _RESULT.fullmatch(line) for line in lines[head : begins[-1]])
    last = []
    if told := next(filter(None, results), None):
        how = f"by {told['how'] or 'score'}"
        last = [f"draw {how}" if told["winner"] == "a draw" else f"{told['winner']} wins {how}"]
    return [found["title"], *lines[1:head], *[""] * (begins[-1] - head), *lines[begins[-1] :], *last]
