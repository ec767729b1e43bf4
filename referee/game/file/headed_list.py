"""A move list with its game's header in comments (.moves): the header's lines and then the moves."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from referee.game.file.dumper import game_text, moves_text
from referee.game.file.gamefile import GameFile

_HEADER = re.compile(r"((?:; (?!moves:\n)[^\n]*+\n)++); moves:\n")
_FIRST = "; game: "
_MOVES = "moves: |\n"


class HeadedList(NamedTuple):
    """The header and the moves of a list, each at its place in the text."""

    header: str
    moves: str


def headed_text(game: GameFile) -> str:
    """The move list of a game, with its header in comments."""
    header = game_text(replace(game, rounds=(), trailing_comments=())).removesuffix(_MOVES)
    return f"{_commented(header)}; moves:\n{moves_text(game.rounds, game.trailing_comments)}"


def headed_list(text: str) -> HeadedList | None:
    """The header and the moves of a list with its header in comments; None for any other text."""
    found = _HEADER.match(text) if text.startswith(_FIRST) else None
    if found is None:
        return None
    header = re.sub(r"^; ", "  ", found[1], flags=re.MULTILINE)
    return HeadedList(header, "\n" * found[0].count("\n") + text[found.end() :])


def as_yaml(text: str) -> str:
    """A list with a header as YAML, line by line."""
    found = _HEADER.match(text)
    assert found is not None
    header = re.sub(r"^; ", "", found[1], flags=re.MULTILINE)
    return header + _MOVES + re.sub(r"^(?=.)", "  ", text[found.end() :], flags=re.MULTILINE)


def from_yaml(text: str) -> str:
    """The list of a YAML text that was made from one."""
    header, _, moves = text.partition(_MOVES)
    return f"{_commented(header)}; moves:\n" + re.sub(r"^  ", "", moves, flags=re.MULTILINE)


def _commented(header: str) -> str:
    return re.sub(r"^(?=.)", "; ", header, flags=re.MULTILINE)
