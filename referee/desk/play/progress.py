"""How a game goes on: acts and orders one by one, each followed by what happens of itself, all under the law."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from referee.desk.law import attestations, law
from referee.desk.law.automatic import consequence, due
from referee.desk.law.engine_seats import expect_sealed
from referee.desk.law.succession import change
from referee.desk.log import acts
from referee.desk.log.acts import DECIDING, Act, By, Decline, Order, SignedAct
from referee.desk.log.bodies import expect_fit
from referee.desk.log.events import Extended, Joined, LogEvent, Paused, Resumed
from referee.desk.log.log import Came, Entry, new_entry
from referee.desk.log.secrets import Chance, Secrets
from referee.desk.log.signatures import Signer
from referee.desk.play.decisions import Answer, Context, Decision, decide, decide_engine, decide_join, decide_order
from referee.desk.play.notices import Notice
from referee.desk.state.state import State
from referee.errors import RefereeError, Refusal

RESPITE = timedelta(days=1)
"""Minimum time that everybody has after an outage, and the host to look at the games."""

REASON = "The desk was not running, and no letter could reach it"
"""The reason in the log and in letters to the players."""

_HOUR = timedelta(hours=1)

_BOUND = acts.MakeMove | acts.Seal | acts.Reveal
"""Acts that are about the ply they name and no other, whatever happened before them in a letter."""


class _Step(NamedTuple):
    """What decides on one request, and how that came by letter."""

    decide: Callable[[Context], Decision]
    came: Came | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """What acts or orders did: the game before and now, new entries and secrets, and an answer to each of them.

    `before` is None where the game was opened. `notices` say who is to be told of it.
    """

    before: State | None
    state: State
    entries: tuple[Entry, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    answers: tuple[Answer, ...] = ()
    notices: tuple[Notice, ...] = ()


def act(
    state: State,
    by: By,
    wanted: Iterable[Act | SignedAct],
    at: datetime,
    secrets: Secrets,
    chance: Chance,
    came: Came | None = None,
) -> Progress:
    """Decide on the acts of one letter in their order; `came` says which letter that was.

    What was due by the clock before the letter came is done first. What stands after a move in the letter, such as
    the offer of a draw, counts for the ply that the move has led to.

    Raises:
        EngineFirstError: an engine has to seal its move before.
    """
    expect_sealed(state)
    asked = [one if isinstance(one, SignedAct) else SignedAct(one, "") for one in wanted]
    alone = sum(isinstance(one.act, (*DECIDING, Decline)) for one in asked) == 1

    def step(one: SignedAct) -> _Step:
        led_on = not isinstance(one.act, _BOUND) and by.ply == state.ply
        how = replace(came, signature=one.signature) if came is not None and one.signature else came
        who = By(by.side) if led_on else by
        return _Step(lambda context: decide(replace(context, alone=alone), who, one.act), how)

    return _result(state, map(step, asked), at, secrets, chance)


def join(
    state: State,
    joined: Joined,
    address: str,
    at: datetime,
    secrets: Secrets,
    chance: Chance,
    came: Came | None = None,
) -> Progress:
    """Let somebody take a seat that waits for anybody; `came` says which letter asked for it."""
    step = _Step(lambda context: decide_join(context, joined, address), came)
    return _result(state, [step], at, secrets, chance)


def execute(state: State, wanted: Order, at: datetime, secrets: Secrets, chance: Chance) -> Progress:
    """Decide on an order of the host or of the clock."""
    return _result(state, [_Step(lambda context: decide_order(context, wanted))], at, secrets, chance)


def move_engine(state: State, side: str, move: str, at: datetime, secrets: Secrets, chance: Chance) -> Progress:
    """Make or seal the move that the engine on a side has found.

    Raises:
        RefereeError: the law allows no such move.
    """
    result = _result(state, [_Step(lambda context: decide_engine(context, side, move))], at, secrets, chance)
    (answer,) = result.answers
    if answer.refused:
        raise Refusal(answer.code, answer.message)
    return result


def rekey(result: Progress, key: str, former: Signer, reason: str, at: datetime) -> Progress:
    """With another public key of the desk, signed by the former one; a log older than version 3 cannot hold it."""
    state = result.state
    if state.desk == key:
        return result
    # A desk that was down must not end games by its clock before the host has looked at them.
    return enter(result, (change(state, key, former, reason),), state.at if due(state, at) else max(at, state.at))


def enter(result: Progress, events: Iterable[LogEvent], at: datetime, came: Came | None = None) -> Progress:
    """With events that happen at a time, if the law allows each of them; otherwise its refusal is raised.

    `came` says how they came by letter; a log older than version 3 cannot hold it.

    Raises:
        TypeError: an event says something that no log can hold.
    """
    state, entries = result.state, result.entries
    for event in events:
        expect_fit(event)
        kept = attestations.kept(state, event, came)
        if (fault := law.fault(state, event, at, kept)) is not None:
            raise fault.refusal
        entry = new_entry(state.id, state.number + 1, at, event, state.head, came=kept)
        state, entries = state.after(entry), (*entries, entry)
    return replace(result, state=state, entries=entries)


def _result(
    state: State,
    steps: Iterable[_Step],
    at: datetime,
    secrets: Secrets,
    chance: Chance,
) -> Progress:
    """Each step, followed by what happens of itself.

    The time is never set back: where the log has gone further already, its last time counts.
    """
    at = max(at, state.at)
    result = settle(Progress(state, state), at, secrets)
    for step in steps:
        following: Callable[[Context], Decision] | None = step.decide
        while following is not None:
            context = Context(result.state, at, {**secrets, **result.secrets}, chance, step.came)
            try:
                decision = following(context)
                result = enter(result, decision.events, at, step.came)
            except RefereeError as error:
                decision = Decision(Answer.refusal(error))
            result = settle(replace(result, secrets={**result.secrets, **decision.secrets}), at, secrets)
            following = decision.then
        result = replace(result, answers=(*result.answers, decision.answer))
    return result


def settle(result: Progress, at: datetime, secrets: Secrets) -> Progress:
    """With everything that happens of itself by a time."""
    kept = {**secrets, **result.secrets}
    while (event := consequence(result.state, at, kept)) is not None:
        result = enter(result, (event,), at)
    return result


def give_back(state: State, since: datetime, at: datetime, secrets: Secrets, least: timedelta) -> Progress:
    """Give the time of an outage back to a game: all clocks are stopped for it, and no time is over soon after it.

    Nothing happens to a game whose clocks did not run.

    It lasted from `since`, when the desk last looked at its clock, until now, which is `at`. Where the log has an
    entry of that time, as after a killed attempt, only what follows it counts, if it is longer than `least`.
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
