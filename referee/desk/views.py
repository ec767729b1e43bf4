"""Views of the games on a desk: the public one, and the deadlines of one person for a private calendar."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from referee.desk.log.log import write_time
from referee.desk.service import Desk
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


@dataclass(frozen=True, slots=True)
class Debt:
    """A move, or the reveal of one, that a side of a game owes until a time."""

    state: State
    side: str
    until: datetime


def calendar_owner(desk: Desk, name: str) -> str | None:
    """The address (in small letters) whose calendar has a secret name, if any; each is compared, in constant time."""
    key, given, found = desk.key, name.encode(), None
    for address in desk.catalogue.addresses():
        if hmac.compare_digest(key.calendar(address).encode(), given):
            found = address
    return found


def debts(desk: Desk, address: str) -> Iterator[Debt]:
    """Moves and reveals due from an address (in small letters) in its games with a clock."""
    for game in desk.catalogue.games_of(address):
        table = desk.table(game)
        for side in table.state.position.sides:
            if table.address(side).lower() == address and (until := table.state.clock.deadline(side)) is not None:
                yield Debt(table.state, side, until)
