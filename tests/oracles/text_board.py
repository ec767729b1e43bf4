"""Reads a text board of beams back: an oracle that knows the layout, and not the code that draws it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_PIECE = re.compile(r"(\*?)(M1|M2V|M2Y|M3|R1|R2V|R2Y|R3|S)(?:\.?(\d+))?(?:\^(\d))?", re.IGNORECASE)
STEP, MARGIN = 4, 5
_WAYS = ":/\\x"
"""The way of a beam on an empty cell."""


class Seen(NamedTuple):
    """A piece in a text board."""

    side: str
    piece: str
    cell: str
    clock: int | None
    power: int | None
    moved: bool


class Board(NamedTuple):
    """The content of a text board; `ways` are empty cells with a beam, `changed` counters with a star."""

    pieces: list[Seen]
    empty: set[tuple[str, str]]
    counters: dict[str, dict[str, int]]
    ways: set[tuple[str, str]]
    changed: set[tuple[str, int]]


def read_board(text: str, view: str, columns: int) -> Board:
    """The board in a report, whose lines are in bands of columns from one rear boundary to the other."""
    other = "north" if view == "south" else "south"
    board = Board([], set(), {"south": {}, "north": {}}, set(), set())
    lines = text.split("\n")
    tops = [number for number, line in enumerate(lines) if line == f"    {other}'s rear boundary"]
    assert tops
    for top in tops:
        bottom = lines.index(f"    {view}'s rear boundary", top)
        names, counts = lines[bottom - 2], lines[bottom - 1]
        first = _first_column(names)
        for column, word in _words(counts[1:-1].ljust(len(counts)), first, 1):
            _count(board, view, column, word)
        for column, word in _words(lines[top + 1][1:-1], first, 1):
            _count(board, other, columns + 1 - column, word)
        for column, word in _words(lines[top + 2], first, 0):
            assert int(word) == columns + 1 - column
        middle = next(number for number in range(top + 3, bottom) if "---" in lines[number])
        for number in range(top + 3, bottom - 2):
            if number == middle:
                continue
            line, near = lines[number], number > middle
            assert line[0] == line[-1]
            assert abs(number - middle) == ord(line[0]) - 64
            for column, word in _words(" " + line[1:-1], first, 0):
                side = view if near else other
                cell = f"{line[0]}{column if near else columns + 1 - column}"
                if word in (".", *_WAYS):
                    board.empty.add((side, cell))
                    if word != ".":
                        board.ways.add((side, cell))
                else:
                    board.pieces.append(_piece(word, side, cell))
    return board


def _count(board: Board, side: str, column: int, word: str) -> None:
    """Note the count behind a side's boundary at a column, by its owner's label."""
    if word.startswith("*"):
        board.changed.add((side, column))
    if (number := word.removeprefix("*")) != ".":
        board.counters[side][str(column)] = int(number)


def _first_column(names: str) -> int:
    """The column of the first place of a band; the corners of a board have no name."""
    word = re.search(r"\d+", names)
    assert word
    return int(word[0]) - (_middle(word) - MARGIN) // STEP


def _words(line: str, first: int, shifted: int) -> Iterator[tuple[int, str]]:
    """Each word of a line with its column; a star before a piece does not count for its middle."""
    for found in re.finditer(r"\*?[^\s*]+", line):
        at = _middle(found) + shifted - MARGIN
        assert at % STEP == 0
        yield first + at // STEP, found[0]


def _middle(found: re.Match[str]) -> int:
    star = found[0].startswith("*")
    return found.start() + star + (len(found[0]) - star) // 2


def _piece(word: str, side: str, cell: str) -> Seen:
    found = _PIECE.fullmatch(word)
    assert found, word
    star, piece, clock, power = found.groups()
    assert piece == (piece.upper() if side == "south" else piece.lower())
    return Seen(
        side, piece.upper(), cell, int(clock) if clock else None, int(power or 1) if clock else None, bool(star)
    )


def expected(facts: dict[str, Any], moved: set[tuple[str, str]]) -> list[Seen]:
    """The pieces that a board must show, from the public facts."""
    return [
        Seen(one["side"], one["piece"], one["cell"], one["clock"], one["power"], (one["side"], one["cell"]) in moved)
        for one in facts["pieces"]
    ]


def read_narrow_board(text: str, view: str, columns: int) -> dict[tuple[str, str], tuple[str, int | None]]:
    """Each piece of a narrow board of one band, by its side and cell: clock and power are below the pieces."""
    other = "north" if view == "south" else "south"
    lines = text.split("\n")
    top = lines.index(f"    {other}'s rear boundary")
    bottom = lines.index(f"    {view}'s rear boundary")
    middle = next(number for number in range(top, bottom) if "---" in lines[number])
    pieces: dict[tuple[str, str], tuple[str, int | None]] = {}
    for number in range(top + 4, bottom - 3):
        if not re.match(r"[A-Z] ", lines[number]):
            continue
        below = lines[number + 1] if lines[number + 1].startswith(" ") else ""
        for found in re.finditer(r"[A-Za-z]\w*", lines[number][1:-1]):
            at = found.start() + 1
            column = 1 + round((at + (len(found[0]) > 1) - 4) / 2.5)
            side = view if number > middle else other
            assert found[0] == (found[0].upper() if side == "south" else found[0].lower())
            clock = re.match(r"\d+", below[at:]) if found[0].upper() != "S" else None
            cell = f"{lines[number][0]}{column if number > middle else columns + 1 - column}"
            pieces[side, cell] = found[0].upper(), int(clock[0]) if clock else None
    return pieces
