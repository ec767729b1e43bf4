"""What has to happen next of itself, as far as everybody can tell (docs/desk-log.md, "The audit").

The desk does it at once, and an audit lets nothing else happen before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.desk import events
from referee.desk.clock import LOSS, TIMEOUT
from referee.desk.state import State


@dataclass(frozen=True, slots=True)
class Duty:
    """The kind of the event that has to come next; if it ends the game, how, and because of which side."""

    kind: type[events.Played | events.Closed | events.Reminded]
    how: str = ""
    by: str | None = None

    @property
    def message(self) -> str:
        """What should have happened first."""
        if self.kind is events.Reminded:
            return "another side has to be reminded first: reminders that are due are sent together"
        return f"the game has to be {self.kind.__name__.lower()} first"


def immediate(state: State) -> Duty | None:
    """What has to follow the last event at once, at the same time; None if nothing does."""
    if state.closed:
        return None
    match state.last:
        case events.Resigned(side=side):
            return Duty(events.Closed, "resignation", side)
        case events.Claimed(side=side, what=what):
            return Duty(events.Closed, what, state.clock.loser(state.at) if what == TIMEOUT else side)
        case events.Adjudicated(by=by):
            return Duty(events.Closed, "adjudication", by)
        case events.Reminded() if any(state.clock.reminders(state.at)):
            return Duty(events.Reminded)
    duty = due(state, state.at)
    return None if duty is not None and duty.how == TIMEOUT and state.opening else duty


def due(state: State, at: datetime) -> Duty | None:
    """What has to happen by a time: only a deadline that passes ends a game later than its last event."""
    if state.closed:
        return None
    if state.position.outcome is not None:
        return Duty(events.Closed, state.position.outcome.termination)
    if state.agreed and state.agreed >= set(state.players):
        return Duty(events.Closed, "agreement")
    if state.revealing and not state.owing:
        return Duty(events.Played)
    terms = state.clock.terms
    if terms is None or terms.timeout != LOSS or not state.clock.overdue(at):
        return None
    return Duty(events.Closed, TIMEOUT, state.clock.loser(at))
