"""A game to print on paper and play with: its board, and for some games its pieces at their true size."""

from __future__ import annotations

from referee.draw import drawing
from referee.draw.pdf import Box, Document
from referee.rules import Game, game_named, part

_MARGIN = 12.0


def print_set(game: str, *, paper: str) -> bytes:
    """A set to print, as a PDF document.

    Args:
        game: the name of the game.
        paper: "letter" or "a4".

    Raises:
        RefereeError: `unknown-game`, `unknown-paper` or `missing-extra`.
    """
    description = game_named(game)
    if not description.print_set:
        return _board(description, paper)
    document: bytes = part(description, description.print_set).print_set(paper)
    return document


def _board(game: Game, paper: str) -> bytes:
    """One page with the board as it is before the first move, as large as the paper allows."""
    title, position = game.title, game.start({})
    scene = drawing(game.name).scene(position, view=game.sides[0])
    document = Document(paper, f"{title}: a board to print", lying=scene.width > scene.height)
    document.page()
    document.text(title, (_MARGIN, _MARGIN + 3), 5, bold=True)
    width, height = document.width - 2 * _MARGIN, document.height - 2 * _MARGIN - 8
    document.draw(scene, Box(_MARGIN, _MARGIN + 8, width, height).fitting(scene))
    return document.as_bytes()
