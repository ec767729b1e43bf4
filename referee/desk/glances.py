"""A game at a glance: what a list of many games shows of each, and how far it has come."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from referee.desk.log.secrets import Secrets, address_name
from referee.desk.state.state import State
from referee.rules import Outcome

_ADDRESS = re.compile(r"[^\s<>()\"',;]*@[^\s<>()\"',;]*")

HIDDEN = "…"
"""The replacement of addresses in public texts."""


class Phase(StrEnum):
    """Phase of a game; one that was called off before it began is `never-begun`."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    NEVER_BEGUN = "never-begun"


class Standing(NamedTuple):
    """The last entry of a game's log: its number, and when it was made."""

    game: str
    number: int
    at: datetime
    phase: Phase


NOT_OVER = (Phase.WAITING, Phase.RUNNING)


@dataclass(frozen=True, slots=True)
class SeatGlance:
    """A seat in a list; `player` is None if it is open, `deadline` true if the clock sets when it is `due`."""

    player: str | None
    standing: str
    due: datetime | None
    deadline: bool
    key: str | None

    def overdue(self, at: datetime) -> bool:
        """True if the clock's deadline has passed."""
        return self.deadline and self.due is not None and at >= self.due


@dataclass(frozen=True, slots=True)
class Glance:
    """A game in a list: `invited` while its invitation waits, `open` if a seat is free; times are in `zone`."""

    id: str
    game: str
    round: int
    invited: bool
    open: bool
    paused: bool
    how: str | None
    winner: str | None
    zone: str
    seats: Mapping[str, SeatGlance]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome without its score; None while the game runs."""
        return None if self.how is None else Outcome(self.winner, self.how, {})


def glance_of(state: State) -> Glance:
    """The entry of a game in a list."""
    invitation, closed = state.invitation, state.closed
    return Glance(
        state.id,
        state.game,
        state.round,
        invitation is not None,
        invitation is not None and bool(invitation.open),
        state.clock.paused,
        closed.how if closed else None,
        closed.winner if closed else None,
        state.clock.zone.key,
        {side: _seat(state, side) for side in state.position.sides},
    )


def phase_of(state: State) -> Phase:
    """Phase of a game."""
    if state.invitation is None:
        return Phase.FINISHED if state.closed else Phase.RUNNING
    return Phase.NEVER_BEGUN if state.closed else Phase.WAITING


def public_text(text: str) -> str:
    """A text without anything in it that looks like an e-mail address."""
    return _ADDRESS.sub(HIDDEN, text).strip()


def public_name(state: State, side: str) -> str | None:
    """The name of a side's player, who must have taken the seat; None if there is none to show."""
    if state.invitation is not None and side not in state.invitation.joined.keys() | state.invitation.engaged:
        return None
    name = public_text(state.players[side])
    return name if name not in ("", HIDDEN, side) else None


def people_in(state: State, secrets: Secrets) -> Iterator[tuple[str, str, str]]:
    """The seats that people have taken: the side, the public name, and the address in small letters."""
    for side in state.position.sides:
        name, address = public_name(state, side), secrets.get(address_name(side), "").lower()
        if name is not None and address and side not in state.engine_sides:
            yield side, name, address


def _seat(state: State, side: str) -> SeatGlance:
    invitation, standing = state.invitation, state.standing(side)
    anybody = invitation is not None and side in invitation.open and state.closed is None
    player, key = None if anybody else state.players[side], state.keyring.keys.get(side)
    if standing == "invited" and invitation is not None:
        # Lists are the host's, who sees the address, too.
        return SeatGlance(invitation.seats[side], standing, invitation.until, False, key)
    due = state.clock.deadline(side)
    return SeatGlance(player, standing, due, due is not None, key)
