"""Move lists that keep their game's header, in comments before the moves, so that nothing gets lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.errors import FileError
from referee.game import GameFile, loads, loads_moves
from referee.game.dumper import dumps, moves_text
from referee.game.json_document import parse as parse_json

_HEADER = re.compile(r"((?:; [^\n]*\n)+?); moves:\n")
_FIRST = "; game: "
_KEY = re.compile(r"^([\"']?)(?:game|moves)\1[ \t]*:", re.MULTILINE)


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
    listed = loads_moves(moves, header.game, header.options, file, start_text=header.start_text, suggest=suggest)
    return replace(header, rounds=listed.rounds, trailing_comments=listed.trailing_comments, source=listed.source)


def loads_bare(
    text: str,
    game: str,
    options: Mapping[str, Any],
    file: str = "",
    *,
    start_text: str | None = None,
    suggest: bool = True,
) -> GameFile:
    """The game of a bare move list, or of a text that turns out to be a whole game of the same kind.

    Raises:
        FileError: with all findings; `whole-file` alone, if the text has a header of its own that says another
            game, or if options or a start are given beside that header.
    """
    if is_whole(text):
        whole: GameFile | None = loads(text, file, suggest=suggest)
    else:
        whole = loads_list(text, file, suggest=suggest)
    if whole is None:
        return loads_moves(text, game, options, file, start_text=start_text, suggest=suggest)
    if (whole.game == game and not options and start_text is None) or whole.source is None:
        return whole
    named = "--game and --option" if start_text is None else "--game, --option and --position"
    message = f"this is a whole game file of {whole.game}: {named} are for bare move lists, so leave them out"
    raise FileError(file, (whole.source.finding("whole-file", message, ("game",)),))


def is_whole(text: str) -> bool:
    """Whether a text is a game file, and no move list: JSON, or YAML with the keys of a game at its top."""
    if text.lstrip().startswith("{"):
        return parse_json(text) is not None
    return _KEY.search(text) is not None


def to_list(game: GameFile) -> str:
    """The game as a move list with its header in comments."""
    header = dumps(replace(game, rounds=(), trailing_comments=())).removesuffix("moves: |\n")
    commented = re.sub(r"^(?=.)", "; ", header, flags=re.MULTILINE)
    return f"{commented}; moves:\n{moves_text(game.rounds, game.trailing_comments)}"
