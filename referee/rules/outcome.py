"""Outcomes of games: the kinds of ends, the winner and the score."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from referee.rules.frozen import freezing
from referee.terminal import counted

Facts = Mapping[str, object]
"""Data for JSON: texts, numbers, lists and mappings."""


class Termination(enum.StrEnum):
    """A kind of end that every game knows: by points, by a decision of its players or the host, or by the clock.

    A game names the further ends of its own rules as `Game.ends`.

    >>> import referee
    >>> outcome = referee.start("beams").ended("resignation", "south")
    >>> outcome.winner, outcome.termination is referee.Termination.RESIGNATION
    ('north', True)
    """

    SCORE = "score"
    NO_MOVE = "no-move"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    REPETITION = "repetition"
    TIMEOUT = "timeout"
    ADJUDICATION = "adjudication"
    ABANDONED = "abandoned"


DRAWN = frozenset((Termination.AGREEMENT, Termination.REPETITION))
"""Ends without a winner."""

OPEN_ENDS = frozenset(Termination) - {Termination.SCORE, Termination.NO_MOVE}
"""Ends that the moves do not show."""


@freezing
@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winner (None for a tie), the kind of end, and the score by side.

    The kind of end is a `Termination` or the name of one of the game's own ends.

    >>> import referee
    >>> *_, last = referee.read("games/laser-chess/curiosity.yaml").replay()
    >>> last.outcome.winner, str(last.outcome.termination), dict(last.outcome.score)
    ('blue', 'king', {'blue': 1, 'red': 0})
    """

    winner: str | None
    termination: str
    score: Mapping[str, int]

    def as_json(self) -> Facts:
        """The outcome as reports print it."""
        return {"winner": self.winner, "how": str(self.termination), "score": dict(self.score)}


def score_text(score: Mapping[str, int]) -> str:
    """A score in words."""
    return ", ".join(f"{side} {points}" for side, points in score.items())


def team_text(score: Mapping[str, int]) -> str | None:
    """The points of the only team of a game, in words; None in a game of sides or of several teams."""
    if len(score) != 1:
        return None
    ((team, number),) = score.items()
    return f"the {team} scored {counted(number, 'point', 'points')}"
