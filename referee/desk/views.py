"""Public view of a game on the desk, and the view of one side."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from referee.desk.log.log import write_time
from referee.desk.log.secrets import Secrets, sealed_name
from referee.desk.state.engagements import Engagement
from referee.desk.state.invitations import Invitation
from referee.desk.state.state import State


def public(state: State, at: datetime) -> dict[str, Any]:
    """The public part of a game at a time, as JSON data; before it is opened, it has no position."""
    invitation = state.invitation
    return {
        "game": state.id,
        "rules": state.protocol,
        "head": state.head,
        "ply": state.ply,
        "round": state.round,
        "sides": {side: _side(state, side, at) for side in state.position.sides},
        "engines": {side: _engine(engine) for side, engine in state.engines.items()},
        "paused": state.clock.paused,
        "invitation": _waiting(invitation) if invitation else None,
        "position": state.position.facts() if invitation is None else None,
        "outcome": state.outcome.as_json() if state.outcome else None,
    }


def view(state: State, side: str, at: datetime, secrets: Secrets) -> dict[str, Any]:
    """The view of one side: the public part, its own sealed move, and the ends that it may claim."""
    own = secrets.get(sealed_name(state.ply, side)) if side in state.seals else None
    return {
        **public(state, at),
        "side": side,
        "move": own.rsplit(" ", 1)[0] if own else None,
        "claims": state.claims(side, at),
    }


def _waiting(invitation: Invitation) -> dict[str, Any]:
    return {
        "by": invitation.by,
        "until": write_time(invitation.until),
        "open": list(invitation.open),
        "missing": sorted(invitation.missing),
    }


def _engine(engine: Engagement) -> dict[str, Any]:
    return {
        "level": engine.level,
        "version": engine.version,
        "promise": engine.promise,
        "left": engine.left,
        "seed": engine.seed,
    }


def _side(state: State, side: str, at: datetime) -> dict[str, Any]:
    time, seal = state.clock.at(side, at), state.seals.get(side)
    return {
        "player": state.players[side],
        "standing": state.standing(side),
        "commitment": seal.commitment if seal else None,
        "key": state.keyring.keys.get(side),
        "draw": side in state.agreed,
        "deadline": time.deadline.isoformat(timespec="seconds") if time.deadline else None,
        "utc": write_time(time.deadline) if time.deadline else None,
        "overdue": time.overdue,
        "bank": int(time.bank.total_seconds()),
        "away": time.away,
        "vacation": time.vacation,
    }
