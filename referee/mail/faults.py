"""What is said of an error where people look after a desk: its kind, its reason, its place; never a letter's text."""

from __future__ import annotations

import logging
from pathlib import Path
from traceback import extract_tb

from referee.errors import RefereeError

LOG = logging.getLogger("referee.mail")
"""Where the desk says what it does: one line each."""

LONGEST = 200
"""So many characters of what another program said are repeated."""


def reason(error: BaseException) -> str:
    """An error in one line; of an unexpected one also where it was raised.

    Only the first line of a message is told: those that follow may hold what was to be stored.
    """
    said = one_line(str(error))
    if isinstance(error, RefereeError):
        return said
    name = type(error).__name__
    told = f"{name}: {said}" if said else name
    if isinstance(error, OSError):
        return told
    places = extract_tb(error.__traceback__)
    return f"{told} ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else told


def one_line(text: str) -> str:
    """The first line of a text, without what a terminal would act on, cut where it gets long."""
    first = text.strip().partition("\n")[0]
    return "".join(char if char.isprintable() else " " for char in first)[:LONGEST].rstrip()
