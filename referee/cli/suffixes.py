"""The suffix of an output decides its format."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

import click

BINARY = frozenset({"pdf", "png"})
"""Formats that would only confuse a terminal."""

_STANDARD = "-"


def format_of(
    output: str | Path | None,
    asked: str | None,
    formats: Mapping[str, str],
    *,
    default: str | None = None,
    compressed: bool = False,
) -> str:
    """The format to write: that of the output's suffix, else the one asked for, else the default.

    Args:
        output: the name of a file; "-" and None are the standard output, which has no suffix.
        asked: what --format says.
        formats: suffix -> format; the first suffix of a format is the one to recommend.
        default: the format where neither suffix nor --format tells; None if one of them must.
        compressed: whether .gz or .zst may follow the suffix.

    Raises:
        click.UsageError: the suffix is unknown or contradicts --format, or a binary format would go to a terminal.
    """
    suffix = _suffix(output, compressed=compressed)
    if suffix and suffix not in formats:
        raise click.UsageError(f"{_shown(output)}: no format has the suffix {suffix}; expected {_listed(formats)}")
    found = formats[suffix] if suffix else asked or default
    if found is None:
        raise click.UsageError(f"{_shown(output)} has no suffix: expected {_listed(formats)}, or --format")
    if asked is not None and asked != found:
        wanted = next(name for name, form in formats.items() if form == asked)
        raise click.UsageError(
            f"{_shown(output)} means {found}, but --format says {asked}: leave --format out, "
            f"or name a file that ends in {wanted}"
        )
    if found in BINARY and _is_terminal(output):
        raise click.UsageError(f"a {found.upper()} is not for a terminal: name a file with -o, or pipe the output")
    return found


def _suffix(output: str | Path | None, *, compressed: bool) -> str:
    """The suffix that decides, in small letters; empty if there is none."""
    if output is None or str(output) == _STANDARD:
        return ""
    from referee.archive.compression import suffix

    return (suffix(str(output)) if compressed else Path(output).suffix).casefold()


def _is_terminal(output: str | Path | None) -> bool:
    if output is None or str(output) == _STANDARD:
        return sys.stdout.isatty()
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


def _listed(formats: Mapping[str, str]) -> str:
    *others, last = formats
    return f"{', '.join(others)} or {last}" if others else last


def _shown(output: str | Path | None) -> str:
    from referee.archive.names import shown

    return shown(str(output))
