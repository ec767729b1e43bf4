"""Plans under the law: when one may come, when the desk follows it, and what it had to do (spec/log.md, "Plans")."""

from __future__ import annotations

import hmac
from dataclasses import replace
from typing import NamedTuple

from referee.desk.law.admission import Refusals
from referee.desk.law.disclosure import Findings
from referee.desk.law.engine_seats import engine_to_seal
from referee.desk.law.hands import has_hands
from referee.desk.log import events, seals
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Came
from referee.desk.log.secrets import Secrets, plan_name
from referee.desk.log.signatures import Past
from referee.desk.state.plans import Deposit, unpublished
from referee.desk.state.state import State, moves_of, position_after
from referee.errors import RefereeError
from referee.notation.plans import Plan, follow, read_plan

MOST_PLANS = 200
"""Maximum plans of a side in a game."""

MOST_AHEAD = 20
"""Maximum plies ahead for which a side can seal moves."""


class Kept(NamedTuple):
    """A plan that the desk keeps, and its nonce."""

    plan: Plan
    nonce: bytes


def sealed_ahead(state: State) -> events.Sealed | None:
    """The own seal of a side for this ply that was left before, the first in the game's order; None if none was."""
    if not state.ahead or state.closed or engine_to_seal(state) is not None:
        return None
    owing = state.position.to_move - state.seals.keys()
    due = {one.side: one for one in state.ahead if one.ply == state.ply and one.side in owing}
    found = next((due[side] for side in state.position.sides if side in due), None)
    return None if found is None else events.Sealed(found.ply, found.side, found.commitment, found.head)


def plan_asked(state: State) -> str | None:
    """The side whose plan must be asked now, the first in the game's order; None if there is none."""
    if not state.deposits or state.closed or engine_to_seal(state) is not None:
        return None
    owing = state.position.to_move - state.seals.keys()
    return next((side for side in state.position.sides if side in owing and _is_due(state, side)), None)


def _is_due(state: State, side: str) -> bool:
    deposit = state.plan(side)
    return deposit is not None and deposit.ply < state.ply and state.ply not in deposit.followed


def kept_plan(state: State, deposit: Deposit, secrets: Secrets) -> Kept:
    """A plan of this game as the desk keeps it."""
    nonce, text = secrets[plan_name(state.deposits.index(deposit), deposit.side)].split(" ", 1)
    return Kept(read_plan(state.game, text), bytes.fromhex(nonce))


def plan_left(state: State, deposit: Deposit, secrets: Secrets) -> Plan:
    """The part of a plan from which the next move of its side can come."""
    return _asked(state, deposit, kept_plan(state, deposit, secrets).plan)[1]


def gives_move(state: State, side: str, secrets: Secrets) -> bool:
    """True if the plan of a side, which must be asked now, has a move for this ply."""
    deposit = state.plan(side)
    assert deposit is not None
    asked = replace(deposit, followed=(*deposit.followed, state.ply))
    return _answers(state, asked, kept_plan(state, deposit, secrets).plan)[state.ply] is not None


def planned_move(state: State, side: str, secrets: Secrets) -> tuple[str, str]:
    """The move that a plan of a side has given in this ply, and its nonce."""
    deposit = next(one for one in state.deposits if one.side == side and state.ply in one.followed)
    kept = kept_plan(state, deposit, secrets)
    move = _answers(state, deposit, kept.plan)[state.ply]
    assert move is not None
    return move, seals.planned_nonce(kept.nonce, state.ply, state.begun).hex()


def _answers(state: State, deposit: Deposit, plan: Plan) -> dict[int, str | None]:
    """The moves that a plan gives, by the ply in which it was asked; None once it has no more."""
    return _asked(state, deposit, plan)[0]


def _asked(state: State, deposit: Deposit, plan: Plan) -> tuple[dict[int, str | None], Plan]:
    """The answers of a plan, and what is left of it."""
    asked = [*deposit.followed, *([] if deposit.spent is None else [deposit.spent])]
    found = dict[int, str | None].fromkeys(asked)
    side, since = deposit.side, deposit.ply
    before = position_after(state.game, state.options, state.plies[: since - 1])
    for ply in asked:
        plies = [moves_of(state.game, texts) for texts in state.plies[since - 1 : ply - 1]]
        after = before
        for moves in plies:
            after = after.play_unchecked(moves)
        step = follow(plan, side, before, plies, after)
        if step is None:
            break
        move, plan = step
        found[ply] = str(move)
        before, since = after, ply
    return found, plan


