"""The sections of a letter as HTML: headings, lists and tables, in which everything is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import assert_never

from referee.mail.letters.blocks import (
    Block,
    Board,
    Heading,
    Lines,
    Link,
    Moves,
    Paragraph,
    Pointed,
    Points,
    Quote,
    Rows,
    Section,
    Under,
    Written,
    merged,
)
from referee.mail.letters.text import quote

_MOVE = re.compile(r"\[[^\[\]\n]+\]")
_SHORT = 24
"""Maximum characters of a move that stays on one line of a narrow screen."""


def section_markup(section: Section) -> str:
    """A section with its heading; nothing if it is empty."""
    if not section.blocks:
        return ""
    heading = f"<h2>{escape(section.heading)}</h2>\n" if section.heading else ""
    kind = ' class="minor"' if section.minor else ""
    return f"<section{kind}>\n{heading}{blocks_markup(section.blocks, 3 if heading else 2)}\n</section>"


def blocks_markup(blocks: Iterable[Block], level: int = 3) -> str:
    """Blocks one below the other; headings among them are of a `level`, from 1."""
    return "\n".join(_block(one, level) for one in merged(blocks))


def inline(text: str) -> str:
    """A text within a line, its moves and commands marked as code."""
    return _MOVE.sub(_code, escape(text))


def _code(found: re.Match[str]) -> str:
    """A move or a command; a short one stays on one line."""
    kind = ' class="short"' if len(found[0]) <= _SHORT else ""
    return f"<code{kind}>{found[0]}</code>"


def _block(block: Block, level: int) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{inline(text)}</p>"
        case Points(texts):
            return "<ul>\n" + "\n".join(f"<li>{inline(text)}</li>" for text in texts) + "\n</ul>"
        case Heading(text):
            return f"<h{level}>{inline(text)}</h{level}>"
        case Under(texts):
            return "\n".join(f'<p class="under">{inline(text)}</p>' for text in texts)
        case Link(address):
            aim = address if "://" in address else f"mailto:{address}"
            return f'<p class="under"><a href="{escape(aim)}">{escape(address)}</a></p>'
        case Lines(lines):
            return f'<pre class="own">{_joined(lines)}</pre>'
        case Board(lines, label):
            return f'<pre tabindex="0" role="region" aria-label="{escape(label)}">{_joined(lines)}</pre>'
        case Moves(moves):
            return f"<p>{'; '.join(inline(quote(move)) for move in moves)}</p>"
        case Pointed(lines):
            return f'<blockquote><pre tabindex="0">{_joined(lines)}</pre></blockquote>'
        case Quote(lines, message=True):
            return f'<blockquote class="message">{_joined(lines)}</blockquote>'
        case Quote(lines):
            return f'<blockquote><pre class="own">{_joined(lines)}</pre></blockquote>'
        case Rows(head, rows):
            return _table(head, rows, "stacked" if head and block.lines else "small")
        case Written(lines):
            return f"<pre>{_joined(lines)}</pre>"
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
