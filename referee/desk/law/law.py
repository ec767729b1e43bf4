"""The law: the one judge of what may happen to a game on the desk (spec/log.md, "The audit").

The desk asks it before it writes an event, and an audit asks it again when it reads one. A fault has two codes: an
audit sorts faults by what they break (`order`, `clock`, `commitment` …); for a player, the code names the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import starmap
from typing import NamedTuple

from referee.desk.law import (
    admission,
    attestations,
    automatic,
    disclosure,
    engine_seats,
    plans,
    provenance,
    seat_addresses,
    succession,
)
from referee.desk.law.disclosure import Findings
from referee.desk.log import events, seals
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Came
from referee.desk.log.signatures import is_key
from referee.desk.log.terms import Terms
from referee.desk.state.state import ABANDONED, NO_BEGINNING, State
from referee.desk.state.talk import MOST_MESSAGES
from referee.errors import RefereeError, Refusal, shown
from referee.game import is_text
from referee.game.file.document import HIDDEN
from referee.notation.moves import parse_move
from referee.rules import Outcome, game_named
from referee.rules.frozen import frozen_data
from referee.terminal import join_words

LONGEST_MESSAGE = 8000

MOST_SAID = 64 * 1024
"""Maximum bytes of a side's messages in 24 hours."""

MOST_HOURS = 2400
"""Maximum hours that can be added to a deadline at once."""

BOUND = "another move of yours is in already, and the first one binds"

_AT_ANY_TIME = events.Closed | events.Rekeyed | events.Engaged | events.Paused | events.Resumed
"""Events that can happen before a game is opened as well as during it."""

_AFTER_THE_END = events.MessageSent | events.Reopened | events.Disclosed | events.Published

_DUE_FIRST: Mapping[type[LogEvent | events.PlanAsked], str] = {
    events.Joined: "the player who proposes the game has to join first",
    events.Lapsed: "the invitation has lapsed",
    events.Opened: "the game has to be opened first",
    events.Played: "the game has to be played first",
    events.Noted: "the signatures of the moves have to be revealed first",
    events.Closed: "the game has to be closed first",
    events.Reminded: "another side has to be reminded first: reminders that are due are sent together",
    events.Disclosed: "the seeds of the engines have to be revealed first",
    events.PlanAsked: "a plan has to be asked first: its side owes a move",
    events.Sealed: "a seal that was left for this ply has to be entered first",
    events.Submitted: "the move that a plan gives has to be sealed first",
    events.Published: "the plans have to be published first",
}


class Fault(NamedTuple):
    """A reason why an event cannot happen: `finding` is its code for an audit; `refusal` is for the player.

    `finding` is None for limits that other desks' logs need not keep.
    """

    finding: str | None
    refusal: RefereeError


Faults = Iterator[Fault]


def fault(state: State, event: LogEvent, at: datetime, came: Came | None = None) -> Fault | None:
    """The first reason why an event cannot happen to a game at a time; None if it can."""
    return next(faults(state, event, at, came), None)


def faults(state: State, event: LogEvent, at: datetime, came: Came | None = None) -> Faults:
    """All reasons against an event in a game at a time, the most important first; `came` is its letter."""
    if state.closed and state.invitation is not None:
        yield _fault("order", "invitation-over", "the invitation is over, and the game was never opened")
        return
    if state.closed and not isinstance(event, _AFTER_THE_END):
        yield _fault("order", "game-over", f"the game is over ({state.closed.how}): nothing more can be done")
        return
    filed = isinstance(event, events.Played) and state.opening and at == state.opened
    immediate = automatic.immediate(state)
    duty = immediate or (None if filed else automatic.due(state, at))
    if duty is not None and not isinstance(event, duty.kind):
        yield _found("order", _DUE_FIRST[duty.kind])
        return
    if immediate is not None and at > state.at:
        yield _found("time", "an automatic entry must have the time of the entry that it follows")
    side = getattr(event, "side", None)
    if side is not None and side not in state.players:
        yield _no_side(state, side)
        return
    ply = len(state.plies) if isinstance(event, events.Noted) else state.ply
    if getattr(event, "ply", ply) != ply:
        yield _fault("order", "stale", f"this is not about ply {ply}")
        return
    yield from starmap(_fault, engine_seats.engine_refusals(state, event, at, came))
    yield from starmap(_fault, plans.plan_refusals(state, event, came))
    if state.invitation is not None and not isinstance(event, _AT_ANY_TIME):
        yield from starmap(_fault, admission.refusals(state, event, at, duty.by if duty else None))
    else:
        yield from _faults(state, event, at, duty)
    if isinstance(event, events.Joined):
        yield from starmap(_fault, provenance.seat_refusals(state, event, came))
    yield from starmap(_found, provenance.came_findings(state, event, at, came))
    yield from starmap(_fault, attestations.signature_refusals(state, event, came))


