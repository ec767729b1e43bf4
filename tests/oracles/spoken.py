"""Reads a position in words back to its facts: an oracle that does not know the code that writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Facts = dict[str, Any]
_NO_LIST = ("none", "nothing", "none are left")


def facts_of_words(game: str, lines: Sequence[str]) -> Facts:
    """The facts in the lines; every line is a sentence of its own."""
    assert all(re.fullmatch(r"[A-Z].*[^.]\.", line) and "\n" not in line for line in lines), lines
    return _READERS[game]([line.removesuffix(".") for line in lines])


def _listed(text: str, divider: str) -> list[str]:
    return [] if text in _NO_LIST else text.split(divider)


def _score(lines: Sequence[str]) -> dict[str, int]:
    (said,) = (line.removeprefix("Score: ") for line in lines if line.startswith("Score: "))
    return {side: int(points) for side, points in (one.rsplit(" ", 1) for one in said.split(", "))}


def _found(pattern: str, lines: Sequence[str]) -> list[tuple[str, ...]]:
    return [found.groups() for line in lines if (found := re.fullmatch(pattern, line))]


# --- Beams, Boosters and Barriers ---------------------------------------------------------------------------------


def _beams(lines: Sequence[str]) -> Facts:
    pieces, beams = [], []
    for side, text, ends in _found(r"(South|North)'s (M\S+ on [^:]+): (.*)", lines):
        piece = _piece(side.lower(), text)
        pieces.append(piece)
        beams += [_beam(piece, end) for end in ends.split("; ")]
    for side, text in _found(r"(South|North)'s barriers: (.*)", lines):
        pieces += [_piece(side.lower(), one) for one in _listed(text, "; ")]
    for side, text in _found(r"(South|North)'s boosters: (.*)", lines):
        for cell in _listed(text, ", "):
            pieces.append({"side": side.lower(), "piece": "S", "cell": cell, "clock": None, "power": None})
    hands = {
        side.lower(): {piece: int(many or 1) for piece, many in re.findall(r"(\w+)(?: x(\d+))?(?:, |$)", text)}
        for side, text in _found(r"(South|North) holds (.*)", lines)
    }
    counters = {
        side: {column: int(number) for number, column in re.findall(r"(\d+) at column (\d+)", text)}
        for side, text in _found(r"Beams that leave over (\w+)'s rear boundary: (.*)", lines)
    }
    hands = {side: {piece: n for piece, n in hand.items() if piece != "nothing"} for side, hand in hands.items()}
    return {"pieces": pieces, "hands": hands, "beams": beams, "counters": counters, "score": _score(lines)}


def _piece(side: str, text: str) -> Facts:
    found = re.fullmatch(r"(\w+) on (\w+) at (\d+)(?:, power (\d))?", text)
    assert found, text
    piece, cell, clock, power = found.groups()
    return {"side": side, "piece": piece, "cell": cell, "clock": int(clock), "power": int(power or 1)}


def _beam(piece: Facts, text: str) -> Facts:
    found = re.fullmatch(
        r"the beam at (\d+) (?:leaves over (\w+)'s boundary at column (\d+), power (\d)|stops in .*)", text
    )
    assert found, text
    clock, boundary, column, power = found.groups()
    left = {"boundary": boundary, "column": int(column)} if column else None
    return {"side": piece["side"], "cell": piece["cell"], "clock": int(clock), "power": int(power or 0), "exit": left}


# --- Boundary -----------------------------------------------------------------------------------------------------


def _boundary(lines: Sequence[str]) -> Facts:
    stacks = {
        square: [f"{colour} {size[0].upper()}" for size, colour in (one.split(" ") for one in text.split(", "))]
        for square, text in _found(r"On (\w\d)(?:, from the bottom)?: (.*)", lines)
    }
    stones = {
        square: side.lower()
        for side, text in _found(r"(South|North)'s stone-bops: (.*)", lines)
        for square in _listed(text, ", ")
    }
    return {"stacks": stacks, "stones": stones}


# --- The Beam -----------------------------------------------------------------------------------------------------


def _the_beam(lines: Sequence[str]) -> Facts:
    ((number, _),) = _found(r"Round (\d+) of (\d+)", lines)
    cards = [[int(first), int(second)] for first, second in _found(r"The cards are (\d) and (\d)(?:: .*)?", lines)]
    discs = {
        square: colour.lower()
        for colour, text in _found(r"(\w+) discs, \d points? each: (.*)", lines)
        for square in _listed(text, "; ")
    }
    mirrors = {
        square: slash
        for slash, text in _found(r"(?:Rising|Falling) mirrors \((.)\): (.*)", lines)
        for square in _listed(text, "; ")
    }
    ((collected, points),) = _found(r"Collected: (.*), (\d+) points?", lines)
    assert _score(lines) == {"team": int(points)}
    return {
        "round": int(number),
        "cards": cards[0] if cards else None,
        "discs": discs,
        "mirrors": mirrors,
        "collected": _listed(collected, ", "),
        "score": int(points),
    }


# --- Laser Chess --------------------------------------------------------------------------------------------------

_KINDS = {"laser": "L", "king": "K", "switches": "S", "defenders": "D", "deflectors": "M"}
_COMPASS = ("north", "east", "south", "west")
_STANCES = {
    "": 0,
    "from southwest to northeast": 0,
    "from northwest to southeast": 1,
    **{f"pointing {way}": number for number, way in enumerate(_COMPASS)},
    **{f"with its shield to the {way}": number for number, way in enumerate(_COMPASS)},
    **{f"open to the {way} and {_COMPASS[(n + 1) % 4]}": n for n, way in enumerate(_COMPASS)},
}


def _laser_chess(lines: Sequence[str]) -> Facts:
    board = [[".."] * 10 for _ in range(8)]
    for side, kind, text in _found(r"(Blue|Red)'s (\w+): (.*)", lines):
        for one in text.split("; "):
            square, _, stance = one.partition(" ")
            letter = _KINDS[kind] if side == "Blue" else _KINDS[kind].lower()
            board[8 - int(square[1])][ord(square[0]) - 97] = f"{letter}{_STANCES[stance]}"
    return {
        "rows": ["".join(row) for row in board],
        "lost": [lost for (lost,) in _found(r"The last shot emptied (\w\d)", lines)],
    }


_READERS: Mapping[str, Callable[[Sequence[str]], Facts]] = {
    "beams": _beams,
    "boundary": _boundary,
    "the-beam": _the_beam,
    "laser-chess": _laser_chess,
}
