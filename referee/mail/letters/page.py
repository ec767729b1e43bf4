"""The HTML page of a letter about a game, next to its text, with the board as an inline picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.message import Message
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from referee.draw import drawing
from referee.draw.words import alt_text, by_name
from referee.mail.letters.content import LetterBody
from referee.mail.letters.format.blocks import Depiction
from referee.mail.letters.format.language import LANGUAGE
from referee.mail.letters.format.markup import Picture, inline, section_markup
from referee.mail.letters.format.mime import file_part, joined, text_part
from referee.mail.log import LOG, reason
from referee.rules import Position

_TAG = re.compile(r"\[[^\]]*\] ")
"""The game in brackets at the beginning of a subject."""


class Foot(NamedTuple):
    """The last lines of a letter: words, and the log head below them."""

    words: str
    digits: tuple[str, ...] = ()


def with_page(letter: Message, content: LetterBody, foot: Foot) -> Message:
    """A letter of text with page and pictures, or without, because no letter may be lost for a picture."""
    if find_spec("aggdraw") is None:
        return letter
    try:
        return paged(letter, content, foot)
    except Exception as error:
        LOG.warning("%s goes without its picture: %s", letter["Message-ID"], reason(error))
        return letter


def page_of(content: LetterBody, pictures: Mapping[Depiction, Picture], foot: Foot) -> str:
    """The page: what happened and what to do, and the sections; a board without a picture is there as text."""
    parts = [
        f"<h1>{inline(content.lead or _TAG.sub('', content.subject))}</h1>",
        *(section_markup(section, pictures) for section in content.sections),
        f"<footer><p>{inline(foot.words)}</p>{''.join(f'<p>{escape(line)}</p>' for line in foot.digits)}</footer>",
    ]
    return _frame().format(lang=LANGUAGE, body="\n".join(part for part in parts if part))


def paged(letter: Message, content: LetterBody, foot: Foot) -> Message:
    """A letter of text with its page and the pictures of its boards, if it has any."""
    from referee.draw.record import letter_picture  # letters without pictures need none

    identity = letter["Message-ID"]
    # An id is unique in the world (RFC 2045, section 7); that of a picture does not reveal the letter's own.
    mark, domain = sha256(identity.encode()).hexdigest()[:20], identity.strip("<>").rpartition("@")[2]
    boards = {board: f"board-{number}.{mark}@{domain}" for number, board in enumerate(content.depictions)}
    pictures: dict[Depiction, Picture] = {}
    for board, cid in boards.items():
        words = by_name(alt_text(board.position, board.view, board.events, outcome=board.outcome), content.names)
        newcomer = content.explained and not pictures  # the first board explains its signs
        pictures[board] = Picture(f"cid:{cid}", words, _legend(board.position, board.view) if newcomer else "")
    page = text_part(page_of(content, pictures, foot), "html")
    drawn = [
        file_part(letter_picture(one.position, one.view, one.events), "image/png", f"board-{number}.png", cid=cid)
        for number, (one, cid) in enumerate(boards.items())
    ]
    return joined("alternative", letter, joined("related", page, *drawn) if drawn else page)


@lru_cache(64)
def _legend(position: Position, view: str) -> str:
    """The meaning of the picture's signs, which is the same before and after a ply."""
    return drawing(position.game).scene(position, view=view).legend


@cache
def _frame() -> str:
    return Path(__file__).with_name("page.html").read_text(encoding="utf-8")
