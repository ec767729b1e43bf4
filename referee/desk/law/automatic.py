"""Automatic events, which the log and the clock require before anything else (spec/log.md, "The audit")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.desk.law import engine_seats, plans
from referee.desk.law.seat_addresses import told_addresses
from referee.desk.log import events, seals
from referee.desk.log.events import LogEvent, Texts
from referee.desk.log.secrets import CHANCE, Secrets, engine_seed_name, plan_name, sealed_name, signature_name
from referee.desk.log.terms import LOSS, TIMEOUT
from referee.desk.state.plans import unpublished
from referee.desk.state.state import ABANDONED, State, moves_of, position_after
from referee.rules import Position, movers
from referee.rules.frozen import frozen_data


@dataclass(frozen=True, slots=True)
class Duty:
    """The kind of event that must come next, the way of an end, and the side that it is by or about."""

    kind: type[LogEvent | events.PlanAsked]
    how: str = ""
    by: str | None = None


def immediate(state: State) -> Duty | None:
    """The duty at the time of the last event; None if there is none."""
    if state.closed:
        side = engine_seats.undisclosed(state)
        if side is None and (number := unpublished(state.deposits)) is not None:
            return Duty(events.Published, by=state.deposits[number].side)
        return None if side is None else Duty(events.Disclosed, by=side)
    if state.keyring.unnoted:
        return Duty(events.Noted, by=next(iter(state.keyring.unnoted)))
    match state.last:
        case events.Invited(by=str(side)):
            return Duty(events.Joined, by=side)
        case events.Refused() | events.Lapsed() | events.Aborted():
            return Duty(events.Closed, ABANDONED)
        case events.Left(side=side) if state.origin is not None and side == state.origin.by:
            return Duty(events.Closed, ABANDONED)
        case events.Resigned(side=side):
            return Duty(events.Closed, "resignation", side)
        case events.Claimed(side=side, what=what):
            return Duty(events.Closed, what, state.clock.loser(state.at) if what == TIMEOUT else side)
        case events.Adjudicated(by=by):
            return Duty(events.Closed, "adjudication", by)
        case events.Followed(side=side):
            return Duty(events.Submitted if state.simultaneous else events.Played, by=side)
        case events.Reminded() if any(state.clock.reminders(state.at)):
            return Duty(events.Reminded)
    duty = due(state, state.at)
    if duty is None and (ahead := plans.sealed_ahead(state)) is not None:
        return Duty(events.Sealed, by=ahead.side)
    if duty is None and (side := plans.plan_asked(state)) is not None:
        return Duty(events.PlanAsked, by=side)
    return None if duty is not None and duty.how == TIMEOUT and state.opening else duty


def due(state: State, at: datetime) -> Duty | None:
    """The duty by a time; only deadlines and invitations fall due later than the last event."""
    if state.closed:
        return None
    if state.invitation is not None:
        if not state.invitation.missing:
            return Duty(events.Opened)
        return Duty(events.Lapsed) if at >= state.invitation.until and not state.clock.paused else None
    if state.position.outcome is not None:
        return Duty(events.Closed, state.position.outcome.termination)
    if state.agreed and state.agreed >= set(state.players):
        return Duty(events.Closed, "agreement")
    if state.revealing and not state.owing:
        return Duty(events.Played)
    terms = state.clock.terms
    if terms is None or terms.timeout != LOSS or not state.clock.overdue(at):
        return None
    return Duty(events.Closed, TIMEOUT, state.clock.loser(at))


def next_due(state: State) -> datetime | None:
    """The next time at which the clock acts in a game, in the past for overdue events; None if it will not."""
    if immediate(state) is not None:
        return state.at
    if state.closed:
        return None
    if state.invitation is None:
        return state.clock.next_due()
    return None if state.clock.paused else state.invitation.until


def consequence(state: State, at: datetime, secrets: Secrets) -> LogEvent | None:
    """The automatic event that must happen next by a time; None if there is none."""
    duty = immediate(state) or due(state, at)
    if duty is None:
        return None
    if duty.kind is events.Reminded:
        return next(state.clock.reminders(at))
    if duty.kind is events.Lapsed:
        return events.Lapsed()
    if duty.kind is events.Opened:
        return opening(state, secrets)
    if duty.kind is events.Noted and duty.by is not None:
        last = len(state.plies)
        return events.Noted(last, duty.by, secrets[signature_name(last, duty.by)])
    if duty.kind is events.PlanAsked and duty.by is not None:
        gives = plans.gives_move(state, duty.by, secrets)
        return (events.Followed if gives else events.Spent)(state.ply, duty.by)
    if duty.kind is events.Sealed:
        return plans.sealed_ahead(state)
    if duty.kind is events.Submitted and duty.by is not None:
        move, nonce = plans.planned_move(state, duty.by, secrets)
        return submission(state, duty.by, move, bytes.fromhex(nonce))
    if duty.kind is events.Published and duty.by is not None:
        number = unpublished(state.deposits)
        assert number is not None
        nonce, text = secrets[plan_name(number, duty.by)].split(" ", 1)
        return events.Published(duty.by, text, nonce)
    if duty.kind is events.Disclosed and duty.by is not None:
        return events.Disclosed(duty.by, secrets[engine_seed_name(duty.by)])
    if duty.kind is events.Closed:
        return end(state, duty.how, duty.by, secrets)
    if isinstance(state.last, events.Followed):
        side = state.last.side
        return ply(state, {side: plans.planned_move(state, side, secrets)[0]}, {}, secrets)
    sealed = {side: sealed_move(state, side, secrets) for side in state.position.sides if side in state.seals}
    moves = {side: move for side, (move, _) in sealed.items()}
    return ply(state, moves, {side: nonce for side, (_, nonce) in sealed.items()}, secrets)


def opening(state: State, secrets: Secrets) -> events.Opened:
    """The event that opens a game once all have joined; it reveals chance results as far as they may be known."""
    options, secret = state.options, secrets.get(CHANCE)
    if state.description.secret is not None and secret is not None:
        options = {**options, **state.description.secret.known({}, state.seed(secret), None)}
    return events.Opened(
        log=events.LOG_FORMAT,
        game=state.game,
        rules=state.rules,
        title=state.title,
        players={side: state.players[side] for side in state.position.sides},
        options=options,
        clock=None if state.clock.terms is None else state.clock.terms.as_json(),
        owing=movers(state.description.start(options)),
        desk=state.desk,
        keys=state.keyring.keys,
    )


def ply(state: State, moves: Texts, nonces: Texts, secrets: Secrets) -> events.Played:
    """The event of legal moves that are made at once, with what may be known from then on."""
    position = state.position.play_unchecked(moves_of(state.game, moves))
    known = _new_options(state, secrets.get(CHANCE), position)
    if known is not None:
        position = position_after(state.game, {**state.options, **known}, (*state.plies, moves))
    return events.Played(state.ply, moves, nonces, movers(position), known)


def end(state: State, how: str, by: str | None, secrets: Secrets) -> events.Closed:
    """The event that ends a game, by its moves or otherwise; it publishes the remaining secrets."""
    outcome = state.ended(how, by)
    unplayed, notes = {}, {}
    for side, seal in state.seals.items():
        if not seal.own:
            move, nonce = sealed_move(state, side, secrets)
            unplayed[side] = {"move": move, "nonce": nonce}
            if seal.noted:
                notes[side] = secrets[signature_name(state.ply, side)]
    secret = None if state.invitation is not None else secrets.get(CHANCE)
    score = dict(outcome.score)
    addresses = told_addresses(state, secrets)
    return events.Closed(outcome.termination, by, outcome.winner, score, unplayed, secret, notes or None, addresses)


def submission(state: State, side: str, move: str, nonce: bytes) -> events.Submitted:
    """The event of a legal move that the desk keeps sealed."""
    promise = seals.commitment(state.id, state.ply, side, state.protocol, move, nonce, state.past)
    return events.Submitted(state.ply, side, promise, state.begun)


def sealed_move(state: State, side: str, secrets: Secrets) -> tuple[str, str]:
    """Move and nonce of a side whose move is in: as the side has shown them, or as the desk keeps them."""
    shown = state.seals[side].opened
    if shown is not None:
        return shown
    move, nonce = secrets[sealed_name(state.ply, side)].rsplit(" ", 1)
    return move, nonce


def _new_options(state: State, secret: str | None, position: Position) -> Mapping[str, Any] | None:
    """Options of a running game that may now be known; None if there are none."""
    kept = state.description.secret
    if kept is None or secret is None or position.outcome is not None:
        return None
    known = frozen_data(kept.known(state.options, state.seed(secret), position))
    return known if any(state.options.get(name) != value for name, value in known.items()) else None
