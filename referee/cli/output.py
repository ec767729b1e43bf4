"""Where commands put what they make."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click


def written(path: Path, content: bytes) -> None:
    """Put content into a file at once, or on the standard output if the path is "-"."""
    if str(path) == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        Path(file.name).chmod(0o666 & ~umask)
        Path(file.name).replace(path)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None


def created(path: Path, text: str) -> None:
    """Put text into a file that is not there yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path} is there already; a file is never written over") from None
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None
