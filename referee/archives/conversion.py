"""Conversion of games; a move list keeps its game's header in comments before the moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from referee.archives.files.forms import at_line, read_text
from referee.archives.files.shards import FilePart, GameText, Shard
from referee.archives.lane import canonical_line
from referee.errors import FileError
from referee.game import GameFile
from referee.game.file.dumper import as_mapping, json_text, list_text, yaml_text
from referee.terminal import visible

_WRITERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "yaml": yaml_text,
    "json": lambda data: json_text(data) + "\n",
    "moves": list_text,
}
GAME_FORMS = tuple(_WRITERS)


class Converted(NamedTuple):
    """A game as a text, or several as rows; or the findings about a wrong game, with their places."""

    content: Any = None
    fault: str = ""
    unreadable: bool = False


def refused(error: FileError, part: FilePart, text: GameText) -> Converted:
    """The findings about a game that cannot be converted."""
    fault = "\n".join(one.as_text(visible(part.file)) for one in at_line(error.findings, text))
    return Converted(fault=fault, unreadable=error.unreadable)


def convert_shard(shard: Shard, form: str, bare: GameFile | None = None) -> list[Converted]:
    """Every game of a shard in a form, in order; moves are read, not judged. Bare move lists belong to `bare`."""
    converted = []
    for part in shard.parts:
        for text in part.texts:
            try:
                line = None if bare else canonical_line(text)
                data = (line and line.data()) or as_mapping(read_text(part, text, bare, suggest=False))
                converted.append(Converted(_WRITERS[form](data)))
            except FileError as error:
                converted.append(refused(error, part, text))
    return converted


def to_text(game: GameFile, form: str) -> str:
    """A game in one of the FORMS."""
    return _WRITERS[form](as_mapping(game))
