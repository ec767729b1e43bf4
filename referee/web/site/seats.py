"""The acts of players on the pages: they pair their browser, submit moves and other acts, and open games.

Nothing else on the pages acts. Only the page itself can send such a request: it has to come from the site's own
origin with a body of JSON, which no form and no other site can send, and requests from elsewhere carry no cookies.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.desk import GAME_ID, StoreError, Submission
from referee.desk.records import CODE_LASTS, PAIRING_LASTS
from referee.errors import PackageFault, RefereeError, Refusal
from referee.web.clients import Allowances
from referee.web.site.listings import own_games
from referee.web.site.site import Site
from referee.web.site.streams import WEB_LOG
from referee.web.site.trials import choices_ahead

ACTS, ACTS_AT_ONCE = 0.2, 20.0
"""Acts a second of a client in the long run, and the maximum at once; reading the state of a seat is no act."""

SIGN_INS = 3
"""Codes a day that a client can have sent to one address, so that nobody uses up all that the address can get."""

_LONGEST_BODY = 10_000
"""Maximum bytes of a request's body."""

LONGEST_THOUGHT = 2.0
"""Maximum seconds that the answer to an act waits for an engine."""

_LOOK = 0.1
"""Seconds between two looks for its move."""

_NEW = "new"
"""The end of the name of the cookie of a browser that waits for a code."""

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
    "page-engine": 409,
    "too-large": 413,
    "media-type": 415,
    "too-often": 429,
    "too-many-codes": 429,
    "clock-jump": 503,
    "broken-game": 503,
    "store": 503,
    "page-waits": 202,
}
"""The status of an answer by its code; every other refusal is about rules or notation (422)."""

Content = Mapping[str, object]
Value = TypeVar("Value")
_Work = Callable[["Asked"], Response]
_Acting = Callable[["Asked"], Awaitable[Response]]


async def in_thread(threads: Executor, work: Callable[..., Value], *given: object) -> Value:
    """The result of some work in one of these threads."""
    return await asyncio.get_running_loop().run_in_executor(threads, work, *given)


class Intake(Protocol):
    """The way in for players (`referee.mail.browsers`); each method may raise RefereeError.

    `tokens` are the secrets in the cookies of one browser.
    """

    def standing(self, tokens: Sequence[str], game: str, key: str, side: str = "") -> Mapping[str, Any]:
        """The state of a browser's seat for its page."""

    def ask(self, tokens: Sequence[str], game: str, key: str) -> str:
        """Send a code to the address of a seat; return the browser's new secret, "" if it needs none."""

    def sign_in(self, tokens: Sequence[str], address: str, token: str) -> None:
        """Send a code to a player's address, for a browser with a new secret."""

    def pair(self, tokens: Sequence[str], code: str) -> tuple[str, str]:
        """Let a browser act for an address; return the name of its cookie and the secret in it."""

    def forget(self, tokens: Sequence[str]) -> None:
        """End all pairings of a browser."""

    def submit(self, tokens: Sequence[str], game: str, key: str, text: str, once: str = "") -> Submission:
        """Do an act in a game."""

    def look(self, tokens: Sequence[str]) -> Mapping[str, Any]:
        """The browser's `players`, a `name`, the seats that owe a move (`waiting`), all `seats`, and `browsers`."""

    def open(self, tokens: Sequence[str], text: str) -> Mapping[str, str]:
        """Open a game with engines; return the result as `done`, the `game`, and the `seat` for the link."""


