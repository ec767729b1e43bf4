"""The rounds of a game in columns, under the names of the sides, with comments, variations and boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.draw.paper.book import Block, Row
from referee.draw.paper.columns import SMALL, STEP, Columns
from referee.draw.scenes.pdf import GREY

SIZE, LINE = 2.9, 4.4
"""The size of moves, and the distance between their rows, in millimetres."""

_NUMBER = 8.0
"""Room for the number of a round."""


class RoundRows:
    """The rows of a game; `over` are the heads over its moves, which every column repeats."""

    def __init__(self, columns: Columns, over: Sequence[str]) -> None:
        self._columns, self._over = columns, over
        self._share = (columns.width - _NUMBER) / len(over)
        self._headed: tuple[int, int] | None = None

    def add(self, row: Row) -> None:
        """A round with what is told about it, whose text stays together if a column can hold it."""
        text = (line for block in row.before + row.after if not block.scene for line in self._wrapped(block))
        self._columns.keep(2 * LINE + sum(1 for _ in text) * SMALL * STEP)
        self._heads()
        self.tell(row.before)
        if row.moves:
            self._heads()
            self._line(f"{row.number}.", row.moves)
        self.tell(row.after)

    def tell(self, blocks: Iterable[Block]) -> None:
        """Comments, variations and boards."""
        for block in blocks:
            if block.scene is None:
                self._columns.lines(self._wrapped(block), SMALL, indent=_NUMBER, colour=GREY)
            else:
                self._columns.board(block.scene, block.text)

    def _heads(self) -> None:
        """Write the heads if this column has none."""
        if self._columns.place != self._headed:
            self._line("no.", self._over, head=True)
            self._headed = self._columns.place

    def _line(self, number: str, texts: Iterable[str], *, head: bool = False) -> None:
        document, (left, top) = self._columns.document, self._columns.room(LINE)
        y = top + LINE / 2
        with document.block("P"):
            document.text(number, (left + _NUMBER - 1.5, y), SMALL * 0.9, align=1, colour=GREY)
            for place, text in enumerate(texts):
                at = (left + _NUMBER + place * self._share, y)
                if head:
                    document.text(text, at, SMALL, bold=True, colour=GREY)
                else:
                    document.text(text, at, SIZE * min(1, (self._share - 1.5) / document.width_of(text, SIZE)))

    def _wrapped(self, block: Block) -> list[str]:
        return self._columns.document.wrap(block.text, self._columns.width - _NUMBER, SMALL)
