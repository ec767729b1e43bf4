"""Decisions on acts and orders: an answer, the events proposed to the law, and the secrets to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, assert_never

from referee.desk.law import attestations, automatic, law, plans
from referee.desk.law.hands import has_hands, seen_by
from referee.desk.log import acts, events, seals
from referee.desk.log.acts import Act, By, Order
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Came
from referee.desk.log.secrets import Chance, Secrets, address_name, plan_name, sealed_name, signature_name
from referee.desk.log.signatures import Past
from referee.desk.state.state import ABANDONED, State
from referee.errors import IllegalMove, NotationError, RefereeError, Refusal, Span, shown
from referee.game import is_address
from referee.notation.moves import move_text, parse_move
from referee.notation.plans import Plan, judge, read_plan
from referee.rules import Position

_MOST_TIMES_LEFT = 3
"""Maximum number of times that a side can leave its seat, because the others are notified each time."""

_WON = ("", "game", "win", "victory")
"""Words of a claim to any end."""


@dataclass(frozen=True, slots=True)
class Context:
    """A game when a player acts by the letter `came`; `alone` if no other act of the letter decides anything."""

    state: State
    at: datetime
    secrets: Secrets = field(repr=False)
    chance: Chance = field(repr=False)
    came: Came | None = None
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an act or an order.

    `code` names what was done (`moved`, `sealed` …), or is that of a refusal, with its sentence, its place in the
    move and moves to try. `repeated` is true if the act changed nothing because it had been done before.
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
    """The answer to one act or order, its events, secrets to keep, and `then`, which continues it afterwards."""

    answer: Answer
    events: tuple[LogEvent, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    then: Callable[[Context], Decision] | None = None


def decide(context: Context, by: By, act: Act) -> Decision:
    """Decide on a player's act; RefereeError if it is refused, NotationError or IllegalMove for a move."""
    state, side = context.state, by.side
    state.position.expect_side(side)
    match act:
        case acts.Message(text):
            return Decision(Answer("message"), (events.MessageSent(side, law.spoken(text)),))
        case acts.Vacation(words):
            return _vacation(context, side, words)
        case acts.MakeMove() | acts.Seal() | acts.Reveal() if (answer := _receipt_of_old(state, by, act)) is not None:
            return Decision(answer)
    _refuse_stale(state, by)
    if state.invitation is not None and (decision := _answer(state, by, act)) is not None:
        return decision
    match act:
        case acts.MakeMove():
            return _move(context, side, act)
        case acts.Seal(commitment):
            return _seal(state, side, commitment)
        case acts.SealAhead():
            return _seal_ahead(state, side, act)
        case acts.Reveal():
            return _reveal(context, side, act)
        case acts.Plan():
            return _plan(context, by, act)
        case acts.Resign() | acts.Withdraw():
            return Decision(Answer("resigned"), (events.Resigned(side),))
        case acts.UseKey(key):
            return _keyed(context, side, key)
        case acts.Give(hours, to):
            return _gift(state, side, hours, to)
        case acts.Never() if not state.may_decline(side):
            return Decision(Answer("refused"), (events.Refused(side, never=True),))
        case acts.Decline() if not (context.alone and state.may_decline(side)) or state.agreed:
            return Decision(Answer("declined"), (events.Declined(side),))
        case acts.Abort() | acts.Never() | acts.Decline():
            return Decision(Answer("aborted"), (events.Aborted(side),))
        case acts.Claim(end):
            return _claim(context, side, end)
        case acts.OfferDraw() | acts.Accept():
            return _draw(state, side, act)
        case _:
            assert_never(act)


def decide_join(context: Context, joined: events.Joined, address: str) -> Decision:
    """Decide on a request for an open seat; RefereeError if it is refused."""
    _refuse_stale(context.state, None)
    invitation = context.state.invitation
    if invitation is None:
        raise Refusal("begun", "the game has begun already")
    if joined.side not in invitation.open:
        raise Refusal("seat-taken", f"{shown(joined.side)} is not an open seat")
    if not is_address(address):
        raise Refusal("address", f"{shown(address)} is not an e-mail address")
    return Decision(_joined(joined), (joined,), {address_name(joined.side): address})


