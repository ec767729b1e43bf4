"""The beginning of a letter: its subject, what happened in a sentence or two, and what to do by when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from referee.desk import Invitation, State, event_data, events, kind_of
from referee.mail.letters.format.language import deadline, long_day, moment, phrase, span
from referee.mail.letters.story.draft import Gist, LetterContent
from referee.mail.letters.story.result import result_sentence, result_subject
from referee.mail.letters.story.status import claim_cost, due_time, lapse_time
from referee.mail.letters.story.story import Step, Story, as_told, awaited, name_of, names_of
from referee.mail.letters.story.subjects import event_subject, is_later, turn_subject


class Lead(NamedTuple):
    """The subject of a letter, the event that it begins with, what happened, and what to do."""

    subject: str
    event: events.LogEvent | None
    happened: str
    tasks: tuple[str, ...]


_WEIGHTS: tuple[type[events.LogEvent], ...] = (
    events.VacationTaken,
    events.Resumed,
    events.Paused,
    events.Extended,
    events.Gave,
    events.MessageSent,
    events.Declined,
    events.Accepted,
    events.Offered,
    events.Reminded,
    events.Keyed,
    events.Replaced,
    events.Joined,
    events.Invited,
    events.Left,
    events.Refused,
    events.Lapsed,
    events.Failed,
    events.Revealed,
    events.Submitted,
    events.Sealed,
    events.Played,
    events.Reopened,
    events.Opened,
    events.Closed,
    events.Aborted,
)
"""Kinds of events, from the least to the one that a letter begins with if it has several."""

_WEIGHTIEST = _WEIGHTS.index(events.Failed)
"""From here on, an event matters more than a line of the letter that was refused."""

_AWAITED = {"to-move": "not-in", "to-reveal": "reveal-not-in"}
"""Sentences about the missing move or reveal, by the side's standing."""

UNDONE = (Gist.NOT_IN, Gist.NOT_DONE)
"""Outcomes of letters with a refused line."""

_ANSWERS = (Gist.DONE, Gist.RUNS, Gist.SHOWN, Gist.TRIED, Gist.UNCLEAR)
"""Outcomes of answered letters without a refused line."""


def lead_of(story: Story, report: LetterContent) -> Lead:
    """The beginning of the letter about a story to its side."""
    state, side = story.state, report.side
    tasks = tuple(_tasks(state, report))
    step = _weightiest(story, side)
    if step is not None and (report.gist not in UNDONE or _weight(step[1].event, side) >= _WEIGHTIEST):
        before, entry, after = step
        subject = event_subject(entry.event, state, side, report.at)
        return Lead(subject, entry.event, event_sentence(before, entry.event, after, side), tasks)
    if state.closed is not None and report.gist in UNDONE:
        tasks = (result_sentence(state, side), *tasks)
    return Lead(*_answer(state, side, report), tasks)


