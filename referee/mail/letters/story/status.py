"""The status of a game's sides: duties, deadlines, clocks, and costs of a timeout."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

from referee.desk import CLAIM, LOSS, Invitation, State, Terms
from referee.engine.levels import PROGRAM_LEVEL, level_text
from referee.mail.letters.format.language import moment, phrase, span
from referee.mail.letters.format.text import whole_sentence
from referee.mail.letters.story.story import name_of, names_of
from referee.rules import Game
from referee.terminal import join_words


def due_time(state: State, sides: Collection[str], at: datetime) -> datetime | None:
    """The first deadline of some sides, in the game's zone; None if they have none."""
    deadlines = (state.clock.at(side, at).deadline for side in sides)
    return min((deadline for deadline in deadlines if deadline is not None), default=None)


def lapse_time(state: State, invitation: Invitation) -> datetime:
    """The time at which an invitation lapses, in the game's zone."""
    return invitation.until.astimezone(state.clock.zone)


def clock_lines(state: State, side: str, at: datetime) -> Iterator[str]:
    """A line for each player, of many for those who have to act: name, duty, deadline, and time left."""
    asked = state.owing if state.invitation is None else state.invitation.missing
    for one in (one for one in state.position.sides if len(state.position.sides) == 2 or one in asked):
        who = phrase("clocks.you") if one == side else name_of(state, one)
        yield phrase("clocks.line", who=who, dues="; ".join((_debt(state, one, at), *_time_left(state, one, at))))


def unusual_options(game: Game, options: Mapping[str, object]) -> list[str]:
    """The options that differ from the defaults, of those that players could choose."""
    if game.secret is not None:
        return []
    usual, known = game.completed({}), game.completed(options).items()
    return [f"{name} {value}" for name, value in known if isinstance(value, str | int) and value != usual[name]]


def conditions(
    game: Game, options: Mapping[str, object], terms: Terms | None, *, alone: bool = False
) -> Iterator[str]:
    """A game's options, first mover and clock; `alone` is true if a single person is to play with engines."""
    if chosen := unusual_options(game, options):
        yield phrase("arrange.options", options=join_words(chosen))
    if game.secret is None and len(begins := game.start(options).to_move) == 1:
        yield whole_sentence(phrase("arrange.first", side=join_words(begins)))
    if terms is None:
        yield phrase("arrange.no-clock")
    else:
        yield phrase("arrange.clock", terms="; ".join(_terms(terms, alone)))


def _terms(terms: Terms, alone: bool) -> Iterator[str]:
    if terms.days:
        yield phrase("terms.days", number=terms.days)
    hours = {"bank": terms.bank, "increment": terms.increment, "most": terms.most or 0}
    for name, number in hours.items():
        if number:
            yield phrase(f"terms.{name}", span=span(timedelta(hours=number)))
    if terms.vacation:
        yield phrase("terms.vacation", number=terms.vacation)
    if terms.reminders:
        yield phrase("terms.reminders", hours=join_words(map(str, terms.reminders)))
    yield phrase("terms.claim-alone" if alone and terms.timeout == CLAIM else f"terms.{terms.timeout}")
    yield phrase("terms.zone", zone=terms.zone)


def engine_lines(game: Game, engines: Mapping[str, int]) -> Iterator[str]:
    """Lines about the engines in a game, whose levels are given by side."""
    levels = {side: level for side, level in engines.items() if level != PROGRAM_LEVEL}
    if levels:
        seats = [phrase("arrange.engine-seat", side=side, level=level_text(level)) for side, level in levels.items()]
        yield phrase("arrange.engines", number=len(levels), seats=join_words(seats))
        if game.secret is not None:
            yield phrase("arrange.engines-see")
    if programs := [side for side in engines if side not in levels]:
        yield phrase("arrange.programs", seats=join_words(programs))


