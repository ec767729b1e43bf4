"""Valuations of a game by an engine, kept in its file as comments that programs can read.

`{value +0.40}` follows the last move of a ply: the first side is ahead by so much, in points; in a game for a team it
is the expected score. A certain win is `{value won}` or `{value lost}`. `{line: M f7-g7; R g8 L}` follows a move and
has the engine's own choice with the expected sequel; after a move that is marked because it was worse, it is
`{better: M f7-g7; R g8 L}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.game.file.gamefile import Ply
from referee.notation.moves import move_text
from referee.rules import Move

_VALUE = re.compile(r"value (?:(?P<points>[+-]?\d{1,6}\.\d\d)|(?P<sure>won|lost))")
_LINE = re.compile(r"(?P<word>line|better): (?P<moves>.+)")

CERTAIN = 1_000_000
"""The value of a game that is certain to be won, in hundredths of a point."""


def value_comment(value: int) -> str:
    """The comment that keeps a value, in hundredths of a point."""
    if abs(value) >= CERTAIN:
        return "value won" if value > 0 else "value lost"
    return f"value {value / 100:+.2f}"


def value_in(comment: str) -> int | None:
    """The value that a comment keeps; None if it keeps none."""
    match = _VALUE.fullmatch(comment)
    if match is None:
        return None
    if match["sure"]:
        return CERTAIN if match["sure"] == "won" else -CERTAIN
    return round(100 * float(match["points"]))


def line_comment(line: Iterable[Move], *, better: bool) -> str:
    """The comment that keeps a line of moves; `better` after a move that is marked as worse."""
    return f"{'better' if better else 'line'}: {'; '.join(map(str, line))}"


def opinion_in(comment: str, game: str) -> tuple[str, str] | None:
    """An engine's comment as a heading and a text, a value or a line of the game's moves; None for any other."""
    if value_in(comment) is not None:
        return "value", comment.removeprefix("value ")
    match = _LINE.fullmatch(comment)
    if match is None or not all(move_text(game, text.strip()) for text in match["moves"].split(";")):
        return None
    return match["word"], match["moves"]


def opinions(ply: Ply) -> list[tuple[str, str]]:
    """The engine's opinions on a ply, as headings (with the side where several move at once) and texts."""
    first = ply.position.sides[0]
    told: list[tuple[str, str]] = []
    for side, noted in ply.annotated.items():
        for word, text in filter(None, (opinion_in(comment, ply.position.game) for comment in noted.comments)):
            if word == "value":
                told.append((word, f"{text} for {first}" if text in ("won", "lost") else text))
            else:
                told.append((f"{word} ({side})" if len(ply.annotated) > 1 else word, text))
    return told


def remarks(comments: Iterable[str], game: str) -> tuple[str, ...]:
    """Those of a move's comments that are people's, and no engine's."""
    return tuple(one for one in comments if opinion_in(one, game) is None)


def notable(comments: Iterable[str], game: str) -> tuple[str, ...]:
    """The comments of a move that deserve their room next to it: people's, and better lines."""
    told = ((one, opinion_in(one, game)) for one in comments)
    return tuple(one for one, opinion in told if opinion is None or opinion[0] == "better")


def kept_value(ply: Ply) -> int | None:
    """The value that the comments of a ply keep, in hundredths of a point; None if they keep none."""
    found = (value_in(comment) for noted in ply.annotated.values() for comment in noted.comments)
    return next((value for value in found if value is not None), None)
