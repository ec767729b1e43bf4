"""The levels of play, from a beginner's to the best that an engine can do in a few seconds."""

from __future__ import annotations

from referee.errors import RefereeError, shown
from referee.values import dataclass


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """A strength of play.

    Attributes:
        number: from 1, the weakest, to 8.
        nodes: how many positions an engine looks at before it moves; nothing depends on the clock.
        overlooked: the share of its own moves that it does not even consider.
    """

    number: int
    nodes: int
    overlooked: float


LEVELS = (
    EngineLevel(1, 150, 0.50),
    EngineLevel(2, 350, 0.35),
    EngineLevel(3, 800, 0.25),
    EngineLevel(4, 1_800, 0.15),
    EngineLevel(5, 4_000, 0.08),
    EngineLevel(6, 9_000, 0.04),
    EngineLevel(7, 18_000, 0.0),
    EngineLevel(8, 36_000, 0.0),
)


def level_of(number: object) -> EngineLevel:
    """The level with a number, or its text; RefereeError `level` if there is none."""
    for level in LEVELS:
        if str(number) == str(level.number):
            return level
    raise RefereeError(
        "level", f"there is no level {shown(number)}: an engine plays at a level from 1 to {len(LEVELS)}"
    )
