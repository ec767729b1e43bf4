"""The HTML page of a letter about a game, beside its text, with the board as an inline picture."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache, lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from referee.draw import drawing
from referee.draw.words import alt_text
from referee.mail.letters.blocks import Board
from referee.mail.letters.content import Content
from referee.mail.letters.foot import Foot
from referee.mail.letters.language import LANGUAGE, phrase
from referee.mail.letters.markup import blocks_markup, inline, section_markup
from referee.mail.letters.story import Story
from referee.mail.log import LOG, reason
from referee.rules import Event, Position

_WIDTH = 600
"""Maximum width of the picture on the page, in pixels."""

_CID = "board"
_POLICY = SMTP.clone(max_line_length=200)


def with_page(raw: bytes, story: Story, view: str, content: Content, foot: Foot, identity: str) -> bytes:
    """A letter of text with its page and picture beside it, the board as a side sees it.

    It goes without them if they cannot be made, because no letter may be lost for a picture.
    """
    if find_spec("resvg_py") is None:
        return raw
    try:
        return _paged(raw, story, view, content, foot)
    except Exception as error:
        LOG.warning("%s goes without its picture: %s", identity, reason(error))
        return raw


class Picture(NamedTuple):
    """The picture of a page: its address, what it shows in words, and what its signs mean."""

    address: str
    words: str
    legend: str = ""


def page_of(content: Content, picture: Picture | None, foot: Foot) -> str:
    """The page: the lead, the picture, the board as text, and the rest.

    Args:
        content: what the letter says.
        picture: without one, the text board is open. Where there is no board, there is no picture of it either.
        foot: what stands at the foot of the letter.
    """
    head, *tasks = content.lead or (content.subject,)
    parts = [
        f"<h1>{inline(head)}</h1>",
        *(f'<p class="task">{inline(task)}</p>' for task in tasks),
        *map(section_markup, content.above),
        _board(content, picture),
        *map(section_markup, content.below),
        _foot(foot),
    ]
    return _frame().format(
        lang=LANGUAGE, title=escape(content.subject), body="\n".join(part for part in parts if part)
    )


def _foot(foot: Foot) -> str:
    """The foot, its digits small: few people read them."""
    words = "".join(f"<p>{escape(line)}</p>" for line in foot.words)
    digits = "<br>\n".join(map(escape, foot.digits))
    if foot.page is not None:
        said, address = map(escape, foot.page)
        words = f'<p>{said}<br><a href="{address}">{address}</a></p>{words}'
    return f'<footer>{words}<p class="digits">{digits}</p></footer>'


def _board(content: Content, picture: Picture | None) -> str:
    """The picture, and what else there is to tell of the position; the board as text is folded up below."""
    if content.board is None:
        return ""
    heading, blocks = content.board.heading, content.board.blocks
    shown = blocks_markup(block for block in blocks if isinstance(block, Board))
    rest = blocks_markup(block for block in blocks if not isinstance(block, Board))
    if picture is not None:
        folded = f"<details><summary>{escape(phrase('heading.board-below'))}</summary>\n{shown}\n</details>"
        rest = f"{rest}\n{folded if shown else ''}".strip()
        shown = f'<p><img src="{picture.address}" width="{_WIDTH}" alt="{escape(picture.words)}"></p>'
        shown += f'\n<p class="minor">{escape(picture.legend)}</p>' if picture.legend else ""
    return f"<section>\n<h2>{escape(heading)}</h2>\n{shown}\n{rest}\n</section>"


def with_plain_page(raw: bytes, content: Content, foot: Foot) -> bytes:
    """A letter of text with its page beside it, which has no picture."""
    message = _read(raw)
    message.add_alternative(page_of(content, None, foot), subtype="html")
    return message.as_bytes(policy=_POLICY)


def _read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    return message


def _paged(raw: bytes, story: Story, view: str, content: Content, foot: Foot) -> bytes:
    state = story.state
    if content.board is None:
        return with_plain_page(raw, content, foot)
    message = _read(raw)
    words = alt_text(state.position, view, story.last_ply, outcome=state.outcome)
    shown = Picture(f"cid:{_CID}", words, _legend(state.position, view))
    message.add_alternative(page_of(content, shown, foot), subtype="html")
    html = list(message.iter_parts())[-1]
    assert isinstance(html, EmailMessage)
    picture = _picture(state.position, view, story.last_ply)
    html.add_related(picture, "image", "png", cid=f"<{_CID}>", filename=f"{state.id}-{len(state.plies)}.png")
    return message.as_bytes(policy=_POLICY)


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
