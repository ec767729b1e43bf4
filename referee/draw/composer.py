"""A page with one board to choose a move on: it opens from disk, needs no network, and tells the line to send."""

from __future__ import annotations

from collections.abc import Iterable

from referee.draw import drawing
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.html import html_page, joined_modules, template_text
from referee.draw.scenes.svg import stylesheet
from referee.draw.words import words
from referee.rules import Move, Position, game_named


def composer_page(position: Position, side: str, *, key: str = "", previews: Iterable[Move] = ()) -> str:
    """The page on which a side chooses a legal move.

    Args:
        position: of any game.
        side: who chooses, and whose view of the board is shown.
        key: tells the drafts of this game from those of others in the same tab; by default the game's name.
        previews: moves after which the page shows the board as it would be; each takes as much room as a picture.

    Raises:
        RefereeError: `missing-extra`, without jinja2.
        RefereeError: `unknown-side`.
    """
    tree = choice_tree(position, side)
    scene = drawing(position.game).scene(position, view=side)
    style = "\n\n".join((*map(template_text, ("page.css", "composer.css")), stylesheet(scene)))
    return html_page(
        "composer.html.jinja",
        script=joined_modules("composer-page.js"),
        sheets=[style],
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
