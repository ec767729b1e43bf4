"""Whether an entry of a log can have happened in the state before it: every verdict of the referee, judged again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from referee.desk import events as happened
from referee.desk import seals
from referee.desk.clock import Terms
from referee.desk.consequences import outcome_of
from referee.desk.events import Data, Event
from referee.desk.host import MOST_HOURS
from referee.desk.log import Entry
from referee.desk.pending import Before, Pending, pending
from referee.desk.players import LONGEST_MESSAGE, spoken
from referee.desk.reopening import refusal
from referee.desk.state import ABANDONED, State, moves_of, replayed
from referee.desk.views import claims
from referee.errors import RefereeError, shown
from referee.game.header import is_text
from referee.notation import parse_move
from referee.rules import Game, Outcome, Position, Termination, game_named

Faults = Iterator[tuple[str, str]]
"""Codes and sentences about what is wrong."""


UNTOLD = datetime(2026, 12, 1, tzinfo=UTC)
"""From then on no game can be opened of which the desk does not know what chance decided."""


def beginning(entry: Entry) -> Faults:
    """What is wrong with the first entry of a log."""
    event = entry.event
    if not isinstance(event, happened.Opened) or event.log != happened.LOG:
        yield "log", f"a log begins with a game that is opened, in the format {happened.LOG}"
        return
    try:
        description = game_named(event.game)
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
    if not _promised(description) <= event.options.keys():
        yield "known", "what chance decided is neither told nor promised"
    elif entry.at >= UNTOLD and _is_half_told(description, event.options):
        yield "known", "what chance decided is told in part, and the rest is not promised"
    for text in (*event.players.values(), *([] if event.title is None else [event.title])):
        yield from _line(text)
    yield from _owing(event.owing, position)


def _promised(description: Game) -> set[str]:
    """The options about which a game's referee always says something."""
    secret = description.secret
    return set() if secret is None else {*secret.known({}, secret.draw(), None)}


def _is_half_told(description: Game, options: Data) -> bool:
    """Whether a game of these options would stop on the way, as the desk keeps nothing that it could tell."""
    secret = description.secret
    return secret is not None and secret.needed(options) and not secret.fits({}, options, None)


def faults(before: Before, entry: Entry) -> Faults:
    """What is wrong with an entry that follows a log in which nothing is wrong."""
    state, event, at = before.state, entry.event, entry.at
    if state.closed and not isinstance(event, happened.Message | happened.Reopened):
        yield "order", "the game is over before this"
        return
    due = pending(before, entry)
    if due is not None and not isinstance(event, due.kind):
        yield "order", due.message
        return
    if due is not None and at > due.at:
        yield "time", "what follows of itself has the time of what it follows"
    side = getattr(event, "side", None)
    if side is not None and side not in state.players:
        yield "side", "there is no such side"
        return
    if getattr(event, "ply", state.ply) != state.ply:
        yield "order", f"this is about another ply than {state.ply}"
        return
    if isinstance(event, happened.Closed):
        yield from _closed(before, event, due)
    else:
        yield from _faults(before, event, at)


def cut(before: Before) -> Faults:
    """What is wrong with a log that ends here: the desk enters at once all that one letter or one moment brings."""
    if pending(before, None) is not None:
        yield "cut", "the log is cut short: what has to follow its last entry at once is not there"


def _faults(before: Before, event: Event, at: datetime) -> Faults:
    state, clock = before.state, before.state.clock
    match event:
        case happened.Opened():
            yield "order", "the game is open already"
        case happened.Submitted(side=side) | happened.Sealed(side=side):
            if not state.simultaneous or side not in state.position.to_move or side in state.seals:
                yield "order", f"{side} owes no sealed move here"
            if seals.digits(event.commitment) != event.commitment:
                yield "commitment", "a commitment is 64 hexadecimal digits"
            yield from _unless(event.commitment not in state.told, "commitment", "its move was told already")
        case happened.Revealed() | happened.Failed():
            yield from _reveal(state, event)
        case happened.Played():
            yield from _ply(before, event, at)
        case happened.Offered(side=side):
            yield from _unless(not state.agreed, "order", "a draw is offered already")
        case happened.Accepted(side=side) | happened.Declined(side=side):
            yield from _unless(bool(state.agreed - {side}), "order", "no draw is offered by another side")
            again = isinstance(event, happened.Accepted) and side in state.agreed
            yield from _unless(not again, "order", f"{side} has agreed to a draw already")
        case happened.Message(text=text):
            yield from _unless(not state.silent, "order", "the players may not talk here")
            fits = text == spoken(text) and 0 < len(text) <= LONGEST_MESSAGE
            yield from _unless(fits, "text", f"a message has up to {LONGEST_MESSAGE} characters, none of them hidden")
        case happened.Vacation():
            yield from _vacation(state, event, at)
        case happened.Reminded():
            first = next(clock.reminders(at), None)
            yield from _unless(event == first, "clock", "this is not the reminder that was due")
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
    slips = [*_written(state, event.move)]
    yield from slips
    if slips:
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
    slips = [*_written(state, text)]
    yield from slips
    if slips:
        return
    try:
        state.position.check(side, parse_move(state.game, text))
    except RefereeError as error:
        yield error.code, f"{side}: {error.message}"


