"""The sections of a letter as HTML: headings, lists and tables, in which everything is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import assert_never

from referee.mail.letters.blocks import Block, Lines, Paragraph, Points, Quote, Rows, Section, Written

_MOVE = re.compile(r"\[[^\[\]\n]+\]")
_SHORT = 24
"""Maximum characters of a move that stays on one line of a narrow screen."""

_ITEM, _BAR, _INDENT = "- ", "|", "  "
_TERM = re.compile(r"  (\S.*?)(?: {2,}(\S.*)|(?<=\]))")
"""A line of a list of what can be written: the word, and what it does, if there is room for it on the line."""

_HANGING = " " * 10
"""Indent of the lines that go on with what such a word does."""

_CONTINUED = re.compile(r"  \S")
"""The beginning of a line that goes on with a point."""

_WIDE = re.compile(r"\S {3,}\S")
"""A gap as only boards have it: such lines stay as they are."""


def section_markup(section: Section) -> str:
    """A section with its heading; nothing if it is empty."""
    if not section.blocks:
        return ""
    heading = f"<h2>{escape(section.heading)}</h2>\n" if section.heading else ""
    kind = ' class="minor"' if section.minor else ""
    return f"<section{kind}>\n{heading}{blocks_markup(section.blocks)}\n</section>"


def blocks_markup(blocks: Iterable[Block]) -> str:
    """Blocks one below the other."""
    return "\n".join(map(_block, blocks))


def inline(text: str) -> str:
    """A text within a line, its moves and commands marked as code."""
    return _MOVE.sub(_code, escape(text))


def _code(found: re.Match[str]) -> str:
    """A move or a command; a short one stays on one line."""
    kind = ' class="short"' if len(found[0]) <= _SHORT else ""
    return f"<code{kind}>{found[0]}</code>"


def board_markup(lines: Iterable[str], label: str) -> str:
    """A board as lines of one width, which can be scrolled by keys where it is too wide."""
    return f'<pre tabindex="0" role="region" aria-label="{escape(label)}">{_joined(lines)}</pre>'


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{inline(text)}</p>"
        case Points(texts):
            return "<ul>\n" + "\n".join(f"<li>{inline(text)}</li>" for text in texts) + "\n</ul>"
        case Lines(lines):
            return f'<pre class="own">{_joined(lines)}</pre>'
        case Quote(lines, message=True):
            return f'<blockquote class="message">{_joined(lines)}</blockquote>'
        case Quote(lines):
            return f'<blockquote><pre class="own">{_joined(lines)}</pre></blockquote>'
        case Rows(head, rows):
            return _table(head, rows, "stacked" if head and block.lines else "small")
        case Written(lines):
            return blocks_markup(read_blocks(lines))
        case _:
            assert_never(block)


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...], kind: str) -> str:
    """A table; the first cell of each row names it, and a stacked one has no columns on a narrow screen.

    There, each of its cells says what its column is.
    """
    titles = "".join(f'<th scope="col">{escape(one)}</th>' for one in head)
    named = head[1:] if kind == "stacked" else ()
    told = [
        f'<tr><th scope="row">{inline(first)}</th>{"".join(map(_cell, rest, named or [""] * len(rest)))}</tr>'
        for first, *rest in rows
    ]
    above = [f"<thead><tr>{titles}</tr></thead>"] if head else []
    return "\n".join(
        (f'<div class="wide"><table class="{kind}">', *above, "<tbody>", *told, "</tbody></table></div>")
    )


def _cell(text: str, name: str) -> str:
    """A cell, with the name of its column for narrow screens if it has one and is not empty."""
    label = f'<span class="column">{escape(name)}: </span>' if name and text else ""
    return f"<td>{label}{inline(text)}</td>"


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(map(escape, lines))


def read_blocks(lines: Iterable[str]) -> Iterator[Block]:
    """The blocks in lines of text, as drafts keep them: points, bars, words with what they do, boards, paragraphs."""
    for is_blank, group in groupby(lines, key=lambda line: not line.strip()):
        if not is_blank:
            for kind, run in groupby(_kinds(list(group)), key=lambda one: one[0]):
                yield _run([line for _, line in run], kind)


def _kinds(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with what it is: a point, a bar, a word with what it does, a line as it stands, or words."""
    wide = any(_WIDE.search(line) and not _TERM.fullmatch(line) and not line.startswith(_HANGING) for line in lines)
    kind = ""
    for line in lines:
        if line.startswith(_ITEM) or (kind == "point" and _CONTINUED.match(line)):
            kind = "point"
        elif line.startswith(_BAR):
            kind = "bar"
        elif not wide and (_TERM.fullmatch(line) or (kind == "term" and line.startswith(_HANGING))):
            kind = "term"
        else:
            kind = "line" if wide or line.startswith(_INDENT) else "words"
        yield kind, line


def _run(lines: list[str], kind: str) -> Block:
    """Lines of one kind as a block."""
    match kind:
        case "point":
            return _points(lines)
        case "bar":
            return Quote(tuple(line.removeprefix(_BAR).removeprefix(" ") for line in lines))
        case "term":
            return _terms(lines)
        case "line":
            return Lines(tuple(lines))
        case _:
            return Paragraph(" ".join(lines))


def _points(lines: list[str]) -> Points:
    texts: list[str] = []
    for line in lines:
        begun = "" if line.startswith(_ITEM) else f"{texts.pop()} "
        texts.append(f"{begun}{line.removeprefix(_ITEM).strip()}")
    return Points(tuple(texts))


def _terms(lines: list[str]) -> Rows:
    """Words with what they do, as a table."""
    rows: list[tuple[str, str]] = []
    for line in lines:
        if found := _TERM.fullmatch(line):
            rows.append((found[1], found[2] or ""))
        else:
            term, says = rows.pop()
            rows.append((term, f"{says} {line.strip()}".lstrip()))
    return Rows((), tuple(rows))