def decide_order(context: Context, order: Order) -> Decision:
    """Decide on an order of the host or of the clock; RefereeError if it is refused."""
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
        case acts.DropKey(side, reason):
            return Decision(Answer("keyed"), (events.Keyed(side, None, None, reason),))
        case acts.Replace(side, name, address, key, old):
            if address is not None and not is_address(address):
                raise Refusal("address", f"{shown(address)} is not an e-mail address")
            kept = {} if address is None else {address_name(side): address}
            return Decision(Answer("replaced"), (events.Replaced(side, name, key, old),), kept)
        case acts.Close():
            _refuse_stale(state, None)
            return Decision(Answer("closed"), (automatic.end(state, ABANDONED, None, context.secrets),))
        case acts.Reopen(reason):
            return Decision(Answer("reopened"), (events.Reopened(reason),))
        case _:
            assert_never(order)


def _refuse_stale(state: State, by: By | None) -> None:
    """Refuse an act about another ply than the next one, or about a game that is over."""
    if state.closed and state.invitation is not None:
        raise Refusal("invitation-over", "the invitation is over, and the game was never opened")
    if state.closed:
        raise Refusal("game-over", f"the game is over ({state.closed.how}): nothing more can be done")
    if by is not None and by.ply is not None and by.ply != state.ply:
        when = "before the last move" if by.ply < state.ply else "after a move that has not been made"
        raise Refusal("stale", f"this answers a letter from {when}: the game is at round {state.round} now")


def _answer(state: State, by: By, act: Act) -> Decision | None:
    """Decide on an act before the game is opened; None for one that needs a game."""
    side, invitation = by.side, state.invitation
    assert invitation is not None
    match act:
        case acts.Accept() if side in invitation.joined:
            return Decision(replace(_joined(invitation.joined[side]), repeated=True))
        case acts.Accept() | acts.MakeMove() if invitation.given_up.get(side, 0) >= _MOST_TIMES_LEFT:
            raise Refusal("left-often", f"you have given up this seat {_MOST_TIMES_LEFT} times already")
        case acts.Accept(word, key):
            joined = events.Joined(side, invitation.own_name(side), key or None, word)
            return Decision(_joined(joined), (joined,))
        case acts.Never():
            return Decision(Answer("refused"), (events.Refused(side, never=True),))
        case acts.Decline() | acts.Withdraw() | acts.Resign() | acts.Abort():
            if side in invitation.joined:
                return Decision(Answer("left"), (events.Left(side),))
            return Decision(Answer("refused"), (events.Refused(side, never=False),))
        case acts.MakeMove() if invitation.missing == {side} and invitation.secret is None:
            # A move accepts the invitation, if it can be made as soon as the game is opened.
            state.position.parse(side, act.text)
            joined = events.Joined(side, invitation.own_name(side), None, "")
            return Decision(_joined(joined), (joined,), then=lambda context: decide(context, by, act))
        case acts.MakeMove() | acts.Seal() | acts.SealAhead() | acts.Reveal():
            raise Refusal("not-open", "the game has not begun: all players have to accept first")
        case _:
            return None


def _joined(joined: events.Joined) -> Answer:
    return Answer("joined", {"side": joined.side, "name": joined.name})


def _gift(state: State, side: str, hours: int, to: str | None) -> Decision:
    sides = [to] if to is not None else sorted(state.owing - {side})
    if not sides:
        raise Refusal("owes-nothing", "no other clock runs now")
    answer = Answer("gave", {"sides": sides, "hours": hours})
    return Decision(answer, tuple(events.Gave(side, one, hours) for one in sides))


def _receipt_of_old(state: State, by: By, act: acts.MakeMove | acts.Seal | acts.Reveal) -> Answer | None:
    """The receipt again, if this very thing was done in an earlier ply; None if it was not."""
    side, last = by.side, len(state.plies)
    ply = by.ply or (0 if side in state.position.to_move else last)
    if not 0 < ply <= last or side not in state.plies[ply - 1]:
        return None
    move, nonce = state.plies[ply - 1][side], state.nonces[ply - 1].get(side)
    promise = None
    if nonce is not None:
        past = Past(state.root, state.begins[ply - 1])
        promise = seals.commitment(state.id, ply, side, state.protocol, move, bytes.fromhex(nonce), past)
    match act:
        case acts.MakeMove(text=text) if move_text(state.game, text) == move:
            return _receipt(ply, move, promise, repeated=True)
        case acts.Seal(commitment) if promise is not None and seals.digits(commitment) == promise:
            return Answer("sealed", {"ply": ply, "commitment": promise}, repeated=True)
        case acts.Reveal() if (move_text(state.game, act.move), seals.digits(act.nonce)) == (move, nonce):
            return Answer("revealed", {"ply": ply, "move": move}, repeated=True)
    return None


