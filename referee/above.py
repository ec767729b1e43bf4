"""A way up: methods of positions and games that do what a room above does, such as drawing.

Rooms import only what lies below them. The package itself knows all of them, and connects this way when it is
imported; a room is loaded when the way to it is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_WAYS: dict[str, Callable[[], Any]] = {}


def connect(ways: dict[str, Callable[[], Any]]) -> None:
    """Connect names with what loads the function of each."""
    _WAYS.update(ways)


def above(name: str) -> Any:  # noqa: ANN401 - a function of any room
    """The function of a room above that the package has connected under a name."""
    return _WAYS[name]()