def plan_refusals(state: State, event: LogEvent, came: Came | None) -> Refusals:
    """Reasons against an event because of plans."""
    match event:
        case events.Planned():
            yield from _coming(state, event)
        case events.Followed(side=side) | events.Spent(side=side) if side != plan_asked(state):
            yield "order", "order", "this side has no plan that must be asked now"
        case events.Published():
            yield from _published(state, event)
        case events.SealedAhead():
            yield from _ahead(state, event)
        case events.Sealed() if sealed_ahead(state) not in (None, event):
            yield "order", "order", "the seal that this side has left for this ply comes first"
        case events.Sealed() if sealed_ahead(state) is not None and came is not None:
            yield "came", "came", "this seal was left before, so it came by no letter"
        case events.Submitted(side=side) if followed_by(state) not in (None, side):
            yield "order", "order", f"the plan of {followed_by(state)} gives its move first"
    if isinstance(event, events.Submitted | events.Played) and followed_by(state) is not None and came is not None:
        yield "came", "came", "this move follows from a plan, so it came by no letter"


def left_before(state: State, event: LogEvent) -> bool:
    """True if an event follows from a plan, or from a seal for this ply, that its side has left before."""
    return followed_by(state) is not None or (isinstance(event, events.Sealed) and sealed_ahead(state) == event)


def followed_by(state: State) -> str | None:
    """The side whose plan gives the move that comes next; None if none does."""
    return state.last.side if isinstance(state.last, events.Followed) else None


def _coming(state: State, event: events.Planned) -> Refusals:
    side, promise = event.side, event.commitment
    if event.head != state.begun:
        yield "head", "head", "a plan names the entry that began the ply"
    if promise is None:
        if state.plan(side) is None:
            yield "order", "order", f"{side} has no plan to take back"
    elif seals.digits(promise) != promise:
        yield "commitment", "no-commitment", "a commitment is 64 hexadecimal digits"
    elif has_hands(state.description):
        yield "order", "hidden-hands", "a plan needs open hands: send each move when it is due"
    elif side in state.keyring.keys:
        yield "order", "plan-key", f"the key of {side} has to sign each move, so the desk can make none from a plan"
    elif sum(one.side == side for one in state.deposits) >= MOST_PLANS:
        yield "order", "too-much", f"a player can leave at most {MOST_PLANS} plans in a game"


def _ahead(state: State, event: events.SealedAhead) -> Refusals:
    if event.head != state.begun:
        yield "head", "head", "a seal names the entry that began the ply"
    if seals.digits(event.commitment) != event.commitment:
        yield "commitment", "no-commitment", "a commitment is 64 hexadecimal digits, as `referee seal` prints them"
    if not state.simultaneous:
        yield "order", "not-simultaneous", "moves are made in turn here, so there is nothing to seal"
    elif not state.ply < event.due <= state.ply + MOST_AHEAD:
        yield "order", "too-far", f"you can seal moves of the plies {state.ply + 1} to {state.ply + MOST_AHEAD}"


def _published(state: State, event: events.Published) -> Refusals:
    """Faults of a plan that is published: not in its turn, or another one than was promised."""
    number = unpublished(state.deposits) if state.closed else None
    if number is None or (deposit := state.deposits[number]).side != event.side:
        yield "order", "order", "plans are published in the order in which they came, once the game is over"
        return
    if not _opens(state, deposit, event):
        yield "commitment", "commitment", f"this is not the plan that {event.side} left with the desk"


def _opens(state: State, deposit: Deposit, event: events.Published) -> bool:
    if seals.digits(event.nonce) != event.nonce:
        return False
    nonce = bytes.fromhex(event.nonce)
    past = Past(state.root, deposit.begun)
    found = seals.plan_commitment(state.id, deposit.ply, deposit.side, state.protocol, event.plan, nonce, past)
    return hmac.compare_digest(found, deposit.commitment)


def unfaithful(state: State, event: events.Published) -> Findings:
    """The first fault of what the desk did with a promised plan: another move than it gives, or none."""
    number = unpublished(state.deposits)
    assert number is not None
    deposit = state.deposits[number]
    try:
        plan = read_plan(state.game, event.plan)
    except RefereeError as error:
        yield "plan", error.message
        return
    if str(plan) != event.plan:
        yield "canonical", f"the plan is written: {plan}"
        return
    for ply, wanted in _answers(state, deposit, plan).items():
        made, nonce = _made(state, ply, deposit.side) if ply in deposit.followed else (None, None)
        where = f"in ply {ply} the plan of {deposit.side} gave {wanted or 'no move'}"
        if made != wanted:
            yield "plan", f"{where}, and the desk made {made or 'none'}"
            return
        due = seals.planned_nonce(bytes.fromhex(event.nonce), ply, (*state.begins, state.begun)[ply - 1]).hex()
        if nonce not in (None, due):
            yield "plan", f"{where}, and its nonce does not follow from that of the plan"


def _made(state: State, ply: int, side: str) -> tuple[str, str | None]:
    """The move that a side made in a ply, or had sealed when the game ended, and its nonce if it was sealed."""
    if ply <= len(state.plies):
        return state.plies[ply - 1][side], state.nonces[ply - 1].get(side)
    assert state.closed is not None
    return state.closed.unplayed[side]["move"], state.closed.unplayed[side]["nonce"]