def _receipt(ply: int, move: str, promise: str | None, *, repeated: bool = False) -> Answer:
    return Answer("moved", {"ply": ply, "move": move, "commitment": promise}, repeated=repeated)


def _move(context: Context, side: str, act: acts.MakeMove) -> Decision:
    state, seal = context.state, context.state.seals.get(side)
    if act.round is not None and act.round != state.round:
        raise Refusal("round", f"the move is for round {act.round}, and the game is at round {state.round}")
    if seal is not None and seal.own:
        then = "now you must reveal it" if state.revealing else "reveal it when I ask you to, not before"
        raise Refusal("already-bound", f"you have sealed a move yourself, and it binds you; {then}")
    move = str(seen_by(state, side, context.secrets).position.parse(side, act.text))
    if seal is not None:
        if automatic.sealed_move(state, side, context.secrets)[0] != move:
            raise Refusal("already-bound", law.BOUND)
        return Decision(_receipt(state.ply, move, seal.commitment, repeated=True))
    if not state.simultaneous:
        return decide_engine(context, side, move)
    attestations.expect_signed(state, side, move, context.came)
    decision = decide_engine(context, side, move)
    if side not in state.keyring.keys or context.came is None or context.came.signature is None:
        return decision
    return replace(decision, secrets={**decision.secrets, signature_name(state.ply, side): context.came.signature})


def decide_engine(context: Context, side: str, move: str) -> Decision:
    """Decide on a legal move in canonical notation, such as one that an engine has found."""
    state, name = context.state, sealed_name(context.state.ply, side)
    if not state.simultaneous:
        return Decision(_receipt(state.ply, move, None), (automatic.ply(state, {side: move}, {}, context.secrets),))
    # A log that went back to an older state must not reuse a nonce that was already published.
    nonce = context.chance(f"{state.id}/{name}/{state.head}/{move}")
    submitted = automatic.submission(state, side, move, nonce)
    return Decision(_receipt(state.ply, move, submitted.commitment), (submitted,), {name: f"{move} {nonce.hex()}"})


def _plan(context: Context, by: By, act: acts.Plan) -> Decision:
    state, side = context.state, by.side
    if not act.text and state.plan(side) is None:
        return Decision(Answer("unplanned", repeated=True))
    if not act.text:
        return Decision(Answer("unplanned"), (events.Planned(state.ply, side, None, state.begun),))
    if state.invitation is not None:
        raise Refusal("not-open", "the game has not begun: all players have to accept first")
    plan = _read(state, side, act.text)
    position = _planned_from(context, side, act.move)
    try:
        judge(plan, position, side)
    except IllegalMove as error:
        raise Refusal(error.code, error.message) from None
    text, name, kept = str(plan), plan_name(len(state.deposits), side), state.plan(side)
    if kept is not None and kept.ply == state.ply and plans.kept_plan(state, kept, context.secrets).plan == plan:
        answer = Answer("planned", {"ply": state.ply, "plan": text, "commitment": kept.commitment})
        return Decision(replace(answer, repeated=True))
    nonce = context.chance(f"{state.id}/{name}/{state.head}/{text}")
    promise = seals.plan_commitment(state.id, state.ply, side, state.protocol, text, nonce, state.past)
    answer = Answer("planned", {"ply": state.ply, "plan": text, "commitment": promise})
    return Decision(answer, (events.Planned(state.ply, side, promise, state.begun),), {name: f"{nonce.hex()} {text}"})


def _read(state: State, side: str, text: str) -> Plan:
    """The plan in a text; a refusal that names the faulty line."""
    try:
        return read_plan(state.game, text, first=_next_round(state, side))
    except NotationError as error:
        where = f", in the line {shown(error.text)}" if error.text else ""
        raise Refusal(error.code, f"{error.message}{where}") from None


def _next_round(state: State, side: str) -> int:
    """The round of the first move that a side's plan can give; 0 where that is not certain."""
    if state.simultaneous:
        return state.round + 1
    made = sum(map(len, state.plies)) + (side in state.position.to_move)
    return (made + 1) // state.description.moves_per_round + 1 if len(state.players) == 2 else 0