def first_findings(event: LogEvent, at: datetime, came: Came | None = None) -> Findings:
    """Faults of the first event of a log; `came` is its letter."""
    if not isinstance(event, events.Opened | events.Invited) or event.log != events.LOG_FORMAT:
        yield "log", NO_BEGINNING
        return
    try:
        description = game_named(event.game)
        position = description.start(event.options)
        if event.clock is not None and frozen_data(Terms.read(event.clock).as_json()) != event.clock:
            yield "clock", "the terms of the clock are not written out in full and in order"
    except RefereeError as error:
        yield error.code, error.message
        return
    if event.rules not in description.versions:
        yield "rules", f"there is no version {shown(event.rules)} of the rules of {event.game}"
    names = event.seats if isinstance(event, events.Invited) else event.players
    for text in (event.title, *names.values()):
        if text is not None and not is_text(text):
            yield "text", f"expected a line of text, not {shown(text)}"
    yield from provenance.first_came_findings(event, at, came)
    if event.desk is not None and not is_key(event.desk):
        yield "key", f"{shown(event.desk)} is not a public key"
    yield from attestations.early_findings(event, came)
    if isinstance(event, events.Invited):
        yield from admission.proposal_findings(description, position, event, at)
        return
    if set(event.players) != set(position.sides):
        yield "players", f"the players are {', '.join(position.sides)}"
    yield from disclosure.start_findings(description, event.options)
    yield from disclosure.owing_findings(event.owing, position)


def reopening_fault(state: State) -> Fault | None:
    """The fault of a reopening: only the host or the clock may have ended the game."""
    if state.closed is None:
        return _fault("order", "not-over", "the game is not over")
    if state.position.outcome is not None or not state.position.to_move:
        return _fault("order", "decided", "the moves themselves end the game, or no side could move in it")
    if state.closed.how in ("agreement", "repetition"):
        how = state.closed.how
        return _fault("order", "settled", f"the game ended by {how}, not by a mistake of the clock or the host")
    if state.closed.secret is not None:
        return _fault("order", "told", "the end has revealed what chance decided, so the game cannot go on")
    if any(engine.seed is not None and not engine.left for engine in state.engines.values()):
        return _fault("order", "told", "the end has revealed the seed of an engine, so its moves would be known")
    return None


def spoken(text: str) -> str:
    """A message without half surrogate pairs and terminal controls; its lines are kept."""
    lines = text.encode(errors="replace").decode().splitlines()
    return "\n".join(HIDDEN.sub(" ", line.expandtabs()).rstrip() for line in lines).strip()


