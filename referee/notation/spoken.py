"""Moves in everyday words, and the legal moves nearest to their meaning.

A game's notation module has its words: `BEGINNINGS` is keyword -> words a move may begin with, `PARTS` is pattern ->
notation for the rest, applied in order. Both are regular expressions over whole words, in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from referee.errors import IllegalMove, NotationError
from referee.notation.moves import LONGEST_MOVE, move_text, notation, note_words, parse_move
from referee.notation.nearest import MOST_SUGGESTED, nearest
from referee.rules.contract import M, Position

_MOST_MEANINGS = 8
"""Maximum meanings of a text that are weighed."""

_FILLERS = re.compile(
    r"\b(?:i|please|then|and|an?|the|my|at|on|onto|to|into|in|of|from|by|away|it|piece|square|cell|facing|pointing|looking|aimed|towards|o'?clock)\b"
)


def suggested(game: str, text: str, moves: Iterable[object], most: int = MOST_SUGGESTED) -> tuple[str, ...]:
    """Up to `most` of the moves nearest to a text, put into notation first if it is in everyday words."""
    said = meant(game, text)
    if said == text:
        return nearest(text, moves, most)
    keyword = said.split(" ", 1)[0].upper()
    if keyword in notation(game).BEGINNINGS:
        moves = (move for move in moves if str(move).split(" ", 1)[0] == keyword)
    return nearest(said, moves, most)


def legal_move(position: Position[M], side: str, text: str) -> M:
    """The legal move of a side in a text; returns and raises as `Position.parse`."""
    try:
        move: M = parse_move(position.game, text)  # type: ignore[assignment] # each game's parser gives its moves
        position.check(side, move)
    except NotationError as error:
        raise error.with_suggestions(suggested(position.game, text, position.legal_moves(side))) from None
    except IllegalMove as error:
        near = nearest(text, position.legal_moves(side))
        raise IllegalMove(error.code, error.message, suggestions=near) from None
    return move


def is_spoken_move(game: str, text: str) -> bool:
    """True for a text that is a whole move in everyday words."""
    said = meant(game, text)
    return said != text and len(text) <= LONGEST_MOVE and move_text(game, said) != ""


def meant(game: str, text: str) -> str:
    """The text with everyday words replaced by a game's notation; other texts stay as they are."""
    said, found = _replaced(game, text[:LONGEST_MOVE].casefold())
    return " ".join(_FILLERS.sub(" ", said).split()) if found else text


def meanings(game: str, text: str) -> tuple[str, ...]:
    """A text with everyday words replaced by a game's notation, once for each meaning of its words."""
    texts = [text[:LONGEST_MOVE].casefold()]
    for pattern, instead in aliases(game):
        texts = [*dict.fromkeys(pattern.sub(one, said) for said in texts for one in instead)][:_MOST_MEANINGS]
    return tuple(" ".join(_FILLERS.sub(" ", _replaced(game, said)[0]).split()) for said in texts)


@cache
def aliases(game: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """The names of pieces with several meanings, as patterns."""
    table = note_words(game).ALIASES
    return tuple((re.compile(rf"(?<!\w)(?:{words})(?!\w)"), instead) for words, instead in table.items())


def in_notation(game: str, text: str) -> str:
    """A part of a line in small letters, with everyday words replaced by a game's notation."""
    said, _ = _replaced(game, text.casefold())
    keywords = {keyword.casefold() for keyword in notation(game).BEGINNINGS}
    return _FILLERS.sub(lambda found: found[0] if found[0] in keywords else " ", said)


def _replaced(game: str, said: str) -> tuple[str, bool]:
    found = False
    for pattern, replacement in _words(game):
        said, times = pattern.subn(replacement, said)
        found = found or times > 0
    return said, found


@cache
def _words(game: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The words of a game as patterns, each with its notation, in the order of their use."""
    module = notation(game)
    pairs = [*module.PARTS.items(), *((words, keyword) for keyword, words in module.BEGINNINGS.items())]
    return tuple((re.compile(rf"(?<!\w)(?:{words})(?!\w)"), said) for words, said in pairs)
