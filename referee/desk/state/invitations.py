"""Invitations: who is asked to play, who has joined, and what they give to chance (spec/log.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from referee.desk.log import events
from referee.desk.log.events import LogEvent, SeatNames
from referee.desk.log.log import Came, read_time
from referee.desk.log.signatures import digest_of

LEAST = timedelta(days=1)
"""Minimum time until an invitation lapses that was stopped."""

INVITED = "the invited player"
"""The name of a player who has not agreed to a game, where only another player has named them."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A game that is proposed: `seats` are names by side, None for an open seat.

    `by`, `until`, `of` and `secret` are as in `events.Invited`. `joined` are the sides that have taken their seats,
    with what they said, and `given_up` how often each side has left its seat. On the `engaged` sides there are
    engines. `seated` has the sides whose seats letters have taken, by the letters' digests, and `called` the names of
    their last players.
    """

    by: str | None
    seats: SeatNames
    until: datetime
    of: str | None
    secret: str | None
    joined: Mapping[str, events.Joined] = field(default_factory=dict)
    given_up: Mapping[str, int] = field(default_factory=dict)
    engaged: frozenset[str] = frozenset()
    seated: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def start(cls, event: events.Invited) -> Invitation:
        """The invitation that begins a log."""
        return cls(event.by, event.seats, read_time(event.until), event.of, event.secret)

    def after(self, event: LogEvent, came: Came | None = None) -> Invitation:
        """The invitation after an event; `came` is its letter."""
        match event:
            case events.Joined(side=side):
                seated = self.seated if came is None else {**self.seated, came.letter: side}
                called = {**self.called, side: event.name}
                return replace(self, joined={**self.joined, side: event}, seated=seated, called=called)
            case events.Engaged(side=side):
                return replace(self, engaged=self.engaged | {side})
            case events.Left(side=left):
                joined = {side: one for side, one in self.joined.items() if side != left}
                return replace(self, joined=joined, given_up={**self.given_up, left: self.given_up.get(left, 0) + 1})
            case _:
                return self

    def postponed(self, start: datetime, end: datetime) -> Invitation:
        """The invitation after the host, or an outage of the desk, has stopped it between two times."""
        return replace(self, until=max(self.until + (end - start), end + LEAST))

    def name_of(self, side: str) -> str:
        """The public name of a side's player, the side if it is open, or `INVITED` while only an address is known."""
        if side in self.joined:
            return self.joined[side].name
        asked = self.seats[side]
        known = side in self.engaged or side == self.by or side in self.given_up or self.by is None or self.of
        return side if asked is None else asked if known else INVITED

    def own_name(self, side: str) -> str:
        """The name under which the player with a side's address takes the seat, also an open one that they had."""
        return self.seats[side] or self.called.get(side, side)

    @property
    def missing(self) -> frozenset[str]:
        """The sides that have no player yet."""
        return frozenset(self.seats.keys() - self.joined.keys() - self.engaged)

    @property
    def open(self) -> tuple[str, ...]:
        """The open sides, in alphabetical order."""
        return tuple(sorted(side for side in self.missing if self.seats[side] is None))

    def seed(self, secret: str, sides: Iterable[str]) -> str:
        """The seed of chance: what the host and each player but engines gave to it, in the order of the sides."""
        return digest_of("referee seed 1", secret, *(self.joined[side].word for side in sides if side in self.joined))


def promise(game: str, secret: str) -> str:
    """The promise of the host's 64 digits, made before players join."""
    return digest_of("referee secret 1", game, secret)
