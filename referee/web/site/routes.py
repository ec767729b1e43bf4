"""The addresses of the pages, as an ASGI application."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from referee.desk.errors import StoreError
from referee.desk.log.log import GAME_ID
from referee.errors import PackageFault, RefereeError
from referee.web.clients import Allowances, Networks
from referee.web.server import WithHeaders
from referee.web.site import feeds, games, lessons, listings, trials, wishes
from referee.web.site.gate import FORM_POLICY, PAGE_HEADERS, PageGate
from referee.web.site.markup import FILES, file_text, markup_of, pages_version
from referee.web.site.seats import Intake, Seats
from referee.web.site.site import HTML, Answered, MissingPageError, Site, tag_of
from referee.web.site.streams import MEDIA, WEB_LOG, FollowerResponse, Followers

Value = TypeVar("Value")

THREADS = 4
"""Maximum requests that read the store at the same time, and of those that write into it."""

_NUMBER = re.compile(r"[0-9]{1,6}")
_CALENDAR = re.compile(r"([a-z2-7]{24})\.ics")
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The policy of a picture, which has its own style and needs nothing else."""

_LONGEST_MOVE = 400
"""Maximum bytes of a tried move."""

_NO_GAME = "There is no such game."

Endpoint = Callable[[Request], Awaitable[Response]]