def _faults(state: State, event: LogEvent, at: datetime, duty: automatic.Duty | None) -> Faults:
    match event:
        case events.Opened() | events.Invited() | events.Lapsed():
            yield _found("order", "the game is already open")
        case events.Noted() if not state.keyring.unnoted:
            yield _found("order", "no signature has to be revealed here")
        case events.Joined() | events.Refused() | events.Left():
            yield _fault("order", "begun", "the game has begun already")
        case events.Aborted():
            if state.everybody_moved:
                yield _fault("order", "too-late", "every side has moved, so it is too late to call the game off")
        case events.Gave():
            yield from _gift(state, event)
        case events.Submitted() | events.Sealed():
            yield from _promise(state, event)
        case events.Revealed() | events.Failed():
            yield from _reveal(state, event)
        case events.Played():
            yield from starmap(_found, disclosure.ply_findings(state, event, at))
        case events.Offered() | events.Accepted() | events.Declined():
            yield from _draw(state, event)
        case events.MessageSent():
            yield from _message(state, event, at)
        case events.VacationTaken():
            yield from _vacation(state, event, at)
        case events.Reminded():
            if event != next(state.clock.reminders(at), None):
                yield _found("clock", "this is not the reminder that was due")
        case events.Extended(side=side, hours=hours):
            yield from _more_time(state, side, hours)
        case events.Paused(reason=reason):
            yield from _reason(reason)
            if state.clock.paused:
                yield _found("order", "the clocks are stopped already")
        case events.Resumed():
            if not state.clock.paused:
                yield _fault("order", "not-paused", "the clocks are running")
        case events.Replaced(name=name):
            if not is_text(name):
                yield _fault("text", "name", f"a player's name is a line of text, not {shown(name)}")
        case events.Rekeyed():
            yield from starmap(_found, succession.change_findings(state, event))
        case events.Claimed(side=side, what=what):
            if what not in (open_to := state.claims(side, at)):
                only = f"only {join_words(open_to, 'or')}, not {shown(what)}" if open_to else "nothing"
                yield _fault("claim", "no-claim", f"{side} can claim {only} now")
        case events.Adjudicated(by=by, reason=reason):
            if by is not None and by not in state.players:
                yield _no_side(state, by)
            yield from _reason(reason)
        case events.Closed():
            yield from starmap(_found, _end(state, event, duty))
        case events.Reopened(reason=reason):
            if (refused := reopening_fault(state)) is not None:
                yield refused
            yield from _reason(reason)


def _fault(finding: str | None, code: str, message: str) -> Fault:
    return Fault(finding, Refusal(code, message))


def _found(code: str, message: str) -> Fault:
    """A fault that only an audit can find, because no act leads to such an event."""
    return _fault(code, code, message)


def _no_side(state: State, side: str) -> Fault:
    players = (one if name == one else f"{one} ({name})" for one, name in state.players.items())
    message = f"there is no side {shown(side)} in this game; its sides are: {', '.join(players)}"
    return _fault("side", "unknown-side", message)


def _reason(reason: str) -> Faults:
    if reason != "" and not is_text(reason):
        yield _fault("text", "reason", f"a reason is a line of text, not {shown(reason)}")


def _more_time(state: State, side: str, hours: int) -> Faults:
    if not 0 < hours <= MOST_HOURS:
        yield _fault("clock", "hours", f"expected 1 to {MOST_HOURS} more hours, not {shown(hours)}")
    elif side not in state.owing:
        yield _fault("clock", "owes-nothing", f"{side}'s clock does not run now")


def _gift(state: State, event: events.Gave) -> Faults:
    if event.to not in state.players:
        yield _no_side(state, event.to)
    elif event.to == event.side:
        yield _fault("clock", "own-time", "you can give hours to another side, and not to your own")
    else:
        yield from _more_time(state, event.to, event.hours)


def _promise(state: State, event: events.Submitted | events.Sealed) -> Faults:
    side, promise = event.side, event.commitment
    if seals.digits(promise) != promise:
        message = "a commitment is 64 hexadecimal digits, as `referee seal` prints them"
        yield _fault("commitment", "no-commitment", message)
    if not state.simultaneous:
        yield _fault("order", "not-simultaneous", "moves are made in turn here: send the move itself")
    if event.head != state.begun and plans.sealed_ahead(state) != event:
        yield _found("head", "a seal names the entry that began the ply")
    if promise in state.told:
        message = "the move of this commitment is known by now: seal your move again"
        yield _fault("commitment", "already-told", message)
    if side in state.seals:
        yield _fault("order", "already-bound", BOUND)
    elif side not in state.position.to_move:
        yield Fault("order", state.position.out_of_turn(side))


