"""Libraries that only some commands need: they come with an extra of the package."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.errors import RefereeError


def extra(module: str, group: str) -> Any:  # noqa: ANN401 - a module
    """A module of an extra, such as `pictures`; RefereeError `missing-extra` says how it is installed."""
    try:
        return import_module(module)
    except ImportError:
        message = f"this needs {module}, which is not installed: pip install 'referee[{group}]'"
        raise RefereeError("missing-extra", message) from None
