"""Which legal moves are nearest to what was written."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

MOST = 3


def nearest(text: str, moves: Iterable[object], most: int = MOST) -> tuple[str, ...]:
    """Up to `most` of the moves, canonical, by the number of letters that differ from the text.

    Large and small letters count as the same, and blanks between words count once. Of moves that are equally
    near the one that comes first is taken first.
    """
    wanted = " ".join(text.casefold().split())[:60]
    written = (str(move) for move in moves)
    ranked = ((_distance(wanted, move.casefold()), place, move) for place, move in enumerate(written))
    return tuple(move for _, _, move in heapq.nsmallest(most, ranked))


def _distance(one: str, two: str) -> int:
    """How many letters must be put in, left out or changed to make one text of the other (Levenshtein)."""
    start = 0
    shorter = min(len(one), len(two))
    while start < shorter and one[start] == two[start]:
        start += 1
    one, two = one[start:], two[start:]
    while one and two and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    above = list(range(len(two) + 1))
    for row, char in enumerate(one, 1):
        left, corner = row, row - 1
        above[0], diagonal = row, corner
        for column, with_char in enumerate(two, 1):
            corner, diagonal = above[column], diagonal + (char != with_char)
            left = min(left + 1, corner + 1, diagonal)
            above[column], diagonal = left, corner
    return above[-1]
