"""The record of a whole game: a page, a picture, a score sheet, data or text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from referee.draw import scene_of
from referee.draw.svg import png, svg
from referee.draw.text import report
from referee.game import GameFile, Player, Ply
from referee.game.dumper import as_mapping, moves_text
from referee.game.gamefile import timeline

FORMS = ("html", "svg", "png", "pdf", "json", "txt")


def record(game: GameFile, form: str, *, view: str | None = None) -> bytes:
    """The record of a game in one of FORMS.

    Args:
        game: the game, which must hold.
        form: "html" is a page to step through, "pdf" a score sheet, "svg" and "png" the last position, "json" the
            game and every ply as data, "txt" the last position and the moves.
        view: the side from whose chair the board is seen; the first one if none is named.

    Raises:
        FileError: a move is refused.
        RefereeError: `missing-extra`.
    """
    return _MAKERS[form](game, view or game.description.sides[0])


def picture(game: GameFile, ply: Ply | None, form: str, *, view: str) -> bytes:
    """One position as "svg" or "png": after a ply, or before the first one."""
    scene = scene_of(game, ply, view)
    return svg(scene).encode() if form == "svg" else png(scene)


def _last(game: GameFile) -> Ply | None:
    return next(timeline(game))


def _html(game: GameFile, _view: str) -> bytes:
    from referee.draw.page import page

    return page(game).encode()


def _pdf(game: GameFile, _view: str) -> bytes:
    from referee.draw.score_sheet import score_sheet

    return score_sheet(game)


def _json(game: GameFile, _view: str) -> bytes:
    public = replace(game, players={side: Player(player.name) for side, player in game.players.items()})
    data = {**as_mapping(public), "plies": [ply.as_json() for ply in game.replay()]}
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _txt(game: GameFile, view: str) -> bytes:
    shown = report(game, _last(game), view=view)
    return f"{shown}\n\n{moves_text(game.rounds, game.trailing_comments)}".encode()


_MAKERS: dict[str, Callable[[GameFile, str], bytes]] = {
    "html": _html,
    "svg": lambda game, view: picture(game, _last(game), "svg", view=view),
    "png": lambda game, view: picture(game, _last(game), "png", view=view),
    "pdf": _pdf,
    "json": _json,
    "txt": _txt,
}
