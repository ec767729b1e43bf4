"""Plays whole games on the pages of a desk, mixed with letters: the log is the one that letters alone would make."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parseaddr
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.rules import GAMES
from referee.web.site import Site
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.sites import MAILBOX, served
from tests.support.strategies import any_move

pytestmark = in_a_browser

SETTINGS = "pages: https://desk.example.org/\nweb: {moves: compose}\n"
OPTIONS = {"beams": {"pieces": "beginner"}}
MOST = 24
"""Moves after which a player resigns."""

HANDS = ("the mouse", "the keyboard alone", "touch at 360 px")


class Moved(NamedTuple):
    """A move to make: on the page, or by letter."""

    side: str
    text: str
    on_page: bool


@dataclass
class Table:
    """A desk with players, and the way of their letters to it."""

    post: Correspondence

    def write(self, side: str, to: str, subject: str, body: str) -> None:
        """A letter as a mail program would send it."""
        self.post.count += 1
        fields = {
            "From": address(side),
            "To": to,
            "Subject": subject,
            "Message-ID": f"<{self.post.count}@players.example>",
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.post.post(f"{head}\r\n{body}".encode())

    def write_move(self, side: str, move: str) -> None:
        """A move in answer to the last letter that a side got."""
        to = parseaddr(str(self.post.letters[address(side)][-1]["Reply-To"]))[1]
        self.write(side, to, f"[{GAME}]", f"{self.post.state.round}. {move}\r\n")

    def link(self, side: str) -> str:
        """The path of the link in the last letter that a side got."""
        found = re.findall(r"https://desk\.example\.org(/g/\S+#\S+)", text(self.post.letters[address(side)][-1]))
        return str(found[-1])


@contextmanager
def table(game: str, folder: Path) -> Iterator[Table]:
    with corresponding(folder, SETTINGS, key=KEY) as post:
        post.open(game, options=OPTIONS.get(game))
        yield Table(post)


def by_letters(game: str, folder: Path) -> tuple[list[Moved], str]:
    """The moves of a whole game, and its log when all of them come by letter."""
    chance, moves = random.Random(5), list[Moved]()
    with table(game, folder) as here:
        post = here.post
        while post.state.closed is None and len(moves) < MOST:
            for side in sorted(post.state.owing):
                move = str(any_move(post.state.position, side, chance))
                here.write_move(side, move)
                moves.append(Moved(side, move, on_page=len(moves) % 3 != 2))
        end(here)
        return moves, post.exported


def end(here: Table) -> None:
    """Have a player resign, if the game is not over."""
    if here.post.state.closed is None:
        side = here.post.state.position.sides[0]
        here.write_move(side, "resign")


@contextmanager
def letter_box(here: Table) -> Iterator[str]:
    """An address that takes letters for the desk, and gives the links in those to players."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._tell({"link": here.link(self.path.strip("/"))})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if "move" in asked:
                here.write_move(asked["side"], asked["move"])
            else:
                here.write(asked["side"], asked["to"], asked["subject"], asked["body"].replace("\n", "\r\n"))
            self._tell({})

        def _tell(self, told: dict[str, str]) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.slow(minutes=2)
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_on_the_pages_is_the_one_by_letters(game: str, hand: str, tmp_path: Path) -> None:
    moves, log = by_letters(game, tmp_path / "letters")
    with (
        table(game, tmp_path / "desk") as here,
        served(lambda url: Site(here.post.office.desk, url, "The club", lambda: here.post.at, MAILBOX)) as url,
        letter_box(here) as box,
    ):
        told = {"url": url, "box": box, "game": GAME, "hand": hand, "moves": [one._asdict() for one in moves]}
        (tmp_path / "games.json").write_text(json.dumps(told), encoding="utf-8")
        run_in_chromium("games.test.js", tmp_path)
        end(here)
        assert here.post.exported == log
        here.post.holds()
