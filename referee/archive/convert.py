"""Games written in another form: game files, lines of an archive, move lists; nothing of a game gets lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.archive.judge import placed, read_text
from referee.archive.movelist import to_list
from referee.archive.names import shown
from referee.archive.shards import Shard
from referee.errors import FileError
from referee.game import GameFile
from referee.game.dumper import dumps, to_json

FORMS = ("yaml", "json", "moves")


@dataclass(frozen=True)
class Conversion:
    """Into which form games are written; bare move lists are read as those of `game` with `options`."""

    form: str
    game: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Converted(NamedTuple):
    """A game in its new form, or why it cannot be read; `fault` is said of a place in a file."""

    text: str = ""
    fault: str = ""
    unreadable: bool = False


def convert_shard(shard: Shard, conversion: Conversion) -> list[Converted]:
    """Every game of a shard, in its order; moves are read, but not judged."""
    converted = []
    for part in shard.parts:
        for text in part.texts:
            try:
                game = read_text(part, text, conversion.game, conversion.options, suggest=False)
                converted.append(Converted(written(game, conversion.form)))
            except FileError as error:
                fault = "\n".join(one.as_text(shown(part.file)) for one in placed(error.findings, text))
                converted.append(Converted(fault=fault, unreadable=error.unreadable))
    return converted


def written(game: GameFile, form: str) -> str:
    """A game in one of the FORMS."""
    if form == "json":
        return to_json(game) + "\n"
    return dumps(game) if form == "yaml" else to_list(game)