def _written(state: State, text: str) -> Faults:
    """What is wrong with a move's notation: a log has moves in their canonical form."""
    try:
        move = parse_move(state.game, text)
    except RefereeError as error:
        yield error.code, error.message
        return
    yield from _unless(str(move) == text, "canonical", f"the move is written {move}")


def _ply(before: Before, event: happened.Played, at: datetime) -> Faults:
    """What is wrong with moves that were made."""
    state = before.state
    if not event.moves or event.moves.keys() != state.position.to_move:
        yield "order", "these are not the sides that move here"
        return
    wrong = [fault for side, text in event.moves.items() for fault in _move(state, side, text)]
    yield from wrong
    if not wrong:
        position = state.position.play_unchecked(moves_of(state.game, event.moves))
        yield from _proof(before, event, position, at)
        yield from _next(before, event, position)


def _proof(before: Before, event: happened.Played, position: Position, at: datetime) -> Faults:
    """Whether every sealed move is the one that was promised.

    Only moves that the game's file had when it was opened are made at once without a seal.
    """
    state = before.state
    filed = before.filing(at) and position.outcome is None
    if not state.simultaneous or (filed and not event.nonces):
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


def _next(before: Before, event: happened.Played, position: Position) -> Faults:
    """Whether the game goes on with the sides that are named, and with what is known by now."""
    state = before.state
    options = {**state.options, **(event.known or {})}
    wrong = [*_known(before, event, options, position)]
    yield from wrong
    if wrong:
        return
    if event.known is not None:
        try:
            position = replayed(state.game, options, (*state.plies, event.moves))
        except RefereeError as error:
            yield "known", error.message
            return
    yield from _owing(event.owing, position)


def _known(before: Before, event: happened.Played, options: Data, position: Position) -> Faults:
    """Whether neither more nor less is told of what chance decided than is known after these moves."""
    state, secret = before.state, before.state.description.secret
    if secret is None or position.outcome is not None or not _kept(before):
        yield from _unless(event.known is None, "known", "nothing is to be told here")
        return
    if event.known is not None and options == state.options:
        yield "known", "nothing new is told here"
    elif not secret.fits(state.options, options, position) and not _at_a_loss(before, event):
        yield "known", "more or less is told of what chance decided than is known here, or another thing than before"


def _kept(before: Before) -> bool:
    """Whether the game was opened with something that the desk alone knew."""
    secret = before.state.description.secret
    return secret is not None and secret.fits({}, before.begun_with, None)


def _at_a_loss(before: Before, event: happened.Played) -> bool:
    """Whether the game stops here, as it did on an old desk that was not given the secret: it told nothing at all."""
    return (
        before.first.at < UNTOLD
        and before.state.options == before.begun_with
        and event.known is None
        and not event.owing
    )


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


def _closed(before: Before, event: happened.Closed, due: Pending | None) -> Faults:
    """What is wrong with the end of a game: its reason, its result, and what is published with it."""
    state = before.state
    reason = (ABANDONED, None) if due is None else (due.how, due.by)
    if (event.how, event.by) != reason:
        yield "end", "nothing that happened before ends the game so"
        return
    outcome = outcome_of(state, event.how, event.by)
    told = Outcome(event.winner, Termination(event.how), dict(event.score))
    if told != Outcome(outcome.winner, outcome.termination, dict(outcome.score)):
        yield "outcome", f"the game ends otherwise: {outcome.as_json()}"
    yield from _unplayed(state, event)
    yield from _secret(before, event.secret)


def _unplayed(state: State, event: happened.Closed) -> Faults:
    """Whether every move that the referee kept sealed is told: the one that was promised, and a legal one."""
    sealed = {side for side, seal in state.seals.items() if not seal.own}
    if event.unplayed.keys() != sealed or any(one.keys() != {"move", "nonce"} for one in event.unplayed.values()):
        yield (
            "commitment",
            "of every side whose sealed move was not made, and of no other, move and nonce are told",
        )
        return
    for side, one in event.unplayed.items():
        yield from _opened(state, side, one["move"], one["nonce"])
        yield from _move(state, side, one["move"])


def _secret(before: Before, told: str | None) -> Faults:
    """Whether what chance decided is told, if the desk knew it, and is what was promised."""
    state, secret = before.state, before.state.description.secret
    stuck = state.position.outcome is None and not state.position.to_move
    if secret is None or stuck or not _kept(before):
        yield from _unless(told is None, "secret", "the desk kept nothing of what chance decided in this game")
    elif told is None:
        yield "secret", "the game is over, and what chance decided is not told"
    else:
        try:
            secret.known(state.options, told, state.position)
            begun = before.begun_with
            fits = {**begun, **secret.known(begun, told, None)} == begun
            yield from _unless(fits, "secret", "the game did not begin with what this secret tells")
        except RefereeError as error:
            yield "secret", error.message
