"""The kinds of letters, and what the desk does with each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING

from referee.mail.addresses import MARKER, RETURNED, Mailbox, small
from referee.mail.intake.message.phrases import expression

if TYPE_CHECKING:
    from referee.mail.intake.letter import Letter


class LetterKind(Enum):
    """LetterKind of a letter."""

    HUMAN = "human"
    DOUBTFUL = "doubtful"
    LIST = "list"
    JUNK = "junk"
    TOO_LARGE = "too-large"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    RECEIPT = "receipt"
    CALENDAR = "calendar"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of a letter, and why. A letter that is neither read nor answered is filed."""

    kind: LetterKind
    reason: str = ""

    @property
    def reads(self) -> bool:
        """True if the commands of the letter are read."""
        return self.kind in (LetterKind.HUMAN, LetterKind.DOUBTFUL)

    @property
    def answerable(self) -> bool:
        """True if the desk may answer the letter."""
        return self.reads or self.kind is LetterKind.TOO_LARGE

    def answers(self, *, commands: bool) -> bool:
        """True if the desk answers the letter, given whether it holds any command."""
        return self.answerable and (commands or self.kind is not LetterKind.DOUBTFUL)


def classify(letter: Letter, mailbox: Mailbox) -> Classification:
    """The kind of a letter, by the first sign of one; a letter without any sign is a person's."""
    signs = chain(_own_signs(letter, mailbox), _report_signs(letter), _automatic_signs(letter), _other_signs(letter))
    return next((Classification(kind, reason) for kind, reason in signs), Classification(LetterKind.HUMAN))


_Signs = Iterator[tuple[LetterKind, str]]
"""Kinds that a letter may have, with the reasons, the surest first."""


def _own_signs(letter: Letter, mailbox: Mailbox) -> _Signs:
    """Signs that this desk has written a letter, or another one."""
    if MARKER in letter.headers:
        yield LetterKind.OWN, f"it has the field {MARKER}"
    if mailbox.is_own(letter.message_id):
        yield LetterKind.OWN, "its message id is the desk's"
    for one in letter.headers.addresses("from", "sender"):
        if mailbox.owns(one.address):
            yield LetterKind.OWN, f"it comes from the desk's own address {one.address}"


def _report_signs(letter: Letter) -> _Signs:
    """Signs of reports about letters: undelivered (RFC 3464), read (RFC 8098), or spam (RFC 5965)."""
    body, types = letter.body, letter.body.types
    if body.report == "delivery-status" or "message/delivery-status" in types:
        yield LetterKind.BOUNCE, "it is a delivery report"
    if "x-failed-recipients" in letter.headers:
        yield LetterKind.BOUNCE, "it names recipients that failed"
    if body.report == "disposition-notification" or "message/disposition-notification" in types:
        yield LetterKind.RECEIPT, "it is a read receipt"
    if body.report:
        yield LetterKind.AUTOMATIC, f"it is a report: {body.report}"
    for name in (small(one.address.partition("@")[0]) for one in letter.senders):
        if name in _MAIL_SYSTEMS:
            yield LetterKind.BOUNCE, f"it comes from a {name}"


def is_by_server(letter: Letter) -> bool:
    """True if a letter reports that another one could not be delivered, or comes from a mail system."""
    return any(kind is LetterKind.BOUNCE for kind, _ in _report_signs(letter))


def _automatic_signs(letter: Letter) -> _Signs:
    """Signs that no person has sent a letter (RFC 3834), or that it is about an appointment (RFC 5546)."""
    word = letter.headers.word
    if "text/calendar" in letter.body.types:
        yield LetterKind.CALENDAR, "it is about an appointment"
    if (said := word("auto-submitted")) not in ("", "no"):
        yield LetterKind.AUTOMATIC, f"Auto-Submitted: {said}"
    for said in (word("precedence"), word("x-precedence")):
        if said in ("bulk", "junk", "auto_reply"):
            yield LetterKind.AUTOMATIC, f"Precedence: {said}"
    for name in _AUTOMATIC_FIELDS:
        if word(name) not in ("", "no", "none"):
            yield LetterKind.AUTOMATIC, f"it has the field {name}"
    for name in (one.address.partition("@")[0] for one in letter.senders):
        if _NO_REPLY.fullmatch(name):
            yield LetterKind.AUTOMATIC, f"it comes from {name}"
    if letter.tag is not None and letter.tag.key.startswith(RETURNED):
        yield LetterKind.BOUNCE, "it came to a return address"
    if letter.return_path == "":  # as only reports and robots have it (RFC 5321)
        yield LetterKind.BOUNCE, "its return path is empty"


def _other_signs(letter: Letter) -> _Signs:
    """Signs of letters that a person may have written all the same."""
    for name, _ in letter.headers.fields:
        if name in _LIST_FIELDS:
            yield LetterKind.LIST, f"it has the field {name}"
    if letter.headers.word("precedence") == "list":
        yield LetterKind.LIST, "Precedence: list"
    if letter.headers.word("x-spam-flag") == "yes":
        yield LetterKind.JUNK, "the mail server calls it spam"
    if not (letter.senders or letter.games):
        yield LetterKind.JUNK, "it names neither a sender nor a game"
    if letter.excess:
        yield LetterKind.TOO_LARGE, letter.excess
    if found := expression("vacation").search(letter.subject):  # people write such subjects, too
        yield LetterKind.DOUBTFUL, f"its subject says {found[0]!r}"


_MAIL_SYSTEMS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "mdaemon"})
_AUTOMATIC_FIELDS = (
    "x-auto-response-suppress",
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-vacation",
    "x-autogenerated",
    "x-auto-reply",
    "x-apple-action",
    "x-fc-machinegenerated",
)
_LIST_FIELDS = frozenset({"list-id", "list-post", "list-unsubscribe", "list-help", "x-mailing-list", "x-loop"})
_NO_REPLY = re.compile(r"(?:.*[._-])?(?:no|do-?not)[._-]?reply(?:[._+-].*)?|nobody", re.IGNORECASE)
