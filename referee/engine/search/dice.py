"""Chance that is the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from random import Random
from typing import Any, TypeVar

_T = TypeVar("_T")


def added(numbers: Iterable[float]) -> float:
    """The sum of numbers, rounded after each, in every Python.

    `sum` rounds less from Python 3.12 on, and a last digit can decide an engine's move.
    """
    total = 0.0
    for number in numbers:
        total += number
    return total


class Dice:
    """Random numbers that follow from a text, the same on every machine and in every Python.

    Python promises this only for `Random.random` seeded by a text.
    """

    def __init__(self, text: str) -> None:
        self._random = Random(text.encode(errors="surrogatepass")).random

    def share(self) -> float:
        """A number from 0, included, to 1, not included."""
        return self._random()

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        return int(self._random() * limit)

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Put things into a random order."""
        for last in range(len(things) - 1, 0, -1):
            chosen = self.below(last + 1)
            things[last], things[chosen] = things[chosen], things[last]

    def sample(self, things: Sequence[_T], size: int) -> list[_T]:
        """Up to `size` of these things, each at most once, in a random order."""
        left = list(things)
        self.shuffle(left)
        return left[:size]

    def weighed(self, things: Sequence[_T], weights: Sequence[float]) -> _T:
        """One of these things, with a probability in proportion to its weight."""
        aim = self._random() * added(weights)
        for thing, weight in zip(things, weights, strict=True):
            aim -= weight
            if aim < 0:
                return thing
        return things[max(range(len(things)), key=weights.__getitem__)]
