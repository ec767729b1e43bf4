"""The choice of a move on the page of a game: the legal moves, trials of one of them, and lines for a plan.

Nothing here acts or needs the seat's key, because legal moves are public.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from referee.desk import State
from referee.draw import drawing
from referee.draw.choices import choice_tree, imagined, preview, shown_position
from referee.draw.scenes.svg import stylesheet
from referee.errors import RefereeError, Refusal
from referee.notation.plans.plan import DEEPEST
from referee.rules import Event, Position, game_named
from referee.web.site.exhibits import shown_ply
from referee.web.site.markup import pages_version
from referee.web.site.site import Answered, MissingPageError, Site, tag_of

_JSON = "application/json"


def legal_choices(site: Site, name: str, side: str) -> Answered:
    """The moves that a side can choose now, as a tree, with the board; MissingPageError if it owes none."""
    state = _state(site, name, side)

    def made() -> bytes:
        seen = shown_ply(state)  # its changes have marks on the board
        board = shown_position(state.position, view=side, events=seen.events if seen else ())
        tree = choice_tree(state.position, side)
        return _json({"turn": state.turn, "round": state.round, "tree": tree, "board": board})

    return Answered(_JSON, tag_of("choices", pages_version(), state.head, side), made)


def move_trial(site: Site, name: str, side: str, text: str) -> bytes:
    """The canonical text of a tried move and the board after it, or its fault; it is not stored.

    A side can also see the board after its own move while that waits for the others. MissingPageError if it makes no
    move in this ply; RefereeError `unknown-game`.
    """
    position = _state(site, name, side, ("to-move", "sealed", "to-reveal")).position
    try:
        move = position.parse(side, text)
    except RefereeError as error:
        column = error.span.column if error.span else 1
        return _json({"column": column, "message": error.message, "suggestions": list(error.suggestions)})
    return _json({"move": str(move), "board": preview(position, side, move)})


def choices_ahead(site: Site, name: str, side: str, said: Mapping[str, str]) -> Mapping[str, object]:
    """The board after a line of a plan, as its side imagines it, and the legal moves of the `side` that moves next.

    A row of the `line` has the moves of the others, then the side's own: `red M g8-g7 | blue M d2-d3`. A side without
    its move makes any. The last row ends where the next move is asked for. `chosen` is the side's move that waits for
    the others, `by` the other side whose move is asked for, where all move at once.

    In a game without trials the board is not `full`: it does not show what moves do. `assumed` are the last moves on
    it that stand for any. MissingPageError if the side does not wait for others; RefereeError for an illegal move.
    """
    state, by = _state(site, name, side, ("waiting", "sealed")), said.get("by", "")
    *rows, last = [dict(_named(one) for one in row.split(" | ") if one) for row in said["line"].split("\n")]
    if len(rows) > DEEPEST:
        raise Refusal("plan", f"no plan is longer than {DEEPEST} moves, one after another")
    seen = shown_ply(state)
    ahead = _Ahead(state.position, seen.events if seen else (), side, said.get("chosen", ""))
    for row in rows:
        ahead.answer(row)
    if not by:
        ahead.begin(last, whole=False)
    due = ahead.position.to_move
    mover = by if by in due else side if side in due else next(iter(sorted(due)), "")
    return {
        "side": mover,
        "full": state.description.trials,
        "assumed": ahead.assumed,
        "tree": choice_tree(ahead.position, mover or side, view=side, chooses=bool(mover)),
        "board": shown_position(ahead.position, view=side, events=ahead.events),
    }


class _Ahead:
    """A board on which a side imagines a line; `waits` is its move of a round in which the others move, too."""

    def __init__(self, position: Position, events: tuple[Event, ...], side: str, waits: str) -> None:
        self.position, self.events, self._side, self._waits = position, events, side, waits
        self.assumed: Mapping[str, str] = {}

    def answer(self, row: Mapping[str, str]) -> None:
        self.begin(row, whole=True)
        if len(self.position.to_move) > 1:
            self._waits = row.get(self._side, "")
        else:
            self._make({self._side: row.get(self._side, "")})

    def begin(self, row: Mapping[str, str], *, whole: bool) -> None:
        """Make the moves of the others, as far as a row has them; those that a `whole` one lacks are any moves."""
        left = dict(row)
        if self._waits:
            known = {one: left[one] for one in self.position.to_move if left.get(one)} | {self._side: self._waits}
            self._make(known if known.keys() == self.position.to_move else {self._side: self._waits})
            self._waits = ""
        while (due := self.position.to_move) and self._side not in due and (whole or due <= left.keys()):
            self._make({one: left.pop(one, "") for one in due})

    def _make(self, texts: Mapping[str, str]) -> None:
        """Make moves; an empty one is the first that is legal."""
        before = self.position
        free = {one: next(iter(before.legal_moves(one))) for one, text in texts.items() if not text}
        moves = free | {one: before.parse(one, text) for one, text in texts.items() if text}
        self.position = imagined(before, moves)
        self.assumed = {one: str(move) for one, move in free.items()} or self.assumed
        self.events = before.events(moves, self.position) if game_named(before.game).trials else ()


def _named(said: str) -> tuple[str, str]:
    side, _, text = said.strip().partition(" ")
    return side, text


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


def _json(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
