"""Moves that players submit on the pages: from the request to the answer and the stored receipt."""

from __future__ import annotations

import asyncio
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from email import message_from_bytes, policy
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from bench.figures import Figure
from bench.pages import HOST, served
from referee.desk import Terms, seat_token
from referee.game import GameFile
from referee.mail.browsers.browsers import Browsers
from referee.mail.host.host import open_game
from referee.mail.letters.render import render
from referee.mail.office import Office, create_office, now, office_in

GAMES = ("boundary", "laser-chess")
GAME = "spring-7"
PLIES = 40
LONGEST = 150
"""Milliseconds within which people feel that something answers at once, and some for the network."""

PLAYER = "player@players.example"


def figures() -> Iterator[Figure]:
    """The median of a game's moves by a paired browser; each answer comes with the receipt in the outbox."""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            create_office(Path(folder), "desk@example.org", "desk.sqlite")
            with office_in(Path(folder)) as office:
                taken = median(asyncio.run(_times(office, game)))
        yield Figure(f"a move submitted, {game}", f"{taken:.0f} ms", f"{LONGEST} ms", taken / LONGEST, "<= 1.0")


async def _times(office: Office, game: str) -> list[float]:
    """Milliseconds of each move."""
    file, chance = GameFile(game), random.Random(1)
    addresses = dict.fromkeys(file.description.sides, PLAYER)
    open_game(office, GAME, file, now(), terms=Terms(days=5), addresses=addresses)
    async with served(office.desk, Browsers(office)) as port:
        cookie, times = await asyncio.to_thread(_paired, office, port), list[float]()
        while len(times) < PLIES and (state := office.desk.state(GAME)).owing:
            side = sorted(state.owing)[0]
            move = str(chance.choice([*state.position.legal_moves(side)]))
            said = {"key": _key(office, side), "line": move}
            before = time.perf_counter()
            await asyncio.to_thread(_post, port, "move", said, cookie, len(times))
            times.append(1000 * (time.perf_counter() - before))
            assert any("This was made on the page of the game" in text and move in text for text in _sent(office))
    return times


def _key(office: Office, side: str) -> str:
    state = office.desk.state(GAME)
    return seat_token(office.desk.key, state, side)


def _paired(office: Office, port: int) -> str:
    """The cookie of a browser that may move for both seats: one player has them."""
    key = _key(office, sorted(office.desk.state(GAME).owing)[0])
    cookie = _post(port, "code", {"key": key}, "", 0)
    found = [code for text in _sent(office) for code in re.findall(r"Code: (\d{4} \d{4})", text)]
    _post(port, "pair", {"key": key, "code": found[0]}, cookie, 0)
    return cookie


def _post(port: int, name: str, said: Mapping[str, str], cookie: str, client: int) -> str:
    """Send a form of a page; return the cookie of the answer. Each client has an allowance of its own."""
    connection = HTTPConnection(HOST, port)
    headers = {
        "Origin": f"http://{HOST}:{port}",
        "Content-Type": "application/json",
        "Cookie": cookie,
        "X-Forwarded-For": f"192.0.2.{client}",
    }
    connection.request("POST", f"/g/{GAME}/{name}", json.dumps(said), headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == 200, body
    return answer.getheader("Set-Cookie", "").partition(";")[0]


def _sent(office: Office) -> Iterator[str]:
    """The texts of the letters in the outbox, which is emptied."""
    for letter in office.desk.outbox.take(now(), 100):
        office.desk.outbox.sent([letter], now())
        message = message_from_bytes(render(office, letter), policy=policy.default)
        body = message.get_body(("plain",))
        yield str(body.get_content()) if body else ""
