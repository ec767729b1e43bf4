"""A game to print on paper and play with: its board, and for some games its pieces at their true size."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.draw.beams.print_set import print_set as beams
from referee.draw.drawing import drawing
from referee.draw.pdf import Box, Document
from referee.rules import game_named, start

_SETS: Mapping[str, Callable[[str], bytes]] = {"beams": beams}
"""The games that have more to print than their board on one page."""

_MARGIN = 12.0


def print_set(game: str, *, paper: str) -> bytes:
    """A set to print, as a PDF document.

    Args:
        game: the name of the game.
        paper: "letter" or "a4".

    Raises:
        RefereeError: `unknown-game`, `unknown-paper` or `missing-extra`.
    """
    return _SETS[game](paper) if game in _SETS else _board(game, paper)


def _board(game: str, paper: str) -> bytes:
    """One page with the board as it is before the first move, as large as the paper allows."""
    title, position = game_named(game).title, start(game)
    scene = drawing(game).scene(position, view=position.sides[0])
    document = Document(paper, f"{title}: a board to print", lying=scene.width > scene.height)
    document.page()
    document.text(title, (_MARGIN, _MARGIN + 3), 5, bold=True)
    width, height = document.width - 2 * _MARGIN, document.height - 2 * _MARGIN - 8
    document.draw(scene, Box(_MARGIN, _MARGIN + 8, width, height).fitting(scene))
    return document.finished()
