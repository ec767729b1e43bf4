"""The sections of a letter as HTML: headings, lists and tables, in which everything is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import assert_never

from referee.mail.letters.blocks import Block, Lines, Paragraph, Points, Quote, Rows, Section, Written

_MOVE = re.compile(r"\[[^\[\]\n]+\]")
_ITEM, _BAR, _INDENT = "- ", "|", "  "
_TERM = re.compile(r"  (\S.*?) {2,}(\S.*)")
"""A line of a list of what can be written: the word, and what it does."""

_HANGING = " " * 10
"""Indent of the lines that go on with what such a word does."""


def section_markup(section: Section) -> str:
    """A section with its heading; nothing if it is empty."""
    if not section.blocks:
        return ""
    heading = f"<h2>{escape(section.heading)}</h2>\n" if section.heading else ""
    return f"<section>\n{heading}{blocks_markup(section.blocks)}\n</section>"


def blocks_markup(blocks: Iterable[Block]) -> str:
    """Blocks one below the other."""
    return "\n".join(map(_block, blocks))


def inline(text: str) -> str:
    """A text within a line, its moves and commands marked as code."""
    return _MOVE.sub(lambda found: f"<code>{found[0]}</code>", escape(text))


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
        case Quote(lines):
            return f'<blockquote><pre class="own">{_joined(lines)}</pre></blockquote>'
        case Rows(head, rows):
            return _table(head, rows, "stacked" if head and block.lines else "small")
        case Written(lines):
            return blocks_markup(read_blocks(lines))
        case _:
            assert_never(block)


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...], kind: str) -> str:
    """A table; the first cell of each row names it, and a stacked one has no columns on a narrow screen."""
    titles = "".join(f'<th scope="col">{escape(one)}</th>' for one in head)
    told = [
        f'<tr><th scope="row">{inline(first)}</th>{"".join(f"<td>{inline(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    ]
    above = [f"<thead><tr>{titles}</tr></thead>"] if head else []
    return "\n".join(
        (f'<div class="wide"><table class="{kind}">', *above, "<tbody>", *told, "</tbody></table></div>")
    )


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(map(escape, lines))


def read_blocks(lines: Iterable[str]) -> tuple[Block, ...]:
    """The blocks in lines of text, as drafts keep them: points, bars, words with what they do, and paragraphs."""
    blocks: list[Block] = []
    for line in lines:
        last = blocks[-1] if blocks else None
        if not line.strip():
            blocks.append(Paragraph(""))
        elif line.startswith(_ITEM):
            blocks[-1:] = _with_point(last, line.removeprefix(_ITEM))
        elif line.startswith(_BAR):
            blocks[-1:] = _with_line(last, Quote, line.removeprefix(_BAR).removeprefix(" "))
        elif isinstance(last, Rows) and line.startswith(_HANGING):
            blocks[-1] = _continued_row(last, line.strip())
        elif found := _TERM.fullmatch(line):
            blocks[-1:] = _with_row(last, (found[1], found[2]))
        elif isinstance(last, Points) and line.startswith(_INDENT) and not line.startswith(_INDENT * 2):
            blocks[-1] = Points((*last.texts[:-1], f"{last.texts[-1]} {line.strip()}"))
        elif line.startswith(_INDENT):
            blocks[-1:] = _with_line(last, Lines, line)
        elif isinstance(last, Paragraph) and last.text:
            blocks[-1] = Paragraph(f"{last.text} {line}")
        else:
            blocks.append(Paragraph(line))
    return tuple(block for block in blocks if block != Paragraph(""))


def _with_point(last: Block | None, text: str) -> list[Block]:
    if isinstance(last, Points):
        return [Points((*last.texts, text))]
    return [*_before(last), Points((text,))]


def _with_line(last: Block | None, kind: type[Quote] | type[Lines], line: str) -> list[Block]:
    if isinstance(last, kind):
        return [kind((*last.lines, line))]
    return [*_before(last), kind((line,))]


def _with_row(last: Block | None, row: tuple[str, str]) -> list[Block]:
    if isinstance(last, Rows):
        return [Rows((), (*last.rows, row))]
    return [*_before(last), Rows((), (row,))]


def _continued_row(table: Rows, text: str) -> Rows:
    *rows, (term, says) = table.rows
    return Rows((), (*rows, (term, f"{says} {text}")))


def _before(last: Block | None) -> list[Block]:
    return [] if last is None else [last]
