"""A letter to a player, as text and then with its header, ready for the outbox."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

from referee.desk import Key, State
from referee.desk.store import Outgoing
from referee.mail.composing.sections import board, how_to_answer
from referee.mail.composing.standing import expected, first_line
from referee.mail.composing.text import items, silent
from referee.mail.intake import MARKER, Mailbox, Tag

_POLICY = SMTP.clone(max_line_length=200)


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
    parts = [
        ("", [first_line(state, side)]),
        ("Your letter", sections.answers),
        ("What happened", sections.news),
        *((heading, lines) for heading, lines in sections.asked),
        (f"The board {_when(state)}, as {side} sees it", board(state, side)),
        ("What is expected", items(expected(state, side, at))),
        ("How to answer", list(how_to_answer(state, side))),
    ]
    return "\n".join(silent(_laid_out(parts, state, office), state.game)) + "\n"


def to_player(
    state: State, side: str, address: str, sections: Sections, at: datetime, office: Office, answers: Thread | None
) -> Outgoing:
    """The letter that tells a side of the last entry of a log, or answers one of its letters that led to none."""
    seat = side if answers is None or not answers.digest else f"{side}.{answers.digest[:16]}"
    identity = office.mailbox.message_id(state.id, state.number, seat)
    token = office.key.token(state.id, side, state.holders[side], turn(state))
    message = _message(office, address, at, automatic="auto-generated" if answers is None else "auto-replied")
    message["Reply-To"] = Address(office.name, addr_spec=office.mailbox.tagged(Tag(state.id, token)))
    message["Subject"] = f"[{state.id}] {first_line(state, side).rstrip('.')}"
    message["Message-ID"] = identity
    thread = [office.mailbox.message_id(state.id, 0, side)]
    if answers is not None and answers.message_id:
        message["In-Reply-To"] = answers.message_id
        thread.append(answers.message_id)
    if references := [one for one in thread if one != identity]:
        message["References"] = " ".join(references)
    message["List-Id"] = f"Game {state.id} <{state.id}.{office.mailbox.ids}>"
    message.set_content(text(state, side, sections, at, office))
    return Outgoing(identity, address, message.as_bytes(policy=_POLICY), state.id)


def to_stranger(address: str, lines: Sequence[str], at: datetime, office: Office, answers: Thread) -> Outgoing:
    """A short note to somebody who is no player; the letter that it answers is not quoted."""
    identity = office.mailbox.notice_id(answers.digest)
    message = _message(office, address, at, automatic="auto-replied")
    message["Subject"] = "Your letter to the referee"
    message["Message-ID"] = identity
    if answers.message_id:
        message["In-Reply-To"] = message["References"] = answers.message_id
    message.set_content("\n".join([*lines, *_signature(office)]) + "\n")
    return Outgoing(identity, address, message.as_bytes(policy=_POLICY))


def _message(office: Office, address: str, at: datetime, *, automatic: str) -> EmailMessage:
    """A message with what every letter of the desk bears, so that no program answers it (RFC 3834)."""
    message = EmailMessage(policy=_POLICY)
    message["From"] = Address(office.name, addr_spec=office.mailbox.address)
    message["To"] = Address(addr_spec=parseaddr(address)[1])
    message["Date"] = format_datetime(at)
    message["Auto-Submitted"] = automatic
    message["X-Auto-Response-Suppress"] = "All"
    message[MARKER] = office.mailbox.ids
    return message


def _when(state: State) -> str:
    made = len(state.plies)
    return f"after {made} {'ply' if made == 1 else 'plies'}" if made else "at the start"


def _laid_out(parts: Sequence[tuple[str, Sequence[str]]], state: State, office: Office) -> Iterator[str]:
    for heading, lines in parts:
        if not lines:
            continue
        if heading:
            yield from ("", heading, "-" * len(heading))
        yield from lines
    yield from _signature(office, f"{state.description.title}, game {state.id}", f"log head {state.head}")


def _signature(office: Office, *about: str) -> Iterator[str]:
    yield from ("", "-- ", office.name, *about)
    if office.host:
        yield f"A person who can help: {office.host}"
