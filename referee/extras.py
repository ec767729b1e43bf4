"""Libraries that only some commands need: they come with an extra of the package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from referee.errors import RefereeError


def extra(module: str, group: str) -> Any:  # noqa: ANN401 - a module
    """A module that needs an extra such as `pictures`: a library of it, or a module of ours that imports one.

    Raises:
        RefereeError: `missing-extra`, with the command that installs it.
    """
    with needing(group):
        return import_module(module)


@contextmanager
def needing(group: str) -> Iterator[None]:
    """Explain an import that fails in the block because an extra is not installed.

    Raises:
        RefereeError: `missing-extra`, with the command that installs it.
    """
    try:
        yield
    except ImportError as error:
        library = error.name or "a library"
        if library.partition(".")[0] == __package__:
            raise
        message = f"this needs {library}, which is not installed: pip install 'referee[{group}]'"
        raise RefereeError("missing-extra", message) from None
