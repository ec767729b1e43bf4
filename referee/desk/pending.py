"""What has to come next in a log, of itself and at once, before anything else can (docs/desk-log.md, "The audit")."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.desk import events as happened
from referee.desk.clock import TIMEOUT
from referee.desk.consequences import due, loser
from referee.desk.events import Data
from referee.desk.log import Entry
from referee.desk.state import State, began


@dataclass(frozen=True)
class Before:
    """What is known when an entry is judged: the first entry of its log, the one before it, and the state by then."""

    first: Entry
    last: Entry
    state: State

    @classmethod
    def begun(cls, first: Entry) -> Before:
        """A log of one entry."""
        return cls(first, first, began(first))

    def after(self, entry: Entry) -> Before:
        """The log with one entry more."""
        return Before(self.first, entry, self.state.after(entry))

    @property
    def begun_with(self) -> Data:
        """The options with which the game was opened."""
        return self.first.event.options if isinstance(self.first.event, happened.Opened) else {}

    @property
    def opening(self) -> bool:
        """Whether all entries so far may have been entered when the game was opened, from its file."""
        return self.state.number == len(self.state.plies) and self.last.at == self.first.at

    def filing(self, at: datetime) -> bool:
        """Whether an entry of that time may be one of those too."""
        return self.opening and at == self.first.at


@dataclass(frozen=True, slots=True)
class Pending:
    """The kind of the event that has to come next and its time; if it ends the game, how and by whom."""

    kind: type[happened.Played | happened.Closed | happened.Reminded]
    at: datetime
    how: str = ""
    by: str | None = None

    @property
    def message(self) -> str:
        """What had to happen."""
        if self.kind is happened.Reminded:
            return "the other side had to be reminded first: reminders that are due are sent together"
        return f"before this the game had to be {self.kind.__name__.lower()}"


def pending(before: Before, entry: Entry | None) -> Pending | None:
    """What has to come before another entry, or None; without an entry, what has to come at once.

    What follows of itself has the time of what it follows. Only a deadline that passes ends a game later than that.
    """
    state, last = before.state, before.last
    if state.closed:
        return None
    decided = _decided(before)
    if decided is not None:
        return decided
    if isinstance(last.event, happened.Reminded) and any(state.clock.reminders(last.at)):
        return Pending(happened.Reminded, last.at)
    following = due(state, last.at)
    if following is not None and not (before.opening and following.how == TIMEOUT):
        return Pending(following.kind, last.at, following.how, following.by)
    if entry is None or (before.filing(entry.at) and isinstance(entry.event, happened.Played)):
        return None
    following = due(state, entry.at)
    return Pending(following.kind, entry.at, following.how, following.by) if following else None


def _decided(before: Before) -> Pending | None:
    """The end that a resignation, a claim or the host's decision brings."""
    at = before.last.at
    match before.last.event:
        case happened.Resigned(side=side):
            return Pending(happened.Closed, at, "resignation", side)
        case happened.Claimed(side=side, what=what):
            overdue = before.state.clock.overdue(at)
            return Pending(happened.Closed, at, what, loser(overdue) if what == TIMEOUT else side)
        case happened.Adjudicated(by=by):
            return Pending(happened.Closed, at, "adjudication", by)
        case _:
            return None
