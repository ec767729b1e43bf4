"""A page with one board to choose a move on, by the modules that a desk's pages and the one page use."""

from __future__ import annotations

from collections.abc import Iterable

from referee.draw import drawing
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.html import html_page, joined_modules, template_text
from referee.draw.scenes.svg import stylesheet
from referee.rules import Move, Position
from tests.support.browser import HERE


def board_page(position: Position, side: str, previews: Iterable[Move] = ()) -> str:
    """A page that opens from disk; it shows the boards after the moves in `previews`."""
    scene = drawing(position.game).scene(position, view=side)
    return html_page(
        "board.html.jinja",
        folder=HERE,
        script=joined_modules("board.js", HERE),
        sheets=["\n\n".join((*map(template_text, ("page.css", "composer.css")), stylesheet(scene)))],
        data={
            "tree": choice_tree(position, side),
            "board": shown_position(position, view=side),
            "key": f"{position.game} {side}",
            "previews": {str(move): preview(position, side, move) for move in previews},
        },
    )
