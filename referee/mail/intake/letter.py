"""A letter as it came in: a value, whatever its bytes were."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from functools import partial
from hashlib import sha256

from referee.mail.addresses import Mailbox, Tag, small, subject_games
from referee.mail.intake.commands import Reading, parts_differ, read_commands
from referee.mail.intake.message.headers import Address, Headers, guard
from referee.mail.intake.message.limits import LIMITS, Limits, bounded_header, excess, unix_lines
from referee.mail.intake.message.parts import Body, body_of
from referee.mail.intake.message.trace import crossing, is_vouched
from referee.mail.intake.openings import begins_opening
from referee.mail.intake.quotes import NO_GROUND

ADDRESSED = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
"""The fields that can name the seat that a letter was sent to, the most reliable first."""

_MOST_OF_A_NAME = 20
"""Maximum fields of one name that count, the lowest ones: servers on the way add theirs at the top."""

_MOST_REFERENCES = 100
_MOST_GAMES = 20
_parse = BytesParser(policy=compat32).parsebytes
_parse_header = partial(_parse, headersonly=True)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter's header and text.

    `digest` is the SHA-256 of the bytes. `tag` is the tag of the address it came to. `games` are the games it may be
    about, the most likely first: by its address, by the letters it answers, by its subject. `return_path` is empty
    for a report, and None if unknown. `received` is the time when the letter came in from outside, by the Received
    line of the host's boundary server. `vouched` is true if the host's own server has checked the sender. `excess` is
    the reason why the desk read no further. `references` are the message ids that it answers. `has_stray_ends` is
    true for lone carriage returns: they end lines here, but not for mail servers. `made_here` is true for a letter
    that the desk wrote itself, about a move on its pages.
    """

    digest: str
    headers: Headers
    message_id: str
    subject: str
    senders: tuple[Address, ...]
    return_path: str | None
    received: datetime | None
    tag: Tag | None
    games: tuple[str, ...]
    vouched: bool
    body: Body
    excess: str
    references: tuple[str, ...] = ()
    has_stray_ends: bool = False
    made_here: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """Digests that only copies of the letter share; none if it has no field that is unique to a letter.

        Servers on the way write above each copy, and may change its white space, which does not count. A signature
        covers its letter as DKIM reads it, so any copy that it fits has the same signature.
        """
        names = ("message-id", "dkim-signature")
        fields = ((name, value) for name in names for value in self.headers.raw(name)[-_MOST_OF_A_NAME:])
        values = ((name, "".join(value.split())) for name, value in fields)
        return tuple(dict.fromkeys(sha256(f"{name}:{value}".encode()).hexdigest() for name, value in values if value))

    def reading(self, game: str | None) -> Reading:
        """The commands of the letter, its moves in the notation of this game.

        A letter without a command of its own may have it in its one small text attachment. An empty one may open a
        game in its subject.
        """
        names = tuple(sender.name for sender in self.senders)
        addresses = frozenset(small(sender.address) for sender in self.senders)
        found = read_commands(self.body.text, game, names, addresses)
        if self.body.other != self.body.text:
            page = read_commands(self.body.other, game, names, addresses)
            differing = parts_differ(found.commands, page.commands, found.doubted)
            ground = found.ground if found.apart <= page.apart else NO_GROUND
            found = replace(found, question=found.question or differing, ground=ground)
        if self.body.attached and not (found.commands or found.failed or found.questions):
            return replace(read_commands(self.body.attached, game, names, addresses), ground=NO_GROUND)
        said = found.commands or found.failed or found.unknown or found.questions or found.stop
        if not (said or self.excess) and begins_opening(self.subject):
            return read_commands(self.subject, game, names, addresses)
        return found


def read_letter(raw: bytes, mailbox: Mailbox, limits: Limits = LIMITS) -> Letter:
    """The letter with these bytes, its envelope above it; it never raises."""
    unix = unix_lines(raw)
    too_much = excess(unix, limits)
    message = guard(_parse_header, bounded_header(unix, limits), None) if too_much else guard(_parse, unix, None)
    content = guard(lambda parsed: body_of(parsed, limits), message, Body(excess="the letter cannot be taken apart"))
    if message is None:
        message = guard(_parse_header, bounded_header(unix, limits), Message())
    headers = Headers.of(message)
    references = headers.message_ids("references", "in-reply-to")[-_MOST_REFERENCES:]
    subject = headers.text("subject")
    tag = _tag(headers, mailbox)
    border = crossing(headers, mailbox)
    answered = (mailbox.claimed_by(reference) for reference in reversed(references))
    games = [*([tag.game] if tag else []), *(one.game for one in answered if one), *subject_games(subject)]
    return Letter(
        digest=sha256(raw).hexdigest(),
        headers=headers,
        message_id=next(iter(headers.message_ids("message-id")), ""),
        subject=subject,
        senders=headers.addresses("from"),
        return_path=headers.first("return-path").strip("<> ") if "return-path" in headers else None,
        received=border.at if border else None,
        tag=tag,
        games=tuple(dict.fromkeys(games))[:_MOST_GAMES],
        vouched=is_vouched(headers, mailbox),
        body=content,
        excess=too_much or content.excess,
        references=references,
        has_stray_ends=raw.count(b"\r") != raw.count(b"\r\n"),
    )


def _tag(headers: Headers, mailbox: Mailbox) -> Tag | None:
    """The tag of the letter's first recipient that has one, the envelope's recipient before all others.

    The topmost Delivered-To is the envelope's: the desk writes it when it takes a letter in.
    """
    if tag := mailbox.tag(headers.first("delivered-to").strip("<> ")):
        return tag
    recipients = (found.address for name in ADDRESSED for found in headers.addresses(name))
    return next((tag for address in recipients if (tag := mailbox.tag(address))), None)
