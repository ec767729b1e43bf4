"""The HTML page of a letter about a game, beside its text, with the board as an inline picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache, lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path

from referee.draw import drawing
from referee.draw.words import alt_text
from referee.mail.letters.blocks import Depiction
from referee.mail.letters.content import Content
from referee.mail.letters.foot import Foot
from referee.mail.letters.language import LANGUAGE
from referee.mail.letters.markup import Picture, inline, section_markup
from referee.mail.log import LOG, reason
from referee.rules import Event, Position

_CID = "board-"
_TAG = re.compile(r"\[[^\]]*\] ")
"""The game in brackets at the beginning of a subject."""

_POLICY = SMTP.clone(max_line_length=200)


def with_page(raw: bytes, content: Content, foot: Foot, identity: str) -> bytes:
    """A letter of text with its page and the pictures of its boards beside it.

    It goes without them if they cannot be made, because no letter may be lost for a picture.
    """
    if find_spec("resvg_py") is None:
        return raw
    try:
        return _paged(raw, content, foot)
    except Exception as error:
        LOG.warning("%s goes without its picture: %s", identity, reason(error))
        return raw


def page_of(content: Content, pictures: Mapping[Depiction, Picture], foot: Foot) -> str:
    """The page: the lead, the picture, the board as text, and the rest.

    Args:
        content: what the letter says.
        pictures: those of its boards. A board without one is open as text.
        foot: what stands at the foot of the letter.
    """
    head, *tasks = content.lead or (_TAG.sub("", content.subject),)
    parts = [
        f"<h1>{inline(head)}</h1>",
        *(f'<p class="task">{inline(task)}</p>' for task in tasks),
        *(section_markup(section, pictures) for section in content.sections),
        _foot(foot),
    ]
    return _frame().format(
        lang=LANGUAGE, title=escape(content.subject), body="\n".join(part for part in parts if part)
    )


def _foot(foot: Foot) -> str:
    """The foot, its digits small: few people read them. Nothing if there is none."""
    if not any(foot):
        return ""
    words = "".join(f"<p>{escape(line)}</p>" for line in foot.words)
    digits = "<br>\n".join(map(escape, foot.digits))
    if foot.page is not None:
        said, address = map(escape, foot.page)
        words = f'<p>{said}<br><a href="{address}">{address}</a></p>{words}'
    return f'<footer>{words}<p class="digits">{digits}</p></footer>'


def with_plain_page(raw: bytes, content: Content, foot: Foot) -> bytes:
    """A letter of text with its page beside it, without pictures."""
    message = _read(raw)
    message.add_alternative(page_of(content, {}, foot), subtype="html")
    return message.as_bytes(policy=_POLICY)


def _read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    return message


def _paged(raw: bytes, content: Content, foot: Foot) -> bytes:
    message, boards = _read(raw), content.depictions
    pictures = {board: _described(board, number) for number, board in enumerate(boards)}
    message.add_alternative(page_of(content, pictures, foot), subtype="html")
    html = list(message.iter_parts())[-1]
    assert isinstance(html, EmailMessage)
    for number, board in enumerate(boards):
        drawn = _picture(board.position, board.view, board.events)
        html.add_related(drawn, "image", "png", cid=f"<{_CID}{number}>", filename=f"board-{number}.png")
    return message.as_bytes(policy=_POLICY)


def _described(board: Depiction, number: int) -> Picture:
    """Where the picture of a board stands in the letter, and what it shows; the first one says what signs mean."""
    words = alt_text(board.position, board.view, board.events, outcome=board.outcome)
    return Picture(f"cid:{_CID}{number}", words, "" if number else _legend(board.position, board.view))


@lru_cache(64)
def _picture(position: Position, view: str, events: tuple[Event, ...]) -> bytes:
    """The board as a picture; many letters show the same one, and it takes longer than all the rest of a letter."""
    from referee.draw.png import letter_picture

    return letter_picture(position, view, events)


@lru_cache(64)
def _legend(position: Position, view: str) -> str:
    """What the signs of the picture mean, which is the same before and after a ply."""
    return drawing(position.game).scene(position, view=view).legend


@cache
def _frame() -> str:
    """What stands around every page."""
    return Path(__file__).with_name("page.html").read_text(encoding="utf-8")
