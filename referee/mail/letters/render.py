"""A letter of the outbox, written out from its draft and the game's log: the same draft gives the same letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from email import message_from_bytes
from email.charset import QP, Charset
from email.message import EmailMessage, Message
from email.policy import SMTP, compat32
from email.utils import format_datetime, formataddr
from html import escape
from importlib.util import find_spec
from typing import NamedTuple

from referee.desk import Entry, State
from referee.desk.events import Played
from referee.desk.records import Outgoing
from referee.draw import drawing
from referee.mail.intake import MARKER, Tag
from referee.mail.letters.draft import LetterContent, Note, read_draft
from referee.mail.letters.news import changes, news_lines
from referee.mail.letters.sections import board, how_to_answer, when
from referee.mail.letters.status import expected, first_line
from referee.mail.letters.text import items, silent
from referee.mail.log import LOG, reason
from referee.mail.office import Office
from referee.rules import Event

_POLICY = compat32.clone(linesep="\r\n", max_line_length=200)
"""Python's modern policy parses every field that is set, which takes five times as long as all the rest."""

_WIDTH = 640
"""Width of the picture in pixels."""

_CID = "board"

_UTF_8 = Charset("utf-8")
_UTF_8.header_encoding = _UTF_8.body_encoding = QP


def render(office: Office, letter: Outgoing) -> bytes:
    """The letter as it is handed over, with the line ends of mail."""
    draft = read_draft(letter.draft)
    if isinstance(draft, Note):
        return _to_stranger(office, draft, letter)
    story = _story(office.desk.log(letter.game or ""), draft)
    # The invitation to a game that has moves already shows them on the board.
    told = news_lines(story.before, story.entries[:1] if story.before is None else story.entries, draft.side)
    raw = _to_player(office, story, draft, told, letter)
    return _with_picture(raw, story, draft.side, letter.id) if office.settings.pictures else raw


def _text(office: Office, story: _Story, report: LetterContent, told: Sequence[str]) -> str:
    """A letter's text; its first line is how the player stands, and no line of it is a command.

    `told` are the lines about the entries that the letter tells of.
    """
    state, side = story.state, report.side
    first = ("", [first_line(state, side)])
    above = [first, ("Your letter", report.answers), ("What happened", told), *report.asked]
    shown = (f"The board {when(state)}, as {side} sees it", board(state, side, story.last_ply))
    below = [
        ("What is expected", items(expected(state, side, report.at))),
        ("How to answer", list(how_to_answer(state, side))),
    ]
    signature = _signature(office, f"{state.description.title}, game {state.id}", f"log head {state.head}")
    lines = [
        *silent(_layout(above), state.game),
        *_layout([shown]),
        *silent([*_layout(below), *signature], state.game),
    ]
    return "\n".join(lines) + "\n"


def _to_player(office: Office, story: _Story, report: LetterContent, told: Sequence[str], letter: Outgoing) -> bytes:
    """The letter that tells a side of entries of a log, and perhaps answers one of its letters."""
    state, side, answers, mailbox = story.state, report.side, report.thread, office.mailbox
    token = office.store.key.token(state.id, side, state.holders[side], state.turn)
    thread = [mailbox.message_id(state.id, 0, side), answers.message_id if answers else ""]
    fields = {
        "Reply-To": formataddr((office.settings.name, mailbox.address_for(Tag(state.id, token)))),
        "Subject": f"[{state.id}] {first_line(state, side).rstrip('.')}",
        "In-Reply-To": thread[1],
        "References": " ".join(one for one in thread if one not in ("", letter.id)),
        "Auto-Submitted": "auto-generated" if answers is None else "auto-replied",
        "List-Id": f"Game {state.id} <{state.id}.{mailbox.ids}>",
    }
    return _message(office, letter, report.at, fields, _text(office, story, report, told))


