"""Move lists that keep their game's header, in comments before the moves, so that nothing gets lost."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.game import GameFile, loads, loads_moves
from referee.game.writing import moves_text, to_yaml

_HEADER = re.compile(r"((?:; [^\n]*\n)+?); moves:\n")
_FIRST = "; game: "


def loads_list(text: str, file: str = "", *, suggest: bool = True) -> GameFile | None:
    """The game of a move list with its header in comments; None if the list has none.

    Raises:
        FileError: with all findings of the header, or else of the moves; their places are those in the list.
    """
    found = _HEADER.match(text) if text.startswith(_FIRST) else None
    if found is None:
        return None
    header = loads(re.sub(r"^; ", "  ", found[1], flags=re.MULTILINE), file)
    moves = "\n" * found[0].count("\n") + text[found.end() :]
    listed = loads_moves(moves, header.game, header.options, file, suggest=suggest)
    return replace(header, rounds=listed.rounds, closing=listed.closing, source=listed.source)


def to_list(game: GameFile) -> str:
    """The game as a move list with its header in comments."""
    header = to_yaml(replace(game, rounds=(), closing=())).removesuffix("moves: |\n")
    commented = re.sub(r"^(?=.)", "; ", header, flags=re.MULTILINE)
    return f"{commented}; moves:\n{moves_text(game.rounds, game.closing)}"
