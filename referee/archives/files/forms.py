"""The readable forms of a game: game files, lines of an archive, move lists."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.archives.files.compression import suffix
from referee.archives.files.shards import FilePart, GameText
from referee.errors import FileError, Finding
from referee.game import GameFile, decode_utf8, loads, loads_moves, parse_document
from referee.game.file import json_document
from referee.game.file.document import Document
from referee.game.file.syntax import is_headed

_EXCERPT = 200
"""Maximum characters of an excerpt in a finding of an archive: a round, but not a whole line."""

_KEY = re.compile(r"^([\"']?)(?:game|moves)\1[ \t]*:", re.MULTILINE)


def read_text(part: FilePart, text: GameText, bare: GameFile | None = None, *, suggest: bool = True) -> GameFile:
    """The game of a text; a bare move list belongs to the game `bare`.

    Raises:
        FileError: with all findings.
    """
    if text.fault is not None:
        raise FileError(part.file, (text.fault,), unreadable=True)
    content = decode_utf8(text.content, part.file)
    if bare is not None:
        return loads_bare(content, replace(bare, file=part.file), suggest=suggest)
    if suffix(part.file) == ".moves" and not part.archive and not is_headed(content):
        message = "a bare move list does not name its game; name it with --game"
        raise FileError(part.file, (Finding("unknown-game", message),))
    return loads(content, part.file, suggest=suggest)


def file_document(part: FilePart, text: GameText) -> Document | None:
    """The document of a game file; None for a line of an archive, a move list, and what cannot be read."""
    if text.line or text.fault is not None or suffix(part.file) == ".moves":
        return None
    content = decode_utf8(text.content, part.file)
    return None if is_headed(content) else parse_document(content)


def at_line(findings: tuple[Finding, ...], text: GameText) -> tuple[Finding, ...]:
    """The findings in a text; those in an archive get its line."""
    if not text.line:
        return findings
    return tuple(
        replace(finding, line=text.line, caret=finding.caret or finding.column)
        if len(finding.excerpt) <= _EXCERPT
        else replace(finding, line=text.line, caret=0, excerpt="")
        for finding in findings
    )


def loads_bare(text: str, game: GameFile, *, suggest: bool = True) -> GameFile:
    """The game of a bare move list, or of a whole game of the same kind.

    Raises:
        FileError: with all findings; `whole-file` alone, if the text has a header of another game, or if options or a
            start are given in addition to its header.
    """
    if not is_game_file(text) and not is_headed(text):
        return loads_moves(text, game, suggest=suggest)
    whole = loads(text, game.file, suggest=suggest)
    if (whole.game == game.game and not game.options and game.start_text is None) or whole.source is None:
        return whole
    named = "--game and --option" if game.start_text is None else "--game, --option and --position"
    message = f"this is a whole game file of {whole.game}: {named} are for bare move lists, so leave them out"
    raise FileError(game.file, (whole.source.finding("whole-file", message, ("game",)),))


def is_game_file(text: str) -> bool:
    """True for JSON, and for YAML with the keys of a game at its top; False for a move list."""
    if text.lstrip().startswith("{"):
        return json_document.parse_json(text) is not None
    return _KEY.search(text) is not None
