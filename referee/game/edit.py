"""Edits of a game file: under a lock, proven before they are written, atomic, with everything else left alone."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from referee.errors import FileError, IllegalMove, NotationError, RefereeError, Span
from referee.game.document import decode_utf8, read_bytes, unread, unreadable
from referee.game.dumper import value_text
from referee.game.ends import spoken_ending
from referee.game.gamefile import AnnotatedMove, GameFile, Ply, Round
from referee.game.insertion import Edit, continues_round, insertion, value_replacement
from referee.game.judge import Verdict, judge
from referee.game.loader import loads
from referee.rules import Position

_Change = Callable[[GameFile, Verdict], tuple[GameFile, Edit | None]]
"""From a valid game and its verdict to the wanted game and the edit that should give it."""


def add_ply(path: Path, texts: Mapping[str, str]) -> Ply:
    """Judge the moves of one ply, given as side -> text, and add them to a game file.

    The file is locked meanwhile; afterwards it has the new ply or is unchanged.

    Raises:
        FileError: the file cannot be read or written, or is wrong.
        RefereeError: a move is not notation or not legal; `suggestions` are the legal moves nearest to it.
    """

    def longer(game: GameFile, verdict: Verdict) -> tuple[GameFile, Edit | None]:
        if verdict.outcome is not None:
            message = f"the game is over ({verdict.outcome.termination}): no more moves can be made"
            raise IllegalMove("game-over", message)
        position = verdict.position
        moves = {}
        for side, text in texts.items():
            try:
                moves[side] = position.parse(side, text)
            except NotationError as error:
                raise _as_end(error, position, side) from None
            except IllegalMove as error:
                said = f"{side}: {error.message}" if len(texts) > 1 else error.message
                raise IllegalMove(error.code, said, suggestions=error.suggestions) from None
        position.play(moves)
        made = tuple(AnnotatedMove(moves[side]) for side in position.sides if side in moves)
        wanted = replace(game, rounds=_with_ply(game, made))
        return wanted, insertion(game, tuple(str(one.move) for one in made))

    *_, ply = _changed(path, longer).replay()
    return ply


def _as_end(error: NotationError, position: Position, side: str) -> NotationError:
    """The error, or the line for the header if the text says how the game ended."""
    said = spoken_ending(error.text, position.sides, side)
    if said is None:
        return error
    return NotationError(said.message, text=error.text, span=Span(1, 1), suggestions=said.lines)


def _with_ply(game: GameFile, made: tuple[AnnotatedMove, ...]) -> tuple[Round, ...]:
    if continues_round(game, len(made)):
        *rounds, last = game.rounds
        return (*rounds, last._replace(moves=last.moves + made))
    return (*game.rounds, Round(made))


def reveal(path: Path, secret: str) -> GameFile:
    """Write into a game file as much of its secret as the players may know by now; return the game.

    Raises:
        FileError: the file cannot be read or written, or is wrong.
        IllegalMove: `no-secret`; the game has none.
        OptionError: it is not this game's secret.
        RefereeError: `layout`; the option stands in several lines.
    """

    def told(game: GameFile, verdict: Verdict) -> tuple[GameFile, Edit | None]:
        kept = game.description.secret
        if kept is None:
            raise IllegalMove("no-secret", f"in {game.description.title} chance decides nothing")
        known = kept.known(game.options, secret, verdict.position)
        edit = None
        for name, value in known.items():
            edit = value_replacement(game, ("options", name), value_text(value))
        return replace(game, options={**game.options, **known}), edit

    return _changed(path, told)


def _changed(path: Path, change: _Change) -> GameFile:
    """Change a game file into the wanted game, which is returned, or leave it unchanged.

    Raises:
        FileError: the file cannot be read or written, or is wrong.
        RefereeError: whatever `change` raises, or `layout` if no edit gives the wanted game.
    """
    path = Path(os.path.realpath(path))
    with _locked(path):
        content = read_bytes(path)
        game = loads(decode_utf8(content, str(path)), str(path))
        verdict = judge(game)
        if verdict.findings:
            raise FileError(game.file, verdict.findings)
        wanted, edit = change(game, verdict)
        _write(path, _proven(content, edit, wanted))
        return wanted


def _proven(content: bytes, edit: Edit | None, wanted: GameFile) -> bytes:
    """The file's content after an edit, checked by reading it back as the wanted game."""
    mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    new = mark + edit.applied(content[len(mark) :].decode()).encode() if edit else content
    try:
        read_back = loads(decode_utf8(new), wanted.file)
    except FileError:
        read_back = None
    if read_back is None or _without_comments(read_back) != _without_comments(wanted):
        message = "nothing can be added to this layout; write the moves as a block that begins with 'moves: |'"
        raise RefereeError("layout", message)
    if findings := judge(read_back).findings:
        raise FileError(wanted.file, findings)
    return new


def _without_comments(game: GameFile) -> GameFile:
    """The game without comments: one at a line's end may end up behind the added move."""
    rounds = tuple(Round(tuple(one._replace(comments=()) for one in each.moves)) for each in game.rounds)
    return replace(game, rounds=rounds, trailing_comments=())


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; if the file was replaced while this waited, lock the new one."""
    import fcntl

    while True:
        try:
            file = path.open("rb")
        except OSError as error:
            raise unread(path, error) from None
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _still(path, os.fstat(file.fileno())):
                yield
                return


def _still(path: Path, locked: os.stat_result) -> bool:
    """True while a path leads to the locked file."""
    try:
        return os.path.samestat(path.stat(), locked)
    except FileNotFoundError:
        return False


def _write(path: Path, content: bytes) -> None:
    """Replace a file's content atomically: write beside it, make it durable, rename."""
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            try:
                os.fchmod(file.fileno(), path.stat().st_mode & 0o7777)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        _sync_folder(path.parent)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise unreadable(str(path), "unwritable", f"the file cannot be written: {reason}") from None


def _sync_folder(folder: Path) -> None:
    """Make a renaming durable too, if the file system can; the new content is already in place."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
