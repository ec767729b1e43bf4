"""The acts of players on the pages: they pair their browser, submit moves, and open games with engines.

Nothing else on the pages acts. Only the page itself can send such a request: it has to come from the site's own
origin with a body of JSON, which no form and no other site can send, and requests from elsewhere carry no cookies.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.desk.errors import StoreError
from referee.desk.log.log import GAME_ID
from referee.desk.records import PAIRING_LASTS
from referee.errors import RefereeError
from referee.web.clients import Allowances
from referee.web.site.site import Site
from referee.web.site.streams import WEB_LOG

ACTS, ACTS_AT_ONCE = 0.2, 20.0
"""Acts a second of a client in the long run, and the maximum at once; reading the state of a seat is no act."""

_LONGEST_BODY = 2_000
"""Maximum bytes of a request's body."""

_MOST_TOKENS = 16
"""Maximum cookies of a request that are looked up."""

_STATUS = {
    "json": 400,
    "other-site": 403,
    "no-seat": 403,
    "not-allowed": 403,
    "not-paired": 403,
    "pairing-code": 403,
    "pairing-over": 403,
    "unknown-game": 404,
    "page-key": 409,
    "page-done": 409,
    "too-large": 413,
    "media-type": 415,
    "too-often": 429,
    "too-many-codes": 429,
    "clock-jump": 503,
    "store": 503,
    "page-waits": 202,
}
"""The status of an answer by its code; every other refusal is about rules or notation (422)."""

Content = Mapping[str, object]
_Work = Callable[["Asked"], Response]
_InThread = Callable[[Callable[[], Response]], Awaitable[Response]]


class Intake(Protocol):
    """The way in for submitted moves (`referee.mail.handlers.browsers`); each method may raise RefereeError."""

    def cookie(self, game: str, key: str) -> str:
        """A name for the cookie of a seat's address."""

    def standing(self, game: str, key: str, token: str) -> Content:
        """The state of a seat for its page."""

    def ask(self, game: str, key: str, token: str) -> str:
        """Send a code for a browser that is not paired; return its new secret."""

    def pair(self, game: str, key: str, token: str, code: str) -> None:
        """Let a browser move for the address of a seat."""

    def forget(self, token: str) -> None:
        """End the pairing of a browser."""

    def submit(self, game: str, key: str, token: str, text: str) -> str:
        """Make a move; return the result, in a sentence."""

    def is_paired(self, tokens: Sequence[str]) -> bool:
        """True if a browser may act for an address, in any game."""

    def open(self, tokens: Sequence[str], text: str) -> Mapping[str, str]:
        """Open a game with engines; return the result as `done`, the `game`, and the `seat` for the link."""


class Asked:
    """A request of a player's page: the game, if it has one, its body, and the cookie of its seat."""

    def __init__(self, game: str, said: Mapping[str, str], cookies: Mapping[str, str], site: Site) -> None:
        self.game, self.key, self._said, self._cookies = game, said.get("key", ""), said, cookies
        self._secure, self._path = site.url.startswith("https:"), site.root or "/"

    def __getitem__(self, name: str) -> str:
        if name not in self._said:
            raise RefereeError("json", f"expected a JSON object with a text called {name}")
        return self._said[name]

    def token(self, name: str) -> str:
        """The secret in a cookie; empty if there is none."""
        return self._cookies.get(self._cookie(name), "")

    @property
    def tokens(self) -> list[str]:
        """The secrets in the cookies of seats, up to a limit."""
        return [token for name, token in self._cookies.items() if name.startswith(self._cookie(""))][:_MOST_TOKENS]

    def keep(self, answer: Response, name: str, token: str) -> Response:
        """Store a secret in a cookie of the browser, or delete it."""
        lasts = int(PAIRING_LASTS.total_seconds()) if token else 0
        answer.set_cookie(
            self._cookie(name), token, lasts, path=self._path, secure=self._secure, httponly=True, samesite="strict"
        )
        return answer

    def _cookie(self, name: str) -> str:
        """The whole name, whose prefix makes browsers refuse it from another site or over insecure connections."""
        prefix = "" if not self._secure else "__Host-" if self._path == "/" else "__Secure-"
        return f"{prefix}seat-{name}"


