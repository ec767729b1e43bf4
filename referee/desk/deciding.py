"""What the requests of a letter do to a game: new entries of its log, and answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from referee.desk import host, players
from referee.desk import requests as asked
from referee.desk.case import Case, Chance, Decision, Secrets
from referee.desk.consequences import consequence
from referee.desk.events import Event
from referee.desk.log import Entry, chained
from referee.desk.requests import Answer, Ordered, Request
from referee.desk.state import State
from referee.errors import RefereeError

Bound = asked.Submit | asked.Seal | asked.Reveal
"""Requests that are about the ply they name and no other, whatever happened before them in a letter."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What requests did: the state now, the new entries, the new secrets, and an answer to each request."""

    state: State
    entries: tuple[Entry, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    answers: tuple[Answer, ...] = ()


def decide(case: Case, request: Request) -> Decision:
    """What a request does by itself; one that is refused does nothing and is answered with the reason."""
    try:
        return host.decide(case, request) if isinstance(request, Ordered) else players.decide(case, request)
    except RefereeError as error:
        return Decision(Answer.refusal(error))


def carried_out(state: State, requests: Iterable[Request], at: datetime, secrets: Secrets, chance: Chance) -> Carried:
    """Decide on the requests of one letter in their order, each followed by what happens of itself.

    What was due by the clock before the letter came is done first. What stands after a move in the letter,
    such as the offer of a draw, counts for the ply that the move has led to. The time is never set back: where
    the log has gone further already, its last time counts.
    """
    at = max(at, state.at)
    done = _settled(Carried(state), at, secrets)
    for request in requests:
        if not isinstance(request, Ordered | Bound) and request.ply == state.ply:
            request = replace(request, ply=None)
        kept = {**secrets, **done.secrets}
        decision = decide(Case(done.state, at, kept, chance), request)
        done = replace(
            _entered(done, decision.events, at),
            secrets={**done.secrets, **decision.secrets},
            answers=(*done.answers, decision.answer),
        )
        done = _settled(done, at, secrets)
    return done


def _settled(done: Carried, at: datetime, secrets: Secrets) -> Carried:
    """With everything that happens of itself at that time."""
    kept = {**secrets, **done.secrets}
    while (event := consequence(done.state, at, kept)) is not None:
        done = _entered(done, (event,), at)
    return done


def _entered(done: Carried, events: Iterable[Event], at: datetime) -> Carried:
    """With events that happened at that time."""
    state, entries = done.state, done.entries
    for entry in chained(state.id, state.number, state.head, at, events):
        state, entries = state.after(entry), (*entries, entry)
    return replace(done, state=state, entries=entries)
