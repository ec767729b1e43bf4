"""Errors of commands: their text for people, and exit statuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from referee.errors import FileError, NotationError, RefereeError
from referee.terminal import Pen, plain_pen, visible_lines

WRONG, UNUSABLE = 1, 2
"""Exit statuses: a game, a move or a list is wrong; wrong usage, or a file that cannot be read."""


@contextmanager
def wrong_usage(kind: type[RefereeError]) -> Iterator[None]:
    """Report an error of a kind as wrong usage."""
    try:
        yield
    except kind as error:
        raise click.UsageError(error.message) from None


def told(error: Exception, pen: Pen = plain_pen) -> str:
    """An error for people: code and sentence, the text with a caret if a text was read, and suggestions."""
    if isinstance(error, NotationError):
        return error.finding.as_text(pen=pen)
    if isinstance(error, FileError):
        return error.as_text(pen)
    if not isinstance(error, RefereeError):
        return visible_lines(str(error))
    text = f"{pen(error.code, 'error')}: {visible_lines(error.message)}"
    return "\n".join([text, *(f"    try: {pen(visible_lines(one), 'hint')}" for one in error.suggestions)])
