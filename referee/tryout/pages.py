"""The page of a try-out: both mailboxes, the game, the clock and the host, with links and forms alone."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import token_urlsafe
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.desk import Entry, State, acting_side, events, kind_of
from referee.draw.words import alt_text
from referee.errors import RefereeError
from referee.rules import games
from referee.tryout.cheats import CHEATS, Exposure, judged
from referee.tryout.desk import ADDRESS, TryOut
from referee.tryout.mailboxes import PEOPLE, Draft, KeptLetter, Person, page_for, reply_to
from referee.web.site.exhibits import exhibit_of, shown_ply
from referee.web.site.gate import FORM_POLICY
from referee.web.site.markup import markup_of, moment_text
from referee.web.site.site import HTML, MissingPageError, Site
from referee.web.site.wishes import EngineWish

_PAGE = Path(__file__).with_name("page")

_POLICY = {"content-security-policy": f"{FORM_POLICY}; frame-src 'self'", "cache-control": "no-store"}
_LETTER_POLICY = {
    "content-security-policy": (
        "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; "
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
    )
}
"""A letter in its frame runs nothing and fetches nothing; its links work."""

_FILE_POLICY = {"content-disposition": "attachment", "content-security-policy": "sandbox"}
"""A file of a letter is saved, and never opened as a page of this site."""

_LONGEST_FORM = 100_000
"""Maximum bytes of a form."""

TURNS = {"an hour": 1, "a day": 24, "a week": 168}
"""The ways to turn the clock, in hours."""

_LEVEL = 2
"""Level of the engines that the page proposes."""


class MailboxView(NamedTuple):
    """A mailbox on the page: its letters, the open one, the draft below it, and lines that begin games."""

    person: Person
    letters: tuple[KeptLetter, ...]
    letter: KeptLetter | None
    draft: Draft
    begins: tuple[str, ...]


class TryPages:
    """The pages of a try-out beside those of its desk's site; `site` has the clock of the try-out."""

    def __init__(self, tryout: TryOut, site: Site) -> None:
        self._tryout, self._site = tryout, site
        self._desk = tryout.office.desk
        self._token = token_urlsafe(16)
        self._verdict: Exposure | None = None

    def routes(self) -> list[Route]:
        """The routes of the pages."""
        acts = {"write": self._write, "turn": self._turn, "cheat": self._cheat}
        reads = {
            "": lambda request: self._shown(request.query_params),
            "/tryout.css": lambda _: Response((_PAGE / "tryout.css").read_bytes(), media_type="text/css"),
            "/{box}/{number:int}": self._letter,
            "/{box}/{number:int}/{file:int}": self._file,
        }
        return [
            *(Route(f"/try/{name}", self._act(work), methods=["POST"]) for name, work in acts.items()),
            *(Route(f"/try{path}", self._read(work)) for path, work in reads.items()),
        ]

    def _read(self, work: Callable[[Request], Response]) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            # A page of another site whose name leads to this machine must not read the token.
            if request.headers.get("host") != urlsplit(self._site.url).netloc:
                return PlainTextResponse("this is not the address of the try-out\n", 421)
            return await asyncio.to_thread(work, request)

        return endpoint

    def _act(self, work: Callable[[Mapping[str, str]], Response]) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            body = b""
            async for part in request.stream():
                body += part
                if len(body) > _LONGEST_FORM:
                    return PlainTextResponse("this is too long\n", 413)
            form = dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
            if not hmac.compare_digest(form.get("token", "").encode(), self._token.encode()):
                return PlainTextResponse("this did not come from the page of the try-out: please reload it\n", 403)
            return await asyncio.to_thread(work, form)

        return endpoint

    def _write(self, form: Mapping[str, str]) -> Response:
        person = _person(form.get("write", ""))
        try:
            self._tryout.write(person, _draft(form))
        except RefereeError as error:
            return self._shown(form, error.message)
        return self._back(person.key)

    def _turn(self, form: Mapping[str, str]) -> Response:
        self._tryout.turn(TURNS.get(form.get("by", ""), 0))
        return self._back("clock")

    def _cheat(self, form: Mapping[str, str]) -> Response:
        name, cheat = form.get("game", ""), form.get("cheat", "")
        if cheat in CHEATS and name in self._games():
            letters = [one.raw for person in PEOPLE for one in self._tryout.letters(person) if not one.own]
            self._verdict = judged(CHEATS[cheat], self._desk.table(name), self._desk.log(name), letters)
        return self._back("host", name)

    def _back(self, place: str, game: str | None = None) -> Response:
        return RedirectResponse(f"{self._site.path('try', game=game)}#{place}", 303)

    def _shown(self, query: Mapping[str, str], fault: str = "") -> Response:
        """The page; the query says which letters and which game are open, and what is being written."""
        kept = {name: query.get(name) for name in (*(person.key for person in PEOPLE), "game")}
        with self._desk.reading():
            known = self._games()
            name = kept["game"] if kept["game"] in known else next(iter(known), None)
            boxes = [self._box(person, query) for person in PEOPLE]
            page = markup_of(
                self._site,
                "tryout.html.jinja",
                folder=_PAGE,
                boxes=boxes,
                hint=_hint(*boxes),
                fault=fault,
                games=known,
                game=None if name is None else self._game(name),
                time=moment_text(self._tryout.now()),
                turns=TURNS,
                cheats=CHEATS,
                verdict=self._verdict,
                token=self._token,
                link=lambda **more: self._site.path("try", **{**kept, **more}),
            )
        return Response(page, 422 if fault else 200, _POLICY, HTML)

    def _box(self, person: Person, query: Mapping[str, str]) -> MailboxView:
        letters, chosen, begins = self._tryout.letters(person), query.get(person.key), tuple(_begins(person))
        wanted = (one for one in letters if (not one.own if chosen is None else str(one.number) == chosen))
        letter = next(wanted, None)
        if query.get("write") == person.key:
            draft = _draft(query)
        elif letter is not None and not letter.own:
            draft = reply_to(letter)
        else:
            draft = Draft(ADDRESS, "A game", begins[0] if person is PEOPLE[0] and not letters else "")
        return MailboxView(person, letters, letter, draft, begins)

    def _games(self) -> list[str]:
        """The games, the last changed first."""
        return [one.game for one in self._desk.catalogue.standings()]

    def _game(self, name: str) -> Mapping[str, object]:
        table = self._desk.table(name)
        seen = shown_ply(table.state)
        return {
            "shown": exhibit_of(self._site, table),
            "alt": alt_text(seen.position, None, seen.events, outcome=seen.outcome) if seen else "",
            "log": [(one, kind_of(one.event), _deed(table.state, one)) for one in reversed(self._desk.log(name))],
        }

    def _letter(self, request: Request) -> Response:
        person, letter = self._found(request)
        return Response(page_for(letter, person), headers=_LETTER_POLICY, media_type=HTML)

    def _file(self, request: Request) -> Response:
        _, letter = self._found(request)
        for file in letter.files[request.path_params["file"] :]:
            return Response(file.content, headers=_FILE_POLICY, media_type="application/octet-stream")
        raise MissingPageError("This letter has no such file.")

    def _found(self, request: Request) -> tuple[Person, KeptLetter]:
        person = _person(request.path_params["box"])
        for letter in self._tryout.letters(person):
            if letter.number == request.path_params["number"]:
                return person, letter
        raise MissingPageError("There is no such letter.")


