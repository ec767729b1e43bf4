"""Deadlines of one person in all their games, for a private calendar."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from referee.desk.service import Desk
from referee.desk.state.state import State


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
