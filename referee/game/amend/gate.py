"""The one gate of edits to a game file: under a lock, proven before they are written, atomic, all else left alone."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import unified_diff
from functools import partial
from glob import escape
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, NamedTuple

from referee.errors import FileError, RefereeError
from referee.game.amend.insertion import Edit
from referee.game.file.document import decode_utf8, existing, read_bytes, unread, unwritten
from referee.game.file.gamefile import GameFile
from referee.game.file.judge import Verdict, judge
from referee.game.file.loader import loads
from referee.game.file.syntax import as_yaml, from_yaml, is_headed

Amendment = Callable[[GameFile, Verdict], tuple[GameFile, Edit | None]]
"""From a game and its verdict to the wanted game and the edit that should give it."""

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:
    fcntl = None

_CONTEXT = 1
"""Lines that a diff shows around a changed one."""


class Revision(NamedTuple):
    """A game file before and after an edit, and the game that it holds then."""

    game: GameFile
    before: str
    after: str

    def diff(self, file: str) -> str:
        """The lines that change, as `diff -u` shows them; empty if none does."""
        before, after = (text.splitlines() for text in (self.before, self.after))
        return "\n".join(unified_diff(before, after, file, file, n=_CONTEXT, lineterm=""))


def revision(path: Path, *amendments: Amendment, write: bool = True, repair: bool = False) -> Revision:
    """Change a game file into the wanted game, step by step, or leave it unchanged, as without `write`.

    The game must be right after each step, and before it too unless it is to `repair`. RefereeError `layout` if no
    edit gives the wanted game.
    """
    path = Path(os.path.realpath(path))
    with locked(path):
        content = new = read_bytes(path)
        for amendment in amendments:
            wanted, new = amend(new, str(path), amendment, repair=repair)
        if write:
            replace_content(path, new)
        return Revision(wanted, decode_utf8(content), decode_utf8(new))


def amend(content: bytes, file: str, amendment: Amendment, *, repair: bool = False) -> tuple[GameFile, bytes]:
    """The wanted game and the new content of a game file, given its content; as `revision` otherwise."""
    text = decode_utf8(content, file)
    game = loads(text, file)
    if is_headed(text):
        wanted, new = amend(as_yaml(text).encode(), file, amendment, repair=repair)
        return wanted, from_yaml(new.decode()).encode()
    verdict = judge(game)
    if verdict.findings and not repair:
        raise FileError(game.file, verdict.findings)
    wanted, edit = amendment(game, verdict)
    return wanted, _proven(content, edit, wanted)


def _proven(content: bytes, edit: Edit | None, wanted: GameFile) -> bytes:
    """The file's content after an edit, checked by reading it back as the wanted game."""
    mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    new = mark + edit.applied(content[len(mark) :].decode()).encode() if edit else content
    try:
        read_back = loads(decode_utf8(new), wanted.file)
    except FileError:
        read_back = None
    if read_back is None or read_back != wanted:
        message = (
            "nothing can be changed in this layout; write the moves as a block that begins with 'moves: |', "
            "and each key of the header on one line"
        )
        raise RefereeError("layout", message)
    if findings := judge(read_back).findings:
        raise FileError(wanted.file, findings)
    return new


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, or of the one that replaced it meanwhile; Windows has no such locks."""
    while True:
        try:
            file = path.open("rb")
        except OSError as error:
            raise unread(path, error) from None
        with file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            if _still(path, os.fstat(file.fileno())):
                if fcntl is None:
                    file.close()  # an open file cannot be replaced there
                for left in path.parent.glob(f"{escape(_unsaved(path))}*"):
                    left.unlink(missing_ok=True)  # by a command that was killed
                yield
                return


def _still(path: Path, locked: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), locked)
    except FileNotFoundError:
        return False


def replace_content(path: Path, content: bytes) -> None:
    """Replace a file's content atomically: write beside it, make it durable, rename; FileError `unwritable`."""
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        beside = _beside(path)
        with _durable(beside, content, path.stat().st_mode & 0o7777) as link:
            if not beside.exists():
                link(beside)
            beside.replace(path)
    except OSError as error:
        raise unwritten(path, error) from None


def create_private(path: Path, content: bytes) -> None:
    """Put content into a new file that only its owner can read, at once; FileError `exists` or `unwritable`."""
    try:
        with _durable(_beside(path), content, 0o600) as link:
            link(path)
    except FileExistsError:
        raise existing(path) from None
    except OSError as error:
        raise unwritten(path, error) from None


@contextmanager
def _durable(beside: Path, content: bytes, mode: int) -> Iterator[Callable[[Path], None]]:
    """Write a new file to the disk, and give what links it to a name; it has one already if the system wants that."""
    try:
        with _new_file(beside) as file:
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if beside.exists():
                file.close()  # an open file cannot be replaced on Windows
                yield partial(os.link, beside)
            else:
                number = file.fileno()
                yield partial(os.link, f"/proc/self/fd/{number}", src_dir_fd=number)  # follows the link
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(beside.parent)


def _new_file(path: Path) -> BinaryIO:
    """A new file for its owner alone: without a name on Linux, where the file system can do that, else at `path`."""
    if hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").exists():
        with suppress(OSError):
            return os.fdopen(os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o600), "wb")
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600), "wb")


def _beside(path: Path) -> Path:
    return path.with_name(f"{_unsaved(path)}{secrets.token_hex(4)}")


def _unsaved(path: Path) -> str:
    return f".{path.name}.unsaved-"


def sync_folder(folder: Path) -> None:
    """Make a renaming durable too, if the file system can; the new content is already in place."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
