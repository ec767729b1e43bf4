"""A letter to a player, as text and then with its header, ready for the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.charset import QP, Charset
from email.message import Message
from email.policy import compat32
from email.utils import format_datetime, formataddr

from referee.desk import Key, State
from referee.desk.store import Outgoing
from referee.mail.composing.sections import board, how_to_answer
from referee.mail.composing.standing import expected, first_line
from referee.mail.composing.text import items, silent
from referee.mail.intake import MARKER, Mailbox, Tag

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


@dataclass(frozen=True, slots=True)
class Sections:
    """What a letter has besides board and clocks, all of it lines: answers, news, and what was asked for."""

    answers: Sequence[str] = ()
    news: Sequence[str] = ()
    asked: Sequence[tuple[str, Sequence[str]]] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """What a letter answers: the message id and subject of a player's letter, and its digest."""

    message_id: str = ""
    subject: str = ""
    digest: str = ""


def turn(state: State) -> int:
    """The number of the ply that tokens of letters are for: the one after the last that was played."""
    return len(state.plies) + 1


def text(state: State, side: str, sections: Sections, at: datetime, office: Office) -> str:
    """A letter's text; its first line is how the player stands, and no line of it is a command."""
    above = [
        ("", [first_line(state, side)]),
        ("Your letter", sections.answers),
        ("What happened", sections.news),
        *sections.asked,
    ]
    shown = (f"The board {_when(state)}, as {side} sees it", board(state, side))
    below = [
        ("What is expected", items(expected(state, side, at))),
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
    state: State, side: str, address: str, sections: Sections, at: datetime, office: Office, answers: Thread | None
) -> Outgoing:
    """The letter that tells a side of the last entry of a log, or answers one of its letters that led to none."""
    seat = side if answers is None or not answers.digest else f"{side}.{answers.digest[:16]}"
    identity = office.mailbox.message_id(state.id, state.number, seat)
    token = office.key.token(state.id, side, state.holders[side], turn(state))
    thread = [office.mailbox.message_id(state.id, 0, side), answers.message_id if answers else ""]
    fields = {
        "Reply-To": formataddr((office.name, office.mailbox.tagged(Tag(state.id, token)))),
        "Subject": f"[{state.id}] {first_line(state, side).rstrip('.')}",
        "Message-ID": identity,
        "In-Reply-To": thread[1],
        "References": " ".join(one for one in thread if one not in ("", identity)),
        "Auto-Submitted": "auto-generated" if answers is None else "auto-replied",
        "List-Id": f"Game {state.id} <{state.id}.{office.mailbox.ids}>",
    }
    raw = _message(office, address, at, fields, text(state, side, sections, at, office))
    return Outgoing(identity, address, raw, state.id)


def to_stranger(address: str, lines: Sequence[str], at: datetime, office: Office, answers: Thread) -> Outgoing:
    """A short note to somebody who is no player; the letter that it answers is not quoted."""
    identity = office.mailbox.notice_id(answers.digest)
    fields = {
        "Subject": "Your letter to the referee",
        "Message-ID": identity,
        "In-Reply-To": answers.message_id,
        "References": answers.message_id,
        "Auto-Submitted": "auto-replied",
    }
    raw = _message(office, address, at, fields, "\n".join([*lines, *_signature(office)]) + "\n")
    return Outgoing(identity, address, raw)


def _message(office: Office, address: str, at: datetime, fields: Mapping[str, str], body: str) -> bytes:
    """A message with what every letter of the desk bears, so that no program answers it (RFC 3834)."""
    message = Message(policy=_POLICY)
    message.set_payload(body, "us-ascii" if body.isascii() else _UTF_8)
    message["From"] = formataddr((office.name, office.mailbox.address))
    message["To"] = address
    message["Date"] = format_datetime(at)
    for name, value in fields.items():
        if value:
            message[name] = value
    message["X-Auto-Response-Suppress"] = "All"
    message[MARKER] = office.mailbox.ids
    return message.as_bytes()


def _when(state: State) -> str:
    made = len(state.plies)
    return f"after {made} {'ply' if made == 1 else 'plies'}" if made else "at the start"


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
