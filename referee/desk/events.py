"""What can happen to a game on the desk: the kinds of events, and the JSON they are written as.

No event holds a secret. What must not be known yet lies elsewhere (`store.py`) and comes into the log with the
event that publishes it: a sealed move with `Played`, what chance decided with `Played` and `Closed`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from referee.errors import RefereeError, shown
from referee.rules.frozen import Frozen, freezing

FIRST = 1
"""The version of this format; it stands in every `Opened`."""

SECOND = 2
"""The version from a `Reopened` on; a reader of version 1 alone does not know that kind."""

Texts = Mapping[str, str]
FrozenData = Mapping[str, Any]


@freezing
@dataclass(frozen=True, slots=True)
class Opened:
    """The game begins; `players` are names by side, `options` as far as they may be known, `owing` move first."""

    log: int
    game: str
    rules: int
    title: str | None
    players: Texts
    options: FrozenData
    clock: FrozenData | None
    owing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _OfSide:
    side: str


@dataclass(frozen=True, slots=True)
class _OfPly:
    ply: int
    side: str


@dataclass(frozen=True, slots=True)
class Submitted(_OfPly):
    """A side's move is in and binds it; the referee keeps it sealed, and this is what it promises."""

    commitment: str


@dataclass(frozen=True, slots=True)
class Sealed(_OfPly):
    """A side has sealed its move itself; nobody else knows it."""

    commitment: str


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


@freezing
@dataclass(frozen=True, slots=True)
class Played:
    """The moves of a ply were made at once.

    `nonces` belong to those that were sealed. `owing` are the sides that move next. `known` are options of
    which more is known now.
    """

    ply: int
    moves: Texts
    nonces: Texts
    owing: tuple[str, ...]
    known: FrozenData | None


@dataclass(frozen=True, slots=True)
class Offered(_OfSide):
    """A side offers a draw."""


@dataclass(frozen=True, slots=True)
class Accepted(_OfSide):
    """A side agrees to a draw."""


@dataclass(frozen=True, slots=True)
class Declined(_OfSide):
    """A side does not agree to a draw; no offer stands any more."""


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
    """A side was told that so many hours are left until its deadline; 0 when it has passed."""

    hours: int
    deadline: str


@dataclass(frozen=True, slots=True)
class Extended(_OfSide):
    """The host gives a side so many more hours for what it owes."""

    hours: int


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
    """Somebody else sits on a side from now on."""

    name: str


@freezing
@dataclass(frozen=True, slots=True)
class Closed:
    """The game is over, and nothing is secret any more.

    `by` is the side that resigned, overstepped its time, claimed or was adjudicated against. `unplayed` has move
    and nonce of each side whose move was sealed and never made; `secret` is what chance decided.
    """

    how: str
    by: str | None
    winner: str | None
    score: Mapping[str, int]
    unplayed: Mapping[str, Texts]
    secret: str | None


@dataclass(frozen=True, slots=True)
class Reopened:
    """The host takes back the end of the game; from here on the log is of the version `log`."""

    log: int
    reason: str


Own = Submitted | Sealed | Revealed | Offered | Accepted | Declined | Resigned | Claimed | MessageSent | VacationTaken
"""What a player does, so that they need not be told of it."""

_ByTheHost = Extended | Paused | Resumed | Adjudicated | Replaced | Reopened

LogEvent = Own | _ByTheHost | Opened | Failed | Played | Reminded | Closed

KINDS: Mapping[str, type[LogEvent]] = Frozen(
    {
        "submitted": Submitted,
        "sealed": Sealed,
        "revealed": Revealed,
        "offered": Offered,
        "accepted": Accepted,
        "declined": Declined,
        "resigned": Resigned,
        "claimed": Claimed,
        "message": MessageSent,
        "vacation": VacationTaken,
        "extended": Extended,
        "paused": Paused,
        "resumed": Resumed,
        "adjudicated": Adjudicated,
        "replaced": Replaced,
        "reopened": Reopened,
        "opened": Opened,
        "failed": Failed,
        "played": Played,
        "reminded": Reminded,
        "closed": Closed,
    }
)
"""The events by the names that logs have for them, which are a promise."""

_KIND = {event: kind for kind, event in KINDS.items()}


def kind_of(event: LogEvent) -> str:
    """The name of an event's kind, as logs have it."""
    return _KIND[type(event)]


def canonical(data: object) -> str:
    """Plain data as the one JSON text it has here: names in order, no blanks, no fractions (RFC 8785)."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def event_data(event: LogEvent) -> dict[str, Any]:
    """An event's body as plain data: every name is there, `null` where nothing is said."""
    return {name: getattr(event, name) for name, _ in _shape(kind_of(event))}


def event_of(kind: str, data: object) -> LogEvent:
    """The event that a body says; RefereeError `event` if there is none like this."""
    shape = _shape(kind) if kind in KINDS else None
    if shape is None or not isinstance(data, dict) or data.keys() != {name for name, _ in shape}:
        raise RefereeError("event", f"this is not an event of the kind {shown(kind)}")
    for name, wanted in shape:
        if not _fits(data[name], wanted):
            raise RefereeError("event", f"{name} of an event {kind} cannot be {shown(data[name])}")
    body: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in data.items()}
    return KINDS[kind](**body)


def expect_fit(event: LogEvent) -> None:
    """Raise TypeError for an event whose data are not of their types: an audit would refuse it."""
    kind = kind_of(event)
    for name, wanted in _shape(kind):
        if not _fits(getattr(event, name), wanted):
            raise TypeError(f"{name} of an event {kind} cannot be {shown(getattr(event, name))}")


@cache
def _shape(kind: str) -> tuple[tuple[str, Any], ...]:
    """The names of a kind's body, and their types."""
    hints = get_type_hints(KINDS[kind])
    return tuple((field.name, hints[field.name]) for field in fields(KINDS[kind]))


def _fits(value: object, wanted: Any) -> bool:  # noqa: ANN401 - a type
    """Whether a value is of a type as it stands above; lists of JSON count as tuples."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return _whole(value)
    if origin is UnionType:
        return any(_fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    if origin is not None:
        return isinstance(value, dict) and all(_fits(one, inner[1]) for one in value.values())
    if wanted is str:
        return isinstance(value, str)
    return type(value) is wanted or (value is None and wanted is NoneType)


def _whole(value: object) -> bool:
    """Whether JSON data has no fractions in it."""
    if isinstance(value, dict | list):
        return all(map(_whole, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float)
