"""Where commands put what they make."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

import click


def written(path: Path, content: bytes) -> None:
    """Put content into a file at once, or on the standard output if the path is "-".

    What is no file, such as a pipe or a device, is written to as it is.
    """
    from referee.archive.compression import replacing, special

    if str(path) == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        with path.open("wb") if special(path) else replacing(path) as file:
            file.write(content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None


def kept_apart(
    output: str | Path | None, names: Iterable[str | Path | None], read: Iterable[str] = (), *, lists: bool = False
) -> None:
    """Refuse an output that is among what was named, in a folder of games that was named, or among what is read.

    `lists` says whether .txt files of such a folder are move lists.
    """
    if output is None or str(output) == "-":
        return
    place = Path(os.path.realpath(output))
    named = [Path(os.path.realpath(name)) for name in names if name is not None and str(name) != "-"]
    if any(_takes(name, place, lists) for name in named) or _is_among(place, (*named, *map(Path, read))):
        raise click.UsageError(f"{output} is read, too: name another file to write into")


def _takes(folder: Path, place: Path, lists: bool) -> bool:
    """Whether a file there would be one of those that are read when the folder is."""
    from referee.archive.compression import suffix
    from referee.archive.files import kinds

    return suffix(place.name) in kinds(lists=lists) and folder in place.parents and folder.is_dir()


def _is_among(place: Path, files: Iterable[Path]) -> bool:
    try:
        known = place.stat()
    except OSError:
        return False
    return stat.S_ISREG(known.st_mode) and any(_is(known, file) for file in files)


def _is(known: os.stat_result, file: Path) -> bool:
    try:
        return os.path.samestat(known, file.stat())
    except (OSError, ValueError):
        return False


def not_there(target: str) -> None:
    """Refuse a file that is there already."""
    if Path(target).is_file():
        raise click.UsageError(f"{target} is there already; a file is never written over")


def created(path: Path, text: str) -> None:
    """Put text into a file that is not there yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path} is there already; a file is never written over") from None
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None
