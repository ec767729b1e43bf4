"""The sections of a letter as HTML: headings, lists and tables, with everything escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple, assert_never

from referee.mail.letters.format import blocks
from referee.mail.letters.format.blocks import Block, Depiction, LetterSection, TextBoard, merged
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote

_MOVE = re.compile(r"\[[^\[\]\n]+\]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WIDTH = 400
"""Maximum width of a picture on the page, in pixels."""

_SHORT = 24
"""Maximum characters of a move that stays on one line of a narrow screen."""


class Picture(NamedTuple):
    """The picture of a board: its address, its description in words, and the meaning of its signs."""

    address: str
    words: str
    legend: str = ""


def section_markup(section: LetterSection, pictures: Mapping[Depiction, Picture]) -> str:
    """A section with its heading; nothing if it is empty.

    If there is a picture of a board, the board drawn with characters is folded up at the end of the section: filters
    of mail distrust pictures with few words.
    """
    if not section.blocks:
        return ""
    heading = f"<h2>{escape(section.heading)}</h2>\n" if section.heading else ""
    kind = ' class="quiet"' if section.minor else ""
    shown = {one: pictures[one] for one in section.blocks if isinstance(one, Depiction) and one in pictures}
    boards = [one for one in section.blocks if isinstance(one, TextBoard)] if shown else []
    told = [
        _pictured(shown[one]) if isinstance(one, Depiction) and one in shown else _block(one, 3 if heading else 2)
        for one in merged(section.blocks)
        if one not in boards
    ]
    body = "\n".join((*filter(None, told), *map(_folded, boards)))
    return f"<section{kind}>\n{heading}{body}\n</section>"


def _pictured(picture: Picture) -> str:
    shown = f'<p><img src="{picture.address}" width="{_WIDTH}" alt="{escape(picture.words)}"></p>'
    return shown + (f'\n<p class="quiet">{escape(picture.legend)}</p>' if picture.legend else "")


def _folded(board: TextBoard) -> str:
    return f"<details><summary>{escape(phrase('board.as-text'))}</summary>\n{_drawn(board)}\n</details>"


def _drawn(board: TextBoard) -> str:
    """A board drawn with characters, which can be scrolled by keys where it is too wide."""
    return f'<pre tabindex="0" role="region" aria-label="{escape(board.label)}">{_joined(board.lines)}</pre>'


def inline(text: str) -> str:
    """A text within a line, its moves and commands marked as code."""
    return _MOVE.sub(_code, escape(text))


def _code(found: re.Match[str]) -> str:
    """A move or a command; a short one stays on one line, and so does each date in a long one."""
    if len(found[0]) <= _SHORT:
        return f'<code class="short">{found[0]}</code>'
    dated = _DATE.sub(r'<span class="short">\g<0></span>', found[0])
    return f"<code>{dated}</code>"


def _block(block: Block, level: int) -> str:
    match block:
        case blocks.Paragraph(text):
            return f"<p>{inline(text)}</p>"
        case blocks.BulletList(texts):
            return "<ul>\n" + "\n".join(f"<li>{inline(text)}</li>" for text in texts) + "\n</ul>"
        case blocks.Heading(text):
            return f"<h{level}>{inline(text)}</h{level}>"
        case blocks.Under(texts):
            return "\n".join(f'<p class="under">{inline(text)}</p>' for text in texts)
        case blocks.Link(address):
            aim = address if "://" in address else f"mailto:{address}"
            return f'<p class="under"><a href="{escape(aim)}">{escape(address)}</a></p>'
        case blocks.Button(address, label, main):
            return f'<a class="{"go" if main else "go second"}" href="{escape(address)}">{escape(label)}</a>'
        case blocks.Lines(lines):
            return f'<pre class="own">{_joined(lines)}</pre>'
        case TextBoard():
            return _drawn(block)
        case Depiction():
            return ""
        case blocks.ListedMoves(moves):
            return f"<p>{'; '.join(inline(quote(move)) for move in moves)}</p>"
        case blocks.Pointed(lines):
            return f'<blockquote><pre tabindex="0">{_joined(lines)}</pre></blockquote>'
        case blocks.Quote(lines, message=True):
            return f'<blockquote class="message">{_joined(lines)}</blockquote>'
        case blocks.Quote(lines):
            return f'<blockquote><pre class="own">{_joined(lines)}</pre></blockquote>'
        case blocks.Rows(head, rows):
            return _table(head, rows)
        case _:
            assert_never(block)


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    titles = "".join(f'<th scope="col">{escape(one)}</th>' for one in head)
    above = [f"<thead><tr>{titles}</tr></thead>"] if head else []
    told = [
        f'<tr><th scope="row">{inline(first)}</th>{"".join(f"<td>{inline(one)}</td>" for one in rest)}</tr>'
        for first, *rest in rows
    ]
    return "\n".join(('<div class="wide" tabindex="0"><table>', *above, "<tbody>", *told, "</tbody></table></div>"))


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(map(escape, lines))
