"""Plans that the desk keeps for players, and their own seals for later plies (spec/log.md, "Plans")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.desk.log import events
from referee.desk.log.events import LogEvent


@dataclass(frozen=True, slots=True)
class Deposit:
    """A side's plan, which came in the ply that the entry with the digest `begun` began: it is for later plies.

    `followed` are the plies whose move it gave, `spent` is the ply for which it had none. It is `over` then, and as
    soon as anything else ends it.
    """

    side: str
    ply: int
    begun: str
    commitment: str
    followed: tuple[int, ...] = ()
    spent: int | None = None
    over: bool = False
    published: bool = False


@dataclass(frozen=True, slots=True)
class Ahead:
    """A side's own seal of its move in a later ply; `head` is the digest that it acknowledges."""

    side: str
    ply: int
    commitment: str
    head: str


def ahead_after(ahead: tuple[Ahead, ...], event: LogEvent) -> tuple[Ahead, ...]:
    """The seals for later plies after an event; a newer one for the same ply replaces the older."""
    match event:
        case events.SealedAhead(side=side, due=ply, commitment=promise, head=head):
            rest = (one for one in ahead if (one.side, one.ply) != (side, ply))
            return (*rest, Ahead(side, ply, promise, head))
        case events.Sealed(side=side, ply=ply):
            return tuple(one for one in ahead if (one.side, one.ply) != (side, ply))
        case events.Played(ply=ply):
            return tuple(one for one in ahead if one.ply > ply)
        case events.Replaced(side=side) | events.Keyed(side=side):
            return tuple(one for one in ahead if one.side != side)
        case events.Closed():
            return ()
        case _:
            return ahead


Deposits = tuple[Deposit, ...]
"""The plans of a game in the order in which they came, also those that are over."""


def deposits_after(deposits: Deposits, event: LogEvent) -> Deposits:
    """The plans of a game after an event."""
    match event:
        case events.Planned(ply=ply, side=side, commitment=promise, head=begun):
            came = (Deposit(side, ply, begun, promise),) if promise is not None else ()
            return (*_ended(deposits, side), *came)
        case events.Followed(ply=ply, side=side):
            return tuple(
                replace(one, followed=(*one.followed, ply)) if is_active(one, side) else one for one in deposits
            )
        case events.Spent(ply=ply, side=side):
            return tuple(replace(one, spent=ply, over=True) if is_active(one, side) else one for one in deposits)
        case events.Published():
            number = unpublished(deposits)
            return tuple(replace(one, published=True) if at == number else one for at, one in enumerate(deposits))
        case events.Replaced(side=side) | events.Keyed(side=side):
            return _ended(deposits, side)
        case events.Offered() | events.Paused() | events.Closed():
            return _ended(deposits)
        case _:
            return deposits


def is_active(deposit: Deposit, side: str) -> bool:
    """True if the desk will ask a plan for the next move of a side."""
    return deposit.side == side and not deposit.over


def unpublished(deposits: Deposits) -> int | None:
    """The number of the first plan that has not been published; None if all have been."""
    return next((number for number, one in enumerate(deposits) if not one.published), None)


def _ended(deposits: Sequence[Deposit], side: str | None = None) -> Deposits:
    """The plans once those of a side, or of all sides, are over."""
    return tuple(replace(one, over=True) if side in (None, one.side) else one for one in deposits)
