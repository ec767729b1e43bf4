"""Conversion of games; a move list keeps its game's header in comments before the moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from referee.archives.files.forms import at_line, read_text
from referee.archives.files.shards import Shard
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
    """A game in its new form, or its findings, with their places, if it cannot be read."""

    text: str = ""
    fault: str = ""
    unreadable: bool = False


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
                fault = "\n".join(one.as_text(visible(part.file)) for one in at_line(error.findings, text))
                converted.append(Converted(fault=fault, unreadable=error.unreadable))
    return converted


def to_text(game: GameFile, form: str) -> str:
    """A game in one of the FORMS."""
    return _WRITERS[form](as_mapping(game))
