"""Notices of new entries: mail renders one as a letter, a page as a line."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from referee.desk.law.engine_seats import engine_to_move
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Entry
from referee.desk.log.secrets import Secrets, address_name
from referee.desk.state.state import State


class Topic(enum.Enum):
    """The subject of a notice."""

    NEWS = "news"
    """Entries of the log that concern a side."""
    INVITATION = "invitation"
    """An invitation to a game. Until the player answers, this is all that they receive."""
    ANSWER = "answer"
    """Another player has joined, declined or left before the game is opened."""
    LAPSE = "lapse"
    """A player has not joined in time, so there will be no game."""
    WITHDRAWN = "withdrawn"
    """The proposal of a game was withdrawn before the player answered."""
    SEAT_GIVEN = "seat-given"
    """A former player's seat has another player."""
    NEW_KEY = "new-key"
    """The desk has a new key, so earlier tokens are void."""


@dataclass(frozen=True, slots=True)
class Notice:
    """News for a side: the entries after `since` up to `number` that concern it and that others have caused."""

    kind: Topic
    side: str
    since: int
    number: int
    entries: tuple[Entry, ...] = ()
    address: str | None = field(default=None, repr=False)


def news(before: State | None, state: State, entries: Iterable[Entry], secrets: Secrets) -> Iterator[Notice]:
    """Notices for the sides that new entries concern; a run of moves by engines and plans gets one."""
    new = tuple(entries)
    goes_on = all(_in_run(entry.event, state) for entry in new)
    # An engine always seals its move before others act, so its seal is no news.
    seals = [one for one in new if isinstance(one.event, events.Submitted) and one.event.side in state.engine_sides]
    for side in state.position.sides:
        if goes_on and waits(state, side):
            continue
        told = tuple(entry for entry in new if concerns(entry.event, side) and entry not in seals)
        topic = _topic(before, state, new, side)
        if told and topic is not None:
            since = -1 if before is None else told_until(before, side)
            yield Notice(topic, side, since, state.number, told, secrets.get(address_name(side)))


def waits(state: State, side: str) -> bool:
    """True if an engine is to move, and its move will be told to a side together with what happened before."""
    return engine_to_move(state) is not None and (not state.simultaneous or state.plan(side) is not None)


def told_until(state: State, side: str) -> int:
    """The number of the last entry that the person on a side has had a notice of."""
    if not waits(state, side) or not _in_run(state.last, state):
        return state.number
    made = [*takewhile(lambda ply: not _by_people(state, ply), range(len(state.plies), 0, -1))]
    entries = sum(1 + len(_planned(state, ply)) + len(state.nonces[ply - 1]) for ply in made)
    return state.number - entries - (len(state.seals) if made else 0)


def _in_run(event: LogEvent, state: State) -> bool:
    """True for an entry of a run of moves by engines and plans."""
    match event:
        case events.Submitted(ply=ply, side=side):
            return side in state.engine_sides | _planned(state, ply)
        case events.Played(ply=ply):
            return not _by_people(state, ply)
        case _:
            return isinstance(event, events.Followed)


def _by_people(state: State, ply: int) -> bool:
    return not state.plies[ply - 1].keys() <= state.engine_sides | _planned(state, ply)


def _planned(state: State, ply: int) -> set[str]:
    """The sides whose plans gave their moves in a ply."""
    return {one.side for one in state.deposits if ply in one.followed}


def _topic(before: State | None, state: State, entries: Iterable[Entry], side: str) -> Topic | None:
    """The topic of a side's notice, if any; a side that has not answered learns only of a withdrawal."""
    if state.invitation is None:
        return Topic.NEWS
    if side not in state.invitation.joined:
        asked = side not in state.invitation.open
        if before is None:
            return Topic.INVITATION if asked else None
        left = [entry.event.side for entry in entries if isinstance(entry.event, events.Left)]
        return Topic.WITHDRAWN if asked and state.invitation.by in left else None
    if before is None:
        return None
    return Topic.LAPSE if any(isinstance(entry.event, events.Lapsed) for entry in entries) else Topic.ANSWER


def seat_given(state: State, side: str, former: Secrets, secrets: Secrets) -> Iterator[Notice]:
    """A notice for the former player of a side, if the new one has another address."""
    old, new = former.get(address_name(side)), secrets.get(address_name(side))
    if old and new != old:
        yield Notice(Topic.SEAT_GIVEN, side, state.number, state.number, address=old)


def new_key(before: State, state: State, secrets: Secrets) -> Iterator[Notice]:
    """A notice for every side that the desk has a new key; `state` is the game with that entry."""
    for side in state.position.sides:
        yield Notice(Topic.NEW_KEY, side, before.number, state.number, address=secrets.get(address_name(side)))


def concerns(event: LogEvent, side: str) -> bool:
    """True if a side is notified of an event: not of its own acts, nor of the promises of engines and plans."""
    if isinstance(event, events.Engaged | events.Disclosed | events.Planned | events.Published | events.SealedAhead):
        return False
    if isinstance(event, events.PlanAsked):
        return event.side == side
    if isinstance(event, events.Reminded):
        return event.side == side or event.hours == 0
    return not isinstance(event, events.Own) or event.side != side
