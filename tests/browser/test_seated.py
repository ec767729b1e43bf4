"""Runs the browser's tests on the pages of a desk that takes moves there, and compares its log with one by letter."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from referee.desk import seal_lines
from referee.mail.browsers.browsers import Browsers
from referee.mail.office import now
from referee.web.site import Site
from tests.browser.browser import in_a_browser, run_in_browser
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.sites import served

pytestmark = in_a_browser

PAGES = "https://desk.example.org"
"""The address of the pages in letters."""

SETTINGS = f"pages: {PAGES}\nweb: {{moves: submit}}\n"

Ply = Mapping[str, str]


def deliver_until(post: Correspondence, folder: Path, ended: threading.Event) -> None:
    """Put the desk's letters into a file for each side, as long as the browser works."""
    while not ended.wait(0.2):
        post.at = now()
        for to, message in post.deliver():
            with (folder / f"{to.partition('@')[0]}.txt").open("a", encoding="utf-8") as file:
                file.write(text(message).replace("\r\n", "\n"))


def run_on_pages(
    post: Correspondence, plies: list[Ply], tests: str, folder: Path, *, browser: str = "chromium"
) -> None:
    """Run tests in a browser on the pages of a desk, whose letters are put into a folder."""
    for side in post.state.position.sides:
        letters = "".join(text(one) for one in post.letters[address(side)])
        (folder / f"{side}.txt").write_text(letters.replace("\r\n", "\n"), encoding="utf-8")
    ended = threading.Event()
    going = threading.Thread(target=deliver_until, args=(post, folder, ended))
    with served(lambda url: site(post, url), Browsers(post.office)) as url:
        sides = [*post.state.position.sides]
        said = {"url": url, "pages": PAGES, "game": post.state.game, "sides": sides, "moves": plies}
        (folder / "seated.json").write_text(json.dumps(said), encoding="utf-8")
        going.start()
        try:
            run_in_browser(tests, folder, browser)
        finally:
            ended.set()
            going.join()


def test_players_change_their_minds_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open("beams")
        run_on_pages(post, first_plies(post, 2), "reconsidered.test.js", tmp_path)
        post.holds()


def test_receipts_stay_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open("laser-chess")
        run_on_pages(post, first_plies(post, 2), "receipts.test.js", tmp_path)
        post.holds()


def test_players_are_interrupted_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open("beams")
        plies = first_plies(post, 2)
        run_on_pages(post, plies, "interrupted.test.js", tmp_path)
        assert [*post.state.plies] == plies[:1]
        assert post.kinds == ["opened", "sealed", "sealed", "revealed", "revealed", "played", "sealed", "submitted"]
        post.holds()


def test_players_do_all_else_on_the_board_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", f"{SETTINGS}open: players\n", key=KEY) as post:
        post.at = now()
        post.open("laser-chess", {"days": 3})
        plies = first_plies(post, 4)
        run_on_pages(post, plies, "acted.test.js", tmp_path)
        assert [*post.state.plies] == plies
        assert post.kinds == ["opened", "played", "played", "gave", "played", "played", "resigned", "closed"]
        (rematch,) = {*post.office.desk.catalogue.ids()} - {GAME}
        assert post.office.desk.state(rematch).invitation is None
        post.holds()


def test_a_player_claims_the_game_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now() - timedelta(days=9)
        post.open("laser-chess", {"days": 3})
        run_on_pages(post, [], "claimed.test.js", tmp_path)
        assert post.kinds[-2:] == ["claimed", "closed"]
        post.holds()


@pytest.mark.parametrize("game", ["laser-chess", "beams"])
def test_a_game_is_submitted_in_chromium(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open(game)
        plies = first_plies(post, 2)
        run_on_pages(post, plies, "seated.test.js", tmp_path)
        assert [*post.state.plies] == plies
        post.holds()
        by_page, kinds = [entry.event for entry in post.office.desk.log(GAME)], post.kinds
    with corresponding(tmp_path / "letters", key=KEY) as post:
        post.open(game)
        for ply in plies:
            write(post, ply)
        assert post.kinds == kinds
        if game == "laser-chess":
            by_letter = [entry.event for entry in post.office.desk.log(GAME)]
            assert by_page[1:] == by_letter[1:]


def site(post: Correspondence, url: str) -> Site:
    """The pages of the desk."""
    return Site(post.office.desk, url, "The club", mailbox=post.office.settings.address)


def first_plies(post: Correspondence, number: int) -> list[Ply]:
    """The first legal moves of a game."""
    position, plies = post.state.position, list[Ply]()
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


def test_a_player_signs_in_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open("boundary")
        run_on_pages(post, [], "signing.test.js", tmp_path)


@pytest.mark.parametrize("game", ["laser-chess", "beams"])
def test_a_plan_is_played_on_the_board_in_chromium(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open(game)
        run_on_pages(post, [], "plans.test.js", tmp_path)
        made = [move for ply in post.state.plies for move in ply.values()]
        if game == "beams":
            assert made == ["P M1 A2 12", "P S A4", "R A2 L", "P S A2"]
            assert post.kinds.count("followed") == 2
        else:
            assert made == ["M d1-d2", "M g8-g7", "M d2-d3", "M g7-h7"]
            others = [kind for kind in post.kinds if kind != "played"]
            assert others == ["opened", "planned", "followed", "planned", "planned"]
        post.holds()
