"""Squares such as e4 and whole boards of them, as several games write them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lark import Token

from referee.notation.fields import Part
from referee.rules.squares import Square


def parse_square(text: Token | str) -> Square:
    """The square that a letter and a digit name, on some board or on none."""
    return Square(ord(text[0].lower()) - 96, int(text[1:]))


def board_text(squares: Sequence[str], files: int) -> str:
    """A board in one line: the rank at the top first, a number for so many empty squares side by side.

    `squares` are given from a1 on, rank by rank, an empty text for an empty square.
    """
    ranks = [squares[start : start + files] for start in range(0, len(squares), files)]
    return " / ".join(" ".join(_rank(rank)) for rank in reversed(ranks))


def _rank(squares: Sequence[str]) -> Iterator[str]:
    empty = 0
    for text in squares:
        if text and empty:
            yield str(empty)
        if text:
            yield text
        empty = 0 if text else empty + 1
    if empty:
        yield str(empty)


def read_board(part: Part, files: int, ranks: int) -> dict[int, Part]:
    """What stands on a board, by the number of the square from a1 on; NotationError if the rows do not fit."""
    rows = part.split("/")
    if len(rows) != ranks:
        raise part.wrong(f"expected a board of {ranks} rows with / between them; there are {len(rows)}")
    taken = {}
    for rank, row in zip(range(ranks, 0, -1), rows, strict=True):
        number = files * (rank - 1)
        for word in row.words():
            if word.text[0].isdigit():
                number += word.number(1, files, "a number of empty squares")
            else:
                taken[number] = word
                number += 1
        if number != files * rank:
            held = number - files * (rank - 1)
            raise row.wrong(f"expected {files} squares in row {rank}; there are {held}")
    return taken