def event_sentence(before: State | None, event: events.LogEvent, state: State, side: str) -> str:
    """An event in one or two sentences for a side; `state` is the game after it."""
    match event:
        case events.Opened():
            others = names_of(state, state.players.keys() - {side})
            if {side} | state.engine_sides == state.players.keys():
                sentence = "first.begun"
            elif state.origin is None:
                sentence = "first.invitation"
            else:
                proposed = state.origin.by == side and len(state.players) == 2
                sentence = "first.begun-own" if proposed else "first.begun"
            return phrase(sentence, title=state.description.title, names=others, side=side)
        case events.Invited(by=None):
            return phrase("first.invited-by-host", title=state.description.title, side=side)
        case events.Invited(by=str(by), of=of):
            kind = "invited" if not of else "rematch" if len(state.position.sides) == 2 else "rematch-many"
            sentence = f"first.{kind}{'-own' if by == side else ''}"
            return phrase(sentence, name=name_of(state, by), title=state.description.title, side=side)
        case events.Lapsed() | events.Resumed():
            return phrase(f"first.{kind_of(event)}")
        case events.Gave(side=other, to=to, hours=hours):
            sentence = "first.gave-own" if other == side else "first.gave-you" if to == side else "first.gave"
            given = span(timedelta(hours=hours))
            return phrase(sentence, name=name_of(state, other), to=name_of(state, to), span=given)
        case events.Played(moves=moves) if len(moves) > 1:
            return phrase("first.round", round=state.last_round)
        case events.Played(moves=moves):
            (mover,) = moves
            if mover == side and before is not None and isinstance(before.last, events.Followed):
                return phrase("first.followed", names=names_of(state, before.plies[-1]))
            return phrase("first.moved-own" if mover == side else "first.moved", name=name_of(state, mover))
        case events.Keyed(side=other, key=key, reason=reason):
            said = "keyed" if key is not None else "unkeyed" if not reason else "unkeyed-by-host"
            sentence = f"first.{said}-own" if other == side else f"first.{said}"
            return phrase(sentence, name=name_of(state, other), reason=reason)
        case events.Reminded():
            return _reminder(before or state, event, side)
        case events.Paused(reason=reason) | events.Reopened(reason=reason):
            return _because(f"first.{kind_of(event)}", reason)
        case events.Rekeyed(desk=key, reason=reason):
            return _because("first.signed" if key else "first.unsigned", reason)
        case events.Adjudicated(by=None, reason=reason):
            return as_told(state, f"first.adjudicated-draw{'-because' if reason else ''}", reason=reason)
        case events.Adjudicated(by=str(other), reason=reason):
            sentence = "first.adjudicated-own" if other == side else "first.adjudicated"
            return _because(sentence, reason, name=name_of(state, other))
        case events.Closed():
            return result_sentence(state, side)
        case events.Replaced(side=other, name=name) if other != side and before and other in before.engine_sides:
            return phrase("first.replaced-engine", name=name, side=other)
        case events.Extended(side=other, hours=hours):
            return _told(event, state, other, side, span=span(timedelta(hours=hours)))
        case events.VacationTaken(side=other, first=first, last=last):
            days = {"first": long_day(date.fromisoformat(first)), "last": long_day(date.fromisoformat(last))}
            if other != side and is_later(event, state, state.at):
                return phrase("first.vacation-later", name=name_of(state, other), **days)
            return _told(event, state, other, side, **days)
        case _:
            data = event_data(event)
            return _told(event, state, data["side"], side, **data)


def _told(event: events.LogEvent, state: State, who: str, reader: str, **parts: object) -> str:
    sentence = f"first.{kind_of(event)}{'-own' if who == reader else ''}"
    return as_told(state, sentence, **{**parts, "name": name_of(state, who)})


def _because(sentence: str, reason: str, **parts: object) -> str:
    return phrase(f"{sentence}-because", reason=reason, **parts) if reason else phrase(sentence, **parts)


def _reminder(state: State, event: events.Reminded, side: str) -> str:
    ended = datetime.fromisoformat(event.deadline)
    due, name = moment(ended.astimezone(state.clock.zone)), name_of(state, event.side)
    if event.hours:
        return phrase("first.reminder", number=event.hours, due=due)
    mine = event.side == side
    cost = claim_cost(state, event.side, ended, mine=mine)
    sentence = f"first.time-over{'-claim' if cost else ''}{'-own' if mine else ''}"
    return phrase(sentence, name=name, due=due, cost=cost)


def _weightiest(story: Story, side: str) -> Step | None:
    """The entry that counts most for a side: among equals, its own, or else the last one."""

    def weight(step: Step) -> tuple[int, bool]:
        event = step[1].event
        own = isinstance(event, events.Extended | events.Reminded) and event.side == side
        return _weight(event, side), own

    steps = [step for step in story.steps if weight(step)[0] >= 0 and not _is_past(step, story.state, side)]
    return max(reversed(steps), key=weight, default=None)


