"""Errors in the log of a desk: kind, reason and place, never a letter's text."""

from __future__ import annotations

import logging
from pathlib import Path
from traceback import extract_tb

from referee.errors import RefereeError

LOG = logging.getLogger("referee.mail")
"""The log of the desk: one line for each event."""

_LONGEST = 200
"""Maximum characters repeated of another program's message."""


def reason(error: BaseException) -> str:
    """An error in one line; of an unexpected one only kind and place, because its text may have words of a letter."""
    if isinstance(error, RefereeError):
        return log_line(str(error))
    name = type(error).__name__
    cause = getattr(error, "orig", error)  # of a database's error that is what its driver said
    if isinstance(error, OSError) or cause is not error:
        return f"{name}: {log_line(str(cause))}"
    places = extract_tb(error.__traceback__)
    return f"{name} ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else name


def log_line(text: str) -> str:
    """The first line of a text, without terminal controls, cut where it gets long."""
    first = text.strip().partition("\n")[0]
    return "".join(char if char.isprintable() else " " for char in first)[:_LONGEST].rstrip()
