"""What the log of a desk says of an error: its kind, its reason, its place; never a letter's text."""

from __future__ import annotations

import logging
from pathlib import Path
from traceback import extract_tb

from referee.errors import RefereeError

LOG = logging.getLogger("referee.mail")
"""Where the desk says what it does: one line each."""

_LONGEST = 200
"""Maximum characters repeated of what another program said."""


def reason(error: BaseException) -> str:
    """An error in one line; of an unexpected one only its kind and where it was raised.

    Its text may contain what somebody wrote, which may be secret.
    """
    if isinstance(error, RefereeError):
        return log_line(str(error))
    name = type(error).__name__
    cause = getattr(error, "orig", error)  # of a database's error that is what its driver said
    if isinstance(error, OSError) or cause is not error:
        return f"{name}: {log_line(str(cause))}"
    places = extract_tb(error.__traceback__)
    return f"{name} ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else name


def log_line(text: str) -> str:
    """The first line of a text, without what a terminal would act on, cut where it gets long."""
    first = text.strip().partition("\n")[0]
    return "".join(char if char.isprintable() else " " for char in first)[:_LONGEST].rstrip()
