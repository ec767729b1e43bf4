"""Random plans for games on a desk, and the lines of play that they answer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.rules import Position, movers
from tests.support.strategies import any_move

Script = tuple[Mapping[str, str], ...]
"""The moves of successive plies, by side."""


class Planned(NamedTuple):
    """A plan as a text, and a line of play in which it gives a move again and again."""

    text: str
    script: Script


def plan_from(position: Position, side: str, own: Any, chance: random.Random, depth: int) -> Planned:  # noqa: ANN401
    """A plan of a side that owes a move and makes this one, for so many moves after it."""
    lines: list[str] = []
    script: list[Mapping[str, str]] = []
    for level in range(depth):
        others: list[str] = []
        made = {side: own}
        while position.to_move and (made or side not in position.to_move):
            moves = {one: made.pop(one, None) or any_move(position, one, chance) for one in movers(position)}
            others += [str(move) for one, move in moves.items() if one != side]
            script.append({one: str(move) for one, move in moves.items()})
            position = position.play_unchecked(moves)
        if side not in position.to_move:
            break
        own = any_move(position, side, chance)
        term = f"if {chance.choice(others)} then" if others and chance.random() < 0.7 else "any then"
        other = f" or {any_move(position, side, chance)}" if chance.random() < 0.3 else ""
        lines.append(f"{'  ' * level}{term} {own}{other}")
        if chance.random() < 0.2:
            lines.append(f"{'  ' * level}else {any_move(position, side, chance)}")
            break
    return Planned("\n".join(lines), tuple(script))