def _reveal(state: State, event: events.Revealed | events.Failed) -> Faults:
    """Faults of a reveal: nothing to reveal, a wrong move, or a failure that is none."""
    side, said = event.side, event.code if isinstance(event, events.Failed) else ""
    if (nothing := _nothing_to_reveal(state, side, event.nonce)) is not None:
        yield nothing
        return
    try:
        move = parse_move(state.game, event.move)
    except RefereeError as error:
        yield Fault(error.code, error)
        return
    if str(move) != event.move:
        yield _found("canonical", f"the move is written {move}")
        return
    slip = disclosure.slip(state, side, move, event.nonce)
    if slip is not None and slip.code != said:
        yield Fault("commitment", slip)
    elif slip is None and said:
        yield _found("commitment", f"what {side} showed is right, so it has not failed")
    if said and state.clock.turns[side].failed is not None:
        yield _found("order", f"{side} has failed to reveal its move already")


def _nothing_to_reveal(state: State, side: str, nonce: str) -> Fault | None:
    seal = state.seals.get(side)
    if seal is None or not seal.own:
        return _fault("order", "nothing-sealed", f"{side} has not sealed a move of its own for this round")
    if not state.revealing:
        message = "not every move is in yet: keep a sealed move to yourself until the desk asks for it"
        return _fault("order", "too-early", message)
    if seals.digits(nonce) != nonce:
        return _fault("order", "no-nonce", "a nonce is 64 hexadecimal digits, as `referee seal` printed them")
    if side not in state.owing:
        return _fault("order", "already-bound", f"{side} has revealed its move already")
    return None


def _draw(state: State, event: events.Offered | events.Accepted | events.Declined) -> Faults:
    if isinstance(event, events.Offered):
        if state.agreed:
            yield _found("order", "a draw is offered already")
        return
    if not state.agreed - {event.side}:
        yield _fault("order", "no-offer", "no other side has made an offer that waits for an answer")
    if isinstance(event, events.Accepted) and event.side in state.agreed:
        yield _found("order", f"{event.side} has agreed to a draw already")


def _message(state: State, event: events.MessageSent, at: datetime) -> Faults:
    text, lately = event.text, state.talk.sizes(event.side, at)
    if state.silent:
        yield _fault("order", "no-talking", "the players may not talk while this game runs")
    if not text:
        yield _fault("text", "empty", "the message is empty")
    elif len(text) > LONGEST_MESSAGE:
        yield _fault("text", "too-long", f"a message has at most {LONGEST_MESSAGE} characters")
    elif text != spoken(text):
        yield _found("text", "a message cannot hold hidden characters")
    elif sum(lately) + len(text.encode()) > MOST_SAID or len(lately) >= MOST_MESSAGES:
        limit = f"{MOST_MESSAGES} messages with {MOST_SAID // 1024} KB"
        yield _fault(None, "too-much", f"a player can send at most {limit} in 24 hours: try again later")


def _vacation(state: State, event: events.VacationTaken, at: datetime) -> Faults:
    try:
        first, last = date.fromisoformat(event.first), date.fromisoformat(event.last)
    except ValueError:
        yield _fault("clock", "vacation-dates", "expected the dates of a vacation, written like 2027-08-01")
        return
    if (first.isoformat(), last.isoformat()) != (event.first, event.last):
        yield _fault("clock", "vacation-dates", "the dates of a vacation are written like 2027-08-01")
    elif state.clock.terms is None:
        yield _fault("clock", "no-clock", "no clock runs in this game")
    elif (wrong := state.clock.absence_fault(event.side, first, last, at)) is not None:
        yield _fault("clock", *wrong)


def _end(state: State, event: events.Closed, duty: automatic.Duty | None) -> Findings:
    """Faults of the end of a game: its reason, its result, and what it reveals."""
    if (event.how, event.by) != ((ABANDONED, None) if duty is None else (duty.how, duty.by)):
        yield "end", "nothing that happened before ends the game like this"
        return
    outcome = state.ended(event.how, event.by)
    told = Outcome(event.winner, event.how, dict(event.score))
    if told != Outcome(outcome.winner, outcome.termination, dict(outcome.score)):
        yield "outcome", f"the game ends differently: {outcome.as_json()}"
    yield from disclosure.unplayed_findings(state, event)
    yield from disclosure.secret_findings(state, event.secret)
    yield from seat_addresses.told_findings(state, event.addresses)