def cost_of_timeout(game: Game, timeout: str, *, mine: bool) -> str:
    """The cost of a timeout: automatic, or once it is claimed. `mine` is true if the reader's own time is meant."""
    if len(game.sides) == 2:
        return phrase(f"cost.two-{'mine' if mine else 'theirs'}-{timeout}")
    return phrase(f"cost.many-{timeout}")


def claim_cost(state: State, side: str, deadline: datetime, *, mine: bool) -> str:
    """The cost if a side's timeout is claimed; nothing if others are out of time, too."""
    terms = state.clock.terms
    others = state.clock.overdue(deadline).keys() - {side}
    if terms is None or terms.timeout == LOSS or others or state.alone:
        return ""
    return cost_of_timeout(state.description, terms.timeout, mine=mine)


def _debt(state: State, one: str, at: datetime) -> str:
    until: datetime | None = None
    if state.invitation is not None and one in state.invitation.missing:
        sentence = "clocks.open" if one in state.invitation.open else "clocks.answer"
        until = lapse_time(state, state.invitation)
    elif one in state.owing:
        sentence = "clocks.reveal" if one in state.seals else "clocks.move"
        until = state.clock.at(one, at).deadline if state.invitation is None else None
    else:
        return phrase("clocks.nothing")
    if until is None:
        return phrase(sentence, round=state.round)
    return phrase(f"{sentence}-until", round=state.round, due=moment(until))


def _time_left(state: State, one: str, at: datetime) -> Iterator[str]:
    time = state.clock.at(one, at)
    if time.deadline is not None:
        sentence = "clocks.time-over" if time.deadline <= at else "clocks.time-left"
        yield phrase(sentence, span=span(time.deadline - at))
    if time.bank > timedelta(0):
        yield phrase("clocks.bank-part" if time.deadline else "clocks.bank", span=span(time.bank))
    if time.away:
        yield phrase("clocks.away")
    if time.vacation > 0:
        yield phrase("clocks.vacation", number=time.vacation)


def _owed(state: State, owing: Collection[str], side: str) -> str:
    if state.seals.keys() & owing:
        return phrase("clocks.owed-reveal")
    if len(owing) > 1:
        return phrase("clocks.owed")
    if side in owing:
        return phrase("clocks.owed-own")
    return phrase("clocks.owed-one", name=names_of(state, owing))


def warnings(state: State, side: str, at: datetime) -> Iterator[str]:
    """Unusual states of the clocks: a pause, time that is up, and a reveal that is due."""
    if state.clock.paused:
        yield phrase("clocks.paused")
    if state.invitation is not None:
        return
    terms, people = state.clock.terms, state.owing - state.engine_sides
    late = state.clock.overdue(at).keys() & people
    if terms is not None and len(people) > 1 and late == people:
        yield phrase("clocks.all-late")
    elif terms is not None and terms.timeout != LOSS and not state.alone and late:
        cost = cost_of_timeout(state.description, terms.timeout, mine=side in late)
        yield phrase("clocks.cost-late", owed=_owed(state, late, side), cost=cost)
    claimed = terms is None or terms.timeout == CLAIM
    if any(seal.own for seal in state.seals.values()) and not (claimed and state.alone):
        many = "" if len(state.players) == 2 else "-many"
        yield phrase(f"clocks.reveals-untimed{many}" if terms is None else "clocks.reveals")


def expectations(state: State, side: str, at: datetime) -> Iterator[str]:
    """The cost of a timeout that is to come, and the warnings."""
    terms, people = state.clock.terms, state.owing - state.engine_sides
    if terms is None and state.invitation is None:
        yield phrase("clocks.no-deadlines")
    elif terms is not None and terms.timeout != LOSS and state.alone:
        yield phrase("clocks.engines-wait")
    elif (
        terms is not None and due_time(state, people, at) is not None and not state.clock.overdue(at).keys() & people
    ):
        cost = cost_of_timeout(state.description, terms.timeout, mine=side in people)
        sentence = "cost" if terms.timeout == LOSS else "cost-late-counts"
        yield phrase(f"clocks.{sentence}", owed=_owed(state, people, side), cost=cost)
    yield from warnings(state, side, at)
