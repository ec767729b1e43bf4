"""Libraries that only some commands need: they come with an extra of the package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from referee.errors import RefereeError


def extra(module: str, group: str) -> Any:  # noqa: ANN401 - a module
    """A library of an extra such as `pictures`, or a module of ours that needs one; raises as `needing`."""
    with needing(group):
        return import_module(module)


@contextmanager
def needing(group: str) -> Iterator[None]:
    """Raise RefereeError `missing-extra` for an import that fails in the block because an extra is not installed."""
    try:
        yield
    except ImportError as error:
        library = error.name or "a library"
        if library.partition(".")[0] == __package__:
            raise
        message = f"this needs {library}, which is not installed: pip install 'referee[{group}]'"
        raise RefereeError("missing-extra", message) from None
