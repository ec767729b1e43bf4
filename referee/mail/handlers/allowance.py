"""Limits on answers to an address, so that two programs do not write to each other endlessly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.mail.addresses import owned_domain, person
from referee.mail.handlers.arrival import NOT_VOUCHED, OTHER_ADDRESS
from referee.mail.office import Office

ANSWER = "answer"
"""The kind of answers to letters with something to do or to show."""

REFUSED = "refused"
"""The kind of answers to letters whose acts are all refused: their players must hear of it."""

UNASKED = "unasked"
"""The kind of answers to letters without anything that the desk understands."""

NOTE = "note"
"""The kind of notes to people who have no seat."""

_ALIKE = "/"
"""Separates a kind from the digest of a letter's text, by which letters with the same text are counted."""

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of answers of a kind that are `left` to an address, and the time when there will be more.

    `alike` is true if the limit is that for letters with the same text.
    """

    left: int
    until: datetime
    alike: bool = False

    @property
    def last(self) -> bool:
        """True if the next answer is the last one for a while."""
        return self.left == 1


def answer_kind(doubt: str, words: str | None) -> str:
    """The kind of an answer; kinds are counted separately, so that none uses up the limit of another.

    `doubt` is the reason why the letter decides nothing, `words` the digest of its text if nothing was understood.
    """
    if doubt in (OTHER_ADDRESS, NOT_VOUCHED):
        return f"{doubt}{_ALIKE}all"
    kind = doubt or (ANSWER if words is None else UNASKED)
    return kind if words is None else f"{kind}{_ALIKE}{words}"


def allowance(office: Office, address: str, kind: str, at: datetime) -> Allowance:
    """The allowance of a kind for an address: the least that any limit leaves."""
    family, alike, _ = kind.partition(_ALIKE)
    answers = office.settings.answers
    limits = [(family, answers.an_hour, _HOUR)]
    if family not in (ANSWER, REFUSED):
        limits.append((family, answers.unasked_a_day, _DAY))
    if alike:
        limits.append((kind, answers.alike_an_hour, _HOUR))
    return min((_left(office, address, *limit, at) for limit in limits), key=_strictness)


def note_allowance(office: Office, address: str, at: datetime, *, vouched: bool = False) -> Allowance:
    """The allowance of notes for a person without a seat: one a day, with limits for a domain and for all together.

    If the mail server has `vouched` for a sender with a request, the limit is the one for openings.
    """
    answers, notes = office.settings.answers, office.desk.outbox.notes(at - _DAY)
    domain = owned_domain(address)
    recent = [(recipient, queued) for recipient, queued in notes if queued > at - _HOUR]
    alike = [queued for recipient, queued in recent if owned_domain(recipient) == domain]
    own = [queued for recipient, queued in notes if person(recipient) == person(address)]
    return min(
        (
            _remaining([queued for _, queued in notes], answers.notes_a_day, _DAY, at),
            _remaining([queued for _, queued in recent], answers.notes_an_hour, _HOUR, at),
            _remaining(alike, answers.an_hour, _HOUR, at),
            _remaining(own, office.settings.invitations.sender_a_day if vouched else 1, _DAY, at),
        ),
        key=_strictness,
    )


def _remaining(queued: Sequence[datetime], most: int, within: timedelta, at: datetime) -> Allowance:
    return Allowance(most - len(queued), min(queued, default=at) + within)


def _strictness(one: Allowance) -> tuple[int, float]:
    return one.left, -one.until.timestamp()


def _left(office: Office, address: str, kind: str, most: int, within: timedelta, at: datetime) -> Allowance:
    given, first = office.desk.outbox.answer_count(address, kind, at - within)
    return Allowance(most - given, (first or at) + within, _ALIKE in kind)
