"""The legal moves nearest to a text."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_SUGGESTED = 3

_REMEMBERED = 8
"""Texts whose costs are remembered: those of one game's notes, or of one letter."""

_WEIGHED = 5_000
"""Maximum moves compared word by word: those that share the most words with the text."""

_WORD = re.compile(r"[a-z]+[0-9]*[a-z]*|[0-9]+(?::00)?|[^\sa-z0-9]")
_PART = re.compile(r"[a-z]+|[0-9]+")
_LONGEST = 60
_MISSING, _TOO_MUCH, _OTHER_KIND, _LETTER = 70, 100, 150, 35
"""Costs of adding a word, leaving one out, taking one of another kind, and changing a letter."""

_FARTHEST = 9
"""Maximum that the distance of two letters or numbers adds to the cost of changing one into the other."""

_DIFFERENT = 100
"""Maximum cost of another word of the same kind."""

_UNFINISHED = 10
"""Cost of a missing word at the end of a text that is right so far."""


def nearest(text: str, moves: Iterable[object], most: int = MOST_SUGGESTED) -> tuple[str, ...]:
    """Up to `most` of the moves, canonical; those with the fewest changes to the text are first.

    The comparison goes word by word, or letter by letter for a text of one word. A letter or number next to the right
    one is nearer than one far away.
    """
    wanted = text[:_LONGEST].casefold()
    apart = words_of if len(wanted.split()) > 1 else _letters
    written = _likely(wanted, [str(move) for move in moves])
    changes, costs = _Changes(apart(wanted)), _known_costs(wanted)
    for move in written:
        if move not in costs:
            costs[move] = changes.to(apart(move.casefold()))
    ranked = ((costs[move], place, move) for place, move in enumerate(written))
    return tuple(move for *_, move in heapq.nsmallest(most, ranked))


@lru_cache(_REMEMBERED)
def _known_costs(wanted: str) -> dict[str, int]:
    """Moves -> their costs for a text, which are looked up again in every position where it may be meant."""
    return {}


def _likely(wanted: str, moves: list[str]) -> list[str]:
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


class _Changes:
    """The costs of changing one text into others, one after another.

    Neighbouring moves in a list begin alike. So the table of costs, with a row for each word of the text compared
    last, is kept for the words that the next text shares with it at the beginning.
    """

    def __init__(self, text: Sequence[str]) -> None:
        self._text = tuple(text)
        self._other: Sequence[str] = ()
        self._rows = [[row * _TOO_MUCH for row in range(len(self._text) + 1)]]
        self._differences: dict[str, list[int]] = {}

    def to(self, other: Sequence[str]) -> int:
        """The cost of the cheapest way from the text to another one."""
        kept = alike(self._other, other)
        del self._rows[kept + 1 :]
        for word in other[kept:]:
            self._rows.append(self._row(word))
        self._other = other
        if other[: len(self._text)] == self._text:
            return (len(other) - len(self._text)) * _UNFINISHED
        return self._rows[-1][-1]

    def _row(self, word: str) -> list[int]:
        """The costs of changing each beginning of the text into the words so far and one more."""
        if word not in self._differences:
            self._differences[word] = [_difference(part, word) for part in self._text]
        above = self._rows[-1]
        cost = above[0] + _MISSING
        row = [cost]
        for place, difference in enumerate(self._differences[word]):
            # Three comparisons, where `min` would take most of the time of a suggestion.
            cost += _TOO_MUCH
            if (missing := above[place + 1] + _MISSING) < cost:
                cost = missing
            if (other := above[place] + difference) < cost:
                cost = other
            row.append(cost)
        return row


def alike(one: Sequence[str], two: Sequence[str]) -> int:
    """The length of the beginning that two texts, or two lists of them, share."""
    for place, (word, other) in enumerate(zip(one, two, strict=False)):
        if word != other:
            return place
    return min(len(one), len(two))


def _difference(one: str, two: str) -> int:
    if one == two:
        return 0
    if _kind(one) != _kind(two):
        return _OTHER_KIND
    changed = sum(a != b for a, b in zip(one, two, strict=False)) + abs(len(one) - len(two))
    return min(_DIFFERENT, changed * _LETTER + _way(one, two))


def _way(one: str, two: str) -> int:
    """The distance of the letters and numbers of two words, up to the farthest."""
    steps = 0
    for part, other in zip(_PART.findall(one), _PART.findall(two), strict=False):
        if part.isdigit() and other.isdigit():
            steps += abs(int(part) - int(other))
        else:
            steps += sum(abs(ord(a) - ord(b)) for a, b in zip(part, other, strict=False))
    return min(_FARTHEST, steps)


@lru_cache(maxsize=8192)
def _kind(word: str) -> tuple[bool, bool]:
    """True for letters in a word, and true for digits in it."""
    return any(map(str.isalpha, word)), any(map(str.isdigit, word))
