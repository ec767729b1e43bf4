"""Variations: other possible continuations of a game, kept in its file as comments that programs can read.

Such a comment is `{variation 3: P M1 A2 12 | P S B1; P R3 F5 6 | P S C4}`: what could have been made as ply 3 and
after it. Moves that are made at once are divided by bars, plies by semicolons. For all other readers it is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from referee.errors import RefereeError
from referee.game.file.gamefile import GameFile
from referee.notation.moves import parse_move
from referee.rules import Move, Moves, Position, movers

MOST_VARIATIONS = 1000
"""Maximum variations that are read from one file."""

_COMMENT = re.compile(r"variation ([1-9][0-9]{0,5}): (.+)")


class Variation(NamedTuple):
    """Plies that could have been made; `ply` is the number of the first of them."""

    ply: int
    plies: tuple[Moves, ...]

    def __str__(self) -> str:
        told = "; ".join(" | ".join(map(str, moves.values())) for moves in self.plies)
        return f"variation {self.ply}: {told}"


def variations_of(game: GameFile) -> tuple[Variation, ...]:
    """The variations in the comments of a game that are legal where they begin; FileError if the game is wrong."""
    texts = [match for one in _comments(game) if (match := _COMMENT.fullmatch(one))][:MOST_VARIATIONS]
    if not texts:
        return ()
    positions = [game.start(), *(ply.position for ply in game.replay())]
    found = (_variation(positions, int(number), text) for number, text in (one.groups() for one in texts))
    return tuple(one for one in found if one is not None)


def with_variations(game: GameFile, variations: Iterable[Variation]) -> GameFile:
    """A game with these variations as comments after its last round, instead of those that it had."""
    rounds = tuple(
        one._replace(
            moves=tuple(noted._replace(comments=_others(noted.comments)) for noted in one.moves),
            comments=_others(one.comments),
        )
        for one in game.rounds
    )
    kept = _others(game.trailing_comments)
    return replace(game, rounds=rounds, trailing_comments=(*kept, *map(str, variations)))


def _comments(game: GameFile) -> Iterator[str]:
    for one in game.rounds:
        yield from one.comments
        for noted in one.moves:
            yield from noted.comments
    yield from game.trailing_comments


def _others(comments: tuple[str, ...]) -> tuple[str, ...]:
    """The comments that are no variations."""
    return tuple(one for one in comments if not _COMMENT.fullmatch(one))


def _variation(positions: list[Position], number: int, text: str) -> Variation | None:
    """The variation in a comment; None if it is not legal there."""
    if number > len(positions):
        return None
    position, plies = positions[number - 1], []
    try:
        for one in text.split(";"):
            moves = _moves(position, one)
            position = position.play(moves)
            plies.append(moves)
    except RefereeError:
        return None
    return Variation(number, tuple(plies))


def _moves(position: Position, text: str) -> dict[str, Move]:
    """The moves of a ply by their sides, in the order of the sides."""
    texts = text.split("|")
    return {side: parse_move(position.game, one.strip()) for side, one in zip(movers(position), texts, strict=False)}
