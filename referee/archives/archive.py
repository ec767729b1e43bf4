"""An archive as a Python value: its games, read as they are asked for, and a new one written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.archives.files.compression import suffix, writer
from referee.archives.files.forms import at_line, read_text
from referee.archives.files.shards import FilePart, GameText, shards
from referee.archives.judge import check_text
from referee.archives.verdict import GameVerdict
from referee.errors import FileError, Finding, expect
from referee.game import GameFile, loads, to_json


@dataclass(frozen=True)
class ArchivedGame:
    """A game at its place in an archive: `file`, and `line` from 1."""

    file: str
    line: int
    part: FilePart = field(repr=False)
    text: GameText = field(repr=False)

    @cached_property
    def game(self) -> GameFile:
        """The game; FileError, with the line, if it cannot be read."""
        try:
            return read_text(self.part, self.text)
        except FileError as error:
            raise FileError(error.file, at_line(error.findings, self.text), unreadable=error.unreadable) from None

    @cached_property
    def verdict(self) -> GameVerdict:
        """The verdict on the game as `referee check` prints it: `plies`, `score`, `outcome`, `findings`."""
        return check_text(self.part, self.text)


def archive(path: str | os.PathLike[str]) -> Archive:
    """The archive in a file of JSON lines, which may be compressed (`.gz`, `.zst`), and need not be there yet.

    Each iteration reads the file from its beginning, and keeps only a few of its games at a time. It gives each game
    with its place: `file`, `line`, `game` and `verdict`. FileError if the file cannot be read.

    `write(games)` puts one game or many in place of what the file has, all or nothing, and returns their number.
    FileError `archive` if the file's name does not end in `.jsonl`, which `.gz` or `.zst` may follow.

    >>> import os, tempfile, referee
    >>> archive = referee.archive(os.path.join(tempfile.mkdtemp(), "two.jsonl.gz"))
    >>> archive.write([referee.new("beams"), referee.new("boundary").play("P a1-b2")])
    2
    >>> [(one.line, one.game.game, one.verdict.plies) for one in archive]
    [(1, 'beams', 0), (2, 'boundary', 1)]
    """
    expect((str, os.PathLike), path, "the path of an archive")
    return Archive(os.fspath(path))


@dataclass(frozen=True)
class Archive:
    """The games of an archive in their order, as often as they are asked for; `write` puts others in their place."""

    path: str

    def __iter__(self) -> Iterator[ArchivedGame]:
        """The games in their order; FileError if the file cannot be read."""
        for shard in shards([self.path]):
            for part in shard.parts:
                for text in part.texts:
                    if text.fault is not None and not text.line:
                        raise FileError(part.file, (text.fault,), unreadable=True)
                    yield ArchivedGame(part.file, text.line, part, text)

    def write(self, games: GameFile | Iterable[GameFile | ArchivedGame]) -> int:
        """Write one game or many in place of what the file has; return their number. All are written, or nothing.

        Raises:
            FileError: `archive`, if the file's name is not one of an archive; or a game holds what no game file may.
            RefereeError: `missing-extra`.
            OSError: the file cannot be written.
        """
        if suffix(self.path) != ".jsonl":
            message = "the name of an archive ends in .jsonl, .jsonl.gz or .jsonl.zst"
            raise FileError(self.path, (Finding("archive", message),))
        written = 0
        with writer(self.path) as file:
            for one in (games,) if isinstance(games, GameFile) else games:
                game = one.game if isinstance(one, ArchivedGame) else one
                expect(GameFile, game, "a game file, such as new, read or loads gives")
                text, written = to_json(game), written + 1
                if game is one:
                    self._read_back(text, written)
                file.write(f"{text}\n".encode())
        return written

    def _read_back(self, text: str, line: int) -> None:
        try:
            loads(text)
        except FileError as error:
            raise FileError(self.path, tuple(replace(one, line=line) for one in error.findings)) from None
