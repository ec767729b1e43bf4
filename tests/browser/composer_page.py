"""A page with one board to choose a move on, which needs no server: the composer of the desk's pages for tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.draw import drawing
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.html import html_page, joined_modules, template_text
from referee.draw.scenes.svg import stylesheet
from referee.draw.words import words
from referee.rules import Move, Position, game_named

HERE = Path(__file__).resolve().parent


def composer_page(position: Position, side: str, *, key: str = "", previews: Iterable[Move] = ()) -> str:
    """The page on which a side chooses a legal move; it shows the board after each of the `previews`."""
    tree = choice_tree(position, side)
    scene = drawing(position.game).scene(position, view=side)
    style = "\n\n".join((*map(template_text, ("page.css", "composer.css")), stylesheet(scene)))
    return html_page(
        "composer.html.jinja",
        script=joined_modules("composer-page.js", HERE),
        sheets=[style],
        folder=HERE,
        data={
            "tree": tree,
            "board": shown_position(position, view=side),
            "key": f"{key or position.game} {side}",
            "previews": {str(move): preview(position, side, move) for move in previews},
        },
        title=game_named(position.game).title,
        side=side,
        words=words(position, side),
    )
