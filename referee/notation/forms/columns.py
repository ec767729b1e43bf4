"""The text of a position from the fields of its dataclass, for games whose notation module does not define it.

A field is a whole number, a truth, a side, an enumeration or a literal, or one of these or None, or a tuple of them,
or a set of sides, or the pieces by square of a position with a `board`. A `str` is always a side.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass, replace
from functools import partial
from types import NoneType
from typing import Any, Literal, NamedTuple, cast, get_args, get_origin

from referee.errors import PackageFault, shown
from referee.notation.fields import Fields, Part, board_text, read_board
from referee.rules import Game, Position
from referee.rules.codec import field_types
from referee.rules.frozen import Frozen
from referee.rules.squares import Board, Square

_HIGHEST = 9999


def choices(hint: Any) -> tuple[object, ...] | None:  # noqa: ANN401 - a type
    """The values of an enumeration or of a literal; None for another type."""
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return tuple(hint)
    return get_args(hint) if get_origin(hint) is Literal else None


class _Column(NamedTuple):
    """A field of positions: its text in a position, and its value from a text, given the start of the game."""

    text: Callable[[Any, Any], str]
    value: Callable[[Part, Any], object]


def position_notation(game: Game, start: Position) -> Mapping[str, object]:
    """The tables and functions for positions of a game; none if a field of theirs has no text."""
    columns = _columns(start)
    known = {name: column for name, column in columns.items() if column is not None}
    if not columns or len(known) < len(columns):
        return {}
    options = known.keys() & {option.name for option in game.options}

    def position_fields(position: Position) -> Mapping[str, str]:
        return {name: column.text(getattr(position, name), position) for name, column in known.items()}

    def position_options(said: Fields) -> Mapping[str, tuple[object, Part]]:
        return {name: (known[name].value(said[name], start), said[name]) for name in options}

    def position_from(said: Fields, begun: Position) -> Position:
        values = {name: column.value(said[name], begun) for name, column in known.items()}
        position = cast(Position, replace(cast(Any, begun), **values))
        if flaw := position.flaw():
            raise next(iter(said.values())).wrong(flaw)
        return position

    return {
        "FIELDS": tuple(known),
        "position_fields": position_fields,
        "position_options": position_options,
        "position_from": position_from,
    }


def fields_without_text(start: Position) -> tuple[str, ...]:
    """The fields of a position that keep it from having a text."""
    return tuple(name for name, column in _columns(start).items() if column is None)


def _columns(start: Position) -> dict[str, _Column | None]:
    hints: dict[str, Any] = field_types(type(start)) if is_dataclass(start) else {}
    return {name: _column(hint, name, start.sides) for name, hint in hints.items()}


def _column(hint: Any, name: str, sides: tuple[str, ...]) -> _Column | None:  # noqa: ANN401 - a type
    """The text of a field of this type; None if there is none."""
    inner = get_args(hint)
    said = _said if str not in (hint, *inner) else partial(_side, sides, name)
    if (whole := _word(hint, name, sides)) is not None:
        return _Column(lambda value, _: said(value), lambda part, _: whole(part))
    item = _word(inner[0], name, sides) if inner else None
    if NoneType in inner and item is not None:
        return _Column(
            lambda value, _: "" if value is None else said(value), lambda part, _: item(part) if part else None
        )
    if get_origin(hint) is tuple and item is not None:
        return _Column(lambda value, _: " ".join(map(said, value)), lambda part, _: tuple(map(item, part.words())))
    if hint == frozenset[str]:
        return _Column(
            lambda value, _: " ".join(sorted(map(said, value), key=sides.index)),
            lambda part, _: frozenset(part.sides(sides)),
        )
    if get_origin(hint) is Frozen and inner[0] is Square:
        kinds = choices(inner[1])
        return _board_column(
            {_said(one): one for one in kinds} if kinds else {sign_of(sides, one): one for one in sides}, said
        )
    return None


def _word(hint: Any, name: str, sides: tuple[str, ...]) -> Callable[[Part], object] | None:  # noqa: ANN401 - a type
    """The value of a word for a field of this type; None if a value is not one word."""
    if hint is int:
        return lambda part: part.number(0, _HIGHEST, f"{name}, a number")
    values = (False, True) if hint is bool else sides if hint is str else choices(hint)
    if values is None:
        return None
    words = {_said(value): value for value in values}
    return lambda part: part.one_of(words, f"{name}: {', '.join(words)}")


def _said(value: object) -> str:
    return {False: "no", True: "yes"}[value] if isinstance(value, bool) else str(value)


def _side(sides: tuple[str, ...], name: str, value: object) -> str:
    """The text of a side; PackageFault for another one, which could not be read."""
    if value not in sides:
        raise PackageFault(f"{name} has {shown(value)}, which is no side: give it the type Literal or an enumeration")
    return str(value)


def _board_column(pieces: Mapping[str, object], said: Callable[[object], str]) -> _Column:
    """The pieces on the board of a position, row by row."""
    signs = {piece: sign for sign, piece in pieces.items()}

    def text(held: Mapping[Square, object], position: Any) -> str:  # noqa: ANN401 - of a game with a board
        board: Board = position.board
        return board_text(
            [(signs.get(held[one]) or said(held[one])) if one in held else "" for one in board.numbers], board.files
        )

    def value(part: Part, start: Any) -> object:  # noqa: ANN401 - of a game with a board
        board: Board = start.board
        squares, said = tuple(board.numbers), f"a piece: {', '.join(pieces)}"
        taken = read_board(part, board.files, board.ranks)
        return Frozen({squares[number]: word.one_of(pieces, said) for number, word in taken.items()})

    return _Column(text, value)


def sign_of(sides: tuple[str, ...], side: str) -> str:
    """The letter of a side's pieces, a capital for the first side; the name itself if two sides share a letter."""
    if len({one[0] for one in sides}) < len(sides):
        return side
    return side[0].upper() if side == sides[0] else side[0]
