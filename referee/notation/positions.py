"""A position as one line of text, and back; what stands in its fields is a game's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from referee.errors import OptionError, RefereeError, expect, shown
from referee.notation.fields import Fields, Part, join_fields, read_fields
from referee.notation.moves import notation
from referee.rules import Position, game_named

_Said = tuple[object, Part]
"""The value of an option, and the part of a text that says it."""

_NONE = "the positions of {} have no notation"


class PositionNotation(Protocol):
    """What the notation module of a game has besides, if its positions can be written as text."""

    @property
    def FIELDS(self) -> tuple[str, ...]:
        """The names of the fields, in the order in which they are written."""

    def position_fields(self, position: Any) -> Mapping[str, str]:  # noqa: ANN401 - a position of the game
        """What each field says of a position, in plain ASCII; an empty field is left out."""

    def position_options(self, fields: Fields) -> Mapping[str, _Said]:
        """The options that the fields say themselves, such as the size of the board."""

    def position_from(self, fields: Fields, start: Any) -> Position:  # noqa: ANN401 - a position of the game
        """The position, `start` being that of a game with these options; NotationError if there is none like it."""


def position_text(position: Position) -> str:
    """The canonical text of a position: one line of plain ASCII, at most 998 characters.

    What nobody may know yet is not in it.

    Raises:
        RefereeError: `position`; the game has no notation for positions.
    """
    own = _notation(position.game)
    if own is None:
        raise RefereeError("position", _NONE.format(position.game))
    return join_fields(own.position_fields(position), own.FIELDS)


def parse_position(game: str, text: str, options: Mapping[str, object] | None = None) -> Position:
    """The position that a text says, in a game with these options.

    Options that the text does not say have their defaults where they are not given.

    Raises:
        NotationError: `position`; no position of the game, with the column and what was expected.
        OptionError: with every fault of the options.
        RefereeError: `unknown-game`.
        TypeError: the game's name or the text is no text.
    """
    expect(str, game, "the name of a game")
    expect(str, text, "the text of a position")
    own = _notation(game)
    if own is None:
        raise Part("", text, 1).wrong(_NONE.format(game))
    fields = read_fields(text, own.FIELDS)
    start = _start(game, own.position_options(fields), options or {})
    return own.position_from(fields, start)


def _start(game: str, said: Mapping[str, _Said], options: Mapping[str, object]) -> Position:
    """The start of a game with the options that are given and those that the text says."""
    for name, (value, part) in said.items():
        if name in options and options[name] != value:
            raise part.wrong(f"the position says {name} {value}, the options say {shown(options[name])}")
    try:
        return game_named(game).start({**options, **{name: value for name, (value, _) in said.items()}})
    except OptionError as error:
        for name, message in error.faults:
            if name in said:
                raise said[name][1].wrong(message) from None
        raise


def _notation(game: str) -> PositionNotation | None:
    own = notation(game)
    return cast(PositionNotation, own) if hasattr(own, "FIELDS") else None
