"""How a game ended, and what a timeout costs in it, in words: of two opponents, or of one team."""

from __future__ import annotations

from collections.abc import Mapping

from referee.desk.clock import LOSS
from referee.desk.state import ABANDONED
from referee.mail.composing.text import listed
from referee.rules import Game, Outcome


def verdict(game: Game, outcome: Outcome, side: str | None = None) -> str:
    """Who has won, as told to a side or to anybody; of a team, how many points it has."""
    if game.scored:
        return listed(f"the {team} has {_counted(points)}" for team, points in outcome.score.items())
    if outcome.termination == ABANDONED:
        return "it ended without a winner"
    if outcome.winner is None:
        return "nobody has won"
    return "you have won" if outcome.winner == side else f"{outcome.winner} has won"


def points(score: Mapping[str, int]) -> str:
    """A score as a list, in the order that it has."""
    return ", ".join(f"{one} {number}" for one, number in score.items())


def cost_of_timeout(game: Game, timeout: str, *, mine: bool) -> str:
    """What becomes of a game when a side's time is over: by itself, or once it is claimed.

    `mine` says that it is told to the side whose time that is.
    """
    if len(game.sides) == 2:
        who = "the other side" if mine else "you"
        return "the game is lost at once" if timeout == LOSS else f"{who} can win by claiming a timeout"
    if timeout == LOSS:
        return "the game ends at once, with the points as they stand"
    return "any other player can end the game by claiming a timeout, with the points as they stand"


def _counted(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"