def _to_stranger(office: Office, note: Note, letter: Outgoing) -> bytes:
    """A short note to somebody who is not a player; it quotes no letter that it answers."""
    reply_to = formataddr((office.settings.name, note.reply_to)) if note.reply_to else ""
    fields = {
        "Reply-To": reply_to,
        "Subject": note.subject,
        "In-Reply-To": note.thread.message_id,
        "References": note.thread.message_id,
        "Auto-Submitted": "auto-replied",
    }
    return _message(office, letter, note.at, fields, "\n".join([*note.lines, *_signature(office)]) + "\n")


def _message(office: Office, letter: Outgoing, at: datetime, fields: Mapping[str, str], body: str) -> bytes:
    """A message with the fields of every letter of the desk, so that no program answers it (RFC 3834)."""
    message = Message(policy=_POLICY)
    message.set_payload(body, "us-ascii" if body.isascii() else _UTF_8)
    message["From"] = formataddr((office.settings.name, office.settings.address))
    message["To"] = letter.recipient
    message["Date"] = format_datetime(at)
    message["Message-ID"] = letter.id
    for name, value in fields.items():
        if value:
            message[name] = value
    message["X-Auto-Response-Suppress"] = "All"
    message[MARKER] = office.mailbox.ids
    return message.as_bytes()


def _layout(parts: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    for heading, lines in parts:
        if not lines:
            continue
        if heading:
            yield from ("", heading, "-" * len(heading))
        yield from lines


def _signature(office: Office, *about: str) -> Iterator[str]:
    yield from ("", "-- ", office.settings.name, *about)
    if office.settings.host:
        yield f"A person who can help: {office.settings.host}"


class _Story(NamedTuple):
    """The entries in a report, the game before and after them, and what its last ply changed."""

    before: State | None
    state: State
    entries: list[Entry]
    last_ply: tuple[Event, ...]


def _story(log: list[Entry], report: LetterContent) -> _Story:
    before, state, last_ply = None, None, None
    for entry in log[: report.number + 1]:
        after = State.start(entry) if state is None else state.after(entry)
        if state is not None and isinstance(entry.event, Played):
            last_ply = state, entry.event, after
        state = after
        if entry.number == report.since:
            before = state
    assert state is not None
    told = log[report.since + 1 : report.number + 1]
    return _Story(before, state, told, changes(*last_ply) if last_ply else ())


def _with_picture(raw: bytes, story: _Story, side: str, identity: str) -> bytes:
    """The letter with its picture; without one if none can be drawn, because no letter may be lost for it."""
    if find_spec("resvg_py") is None:
        return raw
    try:
        return _pictured(raw, story, side)
    except Exception as error:
        LOG.warning("%s goes without its picture: %s", identity, reason(error))
        return raw


def _pictured(raw: bytes, story: _Story, side: str) -> bytes:
    """A letter of text with the same text as HTML beside it, and the board as an inline picture in that."""
    from referee.draw.svg import scene_png

    state, policy = story.state, SMTP.clone(max_line_length=200)
    message = message_from_bytes(raw, policy=policy)
    assert isinstance(message, EmailMessage)
    text = message.get_content()
    first, _, rest = text.partition("\n")
    picture = scene_png(drawing(state.game).scene(state.position, view=side, events=story.last_ply), width=_WIDTH)
    alternative = f"The board {when(state)}, as {side} sees it; the text below says the same."
    page = (
        f'<html><body><p><strong>{escape(first)}</strong></p><p><img src="cid:{_CID}" width="{_WIDTH}" '
        f'alt="{escape(alternative)}"></p><pre>{escape(rest)}</pre></body></html>\n'
    )
    message.add_alternative(page, subtype="html")
    html = list(message.iter_parts())[-1]
    assert isinstance(html, EmailMessage)
    html.add_related(picture, "image", "png", cid=f"<{_CID}>", filename=f"{state.id}-{len(state.plies)}.png")
    return message.as_bytes(policy=policy)