def _is_past(step: Step, state: State, side: str) -> bool:
    """True if an entry has no news: an answered or ended invitation, a seat taken again, or a pause that is over."""
    match step[1].event:
        case events.Paused():
            return not state.clock.paused
        case events.Invited(by=by):
            return by != side and state.standing(side) != "invited"
        case events.Closed():
            return step[2].invitation is not None
        case events.Left(side=other):
            return state.origin is not None and other in state.origin.joined
        case _:
            return False


def _weight(event: events.LogEvent, side: str) -> int:
    """The weight of an event for a side; -1 if no letter to it begins with it."""
    if type(event) not in _WEIGHTS or (isinstance(event, events.Reminded) and event.side != side and event.hours):
        return -1
    return _WEIGHTS.index(type(event))


def _answer(state: State, side: str, report: LetterContent) -> tuple[str, None, str]:
    """Subject and first sentence of a letter without an event that counts."""
    standing = state.standing(side)
    if state.closed is not None and report.gist not in UNDONE:
        subject = phrase("subject.answer") if report.gist in _ANSWERS else result_subject(state, side)
        return subject, None, result_sentence(state, side)
    match report.gist:
        case Gist.NOT_IN if standing in _AWAITED:
            return phrase(f"subject.{_AWAITED[standing]}"), None, phrase(f"first.{_AWAITED[standing]}")
        case Gist.NOT_IN | Gist.NOT_DONE:
            sentence = "first.not-done-in" if standing == "sealed" else "first.not-done"
            return phrase("subject.not-done"), None, phrase(sentence)
        case Gist.DONE if standing == "sealed":
            return phrase("subject.move-in"), None, phrase("first.move-in")
        case Gist.NEWS:
            return turn_subject(state, side, report.at), None, ""
        case gist:
            return phrase(f"subject.{gist}"), None, phrase(f"first.{gist}")


def _tasks(state: State, report: LetterContent) -> Iterator[str]:
    """The duties of a side and their deadlines; or the players who are next."""
    side, at = report.side, report.at
    if state.closed is not None:
        if state.invitation is not None:
            yield phrase("task.no-game")
        return
    standing = state.standing(side)
    if state.invitation is not None:
        yield _answer_task(state, state.invitation, side, wanted=report.unsigned)
        return
    owing = (side,) if standing in ("to-move", "to-reveal") else state.owing
    if owing:
        due = due_time(state, owing, at)
        late = "-until" if due is not None and due > at else "-late" if due is not None and side in owing else ""
        undone = report.gist in UNDONE and standing == "waiting"  # it may have to be written once more
        task = "next" if standing == "waiting" and (undone or state.is_offered(side)) else standing
        parts = {"names": names_of(state, state.owing), "due": deadline(due) if due else ""}
        yield phrase(f"task.{task}{late}", **parts)
    else:
        yield phrase("task.idle")
    if state.is_offered(side):
        many = "-many" if len(state.players) > 2 else ""
        yield as_told(state, f"task.answer-draw{many}", names=names_of(state, state.agreed))
        if standing == "to-move":
            yield phrase("task.answer-draw-move")
    claims = state.claims(side, at)
    for what in claims:
        yield phrase("task.claim", what=what)
    if side in state.keyring.keys and (claims or state.is_offered(side)):
        yield phrase("task.signed")


def _answer_task(state: State, invitation: Invitation, side: str, *, wanted: bool) -> str:
    """The duty of a side about an invitation, or the players who have not answered it yet."""
    until = deadline(lapse_time(state, invitation))
    if side in invitation.joined:
        return phrase("task.joined", names=awaited(state, invitation), due=until)
    if wanted:
        return phrase("task.invited-signed", due=until)
    begins = invitation.missing == {side} and side in state.position.to_move and not state.undrawn
    return phrase("task.invited-move" if begins else "task.invited", due=until)
