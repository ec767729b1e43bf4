"""The picture of the board in a letter, and the letter's text beside it as HTML."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from html import escape

from referee.desk import State
from referee.draw import drawing
from referee.mail.letters.sections import when
from referee.rules import Event

_WIDTH = 640
"""So many pixels wide is the picture."""

_CID = "board"


def pictured(raw: bytes, state: State, side: str, marks: tuple[Event, ...] = ()) -> bytes:
    """A letter of text with the same text as HTML beside it, and the board as an inline picture in that.

    `marks` are what the last ply changed.
    """
    from referee.draw.svg import png

    policy = SMTP.clone(max_line_length=200)
    message = message_from_bytes(raw, policy=policy)
    assert isinstance(message, EmailMessage)
    text = message.get_content()
    first, _, rest = text.partition("\n")
    picture = png(drawing(state.game).scene(state.position, view=side, events=marks), width=_WIDTH)
    page = (
        f'<html><body><p><strong>{escape(first)}</strong></p><p><img src="cid:{_CID}" width="{_WIDTH}" '
        f'alt="{escape(_described(state, side))}"></p><pre>{escape(rest)}</pre></body></html>\n'
    )
    message.add_alternative(page, subtype="html")
    html = list(message.iter_parts())[-1]
    assert isinstance(html, EmailMessage)
    html.add_related(picture, "image", "png", cid=f"<{_CID}>", filename=f"{state.id}-{len(state.plies)}.png")
    return message.as_bytes(policy=policy)


def _described(state: State, side: str) -> str:
    return f"The board {when(state)}, as {side} sees it; the same stands below as text."
