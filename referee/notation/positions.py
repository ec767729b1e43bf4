"""A position as one line of text, and back; each game defines its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from referee.errors import OptionError, RefereeError, expect, shown
from referee.notation.fields import Fields, Part, read_fields
from referee.notation.moves import notation
from referee.rules import Position, game_named

_Said = tuple[object, Part]
"""The value of an option, and its part of the text."""

_NONE = "the positions of {} have no notation"


class PositionNotation(Protocol):
    """The further parts of a game's notation module, if its positions can be written as text."""

    FIELDS: tuple[str, ...]
    """The names of the fields, in their order."""
    position_options: Callable[[Fields], Mapping[str, _Said]]
    """The options that follow from the fields, such as the size of the board; this function is optional."""

    def position_fields(self, position: Any) -> Mapping[str, str]:  # noqa: ANN401 - a position of the game
        """The fields of a position in plain ASCII; empty ones are left out."""

    def position_from(self, fields: Fields, start: Any) -> Position:  # noqa: ANN401 - a position of the game
        """The position, given the start of a game with these options; NotationError if it is impossible."""


def position_text(position: Position) -> str:
    """The text of a position, one line of ASCII without any secret; RefereeError `position` without notation."""
    own = _notation(position.game)
    if own is None:
        raise RefereeError("position", _NONE.format(position.game))
    fields = own.position_fields(position)
    return " | ".join(f"{name} {fields[name]}" for name in own.FIELDS if fields.get(name))


def parse_position(game: str, text: str, options: Mapping[str, object] | None = None) -> Position:
    """The position of a text, in a game with these options or the defaults; TypeError for other than texts.

    NotationError `position`, with the column and what was expected; OptionError; RefereeError `unknown-game`.
    """
    expect(str, game, "the name of a game")
    expect(str, text, "the text of a position")
    own = _notation(game)
    if own is None:
        raise Part("", text, 1).wrong(_NONE.format(game))
    fields = read_fields(text, own.FIELDS)
    said = own.position_options(fields) if hasattr(own, "position_options") else {}
    start = _start(game, said, options or {})
    return own.position_from(fields, start)


def _start(game: str, said: Mapping[str, _Said], options: Mapping[str, object]) -> Position:
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
    parts = ("FIELDS", "position_fields", "position_from")
    return cast(PositionNotation, own) if all(hasattr(own, name) for name in parts) else None
