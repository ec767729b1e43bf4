"""What is decided upon, and what a decision is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from referee.desk.events import Event
from referee.desk.requests import Answer
from referee.desk.state import State

Secrets = Mapping[str, str]
"""What is not known yet of a game, by name; its sealed moves and what chance decided among it."""

Chance = Callable[[str], bytes]
"""Thirty-two bytes that nobody can guess, for something that is named."""

CHANCE = "chance"
"""The name under which that is kept secret what chance decided before the game."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game as it stands, when something is asked, and what only the referee knows."""

    state: State
    at: datetime
    secrets: Secrets = field(repr=False)
    chance: Chance = field(repr=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """What one request does: the answer, events in their order, and what is to be kept secret."""

    answer: Answer
    events: tuple[Event, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)


def sealed_name(ply: int, side: str) -> str:
    """The name under which move and nonce of a sealed move are kept."""
    return f"move/{ply}/{side}"


def address_name(side: str) -> str:
    """The name under which a side's address is kept."""
    return f"address/{side}"
