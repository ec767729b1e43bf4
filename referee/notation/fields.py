"""A position's text: fields between bars, boards of squares in them, and every part with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from referee.errors import NotationError, Span, shown
from referee.rules.squares import Square

LONGEST_POSITION = 998
"""Maximum characters of a position's text: one line of a letter."""

_Value = TypeVar("_Value")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")
_NOT_PLAIN = re.compile(r"[^ -~]")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a line, without blanks around it; `column` is where it begins, counted from 1."""

    text: str
    line: str
    column: int

    def __bool__(self) -> bool:
        return bool(self.text)

    def wrong(self, message: str) -> NotationError:
        """The error for a value that cannot be."""
        return NotationError(message, text=self.line, span=Span(1, self.column), code="position")

    def expected(self, what: str) -> NotationError:
        """The error for something unexpected."""
        return self.wrong(f"expected {what}" + (f", not {shown(self.text)}" if self else ""))

    def words(self) -> tuple[Part, ...]:
        """The words between blanks."""
        return tuple(self._piece(found.start(), found[0]) for found in re.finditer(r"[^ ]+", self.text))

    @property
    def end(self) -> Part:
        """The empty part behind this one."""
        return self._piece(len(self.text), "")

    def split(self, separator: str) -> tuple[Part, ...]:
        """The parts between separators, empty ones too; none if this is empty itself."""
        pieces, start = [], 0
        for text in self.text.split(separator) if self else ():
            pieces.append(self._piece(start, text))
            start += len(text) + len(separator)
        return tuple(pieces)

    def without(self, prefix: str) -> Part:
        """The rest after a prefix."""
        return self._piece(len(prefix), self.text[len(prefix) :])

    def one_of(self, values: Mapping[str, _Value], what: str) -> _Value:
        """The value of this name; NotationError if there is none."""
        if self.text not in values:
            raise self.expected(what)
        return values[self.text]

    def number(self, low: int, high: int, what: str) -> int:
        """A whole number between two bounds, both included; NotationError if it is something else."""
        if not _NUMBER.fullmatch(self.text) or not low <= int(self.text) <= high:
            raise self.expected(f"{what} from {low} to {high}")
        return int(self.text)

    def sides(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """The sides that are named, each once, in their usual order."""
        names = {name: name for name in known}
        found: list[str] = []
        for word in self.words():
            side = word.one_of(names, f"a side: {', '.join(known)}")
            if side in found:
                raise word.wrong(f"{side} is named twice")
            found.append(side)
        return tuple(side for side in known if side in found)

    def _piece(self, start: int, text: str) -> Part:
        blanks = len(text) - len(text.lstrip(" "))
        return Part(text.strip(" "), self.line, self.column + start + blanks)


Fields = Mapping[str, Part]
"""The fields of a position's text by name; missing ones are empty."""


def read_fields(line: str, names: tuple[str, ...]) -> Fields:
    """The fields of a line; NotationError `position` for one that is unknown or named twice."""
    if len(line) > LONGEST_POSITION:
        raise Part("", line, LONGEST_POSITION + 1).wrong(f"a position has at most {LONGEST_POSITION} characters")
    if strange := _NOT_PLAIN.search(line):
        code = f"U+{ord(strange[0]):04X}"
        raise Part("", line, strange.start() + 1).wrong(f"expected plain letters, digits and signs, not {code}")
    fields: dict[str, Part] = {}
    for part in Part(line, line, 1).split("|"):
        name = part.text.partition(" ")[0]
        if name not in names:
            raise Part(name, line, part.column).expected(f"a field: {', '.join(names)}")
        if name in fields:
            raise part.wrong(f"the field '{name}' is given twice")
        fields[name] = part.without(name)
    end = Part("", line, len(line) + 1)
    return {name: fields.get(name, end) for name in names}


@lru_cache(1 << 10)
def parse_square(text: str) -> Square:
    """The square named by a letter and a digit, on the board or not; cached, which is quicker."""
    return Square(ord(text[0].lower()) - 96, int(text[1:]))


def board_text(squares: Sequence[str], files: int) -> str:
    """A board in one line, the top rank first, of squares from a1 on; a number counts empty squares in a row."""
    ranks = [squares[start : start + files] for start in range(0, len(squares), files)]
    return " / ".join(" ".join(_rank(rank)) for rank in reversed(ranks))


def _rank(squares: Sequence[str]) -> Iterator[str]:
    for taken, run in groupby(squares, bool):
        texts = list(run)
        yield from texts if taken else [str(len(texts))]


def read_board(part: Part, files: int, ranks: int) -> dict[int, Part]:
    """The occupied squares of a board by number, counted from a1; NotationError if the rows do not fit."""
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
