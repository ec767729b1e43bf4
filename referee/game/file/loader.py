"""From a game file's text, or a bare move list, to the game; and from a game to a text that is read back."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from os import PathLike
from pathlib import Path
from typing import IO

from referee.errors import FileError, Finding, NotationError, OptionError, PackageFault, RefereeError, expect
from referee.game.file.document import Document, decode_utf8, read_bytes, read_open
from referee.game.file.dumper import game_text
from referee.game.file.gamefile import AnnotatedMove, GameFile, Round
from referee.game.file.header import begun, faults, misfits
from referee.game.file.rounds import Rounds
from referee.game.file.syntax import headed_list, is_headed, move_list, parse_document
from referee.game.file.variations import read_variations
from referee.notation.movelist import parse_plain_list
from referee.notation.moves import REMEMBERED_MOVES, parse_move
from referee.rules import Game, game_named

_make = tuple.__new__
_NUMBERS = tuple(f"{number}." for number in range(1, 1001))


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
        name = os.fsdecode(file)
        text = decode_utf8(read_bytes(Path(name)), name)
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
    return game_of(headed_list(text) if is_headed(text) else parse_document(text), file, suggest=suggest)


def game_of(document: Document, file: str = "", *, suggest: bool = True) -> GameFile:
    """The game of a game file's document, as `loads` gives it."""
    data = document.mapping
    holds = not document.findings and not any(faults(data))
    game = _with_moves(begun(data, file), str(data["game"]), document) if holds else None
    if game is None:
        from referee.game.file.explanation import explained  # most files need none

        raise explained(document, file, suggest=suggest)
    return game


def loads_moves(text: str, game: GameFile, *, suggest: bool = True) -> GameFile:
    """A game with the moves of a bare move list, all else as it was; FileError with all findings."""
    document, completed = move_list(text), partial(replace, game)
    whole = _with_moves(completed, game.game, document)
    if whole is None:
        from referee.game.file.explanation import explained_moves  # most lists need none

        raise explained_moves(completed, game.game, document, game.file, suggest=suggest)
    return whole


def dumps(game: GameFile) -> str:
    """The game as the text of a game file (YAML), which `loads` reads back.

    Raises:
        FileError: the game holds what no game file may, such as a side that its game does not have.
        TypeError: it is not a game file.

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
    text = game_text(game)
    loads(text)
    return text


def _with_moves(completed: Callable[..., GameFile], name: str, document: Document) -> GameFile | None:
    """The game that is completed with the moves of a document; None if anything is wrong with it."""
    try:
        description = game_named(name)
    except (RefereeError, PackageFault):
        return None
    variations, faulty = read_variations(document, description, most=1)
    if faulty:
        return None
    completed = partial(completed, variations=variations) if variations else completed
    rounds, comments = _plain_rounds(document.moves, description), list[str]()
    if rounds is None:
        reading = Rounds(document, description, most=1)
        if reading.faults:
            return None
        rounds, comments = reading.rounds, reading.comments
    game = completed(rounds=tuple(rounds), trailing_comments=tuple(comments), source=document)
    try:
        game.start()
    except (OptionError, NotationError):
        return None
    return None if any(misfits(game, description)) else game


def _plain_rounds(text: str, game: Game) -> list[Round] | None:
    """The rounds of a whole list at once if nothing in it is wrong or annotated, as in most lists; otherwise None."""
    if not (lines := parse_plain_list(text, game.moves_per_round)):
        return None
    numbers, *columns = zip(*lines, strict=True)
    if any(numbers) and numbers != _NUMBERS[: len(lines)]:
        return None
    noted = _noted(game.name)
    whole = len(lines) - (not columns[-1][-1])
    try:
        # `Round` itself would take twice as long to make one.
        rounds = [
            _make(Round, (moves, ()))
            for moves in zip(*(map(noted, column[:whole]) for column in columns), strict=True)
        ]
        return rounds + [Round(tuple(noted(move) for move in moves if move)) for _, *moves in lines[whole:]]
    except NotationError:
        return None


@cache
def _noted(game: str) -> Callable[[str], AnnotatedMove]:
    """The function from text to annotated move of one game, without mark and comments; it remembers too."""
    return lru_cache(REMEMBERED_MOVES)(lambda text: AnnotatedMove(parse_move(game, text)))