class Pages:
    """The pages of a site, and the followers of its games."""

    def __init__(self, site: Site, intake: Intake | None = None, beside: Sequence[Route] = ()) -> None:
        """`intake` takes the moves that players submit, which can else only be mailed; `beside` are more pages."""
        self._site, self._intake, self._beside = replace(site, submits=intake is not None), intake, beside
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pages")
        # Separate threads, because writers may have to wait for others, and must not keep readers waiting.
        self._writers = ThreadPoolExecutor(THREADS, thread_name_prefix="acts")
        self._followers = Followers(self._last_numbers)

    def application(self, trusted: Networks, allowances: Allowances) -> ASGIApp:
        """The pages behind their gate; `trusted` are reverse proxies that may name the client."""
        site, picture = self._site, {"content-security-policy": _PICTURE_POLICY}
        with_form = {"content-security-policy": FORM_POLICY} if site.engines or site.invites else {}
        routes = {
            "/": self._answer(lambda request: listings.first_page(site), with_form),
            "/play": self._answer(lambda request: wishes.wish_page(site, request.query_params), with_form),
            "/invite": self._answer(lambda request: wishes.invitation_page(site, request.query_params), with_form),
            "/games/{phase}": self._answer(
                lambda request: listings.phase_page(site, request.path_params["phase"], _page(request))
            ),
            "/p/{name:path}": self._answer(
                lambda request: listings.player_page(site, request.path_params["name"], _page(request))
            ),
            "/g/{game}": self._answer(lambda request: games.game_page(site, _game(request), _look(request))),
            "/g/{game}/board.svg": self._answer(
                lambda request: games.board_picture(
                    site, _game(request), _look(request), "small" if "small" in request.query_params else "svg"
                ),
                picture,
            ),
            "/g/{game}/board.png": self._answer(
                lambda request: games.board_picture(site, _game(request), _look(request), "png"), picture
            ),
            "/g/{game}/game.yaml": self._answer(lambda request: games.public_game_file(site, _game(request))),
            "/g/{game}/feed": self._answer(lambda request: feeds.game_feed(site, _game(request))),
            "/g/{game}/events": self._events,
            "/g/{game}/choices": self._answer(
                lambda request: trials.legal_choices(site, _game(request), request.query_params.get("side", ""))
            ),
            "/g/{game}/board.css": self._answer(lambda request: trials.board_style(site, _game(request))),
            "/rules": self._answer(lambda request: lessons.rules_page(site)),
            "/rules/{name}": self._answer(lambda request: lessons.lesson_page(site, request.path_params["name"])),
            "/rules/{name}/{picture}.svg": self._answer(
                lambda request: lessons.lesson_picture(request.path_params["name"], request.path_params["picture"]),
                picture,
            ),
            "/calendar/{file}": self._answer(self._calendar, {"cache-control": "private, no-cache"}),
            "/static/{file:path}": self._answer(_static),
        }
        handlers = {
            MissingPageError: self._missing,
            RefereeError: self._refused,
            PackageFault: self._broken,
            ClientDisconnect: self._gone,
            404: self._missing,
            500: self._failed,
        }
        found = [Route(path, endpoint) for path, endpoint in routes.items()]
        # A tried move is secret, and addresses are logged by servers on the way: so it is in the body.
        found.append(Route("/g/{game}/trial", self._trial, methods=["POST"]))
        if self._intake is not None:
            found.append(Route("/me", self._answer(lambda request: listings.me_page(site))))
            found += Seats(self._site, self._intake, self._in_thread, self._in_writer).routes()
        app = Starlette(routes=[*found, *self._beside], exception_handlers=handlers)
        app.router.redirect_slashes = False
        return WithHeaders(PageGate(app, trusted, allowances), PAGE_HEADERS)

    def end(self) -> None:
        """End all streams."""
        self._followers.end()

    def close(self) -> None:
        """End the threads, once no request is left."""
        for threads in (self._threads, self._writers):
            threads.shutdown()

    def _answer(self, find: Callable[[Request], Answered], headers: dict[str, str] | None = None) -> Endpoint:

        def answer(request: Request) -> Response:
            desk = self._site.desk
            with desk.catalogue.waiting_if_broken(request.path_params.get("game")), desk.reading():
                found = find(request)
                sent = {"etag": f'"{found.tag}"', "cache-control": "no-cache", **(headers or {})}
                if found.tag in request.headers.get("if-none-match", ""):
                    return Response(status_code=304, headers=sent)
                return Response(self._site.shelf.body(found), headers=sent, media_type=found.media)

        async def endpoint(request: Request) -> Response:
            return await self._in_thread(lambda: answer(request))

        return endpoint

    async def _in_thread(self, work: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _in_writer(self, work: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._writers, work)

    async def _last_numbers(self, followed: Collection[str]) -> dict[str, int]:
        return await self._in_thread(lambda: self._site.desk.catalogue.last_numbers(followed))

    async def _events(self, request: Request) -> Response:
        game = _game(request)
        found = await self._last_numbers([game])
        if game not in found:
            raise MissingPageError(_NO_GAME)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if request.method == "HEAD":
            return Response(headers=headers, media_type=MEDIA)
        follower = self._followers.enter(request.state.client, game, found[game])
        if follower is None:
            return PlainTextResponse("too many open streams\n", 503, {"retry-after": "60"})
        return FollowerResponse(self._followers, follower, headers)

    async def _trial(self, request: Request) -> Response:
        text = b""
        async for part in request.stream():
            text += part
            if len(text) > _LONGEST_MOVE:
                return PlainTextResponse("this is no move\n", 413)
        game, side, move = _game(request), request.query_params.get("side", ""), text.decode(errors="replace")
        tried = await self._in_thread(lambda: trials.move_trial(self._site, game, side, move))
        return Response(tried, headers={"cache-control": "no-store"}, media_type="application/json")

    def _calendar(self, request: Request) -> Answered:
        found = _CALENDAR.fullmatch(request.path_params["file"])
        if found is None:
            raise MissingPageError("There is no such calendar.")
        return feeds.calendar(self._site, found[1])

    async def _missing(self, _: Request, error: Exception) -> Response:
        return self._error_page(404, str(error) if isinstance(error, MissingPageError) else "There is no such page.")

    async def _refused(self, _: Request, error: Exception) -> Response:
        """The page for a missing game, ply or side, or for a failure of the store."""
        assert isinstance(error, RefereeError)
        if isinstance(error, StoreError):
            WEB_LOG.error("pages: %s", error.message)
            return self._error_page(503, "The desk cannot be read now. Please try again later.")
        return self._error_page(404, _NO_GAME if error.code == "unknown-game" else f"{error.message}.")

    async def _broken(self, _: Request, error: Exception) -> Response:
        WEB_LOG.error("pages: %s", error)
        return self._error_page(503, "This game cannot be shown now. Please try again later.")

    async def _gone(self, _: Request, error: Exception) -> Response:
        """The unread answer to a client that left before its body was here, which is no fault."""
        return Response(status_code=408)

    async def _failed(self, _: Request, error: Exception) -> Response:
        WEB_LOG.error("pages: %s", type(error).__name__)
        return self._error_page(500, "Something went wrong here.")

    def _error_page(self, status: int, says: str) -> Response:
        page = markup_of(self._site, "error.html.jinja", says=says)
        return Response(page, status, {"cache-control": "no-store"}, HTML)


def _game(request: Request) -> str:
    name: str = request.path_params["game"]
    if not GAME_ID.fullmatch(name):
        raise MissingPageError(_NO_GAME)
    return name


def _look(request: Request) -> games.Look:
    if "code" in request.query_params:
        # An old browser may put a form into the address, where proxies log it.
        raise MissingPageError(
            "A code in an address is not read. Please open the link of your letter again, and type the code there."
        )
    ply = request.query_params.get("ply")
    return games.Look(
        None if ply is None else _number(ply), request.query_params.get("view"), "you" in request.query_params
    )


def _page(request: Request) -> int:
    return _number(request.query_params.get("page", "1"))


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise MissingPageError("There is no such page.")
    return int(text)


def _static(request: Request) -> Answered:
    name = request.path_params["file"]
    if name not in FILES:
        raise MissingPageError("There is no such page.")
    return Answered(FILES[name], tag_of("file", pages_version(), name), lambda: file_text(name))
