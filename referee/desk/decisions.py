"""What an act or an order comes to: an answer, the events that it proposes to the law, and what to keep secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, assert_never

from referee.desk import acts, automatic, events, law, seals
from referee.desk.acts import Act, By, Order
from referee.desk.events import LogEvent
from referee.desk.records import Chance, Secrets, address_name, sealed_name
from referee.desk.state import ABANDONED, State
from referee.errors import NotationError, RefereeError, Refusal, Span, shown
from referee.game.header import is_address
from referee.notation import parse_move

_WON = ("", "game", "win", "victory")
"""What people write when they claim whatever there is."""


@dataclass(frozen=True, slots=True)
class Context:
    """A game as it is when somebody acts, the time, and what only the referee knows."""

    state: State
    at: datetime
    secrets: Secrets = field(repr=False)
    chance: Chance = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an act or an order.

    `code` names what was done (`moved`, `sealed` …), or is that of a refusal: then there is a sentence, and perhaps
    the place in the move and moves to try. `repeated` says that all this was so already; the answer is the same as
    then.
    """

    code: str
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    refused: bool = False
    repeated: bool = False
    message: str = ""
    span: Span | None = None
    suggestions: tuple[str, ...] = ()

    @classmethod
    def refusal(cls, error: RefereeError) -> Answer:
        """The answer that passes a refusal on."""
        return cls(error.code, {}, True, message=error.message, span=error.span, suggestions=error.suggestions)


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one act or order, events in their order, and what is to be kept secret."""

    answer: Answer
    events: tuple[LogEvent, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)


def decide(context: Context, by: By, act: Act) -> Decision:
    """What a player's act comes to.

    Raises:
        RefereeError: it is refused; NotationError and IllegalMove say why a move is.
    """
    state, side = context.state, by.side
    if side not in state.players:
        raise Refusal("unknown-side", f"there is no side {shown(side)} in this game")
    match act:
        case acts.Message(text):
            return Decision(Answer("message"), (events.MessageSent(side, law.spoken(text)),))
        case acts.Vacation(words):
            return _vacation(context, side, words)
        case acts.MakeMove() | acts.Seal() | acts.Reveal() if (answer := _receipt_of_old(state, by, act)) is not None:
            return Decision(answer)
    _refuse_stale(state, by)
    match act:
        case acts.MakeMove():
            return _move(context, side, act)
        case acts.Seal(commitment):
            return _seal(state, side, commitment)
        case acts.Reveal():
            return _reveal(context, side, act)
        case acts.Resign():
            return Decision(Answer("resigned"), (events.Resigned(side),))
        case acts.Claim(end):
            return _claim(context, side, end)
        case acts.OfferDraw() | acts.Accept() | acts.Decline():
            return _draw(state, side, act)
        case _:
            assert_never(act)


def decide_order(context: Context, order: Order) -> Decision:
    """What an order of the host or of the clock comes to; RefereeError if it is refused."""
    state = context.state
    match order:
        case acts.Tick():
            reminders = [*state.clock.reminders(context.at)]  # the others follow the first of themselves
            return Decision(Answer("ticked", {"reminders": len(reminders)}), tuple(reminders[:1]))
        case acts.Extend(hours, side):
            sides = [side] if side is not None else sorted(state.owing or state.players)
            answer = Answer("extended", {"sides": sides, "hours": hours})
            return Decision(answer, tuple(events.Extended(one, hours) for one in sides))
        case acts.Pause() if state.clock.paused and not state.closed:
            return Decision(Answer("paused", repeated=True))
        case acts.Pause(reason):
            return Decision(Answer("paused"), (events.Paused(reason),))
        case acts.Resume():
            return Decision(Answer("resumed"), (events.Resumed(),))
        case acts.Adjudicate(against, reason):
            return Decision(Answer("adjudicated"), (events.Adjudicated(against, reason),))
        case acts.Replace(side, name, address):
            if address is not None and not is_address(address):
                raise Refusal("address", f"{shown(address)} is not an e-mail address")
            kept = {} if address is None else {address_name(side): address}
            return Decision(Answer("replaced"), (events.Replaced(side, name),), kept)
        case acts.Close():
            _refuse_stale(state, None)
            return Decision(Answer("closed"), (automatic.end(state, ABANDONED, None, context.secrets),))
        case acts.Reopen(reason):
            return Decision(Answer("reopened"), (events.Reopened(events.SECOND, reason),))
        case _:
            assert_never(order)


def _refuse_stale(state: State, by: By | None) -> None:
    """Refuse an act about a ply that is not the next one, or about a game that is over."""
    if state.closed:
        raise Refusal("game-over", f"the game is over ({state.closed.how}): nothing more can be done")
    if by is not None and by.ply is not None and by.ply != state.ply:
        over = "is over" if by.ply < state.ply else "has not come yet"
        raise Refusal("stale", f"this is about ply {by.ply}, which {over}; the game is at ply {state.ply}")


def _receipt_of_old(state: State, by: By, act: acts.MakeMove | acts.Seal | acts.Reveal) -> Answer | None:
    """The receipt once more, if this very thing was done in a ply that is over; None if it was not."""
    side, last = by.side, len(state.plies)
    ply = by.ply or (0 if side in state.position.to_move else last)
    if not 0 < ply <= last or side not in state.plies[ply - 1]:
        return None
    move, nonce = state.plies[ply - 1][side], state.nonces[ply - 1].get(side)
    promise = None
    if nonce is not None:
        promise = seals.commitment(state.id, ply, side, state.protocol, move, bytes.fromhex(nonce))
    match act:
        case acts.MakeMove(text=text) if _canonical(state.game, text) == move:
            return _receipt(ply, move, promise, repeated=True)
        case acts.Seal(commitment) if promise is not None and seals.digits(commitment) == promise:
            return Answer("sealed", {"ply": ply, "commitment": promise}, repeated=True)
        case acts.Reveal() if (_canonical(state.game, act.move), seals.digits(act.nonce)) == (move, nonce):
            return Answer("revealed", {"ply": ply, "move": move}, repeated=True)
    return None


def _canonical(game: str, text: str) -> str | None:
    try:
        return str(parse_move(game, text))
    except NotationError:
        return None


def _receipt(ply: int, move: str, promise: str | None, *, repeated: bool = False) -> Answer:
    """The answer to a move that is in: always the same for the same move."""
    return Answer("moved", {"ply": ply, "move": move, "commitment": promise}, repeated=repeated)


def _move(context: Context, side: str, act: acts.MakeMove) -> Decision:
    state, seal = context.state, context.state.seals.get(side)
    if act.round is not None and act.round != state.round:
        raise Refusal("round", f"the move is for round {act.round}, and the game is at round {state.round}")
    if seal is not None and seal.own:
        raise Refusal("already-bound", "you have sealed a move yourself, and it binds you; now you must reveal it")
    move = str(state.position.parse(side, act.text))
    if seal is not None:
        if automatic.sealed_move(state, side, context.secrets)[0] != move:
            raise Refusal("already-bound", law.BOUND)
        return Decision(_receipt(state.ply, move, seal.commitment, repeated=True))
    if not state.simultaneous:
        event = automatic.ply(state, {side: move}, {}, context.secrets)
        return Decision(_receipt(state.ply, move, None), (event,))
    name = sealed_name(state.ply, side)
    # A log that went back to an older state must not reuse a nonce that was already published.
    nonce = context.chance(f"{state.id}/{name}/{state.head}/{move}")
    promise = seals.commitment(state.id, state.ply, side, state.protocol, move, nonce)
    submitted = events.Submitted(state.ply, side, promise)
    return Decision(_receipt(state.ply, move, promise), (submitted,), {name: f"{move} {nonce.hex()}"})


def _seal(state: State, side: str, commitment: str) -> Decision:
    promise, seal = seals.digits(commitment) or commitment, state.seals.get(side)
    answer = Answer("sealed", {"ply": state.ply, "commitment": promise})
    if seal is not None and seal.own and seal.commitment == promise:
        return Decision(replace(answer, repeated=True))
    return Decision(answer, (events.Sealed(state.ply, side, promise),))


def _reveal(context: Context, side: str, act: acts.Reveal) -> Decision:
    """A reveal; one that is wrong costs what a timeout costs, once."""
    state, seal = context.state, context.state.seals.get(side)
    move, nonce = _canonical(state.game, act.move) or act.move, seals.digits(act.nonce) or act.nonce
    answer = Answer("revealed", {"ply": state.ply, "move": move})
    if state.revealing and seal is not None and seal.opened == (move, nonce):
        return Decision(replace(answer, repeated=True))
    event = events.Revealed(state.ply, side, move, nonce)
    fault = law.fault(state, event, context.at)
    if fault is None or fault.finding != "commitment":
        return Decision(answer, (event,))
    failed = events.Failed(state.ply, side, fault.refusal.code, move, nonce)
    spoilt = state.clock.turns[side].failed is not None
    return Decision(Answer.refusal(fault.refusal), () if spoilt else (failed,))


def _claim(context: Context, side: str, end: str) -> Decision:
    open_to = context.state.claims(side, context.at)
    what = end.casefold()
    if what in _WON:
        what = open_to[0] if open_to else "anything"
    return Decision(Answer("claimed", {"what": what}), (events.Claimed(side, what),))


def _draw(state: State, side: str, act: acts.OfferDraw | acts.Accept | acts.Decline) -> Decision:
    offers = isinstance(act, acts.OfferDraw)
    if isinstance(act, acts.Decline):
        return Decision(Answer("declined"), (events.Declined(side),))
    if side in state.agreed:
        return Decision(Answer("offered" if offers else "accepted", repeated=True))
    if offers and not state.agreed:
        return Decision(Answer("offered"), (events.Offered(side),))
    return Decision(Answer("accepted"), (events.Accepted(side),))


def _vacation(context: Context, side: str, words: str) -> Decision:
    state = context.state
    first, last = _days(context, side, words)
    event = events.VacationTaken(side, first.isoformat(), last.isoformat())
    answer = Answer("vacation", {"first": event.first, "last": event.last})
    if not state.closed and event in state.clock.vacations.get(side, ()):
        return Decision(replace(answer, repeated=True))
    return Decision(answer, (event,))


def _days(context: Context, side: str, words: str) -> tuple[date, date]:
    """Days off: so many from today on, or from one date to another."""
    clock = context.state.clock
    today = context.at.astimezone(clock.zone).date()
    match words.split():
        case ["off" | "end" | "over"]:
            message = "you cannot take back a vacation that you announced, but you can move during it"
            raise Refusal("vacation-stays", message)
        case []:
            left = clock.at(side, context.at).vacation
            message = f"expected a number of days from today on, or the first and the last day; you have {left} left"
            raise Refusal("vacation-dates", message)
        case [first, *rest]:
            try:
                if first.isdigit() and not rest:
                    return today, today + timedelta(days=int(first) - 1)
                return date.fromisoformat(first), date.fromisoformat((rest or [first])[-1])
            except (ValueError, OverflowError):
                message = f"expected a number of days, or two dates like 2027-08-01, not {shown(words)}"
                raise Refusal("vacation-dates", message) from None
        case _:
            raise AssertionError(words)
