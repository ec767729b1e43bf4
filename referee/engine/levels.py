"""The levels of play, from a beginner's to the best that an engine can do in a few seconds."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import RefereeError, shown


@dataclass(frozen=True, slots=True)
class EngineLevel:
    """A strength of play.

    Attributes:
        number: from 1, the weakest, to 8.
        name: what people call it.
        nodes: the number of positions that an engine looks at before it moves; nothing depends on the clock.
        hasty: the share of its moves for which it considers only `HASTILY` random ones.
    """

    number: int
    name: str
    nodes: int
    hasty: float

    def __str__(self) -> str:
        """The level for people, such as `3 (Casual)`."""
        return f"{self.number} ({self.name})"


USUAL_LEVEL = 3
"""Default engine level."""

PROGRAM_LEVEL = 0
"""The level of a program of others, which plays in place of an engine."""

HASTILY = 3
"""The moves that a hasty player considers."""

LEVELS = (
    EngineLevel(1, "Beginner", 300, 0.85),
    EngineLevel(2, "Easy", 600, 0.67),
    EngineLevel(3, "Casual", 1_200, 0.51),
    EngineLevel(4, "Steady", 2_400, 0.37),
    EngineLevel(5, "Tricky", 4_000, 0.25),
    EngineLevel(6, "Strong", 8_000, 0.14),
    EngineLevel(7, "Expert", 28_000, 0.06),
    EngineLevel(8, "Master", 120_000, 0.0),
)


def usual_level(highest: int) -> int:
    """The level to propose if engines play at most at the `highest`."""
    return min(USUAL_LEVEL, highest)


LEVEL = rf"\d{{1,3}}|(?:{'|'.join(level.name for level in LEVELS)})\b"
"""A regular expression for a level in a text of people, whatever its case."""


def level_of(wanted: object) -> EngineLevel:
    """The level with a number, its text, or a name in any case; RefereeError `level` if there is none."""
    for level in LEVELS:
        if str(wanted).casefold() in (str(level.number), level.name.casefold()):
            return level
    raise RefereeError(
        "level",
        f"there is no level {shown(wanted)}: an engine plays at a level from 1 to {len(LEVELS)}, "
        f"or {LEVELS[0].name} to {LEVELS[-1].name}",
    )


def level_text(number: int) -> str:
    """The level with a number for people, such as `3 (Casual)`; the number alone if there is none."""
    return next((str(level) for level in LEVELS if level.number == number), str(number))
