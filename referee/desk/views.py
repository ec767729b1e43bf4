"""Public view of a game on the desk."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from referee.desk.log.log import write_time
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
        "engines": {side: asdict(engine) for side, engine in state.engines.items()},
        "paused": state.clock.paused,
        "invitation": _waiting(invitation) if invitation else None,
        "position": state.position.facts() if invitation is None else None,
        "outcome": state.outcome.as_json() if state.outcome else None,
    }


def _waiting(invitation: Invitation) -> dict[str, Any]:
    return {
        "by": invitation.by,
        "until": write_time(invitation.until),
        "open": list(invitation.open),
        "missing": sorted(invitation.missing),
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
