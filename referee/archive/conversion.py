"""Conversion of games; a move list keeps its game's header in comments before the moves."""

from __future__ import annotations

from typing import NamedTuple

from referee.archive.files.forms import at_line, read_text
from referee.archive.files.shards import Shard
from referee.errors import FileError
from referee.game import GameFile
from referee.game.file.dumper import game_text, headed_text, to_json
from referee.terminal import visible

GAME_FORMS = ("yaml", "json", "moves")


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
                game = read_text(part, text, bare, suggest=False)
                converted.append(Converted(to_text(game, form)))
            except FileError as error:
                fault = "\n".join(one.as_text(visible(part.file)) for one in at_line(error.findings, text))
                converted.append(Converted(fault=fault, unreadable=error.unreadable))
    return converted


def to_text(game: GameFile, form: str) -> str:
    """A game in one of the FORMS."""
    if form == "json":
        return to_json(game) + "\n"
    return game_text(game) if form == "yaml" else headed_text(game)
