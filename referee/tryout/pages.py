"""The page of a try-out: both mailboxes, the game, the clock and the host, with links and forms alone."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from secrets import token_urlsafe
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.desk import Entry, State
from referee.desk.log import events
from referee.desk.log.kinds import acting_side, kind_of
from referee.draw.words import alt_text
from referee.errors import RefereeError
from referee.rules import games
from referee.tryout.cheats import CHEATS, Verdict, judged
from referee.tryout.desk import ADDRESS, TryOut
from referee.tryout.mailboxes import PEOPLE, Draft, Letter, Person, page_for, reply_to
from referee.web.site.exhibits import exhibit, shown_ply
from referee.web.site.gate import FORM_POLICY
from referee.web.site.markup import markup_in, moment_text
from referee.web.site.people import names_in
from referee.web.site.site import HTML, MissingPageError, Site
from referee.web.site.wishes import EngineWish

_HERE = Path(__file__).parent

_POLICY = f"{FORM_POLICY}; frame-src 'self'"

_LETTER_POLICY = (
    "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; "
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)
"""The policy of a letter in its frame: it runs and fetches nothing, and its links work."""

_LONGEST_FORM = 100_000
"""Maximum bytes of a form."""

TURNS = {"hour": 1, "day": 24, "week": 168}
"""The ways to turn the clock, in hours."""

_LEVEL = 2
"""Level of the engines that the page proposes."""


class Box(NamedTuple):
    """A mailbox on the page: its letters, the open one, and the draft below it with its fault, if any."""

    person: Person
    letters: tuple[Letter, ...]
    letter: Letter | None
    draft: Draft
    fault: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """The query of the page, which says what is open there."""

    query: Mapping[str, str]

    def letter(self, person: Person, letters: tuple[Letter, ...]) -> Letter | None:
        """The open letter: the chosen one, or the newest from the desk."""
        chosen = self.query.get(person.key)
        found = (one for one in letters if (not one.own if chosen is None else str(one.number) == chosen))
        return next(found, None)

    def draft(self, person: Person, letter: Letter | None) -> Draft:
        """The draft: one from a link, the reply to the open letter, or a first letter."""
        if self.query.get("write") == person.key:
            to, body = self.query.get("to", ADDRESS), self.query.get("body", "")
            return Draft(to, self.query.get("subject", body), body)
        if letter is not None and not letter.own:
            return reply_to(letter)
        return Draft(ADDRESS, "A game", next(begins(person)) if person is PEOPLE[0] and letter is None else "")


class TryPages:
    """The pages of a try-out beside those of its desk's site; `site` has the clock of the try-out."""

    def __init__(self, tryout: TryOut, site: Site) -> None:
        self._tryout, self._site = tryout, site
        self._token = token_urlsafe(16)
        self._verdict: Verdict | str | None = None

    def routes(self) -> list[Route]:
        """The routes of the pages."""
        reads = {
            "/try": self._page,
            "/try/tryout.css": lambda _: Response(_style(), media_type="text/css"),
            "/try/{box}/{number:int}": self._letter,
            "/try/{box}/{number:int}/{file:int}": self._file,
        }
        acts = {"/try/write": self._write, "/try/turn": self._turn, "/try/cheat": self._cheat}
        return [
            *(Route(path, self._endpoint(work), methods=["POST"]) for path, work in acts.items()),
            *(Route(path, self._read_only(work)) for path, work in reads.items()),
        ]

    def _read_only(self, work: Callable[[Request], Response]) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            if request.headers.get("host") != urlsplit(self._site.url).netloc:
                return PlainTextResponse("this is not the address of the try-out\n", 421)
            return await asyncio.to_thread(work, request)

        return endpoint

    def _endpoint(self, work: Callable[[Mapping[str, str]], Response]) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            body = b""
            async for part in request.stream():
                body += part
                if len(body) > _LONGEST_FORM:
                    return PlainTextResponse("this is too long\n", 413)
            form = dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
            # Only this page knows the token, and no page of another origin can read it here.
            if not hmac.compare_digest(form.get("token", "").encode(), self._token.encode()):
                return PlainTextResponse("this did not come from the page of the try-out: please reload it\n", 403)
            return await asyncio.to_thread(work, form)

        return endpoint

    def _write(self, form: Mapping[str, str]) -> Response:
        person = _person(form.get("box", ""))
        number = form.get("answers", "")
        to, subject = (_one_line(form.get(name, "")) for name in ("to", "subject"))
        body = "\n".join(form.get("body", "").splitlines())
        draft = Draft(to, subject, body, int(number) if number.isdecimal() else None)
        try:
            self._tryout.write(person, draft)
        except RefereeError as error:
            return self._shown({}, {person.key: (draft, error.message)}, 422)
        return self._back(person.key)

    def _turn(self, form: Mapping[str, str]) -> Response:
        self._tryout.turn(TURNS.get(form.get("by", ""), 0))
        return self._back("clock")

    def _cheat(self, form: Mapping[str, str]) -> Response:
        name, cheat = form.get("game", ""), CHEATS.get(form.get("cheat", ""))
        if cheat is not None and name in self._games():
            desk = self._tryout.office.desk
            letters = [one.raw for person in PEOPLE for one in self._tryout.letters(person) if not one.own]
            nothing = f"{cheat.says}: there is nothing in this game yet to do that with."
            self._verdict = judged(cheat, desk.table(name), desk.log(name), letters) or nothing
        return self._back("host", name)

    def _back(self, place: str, game: str | None = None) -> Response:
        return RedirectResponse(f"{self._site.path('try', game=game)}#{place}", 303)

    def _page(self, request: Request) -> Response:
        with self._tryout.office.desk.reading():
            return self._shown(request.query_params)

    def _shown(
        self, query: Mapping[str, str], drafts: Mapping[str, tuple[Draft, str]] | None = None, status: int = 200
    ) -> Response:
        asked, known = _Asked(query), self._games()
        kept = {name: query.get(name) for name in (*(person.key for person in PEOPLE), "game")}
        name = query.get("game") if query.get("game") in known else next(iter(known), None)
        boxes = [self._box(person, asked, (drafts or {}).get(person.key)) for person in PEOPLE]
        page = markup_in(
            _HERE / "templates",
            self._site,
            "tryout.html.jinja",
            boxes=boxes,
            desk=ADDRESS,
            begins=[[*begins(person)] for person in PEOPLE],
            games=known,
            game=self._game(name) if name else None,
            time=moment_text(self._tryout.now()),
            turns=TURNS,
            cheats=CHEATS,
            verdict=self._verdict,
            token=self._token,
            link=lambda **more: self._site.path("try", **{**kept, **more}),
        )
        return Response(page, status, {"content-security-policy": _POLICY, "cache-control": "no-store"}, HTML)

    def _box(self, person: Person, asked: _Asked, tried: tuple[Draft, str] | None) -> Box:
        letters = self._tryout.letters(person)
        letter = asked.letter(person, letters)
        draft, fault = tried or (asked.draft(person, letter), "")
        return Box(person, letters, letter, draft, fault)

    def _games(self) -> list[str]:
        """The games, the last changed first."""
        return [one.game for one in self._tryout.office.desk.catalogue.standings()]

    def _game(self, name: str) -> Mapping[str, object]:
        desk = self._tryout.office.desk
        table = desk.table(name)
        state = table.state
        seen = shown_ply(state)
        return {
            "shown": exhibit(state, self._tryout.now(), names_in(self._site, table)),
            "alt": alt_text(seen.position, None, seen.events, outcome=seen.outcome) if seen else "",
            "log": [(entry, kind_of(entry.event), _deed(state, entry)) for entry in reversed(desk.log(name))],
        }

    def _found(self, request: Request) -> tuple[Person, Letter]:
        person, number = _person(request.path_params["box"]), request.path_params["number"]
        for letter in self._tryout.letters(person):
            if letter.number == number:
                return person, letter
        raise MissingPageError("There is no such letter.")

    def _letter(self, request: Request) -> Response:
        person, letter = self._found(request)
        headers = {"content-security-policy": _LETTER_POLICY, "cache-control": "no-store"}
        return Response(page_for(letter, person), headers=headers, media_type=HTML)

    def _file(self, request: Request) -> Response:
        _, letter = self._found(request)
        number = request.path_params["file"]
        if number >= len(letter.files):
            raise MissingPageError("This letter has no such file.")
        file = letter.files[number]
        # A file of a letter is saved, and never opened as a page of this site.
        headers = {"content-disposition": "attachment", "content-security-policy": "sandbox"}
        return Response(file.content, headers=headers, media_type="application/octet-stream")


