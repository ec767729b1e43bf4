"""What the page of a game gives to a player who chooses a move there: the legal moves, and what one of them would do.

None of it acts, and none of it needs the seat's key: everybody may know which moves are legal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from referee.desk import State
from referee.draw import drawing
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.scenes.svg import stylesheet
from referee.errors import RefereeError
from referee.rules import Position
from referee.web.site.exhibits import snapshot
from referee.web.site.markup import pages_version
from referee.web.site.site import Answered, MissingPageError, Site, tag_of

_JSON = "application/json"


def legal_choices(site: Site, name: str, side: str) -> Answered:
    """The moves that a side can choose now, as a tree, with the board; MissingPageError if it has none to make."""
    state = _state(site, name, side)
    told = {"turn": state.turn, "round": state.round}
    tag = tag_of("choices", pages_version(), state.head, side)
    return Answered(_JSON, tag, lambda: _json({**told, **_choices(state, side)}))


def move_trial(site: Site, name: str, side: str, text: str) -> bytes:
    """A move that somebody thinks of: its canonical text and the board as it would be, or what is wrong with it.

    It is kept nowhere.

    Raises:
        MissingPageError: the side has no move to make now.
        RefereeError: `unknown-game`.
    """
    state = _state(site, name, side)
    return _json(_trial(state.position, side, text))


def board_style(site: Site, name: str) -> Answered:
    """The style of a game's board where it is drawn within a page; RefereeError `unknown-game`."""
    state = site.desk.state(name)
    scene = drawing(state.game).scene(state.position, view=state.position.sides[0])
    return Answered("text/css; charset=utf-8", tag_of("style", stylesheet(scene)), lambda: stylesheet(scene).encode())


def _state(site: Site, name: str, side: str) -> State:
    """The game in which a side has to make a move now."""
    state = site.desk.state(name)
    if not site.mailbox or state.invitation is not None or state.standing(_side(state, side)) != "to-move":
        raise MissingPageError("There is no move to choose now.")
    return state


def _side(state: State, side: str) -> str:
    """The side of that name; MissingPageError if the game has none."""
    if side not in state.position.sides:
        raise MissingPageError("The game has no such side.")
    return side


def _choices(state: State, side: str) -> Mapping[str, object]:
    """The tree, and the board as readers see it: with what the last ply changed."""
    seen = snapshot(state)
    events = seen.events if seen else ()
    return {
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
