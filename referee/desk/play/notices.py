"""Who is to be told what, because of what happened: mail renders a notice as a letter, a page as a line."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from referee.desk.law.engine_seats import engine_to_move, is_own_seal
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Entry
from referee.desk.log.secrets import Secrets, address_name
from referee.desk.state.state import State


class Topic(enum.Enum):
    """What a notice is about."""

    NEWS = "news"
    """Entries of the log that concern a side."""

    INVITATION = "invitation"
    """Somebody is invited to a game. This is all that they are told until they answer."""

    ANSWER = "answer"
    """Somebody else has joined, declined or left before the game is opened."""

    LAPSE = "lapse"
    """Not everybody has joined in time, so there will be no game."""

    WITHDRAWN = "withdrawn"
    """Whoever proposed a game to somebody, who has not answered yet, has taken that back."""

    SEAT_GIVEN = "seat-given"
    """Another player has a former player's seat."""

    NEW_KEY = "new-key"
    """The desk has a new key, so earlier tokens are void."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What somebody at a side is to be told: the entries after number `since`, up to number `number`.

    `entries` are those that concern the side; nothing in them is secret, and what it did itself is not among them.
    `address` is where the side is reached, None if the desk knows no address.
    """

    kind: Topic
    side: str
    since: int
    number: int
    entries: tuple[Entry, ...] = ()
    address: str | None = field(default=None, repr=False)


def news(before: State | None, state: State, entries: Iterable[Entry], secrets: Secrets) -> Iterator[Notice]:
    """A notice for every side that new entries concern; `before` is None where the game began.

    Moves of engines that follow each other are told together, once somebody else is to move or does something.
    """
    since, new = told_until(before) if before is not None else -1, tuple(entries)
    if all(_is_made_by_engine(entry.event, state) for entry in new) and engine_to_move(state) is not None:
        return
    for side in state.position.sides:
        told = tuple(entry for entry in new if concerns(entry.event, side) and not is_own_seal(state, entry.event))
        topic = _topic(before, state, new, side)
        if told and topic is not None:
            yield Notice(topic, side, since, state.number, told, secrets.get(address_name(side)))


def told_until(state: State) -> int:
    """The number of the last entry that people have been told of, when somebody does something in a game."""
    return state.number - _untold(state)


def _is_made_by_engine(event: LogEvent, state: State) -> bool:
    """True if an event is a move that an engine made in its turn."""
    return isinstance(event, events.Played) and event.moves.keys() <= state.engine_sides


def _untold(state: State) -> int:
    """How many moves engines have made in their turns that wait to be told with those of the next engine."""
    if engine_to_move(state) is None or not _is_made_by_engine(state.last, state):
        return 0
    return sum(1 for _ in takewhile(lambda ply: ply.keys() <= state.engine_sides, reversed(state.plies)))


def _topic(before: State | None, state: State, entries: Iterable[Entry], side: str) -> Topic | None:
    """What a side is told about; None if it is told nothing.

    Until it has answered the invitation, it is told of nothing else but that this has been taken back.
    """
    if state.invitation is None:
        return Topic.NEWS
    if side not in state.invitation.joined:
        asked = side not in state.invitation.open
        if before is None:
            return Topic.INVITATION if asked else None
        return Topic.WITHDRAWN if asked and _is_withdrawn(state, entries) else None
    if before is None:
        return None
    lapsed = any(isinstance(entry.event, events.Lapsed) for entry in entries)
    return Topic.LAPSE if lapsed else Topic.ANSWER


def _is_withdrawn(state: State, entries: Iterable[Entry]) -> bool:
    """True if the side that proposes a game does not want it any more."""
    by = state.invitation.by if state.invitation is not None else None
    return any(isinstance(entry.event, events.Left) and entry.event.side == by for entry in entries)


def seat_given(state: State, side: str, former: Secrets, secrets: Secrets) -> Iterator[Notice]:
    """A notice for the former player of a side, if the new one has another address."""
    old, new = former.get(address_name(side)), secrets.get(address_name(side))
    if old and new != old:
        yield Notice(Topic.SEAT_GIVEN, side, state.number, state.number, address=old)


def new_key(before: State, state: State, secrets: Secrets) -> Iterator[Notice]:
    """A notice for every side of a game whose desk has a new key; `state` is the game once the log says so."""
    for side in state.position.sides:
        yield Notice(Topic.NEW_KEY, side, before.number, state.number, address=secrets.get(address_name(side)))


def concerns(event: LogEvent, side: str) -> bool:
    """True if a side is told of an event: it knows what it did itself, and what binds engines is for proofs alone."""
    if isinstance(event, events.Engaged | events.Disclosed):
        return False
    if isinstance(event, events.Reminded):
        return event.side == side or event.hours == 0
    return not isinstance(event, events.Own) or event.side != side
