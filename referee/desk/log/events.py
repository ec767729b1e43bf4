"""Kinds of events: everything that can happen to a game on the desk.

No event holds a secret. Secrets are kept in the store, and come into the log with the event that publishes them: a
sealed move with `Played`, chance results with `Played` and `Closed`, a plan with `Published`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from referee.rules.frozen import Frozen, freezing

LOG_FORMAT = 1
"""The version of the format, which the first entry of a log names."""

Texts = Mapping[str, str]
SeatNames = Mapping[str, str | None]
FrozenData = Mapping[str, Any]
Addresses = Mapping[str, tuple[str, ...]]
Digest = Annotated[str, re.compile("[0-9a-f]{64}")]


@freezing
@dataclass(frozen=True, slots=True)
class Invited:
    """A game is proposed; `seats` are names by side, None for an open seat.

    `by` is the side of the player who proposes it, None if the host does. The invitation lapses at `until`. `of` is
    the head of the game whose rematch this is, and `secret` binds what the host gives to chance. `desk` is the desk's
    public key.
    """

    log: int
    game: str
    rules: int
    title: str | None
    options: FrozenData
    clock: FrozenData | None
    by: str | None
    seats: SeatNames
    until: str
    of: Digest | None
    secret: Digest | None
    desk: str | None


@freezing
@dataclass(frozen=True, slots=True)
class Opened:
    """The game begins; `options` are what may be known, `owing` move first, `keys` are those of players by side."""

    log: int
    game: str
    rules: int
    title: str | None
    players: Texts
    options: FrozenData
    clock: FrozenData | None
    owing: tuple[str, ...]
    desk: str | None = None
    keys: Texts = Frozen()


@dataclass(frozen=True, slots=True)
class _OfSide:
    side: str


@dataclass(frozen=True, slots=True)
class Joined(_OfSide):
    """A player takes a seat, and the terms with it; `word` is what they give to chance, `key` their public key."""

    name: str
    key: str | None
    word: str


@dataclass(frozen=True, slots=True)
class Engaged(_OfSide):
    """An engine of a level and version takes a seat; `seed` binds the seed that its moves follow from."""

    level: int
    version: int
    seed: Digest


@dataclass(frozen=True, slots=True)
class Disclosed(_OfSide):
    """The game is over, and this is the seed that an engine's moves followed from."""

    seed: Digest


@dataclass(frozen=True, slots=True)
class Refused(_OfSide):
    """An invited player does not take the seat; with `never` they are not invited again."""

    never: bool


@dataclass(frozen=True, slots=True)
class Left(_OfSide):
    """A player gives up a seat before the game is opened."""


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The time of the invitation is over."""


@dataclass(frozen=True, slots=True)
class _OfPly:
    ply: int
    side: str


@dataclass(frozen=True, slots=True)
class Submitted(_OfPly):
    """A side's move is in, binds it and is kept sealed; `head` is the digest of the entry that began the ply."""

    commitment: str
    head: str = ""


@dataclass(frozen=True, slots=True)
class Sealed(_OfPly):
    """A side has sealed its move itself; only this side knows it. `head` is as in `Submitted`."""

    commitment: str
    head: str = ""


@dataclass(frozen=True, slots=True)
class SealedAhead(_OfSide):
    """A side has sealed its move of a later ply, `due`, itself; `head` is as in `Submitted`."""

    due: int
    commitment: str
    head: str


@dataclass(frozen=True, slots=True)
class Revealed(_OfPly):
    """A side has shown the move that it sealed itself, and the move is legal."""

    move: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Failed(_OfPly):
    """A side has shown a move that it did not seal (`mismatch`) or may not make (a code of the rules)."""

    code: str
    move: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Planned(_OfPly):
    """A side's plan is in, sealed; None takes the last one back. `head` is as in `Submitted`."""

    commitment: str | None
    head: str


@dataclass(frozen=True, slots=True)
class PlanAsked(_OfPly):
    """A side owes a move, and its plan has been asked."""


@dataclass(frozen=True, slots=True)
class Followed(PlanAsked):
    """The plan of a side gives its move, which comes next."""


@dataclass(frozen=True, slots=True)
class Spent(PlanAsked):
    """The plan of a side has no move for what happened, and is over."""


@dataclass(frozen=True, slots=True)
class Published(_OfSide):
    """The game is over, and this is a plan of a side, in canonical text."""

    plan: str
    nonce: str


@freezing
@dataclass(frozen=True, slots=True)
class Played:
    """The moves of a ply, nonces of sealed ones, the sides that move next, and newly known options."""

    ply: int
    moves: Texts
    nonces: Texts
    owing: tuple[str, ...]
    known: FrozenData | None


