"""The addresses of the pages, as an ASGI application."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from referee.desk import GAME_ID, StoreError
from referee.errors import PackageFault, RefereeError
from referee.web.clients import Allowances, Networks
from referee.web.server import with_headers
from referee.web.site import feeds, games, lessons, listings, trials, wishes
from referee.web.site.gate import FORM_POLICY, PAGE_HEADERS, PageGate
from referee.web.site.markup import FILES, file_text, markup_of, page_of, pages_version
from referee.web.site.seats import Intake, Seats, in_thread
from referee.web.site.site import HTML, Answered, MissingPageError, Site, tag_of
from referee.web.site.streams import MEDIA, WEB_LOG, FollowerResponse, Followers

THREADS = 4
"""Maximum requests that read the store at the same time, and of those that write into it."""

_NUMBER = re.compile(r"[0-9]{1,6}")
_CALENDAR = re.compile(r"([a-z2-7]{24})\.ics")
_PICTURE_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
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
        site = self._site
        pages: dict[str, Callable[[Request], Answered]] = {
            "/": lambda request: listings.first_page(site),
            "/play": lambda request: wishes.wish_page(site, request.query_params),
            "/invite": lambda request: wishes.invitation_page(site, request.query_params),
            "/games/{phase}": lambda request: listings.phase_page(site, request.path_params["phase"], _page(request)),
            "/p/{name:path}": lambda request: listings.player_page(site, request.path_params["name"], _page(request)),
            "/g/{game}": lambda request: games.game_page(site, _game(request), _look(request)),
            "/g/{game}/board.svg": lambda request: games.board_picture(
                site, _game(request), _look(request), "small" if "small" in request.query_params else "svg"
            ),
            "/g/{game}/board.png": lambda request: games.board_picture(site, _game(request), _look(request), "png"),
            "/g/{game}/game.yaml": lambda request: games.public_game_file(site, _game(request)),
            "/g/{game}/feed": lambda request: feeds.game_feed(site, _game(request)),
            "/g/{game}/choices": lambda request: trials.legal_choices(
                site, _game(request), request.query_params.get("side", "")
            ),
            "/g/{game}/board.css": lambda request: trials.board_style(site, _game(request)),
            "/rules": lambda request: page_of(site, "games.html.jinja", cards=lessons.game_cards()),
            "/rules/{name}": lambda request: lessons.lesson_page(site, request.path_params["name"]),
            "/rules/{name}/{picture}.svg": lambda request: lessons.lesson_picture(**request.path_params),
            "/calendar/{file}": self._calendar,
            "/static/{file:path}": _static,
        }
        if self._intake is not None:
            # The same for everybody: its script asks for what is the player's own.
            pages["/me"] = lambda request: page_of(site, "me.html.jinja")
        headers = {path: _PICTURE_HEADERS for path in pages if path.endswith((".svg", ".png"))}
        headers["/calendar/{file}"] = {"cache-control": "private, no-cache"}
        if site.engines or site.invites:
            headers |= {path: {"content-security-policy": FORM_POLICY} for path in ("/", "/play", "/invite")}
        failures = (MissingPageError, RefereeError, PackageFault, ClientDisconnect, 404, 500)
        handlers = dict.fromkeys(failures, self._failed)
        found = [Route(path, self._answer(find, headers.get(path, {}))) for path, find in pages.items()]
        found.append(Route("/g/{game}/events", self._events))
        # A tried move is secret, and addresses are logged by servers on the way: so it is in the body.
        found.append(Route("/g/{game}/trial", self._trial, methods=["POST"]))
        if self._intake is not None:
            found += Seats(site, self._intake, self._threads, self._writers).routes()
        app = Starlette(routes=[*found, *self._beside], exception_handlers=handlers)
        app.router.redirect_slashes = False
        return with_headers(PageGate(app, trusted, allowances), PAGE_HEADERS)

    def end(self) -> None:
        """End all streams."""
        self._followers.end()

    def close(self) -> None:
        """End the threads, once no request is left."""
        for threads in (self._threads, self._writers):
            threads.shutdown()

    def _answer(self, find: Callable[[Request], Answered], headers: Mapping[str, str]) -> Endpoint:

        def answer(request: Request) -> Response:
            desk = self._site.desk
            with desk.catalogue.waiting_if_broken(request.path_params.get("game")), desk.reading():
                found = find(request)
                sent = {"etag": f'"{found.tag}"', "cache-control": "no-cache", **headers}
                if found.tag in request.headers.get("if-none-match", ""):
                    return Response(status_code=304, headers=sent)
                return Response(self._site.shelf.body(found), headers=sent, media_type=found.media)

        return partial(in_thread, self._threads, answer)

    async def _last_numbers(self, followed: Collection[str]) -> dict[str, int]:
        return await in_thread(self._threads, self._site.desk.catalogue.last_numbers, followed)

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
        tried = await in_thread(self._threads, trials.move_trial, self._site, game, side, move)
        return Response(tried, headers={"cache-control": "no-store"}, media_type="application/json")

    def _calendar(self, request: Request) -> Answered:
        found = _CALENDAR.fullmatch(request.path_params["file"])
        if found is None:
            raise MissingPageError("There is no such calendar.")
        return feeds.calendar(self._site, found[1])

    async def _failed(self, _: Request, error: Exception) -> Response:
        """The page for what is missing, such as a game, ply or side, or for a failure here."""
        match error:
            case ClientDisconnect():  # no fault: the client left before its body was here, and reads no answer
                return Response(status_code=408)
            case MissingPageError():
                status, says = 404, str(error)
            case StoreError(message=message):
                WEB_LOG.error("pages: %s", message)
                status, says = 503, "The desk cannot be read now. Please try again later."
            case RefereeError():
                status, says = 404, _NO_GAME if error.code == "unknown-game" else f"{error.message}."
            case PackageFault():
                WEB_LOG.error("pages: %s", error)
                status, says = 503, "This game cannot be shown now. Please try again later."
            case HTTPException():
                status, says = 404, "There is no such page."
            case _:
                WEB_LOG.error("pages: %s", type(error).__name__)
                status, says = 500, "Something went wrong here."
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
        says = "A code in an address is not read. Please open the link of your letter again, and type the code there."
        raise MissingPageError(says)
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
