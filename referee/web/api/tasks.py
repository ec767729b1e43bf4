"""The work of requests, for any process: from the content of a request to its answer in JSON, or as a picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Literal

from referee.archives.files.forms import loads_bare
from referee.archives.files.shards import content_shards
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.printer import Printer
from referee.desk import audit, log_lines
from referee.draw.picture import png, svg
from referee.errors import RefereeError, shown
from referee.game import GameFile, decode_utf8, dumps, loads, ply_at
from referee.game.amend.edit import longer_content
from referee.game.file.judge import completions
from referee.game.file.syntax import option_values
from referee.notation.positions import position_text
from referee.rules import Position, game_named
from referee.terminal import join_words, visible_json

Task = Callable[[], bytes]
"""A piece of work with its arguments, which can go to another process."""

LARGEST_ANSWER = 8 << 20
"""Maximum characters of an answer."""


@dataclass(frozen=True, slots=True)
class GameSource:
    """The source of a request's game.

    `content` is a game file; or, if `game` is named, a bare move list of that game. Without content it is that game
    before its first ply. Such a list or game begins with `position`, and has `options` such as `columns=17`.
    """

    content: bytes = b""
    game: str | None = None
    position: str | None = None
    options: tuple[str, ...] = ()

    @property
    def bare(self) -> GameFile | None:
        """The named game before its first ply, or None for a game file; RefereeError for a wrong parameter."""
        if self.game is None:
            if self.position is not None or self.options:
                name = "option" if self.options else "position"
                raise RefereeError("parameter", f"'{name}' is for a game that 'game' names: give that too")
            return None
        game_named(self.game)
        try:
            options = option_values(self.options)
        except ValueError as error:
            raise RefereeError("parameter", str(error)) from None
        return GameFile(self.game, options=options, start_text=self.position)

    def read(self) -> GameFile:
        """The game, with moves that are read but not judged; FileError with all findings, or as `bare`."""
        bare = self.bare
        text = decode_utf8(self.content)
        if bare is None:
            if not text.strip():
                raise RefereeError("parameter", "expected a game file as the body, or the name of a game as 'game'")
            return loads(text)
        return loads_bare(text, bare) if text.strip() else bare


def check(source: GameSource, file: str = "", suggest: bool | None = None) -> bytes:
    """The verdict on a game file, a move list or an archive, as `referee check --format jsonl` prints it."""
    bare = source.bare
    lines: list[str] = []
    with closing(Printer(lines.append, objects=True)) as printer:
        for shard in content_shards(source.content, file, lists=bare is not None):
            for part in check_shard(shard, CheckSettings(bare, suggest)):
                printer.add(part)
    return _limited(lines).removesuffix(b"\n")


def report(source: GameSource) -> bytes:
    """Every ply of a game, as `referee report --every --format json` gives it."""
    plies = (visible_json(ply.as_json()) for ply in source.read().replay())
    return b"[%s]" % _limited(plies, ", ")


def position(source: GameSource, ply: int | None = None) -> bytes:
    """The position after a ply, by default the last, as `referee report --format json` gives it."""
    return visible_json(ply_at(source.read(), ply).as_json()).encode()


def picture(
    source: GameSource,
    form: Literal["svg", "png"],
    ply: int | None = None,
    view: str | None = None,
    paper: Literal["light", "dark"] = "light",
    width: int = 1000,
) -> bytes:
    """The position after a ply as a picture, seen by a side."""
    shown = ply_at(source.read(), ply)
    seat = seen_by(shown.position, view)
    if form == "svg":
        return svg(shown, view=seat).encode()
    return png(shown, view=seat, size=width, colours=paper)


def legal(source: GameSource, side: str | None = None, prefix: str = "") -> bytes:
    """The legal moves of each side after the last ply that begin with a prefix, as `referee legal` lists them."""
    found = completions(source.read(), side, prefix)
    return visible_json({side: [str(move) for move in moves] for side, moves in found.items()}).encode()


def play(source: GameSource, moves: Mapping[str, str]) -> bytes:
    """A ply, added as by `referee move`: the ply, the new position as a line of text, and the new game file."""
    is_file = source.game is None and source.content.strip()
    ply, new = longer_content(source.content if is_file else dumps(source.read()).encode(), moves)
    line = None
    with suppress(RefereeError):  # some games have no notation for positions
        line = position_text(ply.position)
    return visible_json({"ply": ply.as_json(), "position": line, "file": decode_utf8(new)}).encode()


def audit_log(content: bytes, head: str | None = None) -> bytes:
    """The audit of a log, as `referee audit` makes it."""
    return visible_json(audit(log_lines(io.BytesIO(content), ""), head).as_json()).encode()


def seen_by(position: Position, view: str | None) -> str:
    """The side whose view of a board is shown: the named one, or the first; RefereeError `parameter`."""
    if view is not None and view not in position.sides:
        raise RefereeError("parameter", f"'view' must be {join_words(position.sides, 'or')}, not {shown(view)}")
    return view or position.sides[0]


def _limited(parts: Iterable[str], between: str = "") -> bytes:
    """The parts of an answer together; RefereeError `too-large` if they are too much."""
    kept, size = [], 0
    for part in parts:
        kept.append(part)
        size += len(part)
        if size > LARGEST_ANSWER:
            message = f"the answer would be larger than {LARGEST_ANSWER >> 20} MiB: send a shorter game"
            raise RefereeError("too-large", message)
    return between.join(kept).encode()