@dataclass(frozen=True, slots=True)
class Noted(_OfPly):
    """The signature of a submitted move, now that the move is known."""

    signature: str


@dataclass(frozen=True, slots=True)
class Offered(_OfSide):
    """A side offers a draw."""


@dataclass(frozen=True, slots=True)
class Accepted(_OfSide):
    """A side agrees to a draw."""


@dataclass(frozen=True, slots=True)
class Declined(_OfSide):
    """A side does not agree to a draw; all offers lapse."""


@dataclass(frozen=True, slots=True)
class Resigned(_OfSide):
    """A side gives up."""


@dataclass(frozen=True, slots=True)
class Claimed(_OfSide):
    """A side claims an end: `repetition` or `timeout`."""

    what: str


@dataclass(frozen=True, slots=True)
class MessageSent(_OfSide):
    """A side says something to the others."""

    text: str


@dataclass(frozen=True, slots=True)
class VacationTaken(_OfSide):
    """A side's clock is stopped from the first to the last of these days, both included."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Reminded(_OfSide):
    """A side was reminded of the hours left until its deadline; 0 when it has passed."""

    hours: int
    deadline: str


@dataclass(frozen=True, slots=True)
class Extended(_OfSide):
    """The host gives a side more hours for its move."""

    hours: int


@dataclass(frozen=True, slots=True)
class Gave(_OfSide):
    """A side gives another side more hours for its move."""

    to: str
    hours: int


@dataclass(frozen=True, slots=True)
class Keyed(_OfSide):
    """A seat has another key, or none, signed by the `old` one, or taken away by the host with a `reason`."""

    key: str | None
    old: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Aborted(_OfSide):
    """A side calls the game off before every side has moved."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The host stops all clocks."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The clocks are running again."""


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """The host decides the game against a side, or as a draw."""

    by: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Replaced(_OfSide):
    """Another player takes over a side; `key` is their public key, `old` the signature of the former one, if any."""

    name: str
    key: str | None = None
    old: str | None = None


@freezing
@dataclass(frozen=True, slots=True)
class Closed:
    """The game is over, and its secrets are published.

    `by` is the side that resigned, overstepped its time, claimed or was adjudicated against. `unplayed` has move
    and nonce of each side whose move was sealed and never made; `secret` is what chance decided, or what the host
    gave to it. `notes` are the signatures of moves that were never made. `addresses` are the `mailboxes` of the desk
    and the `secrets` behind the addresses of seats; None if the game was never opened.
    """

    how: str
    by: str | None
    winner: str | None
    score: Mapping[str, int]
    unplayed: Mapping[str, Texts]
    secret: str | None
    notes: Texts | None = None
    addresses: Addresses | None = None


@dataclass(frozen=True, slots=True)
class Reopened:
    """The host takes back the end of the game."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """The desk's own key changes to `desk`; `old` is the signature of the new one by the old one, if there is one."""

    desk: str | None
    old: str | None
    reason: str


_OfMoves = Submitted | Sealed | SealedAhead | Revealed | Planned
_OfTheEnd = Offered | Accepted | Declined | Resigned | Claimed

Own = Joined | Refused | Left | _OfMoves | _OfTheEnd | Gave | Aborted | MessageSent | VacationTaken
"""An act of a player, who needs no notice of it."""

_ByTheHost = Extended | Paused | Resumed | Adjudicated | Replaced | Reopened | Keyed | Rekeyed

_Plans = Followed | Spent | Published

_Course = Invited | Engaged | Lapsed | Opened | Failed | Played | Noted | Reminded | Closed | Disclosed

LogEvent = Own | _ByTheHost | _Plans | _Course

_NAMED: Mapping[type, str] = {
    MessageSent: "message",
    VacationTaken: "vacation",
    Rekeyed: "signed",
    SealedAhead: "ahead",
}
"""The kinds that are not called like their classes."""

KINDS: Mapping[str, type[LogEvent]] = Frozen(
    {_NAMED.get(one, one.__name__.lower()): one for one in get_args(LogEvent)}
)
"""The events by the names of their kinds, as logs have them: a promise."""

_KIND = {event: kind for kind, event in KINDS.items()}


def kind_of(event: LogEvent) -> str:
    """The name of an event's kind, as logs have it."""
    return _KIND[type(event)]


def acting_side(event: LogEvent) -> str:
    """The side that does what an event records; empty for the desk."""
    match event:
        case Invited(by=str(side)):
            return side
        case Played(moves=moves):
            return next(iter(moves), "")
        case _:
            return str(getattr(event, "side", ""))