def _hint(*boxes: MailboxView) -> str:
    """The next step for a newcomer."""
    if not any(box.letters for box in boxes):
        return "Begin with the letter of Ada, which is already written: send it."
    for box in boxes:
        if box.letters and not any(letter.own for letter in box.letters):
            return f"{box.person.name.split()[0]} has a letter. Answer it: “accept”, for example."
    return "Reply with the move that a letter proposes, or follow its link to the board."


def _begins(person: Person) -> Iterator[str]:
    """Lines of letters by which a person can begin a game: with the other one, and with engines."""
    (other,) = (one for one in PEOPLE if one is not person)
    yield from (f"new {game.name} with {other.address}" for game in games() if len(game.sides) == len(PEOPLE))
    yield from (str(EngineWish(game.name, _LEVEL, "", ())) for game in games() if game.engine)


def _deed(state: State, entry: Entry) -> str:
    """The moves or the player of an entry of the log."""
    if isinstance(entry.event, events.Played):
        return "; ".join(f"{state.players[side]} {move}" for side, move in entry.event.moves.items())
    return state.players.get(acting_side(entry.event), "")


def _draft(said: Mapping[str, str]) -> Draft:
    """The draft in a form or a link; a field of a letter is one line."""
    to, subject, answers = (" ".join(said.get(name, "").split()) for name in ("to", "subject", "answers"))
    return Draft(to or ADDRESS, subject, "\n".join(said.get("body", "").splitlines()), answers)


def _person(key: str) -> Person:
    for person in PEOPLE:
        if person.key == key:
            return person
    raise MissingPageError("There is no such mailbox.")
