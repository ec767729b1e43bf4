"""Records of a game, and pictures of a position."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import lru_cache

from referee.draw import chair, drawing, scene_of
from referee.draw.picture import picture, svg
from referee.draw.scenes.png import scene_png
from referee.draw.scenes.scene import Group, Scene, every, switched, without
from referee.draw.text import report_text
from referee.errors import RefereeError
from referee.game import GameFile, ply_at, without_addresses, zeroth_ply
from referee.game.file.dumper import as_mapping, list_text
from referee.rules import Event, Position
from referee.rules.frozen import Frozen

LETTER_BYTES = 36_000
"""Maximum size of a letter's picture: with text, page and encoding, the letter then has less than 60 kB."""

_LETTER_WIDTH, _LETTER_HEIGHT = 720, 1200
"""The largest size of a letter's picture in pixels, two for each of a telephone's 360."""

_UNITS = 30
"""Units of a scene that are a whole number of pixels in a letter.

Fields that lie 30 units apart then have the same pixels, which PNG packs well.
"""

_BYTES, _GROWTH = 0.8, 1.3
"""An estimate: a mark takes 0.8 bytes at one pixel for 30 units, and more with the power 1.3 of these pixels."""

_EFFORTS = 5, 6
"""Those to make the file small: a picture that is too large is packed better before it gets fewer pixels."""


def record(game: GameFile, form: str, *, view: str | None = None, paper: str = "a4") -> bytes:
    """The record of a game in one of RECORD_FORMS.

    Args:
        game: the game, which must be valid.
        form: "html" is a page to step through, "pdf" a score sheet, "svg" and "png" the last position, "json" the
            game and every ply as data, "txt" the last position, and the game as a move list.
        view: the side whose view of the board is shown, by default the first.
        paper: that of a score sheet, "a4", "letter" or "a3".

    Raises:
        FileError: a move is refused.
        RefereeError: `unknown-paper` or `missing-extra`.
    """
    view = view or game.description.sides[0]
    match form:
        case "html":
            from referee.draw.page import page

            return page(game).encode()
        case "pdf":
            from referee.draw.paper.score_sheet import score_sheet

            return score_sheet(game, paper=paper)
        case "json":
            data = {**as_mapping(without_addresses(game)), "plies": [ply.as_json() for ply in game.replay()]}
            return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
        case "txt":
            board = report_text(game, ply_at(game), view=view)
            return f"{board}\n\n{list_text(as_mapping(without_addresses(game)))}".encode()
        case _:
            return picture(game, form, view=view)


def moving_record(game: GameFile, form: str, *, view: str) -> bytes:
    """The game as a picture that moves from ply to ply: "svg", or "png" for places that accept nothing else.

    Raises:
        FileError: a move is refused.
        RefereeError: `missing-extra`.
    """
    from referee.draw.scenes.motion import moving_png, moving_svg

    scenes = [scene_of(ply, view) for ply in (zeroth_ply(game), *game.replay())]
    return moving_svg(scenes).encode() if form == "svg" else moving_png(scenes)


def letter_picture(position: Position, view: str, events: tuple[Event, ...] = ()) -> bytes:
    """The board as a PNG for a letter, with marks for `events`: at most 36,000 bytes, 720 pixels wide and 1200 high.

    It is on white, and lacks what readers of a page can switch off, and everything next to the board.

    Raises:
        RefereeError: `missing-extra` or `unknown-side`.
    """
    scene = drawing(position.game).scene(position, view=chair(position, view), events=events)
    width, shapes, paints = scene.board_width or scene.width, without(scene.shapes, switched), Frozen(scene.paints)
    return _letter_png(Scene(width, scene.height, "", "", shapes, paints))


@lru_cache(16)
def _letter_png(scene: Scene) -> bytes:
    """The scene in a size for letters; it is kept, because many letters show the same one."""
    pixels = min(_LETTER_WIDTH / scene.width, _LETTER_HEIGHT / scene.height) * _UNITS
    size = _BYTES * sum(not isinstance(one, Group) for one in every(scene.shapes)) * pixels**_GROWTH
    while True:
        pixels = max(1, int(pixels * min(1.0, LETTER_BYTES / size) ** (1 / _GROWTH)))
        width = math.ceil(scene.width * pixels / _UNITS)
        for effort in _EFFORTS:
            picture = scene_png(replace(scene, width=width * _UNITS / pixels), width=width, effort=effort)
            if len(picture) <= LETTER_BYTES or pixels == 1:
                return picture
        pixels, size = pixels - 1, len(picture)


def game_svg(game: GameFile) -> str | None:
    """The board after the last ply; None if the game does not hold."""
    try:
        return svg(game)
    except RefereeError:
        return None
