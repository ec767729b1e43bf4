"""The routes of the API: those that need no desk, because each request contains its game, and a desk's games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from referee.desk import State, public
from referee.draw import picture
from referee.errors import Refusal
from referee.terminal import visible_json
from referee.web.api import answers, queries, tasks
from referee.web.api.problems import JSON
from referee.web.api.workers import Workers
from referee.web.clients import client_of

PREFIX = "/api/v1"

PROBLEMS: dict[int | str, dict[str, Any]] = {
    failed: {"model": answers.ProblemAnswer, "description": "An error: its code, and what is wrong."}
    for failed in ("4XX", "5XX")
}

SVG, PNG, BYTES = "image/svg+xml", "image/png", "application/octet-stream"

_LIVE = {"Cache-Control": "no-cache"}
_KEPT = {"Cache-Control": "public, max-age=3600"}
"""Headers of pictures, which pages show repeatedly."""


async def _body_of(request: Request) -> bytes:
    return await request.body()


def _client_of(request: Request) -> str:
    return client_of(request.scope)


FileBody = Annotated[bytes, Depends(_body_of)]
Client = Annotated[str, Depends(_client_of)]
GameId = Annotated[str, Path(max_length=100, description="The game's id on the desk.")]

_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Response])


def stateless_router(workers: Workers) -> APIRouter:
    """The routes that judge, complete, draw and play games, and audit logs, through workers."""
    router = APIRouter(prefix=PREFIX, responses=PROBLEMS)

    @router.post("/check", responses=_answers(answers.CheckAnswer), openapi_extra=_GAME_BODY, tags=["files"])
    def check(query: Annotated[queries.CheckQuery, Query()], content: FileBody, client: Client) -> Response:
        """Judge a game file, a bare move list or an archive: every finding with its place, as `referee check` does.

        The answer is a verdict, whether the file is right or wrong.
        """
        return _json(workers.do(partial(tasks.check, query.source(content), query.file, query.suggest), client))

    @router.post("/report", responses=_answers(list[answers.PlyAnswer]), openapi_extra=_GAME_BODY, tags=["files"])
    def report(query: Annotated[queries.GameQuery, Query()], content: FileBody, client: Client) -> Response:
        """Every ply of a game with its position, as `referee report --every` does."""
        return _json(workers.do(partial(tasks.report, query.source(content)), client))

    @_both_ways(router, "/position", responses=_answers(answers.PlyAnswer))
    def position(query: Annotated[queries.PositionQuery, Query()], content: FileBody, client: Client) -> Response:
        """One position of a game, by default the last, as `referee report` does."""
        return _json(workers.do(partial(tasks.position, query.source(content), query.ply), client))

    @_both_ways(router, "/legal", responses=_answers(answers.LegalAnswer))
    def legal(query: Annotated[queries.LegalQuery, Query()], content: FileBody, client: Client) -> Response:
        """The legal moves of each side that is to move, or those that begin like this, as `referee legal` does."""
        return _json(workers.do(partial(tasks.legal, query.source(content), query.side, query.prefix), client))

    @_both_ways(router, "/board.svg", responses=_picture(SVG), response_class=Response)
    def svg(query: Annotated[queries.SvgQuery, Query()], content: FileBody, client: Client) -> Response:
        """The picture of a position as SVG, for light and dark paper; after a ply, with its changes."""
        task = partial(tasks.picture, query.source(content), "svg", query.ply, query.view)
        return Response(workers.do(task, client), media_type=SVG, headers=_KEPT)

    @_both_ways(router, "/board.png", responses=_picture(PNG), response_class=Response)
    def png(query: Annotated[queries.PngQuery, Query()], content: FileBody, client: Client) -> Response:
        """The picture of a position as PNG."""
        task = partial(tasks.picture, query.source(content), "png", query.ply, query.view, query.paper, query.width)
        return Response(workers.do(task, client), media_type=PNG, headers=_KEPT)

    @router.post("/play", responses=_answers(answers.PlayAnswer), openapi_extra=_GAME_BODY, tags=["positions"])
    def play(query: Annotated[queries.PlayQuery, Query()], content: FileBody, client: Client) -> Response:
        """Judge the moves of one ply and make them, as `referee move` does; the answer has the new game file."""
        return _json(workers.do(partial(tasks.play, query.source(content), query.moves), client))

    @router.post("/audit", responses=_answers(answers.AuditAnswer), openapi_extra=_LOG_BODY, tags=["files"])
    def audit(query: Annotated[queries.LogQuery, Query()], content: FileBody, client: Client) -> Response:
        """Check the whole log of a desk's game: digests, commitments, every verdict, as `referee audit` does.

        The answer is a verdict, whether the log is right or wrong.
        """
        return _json(workers.do(partial(tasks.audit_log, content, query.head), client))

    return router


def games_router(state_of: Callable[[str], State]) -> APIRouter:
    """The routes about a desk's games; threads may call `state_of`, such as `Desk.state`, at the same time."""
    from referee.desk.glances import public_name  # only a desk needs what pages need

    router = APIRouter(prefix=f"{PREFIX}/games", responses=PROBLEMS, tags=["games"])

    @router.get("/{game}", responses=_answers(answers.GameAnswer))
    def game(game: GameId) -> Response:
        """The public part of a game on the desk: the players, their duties and deadlines, and the position."""
        state = state_of(game)
        seen = public(state, datetime.now(UTC))
        for side, seat in seen["sides"].items():
            seat["player"] = public_name(state, side) or ""
        return Response(visible_json(seen) + "\n", media_type=JSON, headers=_LIVE)

    @router.get("/{game}/board.svg", responses={200: {"content": {SVG: {"schema": {"type": "string"}}}}})
    def board(game: GameId, query: Annotated[queries.BoardQuery, Query()]) -> Response:
        """The picture of a game's position now, as SVG, for light and dark paper."""
        state = state_of(game)
        if state.invitation is not None:
            raise Refusal("not-open", "the game has not begun: not all players have joined yet")
        drawn = picture.svg(state.position, view=tasks.seen_by(state.position, query.view))
        return Response(drawn, media_type=SVG, headers=_LIVE)

    return router