class Asked:
    """A request of a player's page: the game, if it has one, the client, its body, and the cookies of the browser."""

    def __init__(self, game: str, said: Mapping[str, str], request: Request, site: Site) -> None:
        self.game, self.client, self._said, self._cookies = game, request.state.client, said, request.cookies
        self._secure, self._path = site.url.startswith("https:"), site.root or "/"

    def __getitem__(self, name: str) -> str:
        if name not in self._said:
            raise RefereeError("json", f"expected a JSON object with a text called {name}")
        return self._said[name]

    def get(self, name: str) -> str:
        """A text of the body; empty if it is missing."""
        return self._said.get(name, "")

    @property
    def tokens(self) -> list[str]:
        """The secrets in the cookies of the browser, up to a limit."""
        return [self._cookies[name] for name in self._names][:_MOST_TOKENS]

    @property
    def _names(self) -> list[str]:
        new = self._cookie(_NEW)
        found = [name for name in self._cookies if name.startswith(self._cookie("")) and name != new]
        return [new, *found] if new in self._cookies else found

    def keep(self, answer: Response, token: str, name: str = "") -> Response:
        """Store a secret in a cookie: for good under a name, or else while its code can be typed."""
        lasts = int((PAIRING_LASTS if name else CODE_LASTS).total_seconds())
        self._set(answer, self._cookie(name or _NEW), token, lasts)
        if name:
            self._set(answer, self._cookie(_NEW), "", 0)
        return answer

    def clear(self, answer: Response) -> Response:
        """Delete all cookies of the browser."""
        for name in self._names:
            self._set(answer, name, "", 0)
        return answer

    def _set(self, answer: Response, name: str, token: str, lasts: int) -> None:
        answer.set_cookie(name, token, lasts, path=self._path, secure=self._secure, httponly=True, samesite="strict")

    def _cookie(self, name: str) -> str:
        """The whole name, whose prefix makes browsers refuse it from another site or over insecure connections."""
        prefix = "" if not self._secure else "__Host-" if self._path == "/" else "__Secure-"
        return f"{prefix}seat-{name}"


