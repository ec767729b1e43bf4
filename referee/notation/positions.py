"""A position as one line of text, and back.

The fields of the text (`fields.py`) are a game's own. Its notation module says what they hold:

    FIELDS                      their names, in the order in which they are written
    position_fields(position)   name -> value, both plain ASCII; a field with an empty value is left out
    position_options(fields)    option -> value and where it stands, of the options that the fields say themselves
    position_from(fields, start)  the position; `start` is that of a game with these options
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.errors import OptionError, RefereeError, expect, shown
from referee.notation.fields import Part, join_fields, read_fields
from referee.notation.moves import notation
from referee.rules import Position, game_named

Said = tuple[object, Part]
"""The value of an option, and the part of a text that says it."""


def position_text(position: Position) -> str:
    """The canonical text of a position: one line of plain ASCII, at most 998 characters.

    What nobody may know yet is not in it.

    Raises:
        RefereeError: `position`; the game has no notation for positions.
    """
    own = _notation(position.game)
    return join_fields(own.position_fields(position), own.FIELDS)


def parse_position(game: str, text: str, options: Mapping[str, object] | None = None) -> Position:
    """The position that a text says, in a game with these options.

    Options that the text does not say have their defaults where they are not given.

    Raises:
        NotationError: `position`; no position of the game, with the column and what was expected.
        OptionError: with every fault of the options.
        RefereeError: `unknown-game`, or `position` if the game has no notation for positions.
        TypeError: the game's name or the text is no text.
    """
    expect(str, game, "the name of a game")
    expect(str, text, "the text of a position")
    own = _notation(game)
    fields = read_fields(text, own.FIELDS)
    start = _start(game, own.position_options(fields), options or {})
    position: Position = own.position_from(fields, start)
    return position


def _start(game: str, said: Mapping[str, Said], options: Mapping[str, object]) -> Position:
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


def _notation(game: str) -> Any:  # noqa: ANN401 - a module
    own = notation(game)
    if not hasattr(own, "FIELDS"):
        raise RefereeError("position", f"{game} has no notation for positions")
    return own
