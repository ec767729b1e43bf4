"""Libraries that only some commands need: they come with an extra of the package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.errors import RefereeError


def extra(module: str, group: str) -> Any:  # noqa: ANN401 - a module
    """A module that needs an extra such as `pictures`: a library of it, or a module of ours that imports one.

    Raises:
        RefereeError: `missing-extra`, with the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        library = error.name or module
        if library.partition(".")[0] == __package__:
            raise
        message = f"this needs {library}, which is not installed: pip install 'referee[{group}]'"
        raise RefereeError("missing-extra", message) from None