class Seats:
    """The addresses for acts of players; `reads` runs work that only reads the store, `writes` all other work."""

    def __init__(self, site: Site, intake: Intake, reads: _InThread, writes: _InThread) -> None:
        self._site, self._intake, self._reads, self._writes = site, intake, reads, writes
        self._allowances = Allowances(ACTS, ACTS_AT_ONCE)
        address = urlsplit(site.url)
        self._origin = f"{address.scheme}://{address.netloc}"

    def routes(self) -> list[Route]:
        """The routes, all for POST."""
        works = {"seat": self._standing, "code": self._ask, "pair": self._pair, "forget": self._forget}
        found = {f"/g/{{game}}/{name}": work for name, work in ({**works, "move": self._submit}).items()}
        found |= {"/play/browser": self._browser, "/play/open": self._open} if self._site.engines else {}
        return [Route(path, self._endpoint(work), methods=["POST"]) for path, work in found.items()]

    def _endpoint(self, work: _Work) -> Callable[[Request], Awaitable[Response]]:
        reading = (self._standing, self._browser)

        async def endpoint(request: Request) -> Response:
            try:
                self._expect_own(request)
                if work not in reading and self._allowances.take(request.state.client):
                    raise RefereeError("too-often", "this address has sent too much at once: please wait a little")
                asked = await self._read(request)
            except RefereeError as error:
                return _refused(error)
            in_thread = self._reads if work in reading else self._writes
            return await in_thread(lambda: self._done(work, asked))

        return endpoint

    def _done(self, work: _Work, asked: Asked) -> Response:
        try:
            return work(asked)
        except StoreError as error:
            WEB_LOG.error("pages: %s", error.message)
            return _refused(RefereeError("store", "the desk cannot be reached now: please try again later"))
        except RefereeError as error:
            return _refused(error)

    def _expect_own(self, request: Request) -> None:
        """Refuse a request that another site has made a browser send."""
        headers = request.headers
        if headers.get("origin") != self._origin or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise RefereeError("other-site", "this did not come from the page of the game")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise RefereeError("media-type", "expected a body of application/json")

    async def _read(self, request: Request) -> Asked:
        game = request.path_params.get("game", "")
        if "game" in request.path_params and not GAME_ID.fullmatch(game):
            raise RefereeError("unknown-game", "there is no such game on this desk")
        text = b""
        async for part in request.stream():
            text += part
            if len(text) > _LONGEST_BODY:
                raise RefereeError("too-large", f"expected no more than {_LONGEST_BODY} bytes")
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or not all(isinstance(value, str) for value in said.values()):
            raise RefereeError("json", "expected a JSON object of texts")
        return Asked(game, said, request.cookies, self._site)

    def _standing(self, asked: Asked) -> Response:
        token = asked.token(self._intake.cookie(asked.game, asked.key))
        return _uncached(self._intake.standing(asked.game, asked.key, token))

    def _ask(self, asked: Asked) -> Response:
        name = self._intake.cookie(asked.game, asked.key)
        return asked.keep(_uncached({}), name, self._intake.ask(asked.game, asked.key, asked.token(name)))

    def _pair(self, asked: Asked) -> Response:
        token = asked.token(self._intake.cookie(asked.game, asked.key))
        self._intake.pair(asked.game, asked.key, token, asked["code"])
        return _uncached({})

    def _forget(self, asked: Asked) -> Response:
        name = self._intake.cookie(asked.game, asked.key)
        self._intake.forget(asked.token(name))
        return asked.keep(_uncached({}), name, "")

    def _submit(self, asked: Asked) -> Response:
        token = asked.token(self._intake.cookie(asked.game, asked.key))
        return _uncached({"done": self._intake.submit(asked.game, asked.key, token, asked["line"])})

    def _browser(self, asked: Asked) -> Response:
        return _uncached({"paired": self._intake.is_paired(asked.tokens)})

    def _open(self, asked: Asked) -> Response:
        opened = self._intake.open(asked.tokens, asked["line"])
        link = f"{self._site.path('g', opened['game'])}#{opened['seat']}"
        return _uncached({"done": opened["done"], "link": link})


def _uncached(content: Content, status: int = 200) -> Response:
    return JSONResponse(content, status, {"cache-control": "no-store"})


def _refused(error: RefereeError) -> Response:
    """The answer for a refusal: its code, a sentence, and suggestions."""
    column = error.span.column if error.span else None
    content = {"code": error.code, "message": error.message, "column": column, "suggestions": [*error.suggestions]}
    return _uncached(content, _STATUS.get(error.code, 422))
