"""The choice of a move on the page of a game: the legal moves, and trials of one of them.

Nothing here acts or needs the seat's key, because legal moves are public.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from referee.desk import State
from referee.draw import drawing
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.scenes.svg import stylesheet
from referee.errors import RefereeError
from referee.rules import Position
from referee.web.site.exhibits import shown_ply
from referee.web.site.markup import pages_version
from referee.web.site.site import Answered, MissingPageError, Site, tag_of

_JSON = "application/json"


def legal_choices(site: Site, name: str, side: str) -> Answered:
    """The moves that a side can choose now, as a tree, with the board; MissingPageError if it owes none."""
    state = _state(site, name, side)
    tag = tag_of("choices", pages_version(), state.head, side)
    return Answered(_JSON, tag, lambda: _json(_choices(state, side)))


def move_trial(site: Site, name: str, side: str, text: str) -> bytes:
    """The canonical text of a tried move and the board after it, or its fault; it is not stored.

    A side can also see the board after its own move while that waits for the others.

    Raises:
        MissingPageError: the side makes no move in this ply.
        RefereeError: `unknown-game`.
    """
    state = _state(site, name, side, ("to-move", "sealed", "to-reveal"))
    return _json(_trial(state.position, side, text))


def board_style(site: Site, name: str) -> Answered:
    """The style of a game's board within a page, with the shape of its picture; RefereeError `unknown-game`."""
    state = site.desk.state(name)
    scene = drawing(state.game).scene(state.position, view=state.position.sides[0])
    style = f".game {{ --shape: {scene.width:g} / {scene.height:g}; }}\n{stylesheet(scene)}"
    return Answered("text/css; charset=utf-8", tag_of("style", style), style.encode)


def _state(site: Site, name: str, side: str, standings: Collection[str] = ("to-move",)) -> State:
    state = site.desk.state(name)
    if side not in state.position.sides:
        raise MissingPageError("The game has no such side.")
    if not site.mailbox or state.invitation is not None or state.standing(side) not in standings:
        raise MissingPageError("There is no move to choose now.")
    return state


def _choices(state: State, side: str) -> Mapping[str, object]:
    """The tree, and the board with marks for the changes of the last ply."""
    seen = shown_ply(state)
    events = seen.events if seen else ()
    return {
        "turn": state.turn,
        "round": state.round,
        "tree": choice_tree(state.position, side),
        "board": shown_position(state.position, view=side, events=events),
    }


def _trial(position: Position, side: str, text: str) -> Mapping[str, object]:
    try:
        move = position.parse(side, text)
    except RefereeError as error:
        column = error.span.column if error.span else 1
        return {"column": column, "message": error.message, "suggestions": list(error.suggestions)}
    return {"move": str(move), "board": preview(position, side, move)}


def _json(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
