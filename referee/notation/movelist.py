"""Move lists: a line is a round of at most `size` moves, its number optional, with bars, marks and comments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.errors import NotationError, Span
from referee.notation.tables import TableParser, Word, table_of
from referee.rules.frozen import Frozen

if TYPE_CHECKING:
    from lark import Lark

LINE_WORDS: Mapping[str, str] = Frozen(
    NUMBER="a round's number",
    MOVE="a move",
    _BAR="a bar | before the next move",
    MARK="a mark: !, ?, !?, ?!, !! or ??",
    BRACED="a comment {in braces}",
    REST="a comment after a semicolon",
)

_PLAIN_LENGTH = 160
_SIZE = 2
"""The moves of a round in the grammar."""


class WrittenMove(NamedTuple):
    """A move in a line: its text, its column (from 1), its mark and its comments."""

    text: str
    column: int
    mark: str = ""
    comments: tuple[str, ...] = ()


class MoveLine(NamedTuple):
    """One line of a move list; `comments` precede its moves."""

    number: int | None = None
    moves: tuple[WrittenMove, ...] = ()
    comments: tuple[str, ...] = ()


def parse_move_line(text: str, size: int = 2) -> MoveLine:
    """One line of a move list (grammar/movelist.lark); NotationError with the place and the expected text.

    A regular expression made of the grammar's terminals splits lines without marks and comments, as most are.
    """
    if not text:
        return MoveLine()
    if (rest := text.lstrip(" \t")).startswith(";") and "\n" not in rest:
        comment = rest[1:].strip()
        return MoveLine(comments=(comment,) if comment else ())
    if len(text) <= _PLAIN_LENGTH and (plain := _plain(size).fullmatch(text)):
        number, *moves = plain.groups()
        written = (
            WrittenMove(move, plain.start(group) + 1) for group, move in enumerate(moves, 2) if move is not None
        )
        return MoveLine(int(number.rstrip(".):")) if number else None, tuple(written))
    line: MoveLine | None = _table_parser().parse(text) if size == _SIZE else None
    return parse_move_line_by_grammar(text, size) if line is None else line


def parse_plain_list(text: str, size: int = 2) -> list[tuple[str, ...]] | None:
    """The number and moves of each line, empty where missing, if the list has nothing else; otherwise None."""
    lines = text.removesuffix("\n").split("\n")
    if max(map(len, lines)) > _PLAIN_LENGTH:
        return None
    found: list[tuple[str, ...]] = _plain(size).findall(text)
    return found if len(found) == len(lines) else None


NOT_CLOSED = "the comment is not closed: its } is missing on this line"


def parse_move_line_by_grammar(text: str, size: int = 2) -> MoveLine:
    """The same as `parse_move_line`, by lark alone."""
    from lark.exceptions import UnexpectedInput

    from referee.notation.grammar import NOTHING_MORE, notation_error

    try:
        line: MoveLine = _lark(size).parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        if text[error.column - 1 : error.column] == "{":
            is_closed = "}" in text[error.column :]
            message = "a comment goes behind its move, or above the round: move it there" if is_closed else NOT_CLOSED
            raise NotationError(message, text=text, span=Span(1, error.column)) from None
        found = notation_error(error, text, LINE_WORDS, whole="line")
        if found.message.endswith(NOTHING_MORE) and text[error.column - 1] == "|":
            message = f"{found.message}: a round has {size} moves"
            raise NotationError(message, text=text, span=Span(1, error.column)) from None
        raise found from None
    return line


class _Mark(str):
    __slots__ = ()


class _ToLine:
    """One method a rule or terminal of the grammar; none of them raises."""

    def start(self, *parts: Any) -> MoveLine:  # noqa: ANN401 - numbers, comments and moves
        return MoveLine(
            number=next((part for part in parts if isinstance(part, int)), None),
            moves=tuple(part for part in parts if isinstance(part, WrittenMove)),
            comments=tuple(part for part in parts if isinstance(part, str) and part),
        )

    def move(self, text: Word, *notes: str) -> WrittenMove:
        marks = [note for note in notes if isinstance(note, _Mark)]
        comments = tuple(note for note in notes if note and not isinstance(note, _Mark))
        return WrittenMove(str(text), text.column, str(marks[0]) if marks else "", comments)

    MARK = staticmethod(_Mark)
    NUMBER = staticmethod(lambda text: int(text.rstrip(".):")))
    BRACED = staticmethod(lambda text: str(text)[1:-1].strip())
    REST = staticmethod(lambda text: str(text)[1:].strip())


@cache
def _table_parser() -> TableParser:
    return TableParser(table_of("movelist"), _ToLine())


@cache
def _lark(size: int) -> Lark:
    from referee.notation.grammar import load

    return load("movelist", _ToLine, more=f"\n%override _moves: move (_BAR move)~0..{size - 1}\n")


@cache
def _plain(size: int) -> re.Pattern[str]:
    number, move = map(table_of("movelist").terminals.__getitem__, ("NUMBER", "MOVE"))
    # No backtracking into the number once it fits ("?+"), as in the grammar's lexer.
    first, next_one = rf"[ \t]*(?:({number})[ \t]*)?+({move})[ \t]*", rf"(?:\|[ \t]*({move})[ \t]*)?"
    return re.compile(f"^{first}{next_one * (size - 1)}$", re.MULTILINE)