class Seats:
    """The addresses for acts of players; `reads` are threads that only read the store, `writes` do all other work."""

    def __init__(self, site: Site, intake: Intake, reads: Executor, writes: Executor) -> None:
        self._site, self._intake, self._reads, self._writes = site, intake, reads, writes
        self._allowances = Allowances(ACTS, ACTS_AT_ONCE)
        self._sign_ins = Allowances(SIGN_INS / 86_400, SIGN_INS)
        address = urlsplit(site.url)
        self._origin = f"{address.scheme}://{address.netloc}"

    def routes(self) -> list[Route]:
        """The routes, all for POST."""
        reading = {
            "/g/{game}/seat": self._standing,
            "/g/{game}/ahead": self._ahead,
            "/me/state": self._state,
            "/me/games": self._games,
        }
        writing: dict[str, _Work] = {"/g/{game}/code": self._ask}
        for where in ("/g/{game}", "/me"):
            writing |= {f"{where}/pair": self._pair, f"{where}/forget": self._forget}
        if self._site.engines:
            reading["/play/browser"], writing["/play/open"] = self._browser, self._open
        acting: dict[str, _Acting] = {"/g/{game}/move": self._move, "/me/code": self._sign_in}
        acting |= {path: partial(in_thread, self._writes, work) for path, work in writing.items()}
        looking = {path: partial(in_thread, self._reads, work) for path, work in reading.items()}
        found = [Route(path, self._endpoint(work, act=True), methods=["POST"]) for path, work in acting.items()]
        found += [Route(path, self._endpoint(work, act=False), methods=["POST"]) for path, work in looking.items()]
        return found

    def _endpoint(self, work: _Acting, *, act: bool) -> Callable[[Request], Awaitable[Response]]:

        async def endpoint(request: Request) -> Response:
            try:
                self._expect_own(request)
                if act and self._allowances.take(request.state.client):
                    raise RefereeError("too-often", "this address has sent too much at once: please wait a little")
                return await work(await self._read(request))
            except (RefereeError, PackageFault) as error:
                return _answer_to(error)

        return endpoint

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
            # Half of a surrogate pair is no text, and no store takes it.
            json.dumps(said, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or not all(isinstance(value, str) for value in said.values()):
            raise RefereeError("json", "expected a JSON object of texts")
        return Asked(game, said, request, self._site)

    def _standing(self, asked: Asked) -> Response:
        found = self._intake.standing(asked.tokens, asked.game, asked.get("key"), asked.get("side"))
        if following := found.get("next"):
            following = {"count": following["count"], "link": self._site.path("g", following["game"])}
            found = {**found, "next": following}
        return _uncached(found)

    def _ahead(self, asked: Asked) -> Response:
        """The board after moves of a plan, for the player of the seat alone: what they plan is no one else's."""
        found = self._intake.standing(asked.tokens, asked.game, asked.get("key"), asked.get("side"))
        if "plan" not in found.get("acts", ()):
            raise Refusal("not-allowed", "you can plan ahead once your move is in, and you wait for the others")
        said = {name: asked.get(name) for name in ("line", "chosen", "by")}
        return _uncached(choices_ahead(self._site, asked.game, found["side"], said))

    def _ask(self, asked: Asked) -> Response:
        token = self._intake.ask(asked.tokens, asked.game, asked["key"])
        return asked.keep(_uncached({}), token) if token else _uncached({})

    async def _sign_in(self, asked: Asked) -> Response:
        """Answer before the work is done, so that the time of the answer tells nothing about the address."""
        if self._sign_ins.take(f"{asked.client} {asked['address'].strip().casefold()}"):
            told = f"{SIGN_INS} codes a day: please type the one in your newest letter, or try again tomorrow"
            raise RefereeError("too-many-codes", f"this address has got {told}")
        token = secrets.token_urlsafe(32)
        answer = asked.keep(_uncached({}), token)
        answer.background = BackgroundTask(self._signing_in, asked.tokens, asked["address"], token)
        return answer

    async def _signing_in(self, tokens: Sequence[str], address: str, token: str) -> None:
        try:
            await in_thread(self._writes, self._intake.sign_in, tokens, address, token)
        except (RefereeError, PackageFault) as error:
            _answer_to(error)

    def _pair(self, asked: Asked) -> Response:
        name, token = self._intake.pair(asked.tokens, asked["code"])
        return asked.keep(_uncached({}), token, name)

    def _forget(self, asked: Asked) -> Response:
        self._intake.forget(asked.tokens)
        return asked.clear(_uncached({}))

    async def _move(self, asked: Asked) -> Response:
        """Do an act, once no engine has to move before, and wait for a moment for the answer of a quick one."""
        said = asked.tokens, asked.game, asked["key"], asked["line"], asked.get("once")
        end = time.monotonic() + LONGEST_THOUGHT
        while True:
            try:
                made = await in_thread(self._writes, self._intake.submit, *said)
                break
            except RefereeError as error:
                if error.code != "page-engine" or time.monotonic() > end:
                    raise
            await asyncio.sleep(_LOOK)
        link = self._site.path("g", made.game) if made.game else None
        return _uncached({"done": made.done, "answer": await self._answer(made), "link": link})

    async def _answer(self, made: Submission) -> str | None:
        """The answers to an act so far, in sentences; None if there is none."""
        end = time.monotonic() + LONGEST_THOUGHT
        while True:
            try:
                waits, told = await in_thread(self._reads, made.followed)
            except (RefereeError, PackageFault):  # the act is done all the same
                return None
            if not waits or time.monotonic() > end:
                return told
            await asyncio.sleep(_LOOK)

    def _state(self, asked: Asked) -> Response:
        return _uncached(self._who(self._intake.look(asked.tokens)))

    def _games(self, asked: Asked) -> Response:
        found = self._intake.look(asked.tokens)
        return _uncached({**self._who(found), "browsers": found["browsers"], "html": own_games(self._site, found)})

    def _who(self, found: Mapping[str, Any]) -> Content:
        following = self._site.path("g", found["seats"][0][0]) if found["waiting"] else None
        return {"paired": found["players"] > 0, "next": following, **{one: found[one] for one in ("name", "waiting")}}

    def _browser(self, asked: Asked) -> Response:
        """A browser of two players would not know for whom it opens a game."""
        return _uncached({"paired": self._intake.look(asked.tokens)["players"] == 1})

    def _open(self, asked: Asked) -> Response:
        opened = self._intake.open(asked.tokens, asked["line"])
        return _uncached({"done": opened["done"], "link": f"{self._site.path('g', opened['game'])}#{opened['seat']}"})


def _uncached(content: Content, status: int = 200) -> Response:
    return JSONResponse(content, status, {"cache-control": "no-store"})


def _answer_to(error: RefereeError | PackageFault) -> Response:
    """The answer for a refusal: its code, a sentence, and suggestions."""
    if isinstance(error, StoreError):
        WEB_LOG.error("pages: %s", error.message)
        error = RefereeError("store", "the desk cannot be reached now: please try again later")
    span, suggestions = getattr(error, "span", None), getattr(error, "suggestions", ())
    column = span.column if span else None
    content = {"code": error.code, "message": error.message, "column": column, "suggestions": [*suggestions]}
    return _uncached(content, _STATUS.get(error.code, 422))