def _planned_from(context: Context, side: str, move: acts.MakeMove | None) -> Position:
    """The position after a side's own move, from which its plan goes on."""
    state = context.state
    owes = side in state.position.to_move and side not in state.seals
    if move is None and owes:
        raise Refusal("move-first", "it is your move: write it first, and the plan below it")
    if move is None:
        return state.position
    try:
        made = _move(context, side, move).answer.data["move"]
    except RefereeError:
        raise Refusal("plan-without-move", "the desk keeps no plan for after a move that is refused") from None
    if not owes or state.simultaneous:
        return state.position
    return state.position.play_unchecked({side: parse_move(state.game, made)})


def _seal(state: State, side: str, commitment: str) -> Decision:
    _refuse_hands(state)
    promise, seal = seals.digits(commitment) or commitment, state.seals.get(side)
    answer = Answer("sealed", {"ply": state.ply, "commitment": promise})
    if seal is not None and seal.own and seal.commitment == promise:
        return Decision(replace(answer, repeated=True))
    return Decision(answer, (events.Sealed(state.ply, side, promise, state.begun),))


def _seal_ahead(state: State, side: str, act: acts.SealAhead) -> Decision:
    _refuse_hands(state)
    promise = seals.digits(act.commitment) or act.commitment
    answer = Answer("sealed-ahead", {"ply": act.ply, "commitment": promise})
    return Decision(answer, (events.SealedAhead(side, act.ply, promise, state.begun),))


def _refuse_hands(state: State) -> None:
    if has_hands(state.description):
        message = "only the referee knows the hidden hands and can judge the move: send it openly"
        raise Refusal("hidden-hands", message)


def _reveal(context: Context, side: str, act: acts.Reveal) -> Decision:
    """Decide on a reveal; a wrong one costs what a timeout costs, once."""
    state, seal = context.state, context.state.seals.get(side)
    move, nonce = move_text(state.game, act.move) or act.move, seals.digits(act.nonce) or act.nonce
    answer = Answer("revealed", {"ply": state.ply, "move": move})
    if state.revealing and seal is not None and seal.opened == (move, nonce):
        return Decision(replace(answer, repeated=True))
    event = events.Revealed(state.ply, side, move, nonce)
    fault = law.fault(state, event, context.at)
    if fault is None or fault.finding != "commitment":
        return Decision(answer, (event,))
    failed = events.Failed(state.ply, side, fault.refusal.code, move, nonce)
    # A failed reveal always cites the letter that contained it.
    spoilt = state.clock.turns[side].failed is not None or context.came is None
    return Decision(Answer.refusal(fault.refusal), () if spoilt else (failed,))


def _keyed(context: Context, side: str, key: str) -> Decision:
    state, new = context.state, key or None
    answer = Answer("keyed", {"key": key or attestations.NO_KEY})
    if new is not None and state.keyring.keys.get(side) == new:
        return Decision(replace(answer, repeated=True))
    for other, held in (*state.keyring.keys.items(), ("the desk", state.desk)):
        # A program that quotes without marks may have broken a line of the desk's letter with this key.
        if held is not None and held == new:
            raise Refusal("key", f"this is the key of {other}: give the one that you have made yourself")
    old = context.came.signature if context.came is not None and side in state.keyring.keys else None
    return Decision(answer, (events.Keyed(side, new, old, ""),))


def _claim(context: Context, side: str, end: str) -> Decision:
    what = end.casefold()
    if what in _WON:
        what = next(iter(context.state.claims(side, context.at)), "anything")
    return Decision(Answer("claimed", {"what": what}), (events.Claimed(side, what),))


def _draw(state: State, side: str, act: acts.OfferDraw | acts.Accept) -> Decision:
    offers, origin = isinstance(act, acts.OfferDraw), state.origin
    if not offers and not state.agreed and origin is not None and not any(side in ply for ply in state.plies):
        return Decision(replace(_joined(origin.joined[side]), repeated=True))
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
    """Days off: a number of them from today, or from one date to another."""
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
    first, *rest = words.split()
    try:
        if first.isdigit() and not rest:
            return today, today + timedelta(days=int(first) - 1)
        return date.fromisoformat(first), date.fromisoformat((rest or [first])[-1])
    except (ValueError, OverflowError):
        message = f"expected a number of days, or two dates like 2027-08-01, not {shown(words)}"
        raise Refusal("vacation-dates", message) from None