def _both_ways(router: APIRouter, path: str, **described: Any) -> Callable[[_Endpoint], _Endpoint]:  # noqa: ANN401
    """A route for a position as a line of text (GET), and for one of a game file (POST)."""

    def routed(endpoint: _Endpoint) -> _Endpoint:
        router.post(path, openapi_extra=_GAME_BODY, tags=["positions"], **described)(endpoint)
        router.get(path, operation_id=f"{endpoint.__name__}_of_line", tags=["positions"], **described)(endpoint)
        return endpoint

    return routed


GAME_FILE = {"type": "object", "additionalProperties": True, "description": "A game file as one JSON object."}
"""The schema `GameFile`, to which bodies refer, so that a generator makes one class for all of them."""


def _body(says: str, **others: dict[str, object]) -> dict[str, Any]:
    """The description of a body as bytes; the server ignores its declared type."""
    kinds = {**others, BYTES: {"type": "string", "format": "binary", "description": says}}
    return {"requestBody": {"required": False, "content": {kind: {"schema": one} for kind, one in kinds.items()}}}


_LOG_BODY = _body("An exported log, one entry a line.")
_GAME_BODY = _body(
    "A game file in YAML or JSON, or a bare move list of the game that `game` names.",
    **{JSON: {"$ref": "#/components/schemas/GameFile", "description": GAME_FILE["description"]}},
)


def _answers(model: Any) -> dict[int | str, dict[str, Any]]:  # noqa: ANN401 - any type that has a schema
    return {200: {"model": model}}


def _picture(kind: str) -> dict[int | str, dict[str, Any]]:
    schema = {"type": "string"} if kind == SVG else {"type": "string", "format": "binary"}
    return {200: {"description": "The picture.", "content": {kind: {"schema": schema}}}}


def _json(content: bytes) -> Response:
    return Response(content + b"\n", media_type=JSON)
