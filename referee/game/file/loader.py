"""From a game file's text, or a bare move list, to the game; and from a game to a text that is read back."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO

from referee.errors import FileError, Finding, NotationError, OptionError, PackageFault, RefereeError, expect
from referee.game.file.document import LARGEST, Document, decode_utf8, read_bytes, read_open, unreadable
from referee.game.file.dumper import game_text
from referee.game.file.gamefile import GameFile
from referee.game.file.header import begun, faults, misfits
from referee.game.file.rounds import FEW, MOST, Rounds
from referee.game.file.syntax import headed_list, is_headed, move_list, parse_document
from referee.game.file.variations import KEY, read_variations
from referee.rules import game_named


def read(file: str | PathLike[str] | IO[str] | IO[bytes]) -> GameFile:
    """The game in a game file (YAML or JSON, or a move list with its header in comments), at a path or open.

    Raises:
        FileError: with all findings; the moves are read here but judged when they are replayed.

    >>> import referee
    >>> game = referee.read("games/beams/opening.yaml")
    >>> game.game, game.players["south"].name, len(game.rounds)
    ('beams', 'Ada Lovelace', 5)
    """
    if isinstance(file, (str, PathLike)):
        name = str(Path(os.fsdecode(file)))
        text = decode_utf8(read_bytes(Path(name)), os.fsdecode(file))
    else:
        name, text = read_open(file)
    if Path(name).suffix == ".jsonl":
        message = "this is an archive of games: 'referee check' judges it, and referee.archive reads it in Python"
        raise FileError(name, (Finding("archive", message),))
    return loads(text, name)


def loads(text: str, file: str = "", *, suggest: bool = True) -> GameFile:
    """The game of a game file's text, or of a move list with its header in comments.

    `suggest` asks for legal moves near to a wrong one; there may be thousands to choose from. Without it, reading
    stops at the fifth unparsable move, to save time.

    Raises:
        FileError: with all findings; it names `file`.

    >>> import referee
    >>> game = referee.loads('{"game": "boundary", "moves": "1. P a1-b2"}')
    >>> str(next(game.replay()).moves["south"])
    'P a1-b2'
    """
    expect(str, text, "the text of a game file")
    if len(text) > LARGEST:
        raise unreadable(file, "too-large", f"the text is longer than {LARGEST >> 20} Mi characters")
    text = text.removeprefix("\ufeff")
    return game_of(headed_list(text) if is_headed(text) else parse_document(text), file, suggest=suggest)


def game_of(document: Document, file: str = "", *, suggest: bool = True) -> GameFile:
    """The game of a game file's document, as `loads` gives it."""
    data = document.mapping
    holds = not document.findings and not any(faults(data))
    reading = _reading(document, str(data["game"]), suggest=suggest) if holds else None
    game = _with_moves(begun(data, file), document, reading) if reading else None
    if game is None:
        from referee.game.file.explanation import explained  # most files need none

        raise explained(document, file, reading, suggest=suggest)
    return game


def loads_moves(text: str, game: GameFile, *, suggest: bool = True) -> GameFile:
    """A game with the moves of a bare move list, all else as it was; FileError with all findings."""
    document, completed = move_list(text), partial(replace, game)
    reading = _reading(document, game.game, suggest=suggest)
    whole = _with_moves(completed, document, reading) if reading else None
    if whole is None:
        from referee.game.file.explanation import explained_moves  # most lists need none

        raise explained_moves(completed, game.game, document, game.file, reading, suggest=suggest)
    return whole


def dumps(game: GameFile) -> str:
    """The game as the text of a game file (YAML), which `loads` reads back.

    Raises:
        FileError: the game holds what no game file may, such as a side that its game does not have.
        TypeError: it is not a game file, or holds a value of a wrong type.

    >>> import referee
    >>> game = referee.loads('{"game": "beams", "moves": "p m1 b3 12:00|p s a2"}')
    >>> print(referee.dumps(game), end="")
    game: beams
    moves: |
      1. P M1 B3 12 | P S A2
    >>> referee.loads(referee.dumps(game)) == game
    True
    """
    expect(GameFile, game, "a game file, such as read or loads gives")
    try:
        text = game_text(game)
    except (AttributeError, TypeError, ValueError) as error:
        raise TypeError(f"the game holds a value of a wrong type: {error}") from error
    loads(text)
    return text


def _reading(document: Document, name: str, *, suggest: bool) -> Rounds | None:
    """The moves of a document; None if there is no such game."""
    try:
        return Rounds(document, game_named(name), MOST if suggest else FEW)
    except (RefereeError, PackageFault):
        return None


def _with_moves(completed: Callable[..., GameFile], document: Document, reading: Rounds) -> GameFile | None:
    """The game that is completed with the moves of a document; None if anything is wrong with it."""
    if reading.faults:
        return None
    if document.mapping.get(KEY):
        variations, faulty = read_variations(document, reading.game, most=1)
        if faulty:
            return None
        completed = partial(completed, variations=variations)
    game = completed(rounds=tuple(reading.rounds), trailing_comments=tuple(reading.comments), source=document)
    try:
        game.start()
    except (OptionError, NotationError):
        return None
    return None if any(misfits(game, reading.game)) else game
