"""The moves and sides in a line, written in private characters, so that one grammar serves every game."""

from __future__ import annotations

import re
from functools import lru_cache

from referee.notation.moves import LONGEST_MOVE, known_move, misfit, notation
from referee.notation.spoken import meant
from referee.notation.typography import fold_letters
from referee.rules import Move, game_named

LONGEST_LINE = 1_000
"""Maximum characters of one line of a plan."""

_MOST_WORDS = 14
"""Maximum words of a move."""

_MOVE, _SIDE = 0xE000, 0xE100
"""The private areas for the characters of moves, and of sides."""

MOVES = re.compile("[\ue000-\ue0ff]+")
_PRIVATE = re.compile("[\ue000-\ue1ff]")
_ARROWS = re.compile("[\u2190-\u21ff\u2794-\u27be\u27f0-\u27ff\u2b00-\u2bff\uf0e0]\ufe0f?")
_APART = re.compile(r"[-=]{1,3}>|(?<![\w.,])[0-9]{1,3}(?:\.{3}|[.)](?=[a-z]))", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_SPOKEN = re.compile(r"(?:[^0-9]*[0-9]+){1,6}[^0-9]{0,30}")
"""A text that can be a move in everyday words: it has a few numbers, the last of them near the end."""

_BOUND = re.compile(r"(?:if|when|or|else|otherwise|unless|only|stop|any\w*|whatever|[-=]+>)\W*", re.IGNORECASE)
_FILLER = re.compile(
    r"(?:i|me|and|then|please|at|on|onto|to|into|in|of|from|by|it|he|she|they|you|is)\W*", re.IGNORECASE
)


def folded(line: str) -> str:
    """A line in plain letters and signs, in which arrows and numbers of rounds stand apart."""
    signs = _PRIVATE.sub("?", _ARROWS.sub("->", line[: LONGEST_LINE + 1]))
    return " ".join(_APART.sub(r" \g<0> ", fold_letters(signs)).rstrip("!. \r\n").split())


def disguised(game: str, line: str) -> str:
    """A line whose moves and sides are in private characters, one for each of theirs."""
    words = [*_WORD.finditer(line)]
    shape, done = line, 0
    for place, word in enumerate(words):
        if word.start() >= done and (end := _move_end(game, line, words, place)):
            shape, done = shape[: word.start()] + _shifted(line[word.start() : end], _MOVE) + shape[end:], end
    sides = "|".join(map(re.escape, game_named(game).sides))
    return re.sub(rf"\b(?:{sides})\b", lambda found: _shifted(found[0].casefold(), _SIDE), shape, flags=re.IGNORECASE)


def plain(shape: str) -> str:
    """A disguised text as it was."""
    return _PRIVATE.sub(lambda found: chr(ord(found[0]) & 0xFF), shape)


def _shifted(text: str, area: int) -> str:
    return "".join(chr(area + min(ord(char), 0xFF)) for char in text)


def _move_end(game: str, line: str, words: list[re.Match[str]], place: int) -> int:
    """The end of the longest move that begins with a word; 0 if none does."""
    most = min(len(words), place + _MOST_WORDS)
    most = next((n for n in range(place, most) if _BOUND.fullmatch(words[n][0])), most)
    start, window = words[place].start(), line[words[place].start() : words[most - 1].end()]
    # Most words begin no move: the parser knows that at once, and everyday words for moves need a number.
    reach = (misfit(game, window) or len(window) + 1) - 1 if most > place else 0
    for last in range(most - 1, place - 1, -1):
        text = line[start : words[last].end()].rstrip(",.;:!")
        is_filled = _FILLER.fullmatch(words[place][0]) or _FILLER.fullmatch(words[last][0])
        if (len(text) <= reach and known_move(game, text)) or (
            not is_filled and _SPOKEN.fullmatch(text) and resolved(game, text)
        ):
            return start + len(text)
    return 0


@lru_cache(1 << 12)
def resolved(game: str, text: str) -> Move | None:
    """The move of a text in notation, in everyday words, or without its keyword if only one fits; None if none."""
    if len(text) > LONGEST_MOVE:
        return None
    move = known_move(game, text)
    if move or not _SPOKEN.fullmatch(text):
        return move
    said = meant(game, text)
    begun = {known_move(game, f"{keyword} {said}") for keyword in notation(game).BEGINNINGS} - {None}
    return known_move(game, said) or (begun.pop() if len(begun) == 1 else None)
