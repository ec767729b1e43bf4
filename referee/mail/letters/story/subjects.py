"""Subjects of letters: what happened or what to do, short, and different for each kind."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from referee.desk import TIMEOUT, State, event_data, events, kind_of
from referee.mail.letters.format.language import phrase, short_day, short_deadline
from referee.mail.letters.story.result import result_subject
from referee.mail.letters.story.status import due_time
from referee.mail.letters.story.story import as_told, name_of, names_of

_LONGEST_NAMES = 30
"""Maximum characters of names in a subject."""


def event_subject(event: events.LogEvent, state: State, side: str, at: datetime) -> str:
    """The subject of a letter that begins with an event; `state` is the game after all entries of the letter."""
    title = state.description.title
    match event:
        case events.Closed():
            return result_subject(state, side)
        case events.Opened():
            names = _others(state, state.players.keys() - {side})
            return phrase("subject.invitation" if state.origin is None else "subject.begun", title=title, names=names)
        case events.Invited(by=None):
            return phrase("subject.invited-by-host", title=title)
        case events.Invited(by=str(by), of=of):
            sentence = f"subject.{'rematch' if of else 'invited'}{'-own' if by == side else ''}"
            return phrase(sentence, title=title, name=_short(name_of(state, by)))
        case events.Keyed(side=other, key=key):
            said = "keyed" if key is not None else "unkeyed"
            return phrase(f"subject.{said}{'-own' if other == side else ''}", name=_short(name_of(state, other)))
        case events.Gave(side=other, to=to):
            sentence = "subject.gave-own" if other == side else "subject.gave-you" if to == side else "subject.gave"
            return phrase(sentence, name=_short(name_of(state, other)), to=_short(name_of(state, to)))
        case events.Played(moves=moves):
            return _played_subject(moves, state, side, at)
        case events.Submitted(side=other) | events.Sealed(side=other) if state.standing(side) == "to-move":
            return _dated("subject.awaited", state, side, at, name=_short(name_of(state, other)))
        case events.Submitted() | events.Sealed() | events.Revealed() if state.standing(side) == "to-reveal":
            return _dated("subject.reveal", state, side, at, round=state.round)
        case events.Reminded(hours=0, side=other) if other != side and TIMEOUT in state.claims(side, at):
            return phrase("subject.claim")
        case events.Reminded(hours=0, side=other):
            sentence = "subject.time-over" if other == side else "subject.time-over-other"
            return phrase(sentence, name=_short(name_of(state, other)))
        case events.Reminded(hours=hours):
            return phrase("subject.reminder", number=hours)
        case events.Lapsed() | events.Paused() | events.Resumed() | events.Reopened():
            return phrase(f"subject.{kind_of(event)}")
        case events.VacationTaken(side=other, first=first, last=last):
            sentence = f"subject.vacation{'-later' if is_later(event, state, at) else ''}"
            days = {"first": _day(first, at), "last": _day(last, at)}
            return phrase(f"{sentence}{'-own' if other == side else ''}", name=_short(name_of(state, other)), **days)
        case _:
            data = event_data(event)
            own = "-own" if data["side"] == side else ""
            names = _others(state, state.players.keys() - {side})
            parts = {**data, "name": _short(name_of(state, data["side"])), "title": title, "names": names}
            return as_told(state, f"subject.{kind_of(event)}{own}", **parts)


def _day(day: str, at: datetime) -> str:
    """A day in a subject, with its year if that is another one."""
    found = date.fromisoformat(day)
    return short_day(found) if found.year == at.year else f"{short_day(found)} {found.year}"


def _played_subject(moves: events.Texts, state: State, side: str, at: datetime) -> str:
    mover = next(iter(moves))
    if len(moves) == 1 and mover == side and state.standing(side) != "to-move":
        return phrase("subject.move-in")
    if len(moves) > 1 or mover == side:
        if state.standing(side) == "to-move":
            return turn_subject(state, side, at)
        return phrase("subject.round-played", round=state.last_round)
    name = _short(name_of(state, mover))
    if state.standing(side) == "to-move":
        return _dated("subject.moved", state, side, at, name=name)
    return phrase("subject.moved-next", name=name, names=_others(state, state.owing))


def turn_subject(state: State, side: str, at: datetime) -> str:
    """The subject of a letter about the duty of a side alone."""
    match state.standing(side):
        case "to-move":
            return _dated("subject.your-turn", state, side, at, round=state.round)
        case "to-reveal":
            return _dated("subject.reveal", state, side, at, round=state.round)
        case "sealed":
            return phrase("subject.move-in")
        case _:
            return phrase("subject.shown")


def _dated(sentence: str, state: State, side: str, at: datetime, **parts: object) -> str:
    due = due_time(state, (side,), at)
    return phrase(sentence, **parts) if due is None else phrase(f"{sentence}-until", day=short_deadline(due), **parts)


def _others(state: State, sides: Collection[str]) -> str:
    """The names of several players; if they are too long, one name, of a person if possible, and how many others."""
    names = names_of(state, sides)
    if len(names) <= _LONGEST_NAMES or len(sides) < 2:
        return _short(names)
    first = min(sides, key=lambda side: (side in state.engine_sides, state.position.sides.index(side)))
    return phrase("player.others", name=_short(name_of(state, first)), number=len(sides) - 1)


def _short(names: str) -> str:
    """A name for a subject; a long one is cut, if possible between two words."""
    if len(names) <= _LONGEST_NAMES:
        return names
    room = _LONGEST_NAMES - len("...")
    end = names.rfind(" ", room // 2, room + 1)
    return f"{names[: end if end > 0 else room].rstrip(' ,.')}..."


def is_later(event: events.VacationTaken, state: State, at: datetime) -> bool:
    """True if a vacation has not begun yet."""
    return date.fromisoformat(event.first) > at.astimezone(state.clock.zone).date()
