"""The levels of play, from a beginner's to the best that an engine can do in a few seconds."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import RefereeError, shown


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """A strength of play.

    Attributes:
        number: from 1, the weakest, to 8.
        nodes: the number of positions that an engine looks at before it moves; nothing depends on the clock.
        hasty: the share of its moves for which it considers only `HASTILY` random ones.
    """

    number: int
    nodes: int
    hasty: float


USUAL_LEVEL = 3
"""Default engine level."""

PROGRAM_LEVEL = 0
"""The level of a program of others, which plays in place of an engine."""

HASTILY = 3
"""The moves that a hasty player considers."""

LEVELS = (
    EngineLevel(1, 300, 0.85),
    EngineLevel(2, 600, 0.67),
    EngineLevel(3, 1_200, 0.51),
    EngineLevel(4, 2_400, 0.37),
    EngineLevel(5, 4_000, 0.25),
    EngineLevel(6, 8_000, 0.14),
    EngineLevel(7, 28_000, 0.06),
    EngineLevel(8, 120_000, 0.0),
)


def usual_level(highest: int) -> int:
    """The level to propose if engines play at most at the `highest`."""
    return min(USUAL_LEVEL, highest)


def level_of(number: object) -> EngineLevel:
    """The level with a number, or its text; RefereeError `level` if there is none."""
    for level in LEVELS:
        if str(number) == str(level.number):
            return level
    raise RefereeError(
        "level", f"there is no level {shown(number)}: an engine plays at a level from 1 to {len(LEVELS)}"
    )
