"""What the draw module of each game gives."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from referee.draw.scene import Scene
from referee.rules import Event, module_name


class Drawing(Protocol):
    """The draw module of a game; positions and events are those of that game."""

    def board(self, position: Any, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:  # noqa: ANN401
        """The board as a side sees it in plain text, at most 78 columns wide, ASCII unless `unicode`."""

    def standing(self, position: Any) -> list[tuple[str, str]]:  # noqa: ANN401
        """What else there is to tell of a position, each with its heading."""

    def sentence(self, event: Event) -> str:
        """An event in words."""

    def scene(self, position: Any, *, view: str, events: tuple[Event, ...] = ()) -> Scene:  # noqa: ANN401
        """The picture of a position as a side sees it, with what the events of the last ply changed."""


def drawing(game: str) -> Drawing:
    """The draw module of a game."""
    return cast(Drawing, import_module(f"referee.draw.{module_name(game)}"))
