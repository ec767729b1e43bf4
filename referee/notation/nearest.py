"""The legal moves nearest to a text."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_SUGGESTED = 3

_WEIGHED = 5_000
"""Maximum moves compared word by word: those that share the most words with the text."""

_WORD = re.compile(r"[a-z]+[0-9]*[a-z]*|[0-9]+(?::00)?|[^\sa-z0-9]")
_LONGEST = 60
_MISSING, _TOO_MUCH, _OTHER_KIND, _LETTER = 0.7, 1.0, 1.5, 0.35
"""Costs of adding a word, leaving one out, taking one of another kind, and changing a letter."""

_UNFINISHED = 0.1
"""Cost of a missing word at the end of a text that is right so far."""


def nearest(text: str, moves: Iterable[object], most: int = MOST_SUGGESTED) -> tuple[str, ...]:
    """Up to `most` of the moves, canonical, those first that need the fewest changes to the text.

    The comparison goes word by word: a word may be missing, superfluous or different, and one that differs by a
    letter, such as A3 for A4, is near. A text of one word is compared letter by letter, as if the moves had no
    blanks. Case does not matter. Equally near moves keep their order.
    """
    wanted = text[:_LONGEST].casefold()
    apart = words_of if len(wanted.split()) > 1 else _letters
    written = _likely(wanted, [str(move) for move in moves])
    ranked = ((_distance(apart(wanted), apart(move.casefold())), place, move) for place, move in enumerate(written))
    return tuple(move for *_, move in heapq.nsmallest(most, ranked))


def _likely(wanted: str, moves: list[str]) -> list[str]:
    """The moves that are worth comparing, in their order."""
    if len(moves) <= _WEIGHED:
        return moves
    words = set(wanted.split())
    common = [len(words.intersection(move.casefold().split())) for move in moves]
    places = heapq.nlargest(_WEIGHED, range(len(moves)), key=lambda place: (common[place], -place))
    return [moves[place] for place in sorted(places)]


@lru_cache(maxsize=8192)
def words_of(text: str) -> tuple[str, ...]:
    """The words and signs of a move's text in small letters: a cell or a number is a word, a hyphen is a sign."""
    return tuple(_WORD.findall(text))


def _letters(text: str) -> tuple[str, ...]:
    return tuple("".join(text.split()))


def _distance(one: Sequence[str], two: Sequence[str]) -> float:
    """The cost of the cheapest way from one text to the other."""
    start, shorter = 0, min(len(one), len(two))
    while start < shorter and one[start] == two[start]:
        start += 1
    one, two = one[start:], two[start:]
    if not one:
        return len(two) * _UNFINISHED
    above = [column * _MISSING for column in range(len(two) + 1)]
    for row, part in enumerate(one, 1):
        below = [row * _TOO_MUCH]
        for column, other in enumerate(two, 1):
            changed = above[column - 1] + _difference(part, other)
            below.append(min(changed, above[column] + _TOO_MUCH, below[-1] + _MISSING))
        above = below
    return above[-1]


@lru_cache(maxsize=8192)
def _difference(one: str, two: str) -> float:
    """The cost of one word in place of another."""
    if one == two:
        return 0.0
    if _kind(one) != _kind(two):
        return _OTHER_KIND
    changed = sum(a != b for a, b in zip(one, two, strict=False)) + abs(len(one) - len(two))
    return min(1.0, changed * _LETTER)


def _kind(word: str) -> tuple[bool, bool]:
    """If a word has letters, and if it has digits."""
    return any(map(str.isalpha, word)), any(map(str.isdigit, word))
