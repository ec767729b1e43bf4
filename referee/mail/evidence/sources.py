"""Sources of events: letters compared with the log, by the desk's own reading and decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from referee.desk import Act, By, Came, Context, LogEvent, State, acts, events
from referee.desk.play.decisions import decide
from referee.errors import RefereeError
from referee.mail.intake.commands import Reading
from referee.mail.intake.grammar import Said
from referee.mail.intake.intent import correction, in_full, word_of
from referee.mail.intake.letter import Letter
from referee.mail.intake.requests import ForAll, Join, NewGame, Rematch
from referee.notation.plans import read_plan
from referee.rules.description import FLIP
from referee.rules.frozen import frozen_data


def submits(state: State, side: str, reading: Reading) -> frozenset[str]:
    """The legal moves in a letter for the ply."""
    found = (said.command for said in reading.binding)
    moves = (one.text for one in found if isinstance(one, acts.MakeMove) and one.round in (None, state.round))
    return frozenset(move for text in moves if (move := _canonical(state.position.parse, side, text)) is not None)


def plans(state: State, reading: Reading) -> frozenset[str]:
    """The plans in a letter, in canonical text."""
    texts = (one.command.text for one in reading.binding if isinstance(one.command, acts.Plan))
    return frozenset(plan for text in texts if text and (plan := _canonical(read_plan, state.game, text)) is not None)


def petitions(state: State | None, event: LogEvent, letter: Letter, reading: Reading) -> bool:
    """True if a letter asks for the game, or for the seat, of an event."""
    corrected = correction(reading)
    asked = [one.command for one in (*reading.binding, *((corrected,) if corrected else ()))]
    match event:
        case events.Invited():
            return any(_proposes(event, one) for one in asked)
        case events.Joined(side=side, key=None, word=word) if state is not None and word == word_of(letter):
            proposed = state.origin is not None and state.origin.by == side
            opens = any(isinstance(one, Rematch) or (isinstance(one, NewGame) and proposed) for one in asked)
            return opens or any(isinstance(one, Join) and one.game == state.id for one in asked)
        case _:
            return False


def engines_asked(event: events.Invited, reading: Reading) -> list[int] | None:
    """The levels of the engines in a letter that proposes a game; None without such a proposal."""
    asked = (one.command for one in reading.binding)
    return next(([*one.engines] for one in asked if isinstance(one, NewGame) and _proposes(event, one)), None)


def is_for_all(reading: Reading) -> bool:
    """True if a letter asks for something in all games of its writer, so that it need name none."""
    return any(isinstance(one.command, ForAll) for one in reading.binding)


def says(state: State, event: LogEvent, letter: Letter, reading: Reading, came: Came, at: datetime) -> bool:
    """True if an act of a letter leads to an event, given the state before it."""
    side = getattr(event, "side", "")
    return any(event == one for one in _events(state, side, letter, reading, came, at))


def _events(
    state: State, side: str, letter: Letter, reading: Reading, came: Came, at: datetime
) -> Iterator[LogEvent]:
    """The events that the acts of a letter lead to, each by itself; moves of a running game have their own check."""
    said = [(one, one.command.act if isinstance(one.command, ForAll) else one.command) for one in reading.binding]
    acting = [(one, act) for one, act in said if isinstance(act, Act)]
    alone = sum(isinstance(act, (*acts.DECIDING, acts.Decline)) for _, act in acting) == 1
    for one, act in acting:
        if (isinstance(act, acts.MakeMove) and state.invitation is None) or (isinstance(act, acts.Plan) and act.text):
            continue
        context = Context(state, at, {}, str.encode, replace(came, signature=one.signature or None), alone)
        try:
            yield from decide(context, By(side), in_full(state, letter, act)).events
        except RefereeError:
            continue


def _canonical(read: Callable[[str, str], object], what: str, text: str) -> str | None:
    """A text as it is read, in canonical form; None if it cannot be read."""
    try:
        return str(read(what, text))
    except RefereeError:
        return None


def _proposes(event: events.Invited, asked: Said) -> bool:
    if isinstance(asked, Rematch):
        return event.of is not None
    if not isinstance(asked, NewGame) or asked.faults or (asked.game, event.of) != (event.game, None):
        return False
    named = sum(name is not None for side, name in event.seats.items() if side != event.by)
    others = len(asked.rivals) + len(asked.engines)
    return asked.side in (None, event.by) and named == others and _has_terms(event, asked)


def _has_terms(event: events.Invited, asked: NewGame) -> bool:
    """True if a proposal has the options and the clock of a letter; chance decides about a coin."""
    options = frozen_data({name: value for name, value in asked.options.items() if value != FLIP})
    if any(event.options.get(name, value) != value for name, value in options.items()):
        return False
    if any(name not in asked.options for name in event.options):
        return False
    if asked.terms is None or event.clock is None:
        return asked.terms is event.clock
    return all(event.clock[name] == value for name, value in frozen_data(asked.terms).items())
