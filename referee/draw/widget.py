"""A game to step through in a notebook: its record in a frame of its own."""

from __future__ import annotations

from html import escape

from referee.draw.page import page
from referee.errors import expect
from referee.game import GameFile


class GameWidget:
    """The record of a game in a frame, which notebooks show as HTML.

    Neither page can reach into the other, so that a notebook can have many of them, and players' text stays text.
    """

    def __init__(self, game: GameFile, height: int) -> None:
        """Make the record now; the height is in pixels."""
        self._title = f"{game.description.title}, ply by ply"
        self._page = page(game)
        self._height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{escape(self._title)}" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {self._height}px; border: 0" srcdoc="{escape(self._page)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<GameWidget: {self._title}>"


def show(game: GameFile, *, height: int = 640) -> GameWidget:
    """The game as a widget to step through in a notebook, ply by ply: its HTML record in a frame.

    It needs no network, and no connection to Python, so it works in a notebook that was saved as a page.

    Args:
        game: the game, which must hold.
        height: of the frame, in pixels.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `missing-extra`, without jinja2.
        TypeError: it is not a game file, or the height is not a whole number.
        ValueError: it has no height.

    >>> import referee
    >>> referee.show(referee.read("games/beams/opening.yaml"))
    <GameWidget: Beams, Boosters and Barriers, ply by ply>
    """
    expect(GameFile, game, "a game file, such as read or loads gives")
    expect(int, height, "a height in pixels")
    if height < 1:
        raise ValueError(f"expected a height of at least one pixel, not {height}")
    return GameWidget(game, height)
