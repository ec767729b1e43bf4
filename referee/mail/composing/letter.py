"""A letter to a player, as text and then with its header, ready to be handed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.charset import QP, Charset
from email.message import Message
from email.policy import compat32
from email.utils import format_datetime, formataddr
from typing import NamedTuple

from referee.desk import Key, State
from referee.mail.composing.draft import Note, Report
from referee.mail.composing.sections import board, how_to_answer, when
from referee.mail.composing.standing import expected, first_line
from referee.mail.composing.text import items, silent
from referee.mail.intake import MARKER, Mailbox, Tag
from referee.rules import Event

_POLICY = compat32.clone(linesep="\r\n", max_line_length=200)
"""Python's modern policy parses every field that is set, which takes five times as long as all the rest."""

_UTF_8 = Charset("utf-8")
_UTF_8.header_encoding = _UTF_8.body_encoding = QP


@dataclass(frozen=True, slots=True)
class Office:
    """Who writes: the desk's addresses, its name, its host, and the key of its tokens."""

    mailbox: Mailbox
    name: str
    host: str | None
    key: Key = field(repr=False)


class Envelope(NamedTuple):
    """A letter's message id, and whom it goes to."""

    id: str
    recipient: str


def turn(state: State) -> int:
    """The number of the ply that tokens of letters are for: the one after the last that was played."""
    return len(state.plies) + 1


def text(state: State, report: Report, told: Sequence[str], office: Office, *, marks: tuple[Event, ...] = ()) -> str:
    """A letter's text; its first line is how the player stands, and no line of it is a command.

    `state` is the one after the last entry that the letter tells of, `told` are the lines about those entries,
    `marks` what the last ply changed on the board.
    """
    side = report.side
    above = [
        ("", [first_line(state, side)]),
        ("Your letter", report.answers),
        ("What happened", told),
        *report.asked,
    ]
    shown = (f"The board {when(state)}, as {side} sees it", board(state, side, marks))
    below = [
        ("What is expected", items(expected(state, side, report.at))),
        ("How to answer", list(how_to_answer(state, side))),
    ]
    signature = _signature(office, f"{state.description.title}, game {state.id}", f"log head {state.head}")
    lines = [
        *silent(_laid_out(above), state.game),
        *_laid_out([shown]),
        *silent([*_laid_out(below), *signature], state.game),
    ]
    return "\n".join(lines) + "\n"


def to_player(
    state: State,
    report: Report,
    told: Sequence[str],
    envelope: Envelope,
    office: Office,
    *,
    marks: tuple[Event, ...] = (),
) -> bytes:
    """The letter that tells a side of entries of a log, and perhaps answers one of its letters."""
    side, answers = report.side, report.thread
    token = office.key.token(state.id, side, state.holders[side], turn(state))
    thread = [office.mailbox.message_id(state.id, 0, side), answers.message_id if answers else ""]
    fields = {
        "Reply-To": formataddr((office.name, office.mailbox.tagged(Tag(state.id, token)))),
        "Subject": f"[{state.id}] {first_line(state, side).rstrip('.')}",
        "In-Reply-To": thread[1],
        "References": " ".join(one for one in thread if one not in ("", envelope.id)),
        "Auto-Submitted": "auto-generated" if answers is None else "auto-replied",
        "List-Id": f"Game {state.id} <{state.id}.{office.mailbox.ids}>",
    }
    return _message(envelope, report.at, fields, text(state, report, told, office, marks=marks), office)


def to_stranger(note: Note, envelope: Envelope, office: Office) -> bytes:
    """A short note to somebody who is no player; no letter that it answers is quoted."""
    fields = {
        "Subject": note.subject,
        "In-Reply-To": note.thread.message_id,
        "References": note.thread.message_id,
        "Auto-Submitted": "auto-replied",
    }
    return _message(envelope, note.at, fields, "\n".join([*note.lines, *_signature(office)]) + "\n", office)


def _message(envelope: Envelope, at: datetime, fields: Mapping[str, str], body: str, office: Office) -> bytes:
    """A message with what every letter of the desk bears, so that no program answers it (RFC 3834)."""
    message = Message(policy=_POLICY)
    message.set_payload(body, "us-ascii" if body.isascii() else _UTF_8)
    message["From"] = formataddr((office.name, office.mailbox.address))
    message["To"] = envelope.recipient
    message["Date"] = format_datetime(at)
    message["Message-ID"] = envelope.id
    for name, value in fields.items():
        if value:
            message[name] = value
    message["X-Auto-Response-Suppress"] = "All"
    message[MARKER] = office.mailbox.ids
    return message.as_bytes()


def _laid_out(parts: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    for heading, lines in parts:
        if not lines:
            continue
        if heading:
            yield from ("", heading, "-" * len(heading))
        yield from lines


def _signature(office: Office, *about: str) -> Iterator[str]:
    yield from ("", "-- ", office.name, *about)
    if office.host:
        yield f"A person who can help: {office.host}"
