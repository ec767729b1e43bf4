"""Progress of a game: acts and orders one by one, each followed by automatic events, all under the law."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import ceil

from referee.desk.law import attestations, law
from referee.desk.law.automatic import consequence, due
from referee.desk.law.engine_seats import expect_sealed
from referee.desk.law.plans import planned_move
from referee.desk.law.succession import change
from referee.desk.log.acts import DECIDING, Act, By, Decline, OfItsPly, Order, SignedAct
from referee.desk.log.bodies import expect_fit
from referee.desk.log.events import Extended, Joined, LogEvent, Paused, Resumed, Submitted
from referee.desk.log.log import Came, Entry, new_entry
from referee.desk.log.secrets import Secrets, sealed_name
from referee.desk.log.signatures import Signer
from referee.desk.play.decisions import Answer, Context, Decision, decide, decide_engine, decide_join, decide_order
from referee.desk.play.notices import Notice
from referee.desk.state.state import State
from referee.errors import RefereeError, Refusal

RESPITE = timedelta(days=1)
"""Minimum time that all players have after an outage, and the host to look at the games."""

REASON = "The desk was not running, and no letter could reach it"
"""The reason in the log and in letters to the players."""

_HOUR = timedelta(hours=1)

_Deciding = Callable[[Context], Decision]


@dataclass(frozen=True, slots=True)
class Progress:
    """Results of acts or orders: the game before (None where it was opened) and now, and an answer to each."""

    before: State | None
    state: State
    entries: tuple[Entry, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    answers: tuple[Answer, ...] = ()
    notices: tuple[Notice, ...] = ()


def act(context: Context, by: By, wanted: Iterable[Act | SignedAct]) -> Progress:
    """Decide on the acts of one letter in their order; EngineFirstError while an engine has to seal its move.

    Automatic events that were due before the letter came are done first. Acts after a move in the letter, such as the
    offer of a draw, count for the ply that the move has led to.
    """
    expect_sealed(context.state)
    asked = [one if isinstance(one, SignedAct) else SignedAct(one, "") for one in wanted]
    alone, came = sum(isinstance(one.act, (*DECIDING, Decline)) for one in asked) == 1, context.came

    def step(one: SignedAct) -> tuple[_Deciding, Came | None]:
        who = by if isinstance(one.act, OfItsPly) or by.ply != context.state.ply else By(by.side)
        how = replace(came, signature=one.signature) if came is not None and one.signature else came
        return lambda now: decide(replace(now, alone=alone), who, one.act), how

    return _result(context, map(step, asked))


def join(context: Context, joined: Joined, address: str) -> Progress:
    """Let a player take an open seat."""
    return _result(context, [(lambda now: decide_join(now, joined, address), context.came)])


def execute(context: Context, wanted: Order) -> Progress:
    """Decide on an order of the host or of the clock."""
    return _result(context, [(lambda now: decide_order(now, wanted), None)])


def move_engine(context: Context, side: str, move: str) -> Progress:
    """Make or seal the move that the engine on a side has found; RefereeError if the law forbids it."""
    return done(_result(context, [(lambda now: decide_engine(now, side, move), None)]))


def done(result: Progress) -> Progress:
    """The result of one request; its refusal is raised."""
    (answer,) = result.answers
    if answer.refused:
        raise Refusal(answer.code, answer.message, span=answer.span, suggestions=answer.suggestions)
    return result


def rekey(result: Progress, key: str, former: Signer, reason: str, at: datetime) -> Progress:
    """Enter another public key of the desk, signed by the former one."""
    state = result.state
    if state.desk == key:
        return result
    # A desk that was down must not end games by its clock before the host has looked at them.
    return enter(result, (change(state, key, former, reason),), state.at if due(state, at) else max(at, state.at))


def enter(result: Progress, events: Iterable[LogEvent], at: datetime, came: Came | None = None) -> Progress:
    """Enter events at a time; the law's refusal is raised, or TypeError for a value that no log can hold."""
    state, entries = result.state, result.entries
    for event in events:
        expect_fit(event)
        kept = attestations.kept(state, event, came)
        if (fault := law.fault(state, event, at, kept)) is not None:
            raise fault.refusal
        entry = new_entry(state.id, state.number + 1, at, event, state.head, came=kept)
        state, entries = state.after(entry), (*entries, entry)
    return replace(result, state=state, entries=entries)


def _result(context: Context, steps: Iterable[tuple[_Deciding, Came | None]]) -> Progress:
    """Apply each step, and the automatic events after it; the time is never set back behind the log's last."""
    at, secrets = max(context.at, context.state.at), context.secrets
    result = settle(Progress(context.state, context.state), at, secrets)
    for first, came in steps:
        following: _Deciding | None = first
        while following is not None:
            now = Context(result.state, at, {**secrets, **result.secrets}, context.chance, came)
            try:
                decision = following(now)
                result = enter(result, decision.events, at, came)
            except RefereeError as error:
                decision = Decision(Answer.refusal(error))
            result = settle(replace(result, secrets={**result.secrets, **decision.secrets}), at, secrets)
            following = decision.then
        result = replace(result, answers=(*result.answers, decision.answer))
    return result


def settle(result: Progress, at: datetime, secrets: Secrets) -> Progress:
    """Apply every automatic event due by a time."""
    kept = {**secrets, **result.secrets}
    while (event := consequence(result.state, at, kept)) is not None:
        if isinstance(event, Submitted):  # a plan's move is kept like any other
            name, planned = sealed_name(event.ply, event.side), planned_move(result.state, event.side, kept)
            kept[name] = " ".join(planned)
            result = replace(result, secrets={**result.secrets, name: kept[name]})
        result = enter(result, (event,), at)
    return result


def give_back(state: State, since: datetime, at: datetime, secrets: Secrets, least: timedelta) -> Progress:
    """Give the time of an outage back to a game: its clocks stop for it, and no time is over soon after it.

    Nothing happens to a game whose clocks did not run. The outage lasted from `since`, when the desk last looked at
    its clock, until `at`. Where the log has an entry of that time, as after a killed attempt, only the rest of it
    counts, if it is longer than `least`.
    """
    start = max(state.at, since)
    result = settle(Progress(state, state), start, secrets)
    sides = result.state.clock.movable(start, at)
    invited = result.state.invitation is not None and not result.state.clock.paused
    if result.state.closed or at - start <= least or not (sides or invited):
        return result
    result = enter(enter(result, (Paused(REASON),), start), (Resumed(),), at)
    deadlines = ((side, result.state.clock.deadline(side)) for side in result.state.position.sides if side in sides)
    lacking = {side: at + RESPITE - due for side, due in deadlines if due is not None and due < at + RESPITE}
    return enter(result, (Extended(side, ceil(time / _HOUR)) for side, time in lacking.items()), at)
