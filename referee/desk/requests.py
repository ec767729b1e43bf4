"""What can be asked of the desk by a player, by the host and by the time; and what is answered.

A player's request may name the ply that it was written for, as the token of his letter does. One that is about a
ply that is over changes nothing. Moves that are secret yet are in no `repr`, so that none gets into a trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from referee.errors import RefereeError, Span


@dataclass(frozen=True, slots=True)
class Submit:
    """Make a move; where moves are made at once, the first valid one of a side binds it."""

    side: str
    move: str = field(repr=False)
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    """Promise a move that only the player knows."""

    side: str
    commitment: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Show the move that was promised."""

    side: str
    move: str = field(repr=False)
    nonce: str = field(repr=False)
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""

    side: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer a draw; where one is offered already, accept it."""

    side: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept a draw that is offered."""

    side: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline a draw that is offered."""

    side: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim an end: `repetition`, `timeout`, or whichever there is."""

    side: str
    what: str | None = None
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """Say something to the others."""

    side: str
    text: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Vacation:
    """Take days off, the first and the last included."""

    side: str
    first: date
    last: date
    ply: int | None = None


Asked = Submit | Seal | Reveal | Resign | Offer | Accept | Decline | Claim | Message | Vacation
"""What a player can ask for."""


@dataclass(frozen=True, slots=True)
class Extend:
    """Give a side, or all that owe something, so many hours more."""

    hours: int
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop all clocks; moves are welcome all the same."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clocks go on."""


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """Decide the game against a side, or as a draw."""

    by: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replace:
    """Give a side to another player; the tokens of the one before are worth nothing from then on."""

    side: str
    name: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """End the game without a decision."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back an end that should not have been, such as a timeout by a wrong clock."""

    reason: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: reminders, and losses by time."""


Ordered = Extend | Pause | Resume | Adjudicate | Replace | Close | Reopen | Tick
"""What the host and the time can ask for."""

Request = Asked | Ordered


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request.

    `code` is the request's name in the past (`moved`, `sealed` …), or that of a refusal: then there is a sentence,
    and perhaps the place in the move and moves to try. `repeated` says that all this was so before; the answer is
    the same as then.
    """

    code: str
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    refused: bool = False
    repeated: bool = False
    message: str = ""
    span: Span | None = None
    suggestions: tuple[str, ...] = ()

    @classmethod
    def refusal(cls, error: RefereeError) -> Answer:
        """The answer that passes a refusal on."""
        return cls(error.code, {}, True, message=error.message, span=error.span, suggestions=error.suggestions)
