"""The kinds of letters, and what the desk does with each.

One predicate per rule; the first one that finds a reason decides. A letter that no rule matches is a person's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from referee.mail.addresses import MARKER, RETURNED, Mailbox, small
from referee.mail.intake.message.phrases import expression

if TYPE_CHECKING:
    from referee.mail.intake.letter import Letter


class Kind(Enum):
    """Kind of a letter."""

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


class Treatment(NamedTuple):
    """The treatment of a letter: its commands are read, or it is answered; otherwise it is filed."""

    reads: bool = False
    answers: bool = False


_POLICY = {
    Kind.HUMAN: Treatment(reads=True, answers=True),
    Kind.DOUBTFUL: Treatment(reads=True, answers=True),  # only if it holds a command: see `Classification.answers`
    Kind.TOO_LARGE: Treatment(answers=True),
}
"""The treatment of each kind that is not filed."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of a letter, and why."""

    kind: Kind
    reason: str = ""

    @property
    def treatment(self) -> Treatment:
        """The policy for this kind."""
        return _POLICY.get(self.kind, Treatment())

    def answers(self, *, commands: bool) -> bool:
        """True if the desk answers the letter, given whether it holds any command."""
        return self.treatment.answers and (commands or self.kind is not Kind.DOUBTFUL)


def classify(letter: Letter, mailbox: Mailbox) -> Classification:
    """The kind of a letter."""
    for kind, rule in _RULES:
        if reason := rule(letter, mailbox):
            return Classification(kind, reason)
    return Classification(Kind.HUMAN)


_Rule = Callable[["Letter", Mailbox], str]


def own_marker(letter: Letter, _: Mailbox) -> str:
    """A letter of this desk or another one."""
    return f"it has the field {MARKER}" if MARKER in letter.headers else ""


def own_message_id(letter: Letter, mailbox: Mailbox) -> str:
    """A message id as only this desk gives them."""
    return "its message id is the desk's" if mailbox.is_own(letter.message_id) else ""


def own_address(letter: Letter, mailbox: Mailbox) -> str:
    """A letter from the address it went to."""
    found = [one.address for one in letter.headers.addresses("from", "sender") if mailbox.owns(one.address)]
    return f"it comes from the desk's own address {found[0]}" if found else ""


def delivery_report(letter: Letter, _: Mailbox) -> str:
    """A report that a letter could not be delivered, or not yet (RFC 3464)."""
    if letter.body.report == "delivery-status" or "message/delivery-status" in letter.body.types:
        return "it is a delivery report"
    return "it names recipients that failed" if "x-failed-recipients" in letter.headers else ""


def mail_system(letter: Letter, _: Mailbox) -> str:
    """A letter from a mail system, by one of their usual names."""
    writers = [small(one.address.partition("@")[0]) for one in letter.senders]
    return next((f"it comes from a {name}" for name in writers if name in _MAIL_SYSTEMS), "")


def read_receipt(letter: Letter, _: Mailbox) -> str:
    """A program's report that a letter was read or deleted (RFC 8098)."""
    told = letter.body.report == "disposition-notification" or "message/disposition-notification" in letter.body.types
    return "it is a read receipt" if told else ""


def other_report(letter: Letter, _: Mailbox) -> str:
    """Another multipart/report, such as a complaint about spam (RFC 5965)."""
    return f"it is a report: {letter.body.report}" if letter.body.report else ""


def appointment(letter: Letter, _: Mailbox) -> str:
    """An invitation to an appointment, or the answer to one (RFC 5546)."""
    return "it is about an appointment" if "text/calendar" in letter.body.types else ""


def auto_submitted(letter: Letter, _: Mailbox) -> str:
    """A letter that declares that no person sent it (RFC 3834)."""
    word = letter.headers.word("auto-submitted")
    return f"Auto-Submitted: {word}" if word not in ("", "no") else ""


def automatic_precedence(letter: Letter, _: Mailbox) -> str:
    """A letter that asks in the old way for no answer."""
    words = (letter.headers.word(name) for name in ("precedence", "x-precedence"))
    return next((f"Precedence: {word}" for word in words if word in ("bulk", "junk", "auto_reply")), "")


def automatic_field(letter: Letter, _: Mailbox) -> str:
    """A letter with a field that only robots write."""
    found = next((name for name in _AUTOMATIC_FIELDS if letter.headers.word(name) not in ("", "no", "none")), "")
    return f"it has the field {found}" if found else ""


def nobody(letter: Letter, _: Mailbox) -> str:
    """A letter from an address that wants no answers."""
    names = [one.address.partition("@")[0] for one in letter.senders]
    return next((f"it comes from {name}" for name in names if _NO_REPLY.fullmatch(name)), "")


def undeliverable(letter: Letter, _: Mailbox) -> str:
    """A letter to an address for undeliverable letters."""
    came_back = letter.tag is not None and letter.tag.key.startswith(RETURNED)
    return "it came to a return address" if came_back else ""


def null_sender(letter: Letter, _: Mailbox) -> str:
    """An empty return path, as only reports and robots have it (RFC 5321)."""
    return "its return path is empty" if letter.return_path == "" else ""


def through_list(letter: Letter, _: Mailbox) -> str:
    """A letter from a mailing list; a player may have written it all the same."""
    found = next((name for name, _ in letter.headers.fields if name in _LIST_FIELDS), "")
    if found:
        return f"it has the field {found}"
    return "Precedence: list" if letter.headers.word("precedence") == "list" else ""


def spam(letter: Letter, _: Mailbox) -> str:
    """A letter that the mail server calls spam."""
    return "the mail server calls it spam" if letter.headers.word("x-spam-flag") == "yes" else ""


def too_large(letter: Letter, _: Mailbox) -> str:
    """A letter that exceeds one of the `Limits`."""
    return letter.excess


def nameless(letter: Letter, _: Mailbox) -> str:
    """A letter that names neither a sender nor a game."""
    return "" if letter.senders or letter.games else "it names neither a sender nor a game"


def vacation_subject(letter: Letter, _: Mailbox) -> str:
    """A subject as vacation programs write it; people write such subjects too, so it is only a hint."""
    found = expression("vacation").search(letter.subject)
    return f"its subject says {found[0]!r}" if found else ""


_RULES: tuple[tuple[Kind, _Rule], ...] = (
    (Kind.OWN, own_marker),
    (Kind.OWN, own_message_id),
    (Kind.OWN, own_address),
    (Kind.BOUNCE, delivery_report),
    (Kind.RECEIPT, read_receipt),
    (Kind.AUTOMATIC, other_report),
    (Kind.BOUNCE, mail_system),
    (Kind.CALENDAR, appointment),
    (Kind.AUTOMATIC, auto_submitted),
    (Kind.AUTOMATIC, automatic_precedence),
    (Kind.AUTOMATIC, automatic_field),
    (Kind.AUTOMATIC, nobody),
    (Kind.BOUNCE, undeliverable),
    (Kind.BOUNCE, null_sender),
    (Kind.LIST, through_list),
    (Kind.JUNK, spam),
    (Kind.JUNK, nameless),
    (Kind.TOO_LARGE, too_large),
    (Kind.DOUBTFUL, vacation_subject),
)

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
