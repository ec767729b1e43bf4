"""The part of the API with the public parts of a desk's games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from referee.desk import State, public
from referee.draw.picture import svg
from referee.errors import Refusal
from referee.terminal import visible_json
from referee.web.api.answers import GameAnswer
from referee.web.api.problems import JSON
from referee.web.api.queries import BoardQuery
from referee.web.api.routes import PREFIX, PROBLEMS, SVG
from referee.web.api.tasks import seen_by

_LIVE = {"Cache-Control": "no-cache"}

GameId = Annotated[str, Path(max_length=100, description="The game's id on the desk.")]


def games_router(state_of: Callable[[str], State]) -> APIRouter:
    """The routes about a desk's games; threads may call `state_of`, such as `Desk.state`, at the same time."""
    from referee.desk.glances import public_name  # only a desk needs what pages need

    router = APIRouter(prefix=f"{PREFIX}/games", responses=PROBLEMS, tags=["games"])

    @router.get("/{game}", responses={200: {"model": GameAnswer}})
    def game(game: GameId) -> Response:
        """The public part of a game on the desk: the players, their duties and deadlines, and the position."""
        state = state_of(game)
        seen = public(state, datetime.now(UTC))
        for side, seat in seen["sides"].items():
            seat["player"] = public_name(state, side) or ""
        return Response(visible_json(seen) + "\n", media_type=JSON, headers=_LIVE)

    @router.get("/{game}/board.svg", responses={200: {"content": {SVG: {"schema": {"type": "string"}}}}})
    def board(game: GameId, query: Annotated[BoardQuery, Query()]) -> Response:
        """The picture of a game's position now, as SVG, for light and dark paper."""
        state = state_of(game)
        if state.invitation is not None:
            raise Refusal("not-open", "the game has not begun: not all players have joined yet")
        return Response(svg(state.position, view=seen_by(state.position, query.view)), media_type=SVG, headers=_LIVE)

    return router
