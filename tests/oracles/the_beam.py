"""The Beam judged the slow way: from facts and notation alone, by the rules page's words.

Nothing of referee.rules is used here.
"""

from __future__ import annotations

from typing import Any

POINTS = {"yellow": 1, "blue": 2, "green": 3, "red": 4}
WAYS = {"up": (1, 0), "right": (0, 1), "down": (-1, 0), "left": (0, -1)}
TURNS = {
    "/": {"up": "right", "right": "up", "down": "left", "left": "down"},
    "\\": {"up": "left", "left": "up", "down": "right", "right": "down"},
}


def walk(column: int, mirrors: dict[str, str], barriers: set[str]) -> tuple[list[str], str, str]:
    """The squares that a beam enters, its end, "barrier" or "edge", and its direction there."""
    row, way, path = 0, "up", list[str]()
    while True:
        here = f"{row},{column}"
        row, column = row + WAYS[way][0], column + WAYS[way][1]
        there = f"{row},{column}"
        crossed = {"up": there, "down": here}.get(way)
        if crossed in barriers:
            return path, "barrier", way
        if not (1 <= row <= 6 and 1 <= column <= 6):
            return path, "edge", way
        path.append(there)
        if there in mirrors:
            way = TURNS[mirrors[there]][way]


def changed(mirrors: dict[str, str], text: str) -> dict[str, str]:
    """The mirrors after a legal move."""
    *what, square = text.split()
    mirrors = dict(mirrors)
    if what[0] == "P":
        mirrors[square] = what[1]
    elif what[0] == "R":
        mirrors[square] = "\\" if mirrors[square] == "/" else "/"
    else:
        del mirrors[square]
    return mirrors


def legal(facts: dict[str, Any], allocation: str | None) -> set[str]:
    """Every legal move: of the cards where nothing is allocated yet, of the mirror after this allocation."""
    if allocation is None:
        one, other = facts["cards"]
        return {f"A M{one} B{other}", f"A M{other} B{one}"}
    row, found = allocation.split()[1][1], set()
    for square in (f"{row},{column}" for column in range(1, 7)):
        if square in facts["mirrors"]:
            found |= {f"R {square}", f"X {square}"}
        elif square not in facts["discs"] and len(facts["mirrors"]) < 12:
            found |= {f"P / {square}", f"P \\ {square}"}
    return found


def after(facts: dict[str, Any], allocation: str, text: str, barriers: set[str]) -> dict[str, Any]:
    """The facts of the grid and the collected discs after the mirror's move and the beam, without cards and round."""
    mirrors = changed(facts["mirrors"], text)
    path, *_ = walk(int(allocation.split()[2][1]), mirrors, barriers)
    discs, collected = dict(facts["discs"]), list(facts["collected"])
    for square in path:
        if square in discs:
            collected.append(discs.pop(square))
    score = sum(POINTS[colour] for colour in collected)
    return {"discs": discs, "mirrors": mirrors, "collected": collected, "score": score}