def begins(person: Person) -> Iterator[str]:
    """Lines of letters by which a person can begin a game: with the other one, and with engines."""
    (other,) = (one for one in PEOPLE if one is not person)
    yield from (f"new {game.name} with {other.address}" for game in games() if len(game.sides) == len(PEOPLE))
    yield from (str(EngineWish(game.name, _LEVEL, "", ())) for game in games() if game.engine)


def _deed(state: State, entry: Entry) -> str:
    """An entry of a log in a few words: who did what."""
    side = acting_side(entry.event)
    match entry.event:
        case events.Played(moves=moves):
            return "; ".join(f"{state.players[one]} {move}" for one, move in moves.items())
        case events.Submitted(commitment=digest) | events.Sealed(commitment=digest):
            return f"{state.players[side]}, as {digest[:8]}…"
        case events.Closed(how=how, winner=winner):
            return f"{how}; {state.players.get(winner, winner)} won" if winner is not None else how
        case events.Reminded(hours=hours):
            return f"{state.players[side]}, {hours} h left"
        case _:
            return state.players.get(side, "")


def _person(key: str) -> Person:
    for person in PEOPLE:
        if person.key == key:
            return person
    raise MissingPageError("There is no such mailbox.")


def _one_line(text: str) -> str:
    return " ".join(text.split())


@cache
def _style() -> bytes:
    return (_HERE / "static" / "tryout.css").read_bytes()
