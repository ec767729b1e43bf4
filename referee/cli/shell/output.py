"""The output of commands: its place, its format, and a progress bar."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import BinaryIO

import click

from referee.archives.files.compression import STANDARD, atomic_file, special, suffix
from referee.archives.files.files import readable_suffixes
from referee.terminal import join_words, visible

_BINARY = frozenset({"pdf", "png"})
"""Formats that are not for a terminal."""

_MEGABYTE = 1 << 20


def format_of(
    output: str | Path | None,
    asked: str | None,
    formats: Mapping[str, str],
    *,
    default: str | None = None,
    compressed: bool = False,
) -> str:
    """The format to write: that of the output's suffix, else the one of --format (`asked`), else the default.

    The standard output, "-" or None, has no suffix. `formats` is suffix -> format, with the recommended suffix of a
    format first. Without a default, a suffix or --format is required. `compressed` allows .gz or .zst after it.

    Raises:
        click.UsageError: the suffix is unknown or contradicts --format, or a binary format would go to a terminal.
    """
    name, ending = "the standard output", ""
    if output is not None and not is_standard(output):
        name = visible(str(output))
        ending = (suffix(str(output)) if compressed else Path(output).suffix).casefold()
    if ending and ending not in formats:
        raise click.UsageError(f"{name}: no format has the suffix {ending}; expected {join_words(formats, 'or')}")
    found = formats[ending] if ending else asked or default
    if found is None:
        raise click.UsageError(f"{name} has no suffix: expected {join_words(formats, 'or')}, or --format")
    if asked is not None and asked != found:
        wanted = next(one for one, form in formats.items() if form == asked)
        raise click.UsageError(
            f"{name} means {found}, but --format says {asked}: leave --format out, "
            f"or name a file that ends in {wanted}"
        )
    if found in _BINARY and _is_terminal(output):
        raise click.UsageError(f"a {found.upper()} is not for a terminal: name a file with -o, or pipe the output")
    return found


def expect_yaml(output: Path | None) -> None:
    """Refuse a new game file whose suffix is that of another format."""
    format_of(output, None, {".yaml": "yaml", ".yml": "yaml"}, default="yaml")


def is_standard(output: str | Path | None) -> bool:
    """True if an output is the standard one."""
    return output is None or str(output) == STANDARD


def _is_terminal(output: str | Path | None) -> bool:
    if output is None or is_standard(output):
        return sys.stdout is not None and sys.stdout.isatty()
    try:
        if not stat.S_ISCHR(Path(output).stat().st_mode):
            return False
        device = os.open(output, os.O_WRONLY | os.O_NOCTTY)
    except (OSError, ValueError):
        return False
    try:
        return os.isatty(device)
    finally:
        os.close(device)


def refuse_input(
    output: str | Path | None, names: Iterable[str | Path | None], read: Iterable[str] = (), *, lists: bool = False
) -> None:
    """Refuse an output that is also an input: named, in a named folder of games, or among the files read.

    With `lists`, .txt files of such a folder are move lists.
    """
    if output is None or is_standard(output):
        return
    place = Path(os.path.realpath(output))
    named = [Path(os.path.realpath(name)) for name in names if name is not None and not is_standard(name)]
    taken = suffix(place.name) in readable_suffixes(lists=lists)  # from a folder
    inside = taken and any(name in place.parents and name.is_dir() for name in named)
    if inside or _is_among(place, (*named, *map(Path, read))):
        raise click.UsageError(f"{output} is also read: name another file to write into")


def _is_among(place: Path, files: Iterable[Path]) -> bool:
    for file in files if place.is_file() else ():
        with suppress(OSError, ValueError):
            if place.samefile(file):
                return True
    return False


def refuse_existing(target: str) -> None:
    """Refuse to overwrite a file."""
    if Path(target).is_file():
        raise _existing(target)


def _existing(target: str | Path) -> click.UsageError:
    return click.UsageError(f"{target} already exists, and files are never overwritten")


def _unwritable(path: Path, error: OSError) -> click.UsageError:
    return click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}")


def create(path: Path | None, text: str) -> None:
    """Write text into a new file, or to the standard output."""
    if path is None or is_standard(path):
        click.echo(text, nl=False)
        return
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise _existing(path) from None
    except OSError as error:
        raise _unwritable(path, error) from None


def put(path: Path, content: bytes) -> None:
    """Write content into a file at once, or to a pipe, a device, or the standard output as "-"."""
    if is_standard(path):
        if sys.stdout is not None:
            sys.stdout.buffer.write(content)
        return
    try:
        with path.open("wb") if special(path) else atomic_file(path) as file:
            file.write(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from None


def _draws_lines_again() -> bool:
    """True if the error output is a terminal that can redraw a line, as for a progress bar."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class TextOutput:
    """Text for the standard output or a file, which waits for `flush`, or until it is a megabyte."""

    def __init__(self, path: Path | None, start: int = 0) -> None:
        """Write into a file from `start` on, without the rest of its content; or to the output without a file."""
        self._waiting = StringIO()
        self._size = start
        self._file: BinaryIO | None = None
        if path is not None:
            try:
                self._file = path.open("r+b" if path.is_file() else "wb")
                if path.is_file():
                    self._file.truncate(start)
                    self._file.seek(start)
            except OSError as error:
                raise _unwritable(path, error) from None

    def put(self, text: str) -> None:
        """Take more text."""
        self._waiting.write(text)
        if self._waiting.tell() > _MEGABYTE:
            self.flush()

    def flush(self) -> int:
        """Write out all text; return the size of the file in bytes."""
        text = self._waiting.getvalue()
        self._waiting = StringIO()
        if self._file is None:
            if text:
                if _is_terminal(None) and _draws_lines_again():
                    click.echo("\r\x1b[K", err=True, nl=False)  # the bar's line is drawn again below
                click.echo(text, nl=False)
        else:
            self._size += self._file.write(text.encode("utf-8", "backslashreplace"))
            self._file.flush()
        return self._size

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


@contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], object]]:
    """Return a progress bar's `advance`, which does nothing without a terminal or for length 0."""
    if not length or not _draws_lines_again():
        yield lambda _: None
        return
    with click.progressbar(
        length=length, label=label, file=sys.stderr, update_min_steps=max(1, length // 500)
    ) as bar:
        yield bar.update


def progress_of_bytes(length: int, label: str) -> AbstractContextManager[Callable[[int], object]]:
    """The same in bytes; none below a megabyte."""
    return progress(length if length >= _MEGABYTE else 0, label)
