"""Engines in the seats of a game, with promises that bind all their moves (spec/log.md, "Engines")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.signatures import digest_of
from referee.engine.levels import PROGRAM_LEVEL

_ENGINE = re.compile("(?:the)?engines?[ivx]*|thehostsprogram")
"""The letters of a name that people take for an engine's, such as `Engine 4`, `Engine IV` or `The host's program`."""


@dataclass(frozen=True, slots=True)
class Engagement:
    """An engine in a seat, `left` if a person has it now; `promise` binds the `seed` revealed at the end.

    No seed binds the moves of a program of the host's, whose level is 0.
    """

    level: int
    version: int
    promise: str
    left: bool = False
    seed: str | None = None

    @property
    def is_program(self) -> bool:
        """True for a program of the host's, whose moves follow from nothing that a log has."""
        return self.level == PROGRAM_LEVEL


Engagements = Mapping[str, Engagement]
"""The engines of a game by side, also those that have left."""


def engagements_after(engines: Engagements, event: LogEvent) -> Engagements:
    """The engines of a game after an event."""
    match event:
        case events.Engaged(side=side, level=level, version=version, seed=bound):
            return {**engines, side: Engagement(level, version, bound)}
        case events.Replaced(side=side) if side in engines:
            return {**engines, side: replace(engines[side], left=True)}
        case events.Disclosed(side=side, seed=seed):
            return {**engines, side: replace(engines[side], seed=seed)}
        case _:
            return engines


def seed_promise(game: str, side: str, seed: str) -> str:
    """The promise of an engine's seed, 64 digits: SHA-256 over four lines, in hexadecimal."""
    return digest_of("referee engine 1", game, side, seed)


def seed_of(seed: str, ply: int) -> str:
    """The seed of an engine's move in a ply: it differs in each, so that engines do not go round in circles."""
    return f"{seed} {ply}"


def reads_as_engine(name: str) -> bool:
    """True if people would take the player of a name for an engine."""
    return _ENGINE.fullmatch("".join(filter(str.isalpha, name)).casefold()) is not None
