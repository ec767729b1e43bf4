"""The API as one ASGI application, with its limits, headers and description."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import Depends, FastAPI
from jinja2 import Environment, FileSystemLoader
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import referee
from referee.desk import State
from referee.errors import RefereeError, shown
from referee.web.api.limits import Gate, RequestLimits
from referee.web.api.problems import JSON, PROBLEM, explain_problems, problem
from referee.web.api.queries import each_once
from referee.web.api.routes import GAME_FILE, PROBLEMS, games_router, stateless_router
from referee.web.api.workers import Workers
from referee.web.clients import address_in
from referee.web.server import with_headers

_ABOUT = "Judge, complete, draw and play abstract board games by their notation, and audit logs of correspondences."

_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Default headers of answers: clients ask before they show one again, and nothing has scripts."""

_EXPOSED = ("ETag", "RateLimit", "RateLimit-Policy", "Retry-After")
"""Headers that the pages of other sites may read."""

_LOCAL = "localhost"


def api(
    workers: Workers,
    limits: RequestLimits,
    state_of: Callable[[str], State] | None = None,
    *,
    names: Collection[str] = (),
    origins: Collection[str] = (),
) -> FastAPI:
    """The API's application, which closes its workers at the end; `state_of` is for `games_router`.

    `names` are those of the server, in addition to those of this machine. `origins` are the sites whose pages may
    send requests: by default all may without a desk, because the answers are the same for all and need no cookies.
    """
    allowed = tuple(origins) or (("*",) if state_of is None else ())
    sharing = {"Cross-Origin-Resource-Policy": "cross-origin" if allowed else "same-origin"}

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = limits.in_all  # all can wait for their turns at the workers
        yield
        workers.close()  # threads that wait for an answer would keep the loop from ending

    app = _Api(
        lifespan=lifespan,
        title="referee",
        version=referee.__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        dependencies=[Depends(each_once)],
        generate_unique_id_function=lambda route: route.name,
    )
    app.include_router(stateless_router(workers))
    if state_of is not None:
        app.include_router(games_router(state_of))

    @app.get("/", include_in_schema=False)
    def root() -> Response:
        return RedirectResponse("api")  # relative, since a proxy may have put the API below a path

    @app.get("/api", include_in_schema=False)
    def description() -> Response:
        loader = FileSystemLoader(Path(__file__).parent)
        environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=loader)
        page = environment.get_template("description.html.jinja").render(app.openapi())
        return Response(page, media_type="text/html")

    explain_problems(app)
    app.add_middleware(Gate, limits=limits)
    if allowed:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=allowed,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=_EXPOSED,
        )
    app.add_middleware(OwnNames, names=names)
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    app.add_middleware(_tagged)
    app.add_middleware(_with_heads)
    app.add_middleware(with_headers, headers={**_HEADERS, **sharing})
    return app


class _Api(FastAPI):
    """FastAPI with what its description lacks: the type of problems, and the schema that bodies share."""

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        described["components"]["schemas"]["GameFile"] = GAME_FILE
        for path in described["paths"].values():
            for operation in path.values():
                for failed in PROBLEMS:
                    content = operation["responses"][failed]["content"]
                    if JSON in content:  # not yet: the description is kept
                        content[PROBLEM] = content.pop(JSON)
        return described


class OwnNames:
    """An ASGI application that answers only under its own names, those of this machine, and numeric addresses.

    Pages can trick a browser by DNS rebinding, but a numeric address needs no look-up of a name.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {_plain(name) for name in (*names, socket.gethostname())}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it for its name of the server."""
        if scope["type"] == "http":
            for host in Headers(scope=scope).getlist("host"):
                name = _plain(_without_port(host))
                known = name in self._names or f".{name}".endswith(f".{_LOCAL}")
                if not known and address_in(name) is None:
                    message = f"this server is not called {shown(host)}: --host-name names it"
                    await problem(RefereeError("other-host", message))(scope, receive, send)
                    return
        await self._app(scope, receive, send)


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and (port.isdecimal() or not port) and (":" not in name or name.endswith("]")) else host


def _plain(name: str) -> str:
    name = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    return name.removesuffix(".").casefold()


def _with_heads(app: ASGIApp) -> ASGIApp:
    """An application that answers HEAD as GET, without the body (RFC 9110, section 9.3.2)."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        if scope["type"] == "http" and scope["method"] == "HEAD":
            await app({**scope, "method": "GET"}, receive, send_head)
        else:
            await app(scope, receive, send)

    return answer


def _tagged(app: ASGIApp) -> ASGIApp:
    """An application that tags what it gives, and does not give again what a client has (RFC 9110, section 8.8.3)."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}

        async def send_tagged(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                start = message
                return
            if start and not message.get("more_body"):
                headers = MutableHeaders(scope=start)
                tag = f'"{sha256(message.get("body", b"")).hexdigest()[:32]}"'
                headers.setdefault("ETag", tag)
                known = Headers(scope=scope).get("if-none-match", "")
                if tag in known or known.strip() == "*":
                    start["status"], message = HTTPStatus.NOT_MODIFIED, {**message, "body": b""}
                    del headers["content-length"]
            if start:
                await send(start)
                start = {}
            await send(message)

        gets = scope["type"] == "http" and scope["method"] == "GET"
        await app(scope, receive, send_tagged if gets else send)

    return answer
