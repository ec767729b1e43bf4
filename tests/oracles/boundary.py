"""Boundary judged the slow way: from facts and notation alone, by the rules page's words.

Nothing of referee.rules is used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FILES = "abcdef"
SQUARES = [f"{file}{rank}" for file in FILES for rank in range(1, 7)]
OWNER = {"green": "south", "blue": "south", "red": "north", "yellow": "north"}
BASES = {"south": ["a1", "f6"], "north": ["f1", "a6"]}
REACH = {"L": 3, "M": 2, "S": 1}


def upper(square: str) -> bool:
    """True if a square lies in the upper world."""
    return square[1] in "456"


def way(origin: str, target: str) -> list[str] | None:
    """The squares entered on a straight way, the last included; None if it is not straight."""
    right, up = ord(target[0]) - ord(origin[0]), int(target[1]) - int(origin[1])
    steps = max(abs(right), abs(up))
    if steps == 0 or not {abs(right), abs(up)} <= {0, steps}:
        return None
    return [
        f"{chr(ord(origin[0]) + step * right // steps)}{int(origin[1]) + step * up // steps}"
        for step in range(1, steps + 1)
    ]


class NaiveBoard:
    """A position of Boundary, from its facts."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.stacks: dict[str, list[str]] = facts["stacks"]
        self.stones: dict[str, str] = facts["stones"]

    def owner(self, square: str) -> str | None:
        """The owner of the top pyramid of a square."""
        return OWNER[self.stacks[square][-1].split()[0]] if square in self.stacks else None

    def free(self, side: str, squares: list[str], stones: dict[str, str], *, stone: bool) -> bool:
        """True if a piece may go this way: over nothing, and onto nothing but the side's own pieces on its base."""
        if any(square in self.stacks or square in stones for square in squares):
            *passed, last = squares
            piling = last in BASES[side] and self.owner(last) == side and not stone and last not in stones
            if not piling or any(square in self.stacks or square in stones for square in passed):
                return False
        return squares[-1] not in BASES["north" if side == "south" else "south"]

    def may_walk(self, side: str, origin: str, target: str) -> bool:
        """True if a pyramid may go by itself."""
        path = way(origin, target)
        return (
            self.owner(origin) == side
            and path is not None
            and len(path) <= REACH[self.stacks[origin][-1][-1]]
            and upper(origin) == upper(target)
            and self.free(side, path, self.stones, stone=False)
        )

    def may_start(self, side: str, stone: str, stop: str) -> bool:
        """True if a stone-bop may go first."""
        path = way(stone, stop)
        return (
            self.stones.get(stone) == side
            and path is not None
            and upper(stone) == upper(stop)
            and self.free(side, path, self.stones, stone=True)
        )

    def may_follow(self, side: str, leg: tuple[str, str], origin: str, target: str) -> bool:
        """True if a pyramid may go after a stone-bop that may have gone."""
        stone, stop = leg
        path, first = way(origin, target), way(stone, stop)
        stones = {square: owner for square, owner in self.stones.items() if square != stone} | {stop: side}
        return (
            self.owner(origin) == side
            and upper(origin) == upper(stone)
            and path is not None
            and first is not None
            and len(path) == len(first)
            and self.free(side, path, stones, stone=False)
            and (upper(target) == upper(origin) or self.held(side, stone) >= 3)
        )

    def held(self, side: str, place: str) -> int:
        """The number of a side's pyramids in the world of a place."""
        world = [names for square, names in self.stacks.items() if upper(square) == upper(place)]
        return len([name for names in world for name in names if OWNER[name.split()[0]] == side])

    def may(self, side: str, text: str) -> bool:
        """True if a side may make a move, its turn taken for granted."""
        squares = [word for words in text.split() for word in words.split("-") if len(word) == 2]
        if not set(squares) <= set(SQUARES):
            return False
        if len(squares) == 2:
            return self.may_walk(side, *squares)
        stone, stop, origin, target = squares
        return self.may_start(side, stone, stop) and self.may_follow(side, (stone, stop), origin, target)

    def legal(self, side: str) -> Iterator[str]:
        """Every legal move of a side."""
        for origin in self.stacks:
            yield from (f"P {origin}-{target}" for target in SQUARES if self.may_walk(side, origin, target))
        for leg in [(stone, stop) for stone in self.stones for stop in SQUARES if self.may_start(side, stone, stop)]:
            for origin in self.stacks:
                for target in SQUARES:
                    if self.may_follow(side, leg, origin, target):
                        yield f"S {leg[0]}-{leg[1]} P {origin}-{target}"

    def after(self, text: str) -> dict[str, Any]:
        """The facts after a legal move."""
        *stone, origin, target = [word for words in text.split() for word in words.split("-") if len(word) == 2]
        stacks = {square: list(names) for square, names in self.stacks.items()}
        stacks.setdefault(target, []).append(stacks[origin].pop())
        stones = dict(self.stones)
        if stone:
            stones[stone[1]] = stones.pop(stone[0])
        return {"stacks": {square: names for square, names in stacks.items() if names}, "stones": stones}
