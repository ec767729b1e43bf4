"""The places of moves in notes: each with its meanings, its side and its round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from referee.notes.reader.lines import NoteLine
from referee.notes.reader.meanings import Meaning
from referee.notes.reader.segments import Segment

HEDGED = 0.3
"""Cost of leaving out a move in talk of possible moves."""


class SlotCorrection(NamedTuple):
    """A text, the one that replaces it, and the line of the correction."""

    old: str
    new: str
    line: NoteLine
    how: str = "is corrected"


@dataclass(frozen=True)
class Slot:
    """The place of a move, or of several if their number is not sure.

    Attributes:
        text: what is written.
        meanings: what it may mean; none for words that only look like a move.
        side: whose move it is, if the notes say so.
        number: the number of the round, if the notes give one.
        before: comments that precede it.
        after: comments that follow it on its line, if it is the last move there.
        loose: how cheaply it may be left out as mere talk; None if it may not.
        is_supposed: true in a sentence about what could be played, such as `I would play ...`.
        corrections: what was corrected in it.
        place: its place among the slots, in the order of the notes.
    """

    text: str
    line: NoteLine
    meanings: tuple[Meaning, ...]
    side: str | None = None
    number: int | None = None
    mark: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    loose: float | None = None
    is_supposed: bool = False
    corrections: tuple[SlotCorrection, ...] = ()
    place: int = -1


class Remark(NamedTuple):
    """A remark of the reader of notes: its line, its kind, and its words.

    `kind` is `reading`, `order`, `option`, `correction`, `end`, `left-out` or `unsure`.
    """

    kind: str
    message: str
    line: NoteLine | None = None

    @property
    def place(self) -> str | None:
        """File and line that it is about, if it is about one."""
        return self.line and self.line.place


class Statement(NamedTuple):
    """Words without a move; `place` counts the slots before them, `side` is whose words they are, if known."""

    text: str
    line: NoteLine
    place: int
    side: str | None


class Portion(NamedTuple):
    """A line as it was taken apart: its parts, the slots from it, and whether it only repeats others.

    `settled` is true if what it corrects was found.
    """

    line: NoteLine
    segments: tuple[Segment, ...]
    places: tuple[int, ...] = ()
    repeats: bool = False
    settled: bool = False


@dataclass
class Slots:
    """The slots of notes as a game's, the statements between them, and what was left out or corrected.

    `cost` is the amount of the notes left unexplained. `portions` are all lines that were taken apart; `later`
    are those of a second game. `rest` are the comments behind the last slot.
    """

    slots: list[Slot] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    cost: float = 0.0
    portions: list[Portion] = field(default_factory=list)
    later: list[NoteLine] = field(default_factory=list)
    rest: tuple[str, ...] = ()
