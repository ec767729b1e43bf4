"""Adding a ply to a game file: judged first, under a lock, atomically, everything else left as it is."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.errors import FileError, IllegalMove, NotationError, RefereeError
from referee.game.document import decode, read_bytes, unreadable
from referee.game.gamefile import GameFile, Noted, Ply, Round
from referee.game.insertion import insertion
from referee.game.judging import judge
from referee.game.reading import loads
from referee.notation import nearest, parse_move
from referee.rules import Position


def add_ply(path: Path, texts: Mapping[str, str]) -> Ply:
    """Judge the moves of one ply, given as side -> text, and add them to a game file.

    The file is locked meanwhile, and either holds the new ply afterwards or is as it was.

    Raises:
        FileError: the file cannot be read or written, or does not hold.
        RefereeError: a move is no notation or not legal; `suggestions` are the legal moves nearest to it.
    """
    path = Path(os.path.realpath(path))
    with _locked(path):
        content = read_bytes(path)
        game = loads(decode(content, str(path)), str(path))
        verdict = judge(game)
        if verdict.findings:
            raise FileError(str(path), verdict.findings)
        if verdict.outcome is not None:
            message = f"the game is over ({verdict.outcome.how}): no move can be made any more"
            raise IllegalMove("game-over", message)
        moves = {side: judged(game.game, verdict.position, side, text) for side, text in texts.items()}
        verdict.position.play(moves)
        made = tuple(Noted(moves[side]) for side in verdict.position.sides if side in moves)
        longer = replace(game, rounds=_with_ply(game.rounds, made))
        _write(path, _proven(content, game, longer, tuple(str(noted.move) for noted in made)))
        *_, ply = longer.replay()
        return ply


def judged(game: str, position: Position, side: str, text: str) -> Any:  # noqa: ANN401 - each game has its own
    """The move that a text says, if a side may make it in a position.

    Raises:
        NotationError: it is not notation; `suggestions` are the nearest legal moves, here as below.
        IllegalMove: it is a move, but not a legal one.
    """
    try:
        move = parse_move(game, text)
        position.check(side, move)
    except NotationError as error:
        raise error.with_suggestions(nearest(text, position.legal_moves(side))) from None
    except IllegalMove as error:
        near = nearest(text, position.legal_moves(side))
        raise IllegalMove(error.code, error.message, suggestions=near) from None
    return move


def _with_ply(rounds: tuple[Round, ...], made: tuple[Noted, ...]) -> tuple[Round, ...]:
    if len(made) == 1 and rounds and len(rounds[-1].moves) == 1:
        last = rounds[-1]
        return (*rounds[:-1], last._replace(moves=last.moves + made))
    return (*rounds, Round(made))


def _proven(content: bytes, game: GameFile, longer: GameFile, made: tuple[str, ...]) -> bytes:
    """The file's new content, read back and found to be the longer game."""
    edit = insertion(game, made)
    mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    new = mark + edit.applied(content[len(mark) :].decode()).encode() if edit else content
    try:
        read_back = loads(decode(new))
    except FileError:
        read_back = game
    if _without_comments(read_back) != _without_comments(longer):
        message = "no move can be added to this layout; write the moves as a block that begins with 'moves: |'"
        raise RefereeError("layout", message)
    if findings := judge(read_back).findings:
        raise FileError("", findings)
    return new


def _without_comments(game: GameFile) -> GameFile:
    """The game without comments: one at a line's end may come to stand behind the move that is added."""
    rounds = tuple(Round(tuple(one._replace(comments=()) for one in each.moves)) for each in game.rounds)
    return replace(game, rounds=rounds, closing=())


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; whoever waited meanwhile for a file that was then replaced locks the new one."""
    import fcntl

    while True:
        try:
            file = path.open("rb")
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise unreadable(str(path), "unreadable", f"the file cannot be read: {reason}") from None
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _still(path, os.fstat(file.fileno())):
                yield
                return


def _still(path: Path, locked: os.stat_result) -> bool:
    """Whether a path still leads to the file that was locked."""
    try:
        return os.path.samestat(path.stat(), locked)
    except FileNotFoundError:
        return False


def _write(path: Path, content: bytes) -> None:
    """Put new content in place of a file at once: written beside it, made durable, then renamed."""
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
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
