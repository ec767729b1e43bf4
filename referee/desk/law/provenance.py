"""Letters as sources of acts, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from referee.desk.law.admission import Refusals
from referee.desk.law.disclosure import Findings
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Came, read_time
from referee.desk.state.state import State


def came_findings(state: State, event: LogEvent, at: datetime, came: Came | None) -> Findings:
    """Faults of the letter that an act came by: its kind of act, and its time."""
    made = isinstance(event, events.Played) and not state.simultaneous
    if came is None:
        if isinstance(event, events.Failed):
            yield "came", "a reveal fails only by a letter of its side"
        elif isinstance(event, events.Joined):
            yield "came", "a player takes a seat only by a letter"
        return
    if not made and not isinstance(event, events.Own | events.Failed | events.Keyed):
        yield "came", "this is not what a player does, so it came by no letter"
    elif at != max(read_time(came.server), state.at):
        yield "time", "this is neither the time of its letter, nor that of the entry before it"
    elif isinstance(event, events.Joined) and came.letter in _seated(state):
        # A player who joins, leaves and confirms the same letter again joins by it at a later time.
        if came.server < state.letters[came.letter]:
            yield "time", "its letter came later, as an entry before it says"
    elif state.letters.get(came.letter, came.server) != came.server:
        yield "time", "its letter came at another time, as an entry before it says"


def seat_refusals(state: State, event: events.Joined, came: Came | None) -> Refusals:
    """Refuse a letter that takes a second seat."""
    taken = _seated(state).get(came.letter, event.side) if came is not None else event.side
    if taken != event.side:
        message = f"this letter has taken the seat {taken} before, and one letter takes one seat: write another one"
        yield "came", "no-seat", message


def _seated(state: State) -> Mapping[str, str]:
    return {} if state.origin is None else state.origin.seated


def first_came_findings(event: events.Opened | events.Invited, at: datetime, came: Came | None) -> Findings:
    """Faults of the letter that the first event of a log came by."""
    if came is None:
        if isinstance(event, events.Invited) and event.by is not None:
            yield "came", "a player proposes a game only by a letter"
        return
    if isinstance(event, events.Opened) or event.by is None:
        yield "came", "the host began this, so it came by no letter"
    elif at != read_time(came.server):
        yield "time", "this is not the time of its letter"
