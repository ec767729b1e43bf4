"""Runs the browser's tests on the pages of a desk that takes moves there, and compares its log with one by letter."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.desk.seals import seal_lines
from referee.mail.browsers import Browsers
from referee.mail.office import now
from referee.web.clients import Allowances
from referee.web.desk import Door, Site, open_pages
from tests.support.browser import in_a_browser, run_in_chromium
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.servers import free_port

pytestmark = in_a_browser

Ply = Mapping[str, str]


@contextmanager
def served(post: Correspondence, url: str, port: int) -> Iterator[None]:
    """The pages of a desk, on which moves can be submitted."""
    ready, loop, ended = threading.Event(), asyncio.new_event_loop(), asyncio.Event()
    site = Site(post.office.desk, url, "The club", mailbox=post.office.settings.address)

    async def serve() -> None:
        allowances = Allowances(1e9, 1e9)
        async with open_pages(site, Door("127.0.0.1", port), allowances, Browsers(post.office)):
            ready.set()
            await ended.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(20)
        yield
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(20)


def deliver_until(post: Correspondence, folder: Path, ended: threading.Event) -> None:
    """Put what the desk sends into a file for each side, as long as the browser works."""
    while not ended.wait(0.2):
        post.at = now()
        for letter in post.office.store.take(post.at, 1):
            post.office.store.unsent(letter, post.at, "")
            for to, message in post.collect().items():
                side = to.partition("@")[0]
                with (folder / f"{side}.txt").open("a", encoding="utf-8") as file:
                    file.write(text(message).replace("\r\n", "\n"))


@pytest.mark.parametrize("game", ["laser-chess", "beams"])
def test_a_game_is_submitted_in_chromium(game: str, tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with corresponding(tmp_path / "desk", f"pages: {url}\nweb: {{moves: submit}}\n", key=KEY) as post:
        post.at = now()
        post.open(game)
        plies = first_plies(post, 2)
        for side in post.state.position.sides:
            letters = "".join(text(one) for one in post.letters[address(side)])
            (tmp_path / f"{side}.txt").write_text(letters.replace("\r\n", "\n"), encoding="utf-8")
        said = {"url": url, "game": game, "sides": [*post.state.position.sides], "moves": plies}
        (tmp_path / "seated.json").write_text(json.dumps(said), encoding="utf-8")
        ended = threading.Event()
        going = threading.Thread(target=deliver_until, args=(post, tmp_path, ended))
        with served(post, url, port):
            going.start()
            try:
                run_in_chromium("seated.test.js", tmp_path)
            finally:
                ended.set()
                going.join()
        assert [*post.state.plies] == plies
        post.holds()
        by_page, kinds = [entry.event for entry in post.office.store.log(GAME)], post.kinds
    with corresponding(tmp_path / "letters", key=KEY) as post:
        post.open(game)
        for ply in plies:
            write(post, ply)
        assert post.kinds == kinds
        if game == "laser-chess":
            by_letter = [entry.event for entry in post.office.store.log(GAME)]
            assert by_page[1:] == by_letter[1:]


def first_plies(post: Correspondence, number: int) -> list[Ply]:
    """The first legal moves of a game."""
    position, plies = post.state.position, []
    for _ in range(number):
        moves = {side: next(iter(position.legal_moves(side))) for side in sorted(position.to_move)}
        position = position.play(moves)
        plies.append({side: str(move) for side, move in moves.items()})
    return plies


def write(post: Correspondence, ply: Ply) -> None:
    """Send the moves of a ply by letter; those that are made at once are sealed by their players."""
    if len(ply) == 1:
        for side, move in ply.items():
            post.write(side, move)
        return
    reveals = {}
    for side, move in ply.items():
        state = post.state
        seal, reveals[side] = seal_lines(GAME, state.ply, side, state.protocol, move, b"n" * 32, state.past)
        post.write(side, seal)
    for side, line in reveals.items():
        post.write(side, line)
