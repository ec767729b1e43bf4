"""How many more answers an address gets, so that no two programs write to each other without end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.mail.addresses import owned_domain, person
from referee.mail.handlers.arrival import NOT_VOUCHED, OTHER_ADDRESS
from referee.mail.office import Office

ANSWER = "answer"
"""The kind of answers to letters in which the desk found something to do or to show."""

UNASKED = "unasked"
"""The kind of answers to letters in which it understood nothing."""

NOTE = "note"
"""The kind of notes to people who have no seat."""

_ALIKE = "/"
"""Divides a kind from the digest of what the letter says, which counts letters that say the same."""

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many more answers of a kind an address gets now, and when there are more once those are used up.

    `alike` says that the limit is the one for letters that all say the same.
    """

    left: int
    until: datetime
    alike: bool = False

    @property
    def last(self) -> bool:
        """True if the next answer is the last one for a while."""
        return self.left == 1


def answer_kind(doubt: str, words: str | None) -> str:
    """The kind of an answer; each is counted apart, so that letters of one kind never use up another's.

    `doubt` is why the letter can decide nothing, and `words` the digest of what it says if nothing was understood.
    """
    if doubt in (OTHER_ADDRESS, NOT_VOUCHED):
        return f"{doubt}{_ALIKE}all"
    kind = doubt or (ANSWER if words is None else UNASKED)
    return kind if words is None else f"{kind}{_ALIKE}{words}"


def allowance(office: Office, address: str, kind: str, at: datetime) -> Allowance:
    """How many more answers of a kind an address gets: the least that any limit leaves."""
    family, alike, _ = kind.partition(_ALIKE)
    answers = office.settings.answers
    limits = [(family, answers.an_hour, _HOUR)]
    if family != ANSWER:
        limits.append((family, answers.unasked_a_day, _DAY))
    if alike:
        limits.append((kind, answers.alike_an_hour, _HOUR))
    return min((_left(office, address, *limit, at) for limit in limits), key=_strictness)


def note_allowance(office: Office, address: str, at: datetime, *, vouched: bool = False) -> Allowance:
    """How many more notes somebody without a seat gets: one a day, with limits for a domain and for all together.

    Those who have asked for a game, and for whom the mail server has `vouched`, get as many as they may open games.
    """
    answers, notes = office.settings.answers, office.desk.outbox.notes(at - _DAY)
    domain = owned_domain(address)
    lately = [(recipient, queued) for recipient, queued in notes if queued > at - _HOUR]
    alike = [queued for recipient, queued in lately if owned_domain(recipient) == domain]
    own = [queued for recipient, queued in notes if person(recipient) == person(address)]
    return min(
        (
            _remaining([queued for _, queued in notes], answers.notes_a_day, _DAY, at),
            _remaining([queued for _, queued in lately], answers.notes_an_hour, _HOUR, at),
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
