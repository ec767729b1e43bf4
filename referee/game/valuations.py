"""What an engine thinks of a game, kept in its file as comments that programs can read.

Such a comment follows the last move of a ply, `{value +0.40}`, and says by how many points the first side stands
better then, or, in a game for a team, how many it will have. A certain win is `{value won}` or `{value lost}`.
"""

from __future__ import annotations

import re

from referee.game.gamefile import Ply

_COMMENT = re.compile(r"value (?:(?P<points>[+-]?\d{1,6}\.\d\d)|(?P<sure>won|lost))")

CERTAIN = 1_000_000
"""The value of a game that is certain to be won, in hundredths of a point."""


def value_comment(value: int) -> str:
    """The comment that keeps a value, in hundredths of a point."""
    if abs(value) >= CERTAIN:
        return "value won" if value > 0 else "value lost"
    return f"value {value / 100:+.2f}"


def value_in(comment: str) -> int | None:
    """The value that a comment keeps; None if it keeps none."""
    match = _COMMENT.fullmatch(comment)
    if match is None:
        return None
    if match["sure"]:
        return CERTAIN if match["sure"] == "won" else -CERTAIN
    return round(100 * float(match["points"]))


def kept_value(ply: Ply) -> int | None:
    """The value that the comments of a ply keep, in hundredths of a point; None if they keep none."""
    found = (value_in(comment) for noted in ply.annotated.values() for comment in noted.comments)
    return next((value for value in found if value is not None), None)
