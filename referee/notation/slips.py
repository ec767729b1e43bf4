"""Slips of the pen: the legal moves that differ from a text by one word, and the size of each slip."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import ne
from typing import NamedTuple

from referee.notation.nearest import words_of
from referee.rules import Move

SMALL, LARGE = 1, 2
"""Sizes of slips: one sign or one step, such as B3 for B5 or A4; any other word of the same kind."""

_PARTS = re.compile(r"([a-z]*)([0-9]*)(.*)")
_FAR = 9
_ROW_STEP = 2
"""One step in a row of cells that are numbered by twos."""


class Slip(NamedTuple):
    """A move that may have been meant, the size of the slip, and its distance in steps."""

    size: int
    steps: int
    move: Move


def slips(text: str, moves: Iterable[Move]) -> Iterator[Slip]:
    """The moves that differ from a text in notation by one word, or by words or numbers that changed places."""
    written = words_of(text.casefold())
    for move in moves:
        other = _canonical(move)
        if len(other) != len(written) or (differences := sum(map(ne, written, other))) not in (1, 2, 4):
            continue
        apart = [(one, two) for one, two in zip(written, other, strict=True) if one != two]
        if differences == 1:
            if found := _slip(*apart[0]):
                yield Slip(*found, move)
        elif _changed_places(*zip(*apart, strict=True)):
            yield Slip(LARGE, 0, move)


def _changed_places(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """True if the first half of some words has changed places with the second, or two words their numbers."""
    half = len(one) // 2
    if one[half:] + one[:half] == two:
        return True
    if half != 1:
        return False
    (letter, number, _), (other, last, _) = _parts(one[0]), _parts(one[1])
    return _parts(two[0])[:2] == (letter, last) and _parts(two[1])[:2] == (other, number)


@lru_cache(maxsize=1 << 14)
def _canonical(move: Move) -> tuple[str, ...]:
    return words_of(str(move).casefold())


@lru_cache(maxsize=1 << 13)
def _slip(one: str, two: str) -> tuple[int, int] | None:
    """The size of a slip from one word to another and its steps; None if the words are of different kinds."""
    first, second = _parts(one), _parts(two)
    if [bool(part) for part in first] != [bool(part) for part in second]:
        return None
    if len(first[0]) == len(second[0]) == 1:
        letters = abs(ord(first[0]) - ord(second[0]))
    else:
        letters = _FAR * (first[0] != second[0])
    numbers = abs(int(first[1]) - int(second[1])) if first[1] else 0
    rest = _FAR * (first[2] != second[2])
    is_near = letters <= 1 and numbers <= _ROW_STEP and not rest
    return (SMALL if is_near or _one_sign(one, two) else LARGE), min(letters + numbers + rest, _FAR)


@lru_cache(maxsize=1 << 12)
def _parts(word: str) -> tuple[str, str, str]:
    found = _PARTS.fullmatch(word)
    assert found is not None
    return found[1], found[2], found[3]


def _one_sign(one: str, two: str) -> bool:
    """True if one sign is changed, missing, too much, or has changed places with the next."""
    if len(one) > len(two):
        one, two = two, one
    if len(one) == len(two):
        apart = [place for place, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
        swapped = len(apart) == 2 and apart[1] == apart[0] + 1 and one[apart[0]] == two[apart[1]]
        return len(apart) == 1 or (swapped and one[apart[1]] == two[apart[0]])
    return len(two) == len(one) + 1 and any(two[:place] + two[place + 1 :] == one for place in range(len(two)))
