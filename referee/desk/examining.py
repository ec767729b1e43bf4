"""Whether an entry of a log can have happened in the state before it: every verdict of the referee, judged again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from referee.desk import events as happened
from referee.desk import seals
from referee.desk.clock import LOSS, Terms
from referee.desk.consequences import loser
from referee.desk.events import Event, Texts
from referee.desk.host import MOST_HOURS
from referee.desk.log import Entry
from referee.desk.players import LONGEST_MESSAGE, spoken
from referee.desk.reopening import refusal
from referee.desk.state import ABANDONED, State
from referee.desk.views import claims
from referee.errors import RefereeError, shown
from referee.game.header import is_text
from referee.notation import parse_move
from referee.rules import Outcome, Position
from referee.rules import game as described

Faults = Iterator[tuple[str, str]]
"""Codes and sentences about what is wrong."""

_LAST = (happened.Resigned, happened.Claimed, happened.Adjudicated)
"""After these a game is closed."""


def beginning(entry: Entry) -> Faults:
    """What is wrong with the first entry of a log."""
    event = entry.event
    if not isinstance(event, happened.Opened) or event.log != happened.LOG:
        yield "log", f"a log begins with a game that is opened, in the format {happened.LOG}"
        return
    try:
        description = described(event.game)
        position = description.start(event.options)
        if event.clock is not None and Terms.read(event.clock).as_json() != event.clock:
            yield "clock", "the terms of the clock are not written out in full and in order"
    except RefereeError as error:
        yield error.code, error.message
        return
    if event.rules not in description.versions:
        yield "rules", f"there is no version {shown(event.rules)} of the rules of {event.game}"
    if set(event.players) != set(position.sides):
        yield "players", f"the players are {', '.join(position.sides)}"
    for text in (*event.players.values(), *([] if event.title is None else [event.title])):
        yield from _line(text)
    yield from _owing(event.owing, position)


def faults(state: State, last: Entry | None, entry: Entry) -> Faults:
    """What is wrong with an entry that follows the last one, which led to a state."""
    event, at = entry.event, entry.at
    if state.closed and not isinstance(event, happened.Message | happened.Reopened):
        yield "order", "the game is over before this"
        return
    before = last.event if last else None
    due = _due(state, before, at)
    if due is not None and not isinstance(event, due):
        yield "order", f"before this the game had to be {due.__name__.lower()}"
        return
    side = getattr(event, "side", None)
    if side is not None and side not in state.players:
        yield "side", "there is no such side"
        return
    if getattr(event, "ply", state.ply) != state.ply:
        yield "order", f"this is about another ply than {state.ply}"
        return
    yield from _faults(state, before, event, at)


def _due(state: State, before: Event | None, at: datetime) -> type[happened.Played | happened.Closed] | None:
    """What the referee has to do before anything else happens."""
    if state.closed:
        return None
    terms = state.clock.terms
    agreed = state.agreed and state.agreed >= set(state.players)
    if state.position.outcome is not None or agreed or isinstance(before, _LAST):
        return happened.Closed
    if state.revealing and not state.owing:
        return happened.Played
    return happened.Closed if terms and terms.timeout == LOSS and state.clock.overdue(at) else None


def _faults(state: State, before: Event | None, event: Event, at: datetime) -> Faults:
    clock = state.clock
    match event:
        case happened.Opened():
            yield "order", "the game is open already"
        case happened.Submitted(side=side) | happened.Sealed(side=side):
            if not state.simultaneous or side not in state.position.to_move or side in state.seals:
                yield "order", f"{side} owes no sealed move here"
            if seals.digits(event.commitment) != event.commitment:
                yield "commitment", "a commitment is 64 hexadecimal digits"
        case happened.Revealed() | happened.Failed():
            yield from _reveal(state, event)
        case happened.Played():
            yield from _ply(state, event, at)
        case happened.Offered(side=side):
            yield from _unless(not state.agreed, "order", "a draw is offered already")
        case happened.Accepted(side=side) | happened.Declined(side=side):
            yield from _unless(bool(state.agreed - {side}), "order", "no draw is offered by another side")
        case happened.Message(text=text):
            yield from _unless(not state.silent, "order", "the players may not talk here")
            fits = text == spoken(text) and 0 < len(text) <= LONGEST_MESSAGE
            yield from _unless(fits, "text", f"a message has up to {LONGEST_MESSAGE} characters, none of them hidden")
        case happened.Vacation():
            yield from _vacation(state, event, at)
        case happened.Reminded(side=side):
            due = [one for one in clock.reminders(at) if one.side == side]
            yield from _unless(event in due, "clock", "there was nothing to be reminded of")
        case happened.Extended(side=side, hours=hours):
            fits = side in state.owing and 0 < hours <= MOST_HOURS
            yield from _unless(fits, "clock", f"{side}'s time could not be made longer so")
        case happened.Paused(reason=reason):
            yield from _line(reason or "-")
            yield from _unless(not clock.paused, "order", "the clocks are stopped already")
        case happened.Resumed():
            yield from _unless(clock.paused, "order", "the clocks are not stopped")
        case happened.Replaced(name=name):
            yield from _line(name)
        case happened.Claimed(side=side, what=what):
            yield from _unless(what in claims(state, side, at), "claim", f"{side} could not claim this")
        case happened.Adjudicated(by=by, reason=reason):
            yield from _line(reason or "-")
            yield from _unless(by is None or by in state.players, "side", "there is no such side")
        case happened.Closed():
            yield from _closed(state, before, event, at)
        case happened.Reopened(log=log, reason=reason):
            yield from _line(reason or "-")
            yield from _unless(log == happened.SECOND, "log", f"from here on the format is {happened.SECOND}")
            yield from _unless(refusal(state) is None, "order", "this game could not be reopened")
        case happened.Resigned():
            pass


def _unless(holds: bool, code: str, message: str) -> Faults:
    if not holds:
        yield code, message


def _line(text: str) -> Faults:
    yield from _unless(is_text(text), "text", f"{shown(text)} is no line of text")


def _reveal(state: State, event: happened.Revealed | happened.Failed) -> Faults:
    """What is wrong with a reveal, and with the reason why one failed."""
    side, nonce = event.side, seals.digits(event.nonce)
    if side not in state.owing or not state.revealing or nonce != event.nonce:
        yield "order", f"{side} has nothing to reveal here"
        return
    code = "" if _opens(state, side, event.move, nonce) else "mismatch"
    code = code or next((code for code, _ in _move(state, side, event.move)), "")
    said = event.code if isinstance(event, happened.Failed) else ""
    if code != said:
        yield "commitment", f"what {side} showed is {code or 'in order'}, not {shown(said) if said else 'in order'}"
    if said and state.clock.turns[side].failed is not None:
        yield "order", f"{side} has failed to reveal its move already"


def _opens(state: State, side: str, move: str, nonce: str) -> bool:
    promise = state.seals[side].commitment
    return seals.opens(promise, state.id, state.ply, side, state.protocol, move, bytes.fromhex(nonce))


def _move(state: State, side: str, text: str) -> Faults:
    """Why a side may not make a move, by the rules."""
    try:
        move = parse_move(state.game, text)
        if str(move) != text:
            yield "canonical", f"the move is written {move}"
        state.position.check(side, move)
    except RefereeError as error:
        yield error.code, f"{side}: {error.message}"


def _ply(state: State, event: happened.Played, at: datetime) -> Faults:
    """What is wrong with moves that were made."""
    if event.moves.keys() != state.position.to_move:
        yield "order", "these are not the sides that move here"
        return
    wrong = [fault for side, text in event.moves.items() for fault in _move(state, side, text)]
    yield from wrong
    if not wrong:
        yield from _proof(state, event, at)
        yield from _next(state, event)


def _proof(state: State, event: happened.Played, at: datetime) -> Faults:
    """Whether every sealed move is the one that was promised.

    Only moves that the game's file had when it was opened are made at once without a seal.
    """
    written_before = state.number == len(state.plies) and at == state.at
    if not state.simultaneous or (written_before and not event.nonces):
        yield from _unless(not event.nonces and not state.seals, "commitment", "nothing was sealed here")
        return
    if not state.revealing or event.nonces.keys() != event.moves.keys():
        yield "commitment", "a move is made that was not sealed"
        return
    for side, move in event.moves.items():
        yield from _opened(state, side, move, event.nonces[side])


def _opened(state: State, side: str, move: str, nonce: str) -> Faults:
    """Whether a move and nonce are what a side promised."""
    shown = state.seals[side].opened
    holds = seals.digits(nonce) == nonce and _opens(state, side, move, nonce)
    if not holds or (state.seals[side].own and shown != (move, nonce)):
        yield "commitment", f"{side}'s move and nonce are not what was promised"


def _next(state: State, event: happened.Played) -> Faults:
    """Whether the game goes on with the sides that are named, and with what is known by now."""
    moves = {side: parse_move(state.game, text) for side, text in event.moves.items()}
    position = state.position.played(moves)
    if event.known is not None:
        yield from _unless({**state.options, **event.known} != state.options, "known", "nothing new is told here")
        again = _with(state, event.known, event.moves)
        if again is None:
            yield "known", "with what is told here the game so far would not have been possible"
            return
        position = again
    yield from _owing(event.owing, position)


def _with(state: State, known: Mapping[str, Any], moves: Texts) -> Position | None:
    """The position after all plies with more known of the options; None if they cannot be made then."""
    if state.description.secret is None:
        return None
    try:
        position = state.description.start({**state.options, **known})
        for ply in (*state.plies, moves):
            position = position.play({side: parse_move(state.game, text) for side, text in ply.items()})
    except RefereeError:
        return None
    return position


def _owing(owing: tuple[str, ...], position: Position) -> Faults:
    due = tuple(side for side in position.sides if side in position.to_move)
    yield from _unless(owing == due, "owing", f"those who move next are {', '.join(due) or 'none'}")


def _vacation(state: State, event: happened.Vacation, at: datetime) -> Faults:
    try:
        first, last = date.fromisoformat(event.first), date.fromisoformat(event.last)
    except ValueError:
        yield "clock", "a vacation is from one date to another"
        return
    fault = state.clock.absence_fault(event.side, first, last, at)
    written_so = (first.isoformat(), last.isoformat()) == (event.first, event.last)
    yield from _unless(fault is None and written_so, "clock", "this could not be taken as a vacation")


def _closed(state: State, before: Event | None, event: happened.Closed, at: datetime) -> Faults:
    """What is wrong with the end of a game: its reason, its result, and what is published with it."""
    outcome = state.position.outcome
    if outcome is None:
        if not _reason(state, before, event, at):
            yield "end", "nothing that happened before ends the game so"
            return
        outcome = state.position.ended(event.how, event.by)
    elif event.by is not None:
        yield "end", "the moves end the game, and nobody else"
    told = Outcome(event.winner, event.how, dict(event.score))
    if told != Outcome(outcome.winner, outcome.how, dict(outcome.score)):
        yield "outcome", f"the game ends otherwise: {outcome.as_json()}"
    sealed = {side for side, seal in state.seals.items() if not seal.own}
    if event.unplayed.keys() != sealed or any(one.keys() != {"move", "nonce"} for one in event.unplayed.values()):
        yield (
            "commitment",
            "of every side whose sealed move was not made, and of no other, move and nonce are told",
        )
    else:
        for side, one in event.unplayed.items():
            yield from _opened(state, side, one["move"], one["nonce"])
    yield from _secret(state, event.secret)


def _reason(state: State, before: Event | None, event: happened.Closed, at: datetime) -> bool:
    """Whether a game may end like this here, though the rules do not end it."""
    by = event.by
    match event.how:
        case "resignation":
            return before == happened.Resigned(str(by))
        case "agreement":
            return by is None and bool(state.agreed) and state.agreed >= set(state.players)
        case "adjudication":
            return isinstance(before, happened.Adjudicated) and before.by == by
        case "timeout":
            overdue = state.clock.overdue(at)
            claimed = isinstance(before, happened.Claimed) and before.what == "timeout"
            automatic = state.clock.terms is not None and state.clock.terms.timeout == LOSS
            return bool(overdue) and by == loser(overdue) and (claimed or automatic)
        case how:
            return before == happened.Claimed(str(by), how) or (how == ABANDONED and by is None)


def _secret(state: State, secret: str | None) -> Faults:
    """Whether what chance decided is what was promised."""
    kept = state.description.secret
    if secret is None:
        return
    if kept is None:
        yield "secret", "in this game chance decides nothing"
        return
    try:
        kept.known(state.options, secret, state.position)
    except RefereeError as error:
        yield "secret", error.message
