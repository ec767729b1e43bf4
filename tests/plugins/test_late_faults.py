"""A fault of a game that shows only in its third round stops that game alone, in one sentence, wherever it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.desk.errors import BrokenGameError
from referee.errors import PackageFault
from referee.game import GameFile
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game, tick_games
from referee.mail.office import now, office_in
from referee.mail.transport.receipt import receive
from referee.rules import game_named
from tests.plugins.test_broken import gone, letter, missing, offered
from tests.support.api import client as api
from tests.support.command_line import referee as command
from tests.support.examples import sampled
from tests.support.rows import each
from tests.support.servers import folder_of, free_port, sink
from tests.support.sites import club

LATE = {
    "a ply raises": ("position.py", "        flown = {", "        1 // (2 - self.round)\n        flown = {"),
    "the outcome raises": (
        "position.py",
        "        if self.to_move:\n            return None",
        "        1 // (3 - self.round)\n        if self.to_move:\n            return None",
    ),
    "the facts raise": (
        "position.py",
        '        return {"round"',
        '        assert self.round < 3, "fog"\n        return {"round"',
    ),
    "the moves raise": ("position.py", "        yield Wait()", "        assert self.round < 3\n        yield Wait()"),
    "the judgement raises": (
        "position.py",
        "        if isinstance(move, Wait):",
        "        assert self.round < 3\n        if isinstance(move, Wait):",
    ),
    "the events raise": (
        "position.py",
        "        landed: dict",
        "        assert self.round < 2\n        landed: dict",
    ),
    "the board raises": (
        "drawing.py",
        "    trees, crows = range",
        "    assert position.round < 3\n    trees, crows = range",
    ),
    "the picture raises": ("drawing.py", "    nuts = ", "    assert position.round < 3\n    nuts = "),
}
TEXT = "game: hop\nmoves: |\n  1. F 2 | F 6 | F 10\n  2. F 3 | F 7 | F 11\n  3. F 4 | F 8 | F 12\n"


@contextmanager
def late(folder: Path, shows: str) -> Iterator[None]:
    """A game `hop` that is accepted, and has a fault all the same."""
    file, old, new = LATE[shows]
    with offered(folder, 200 + [*LATE].index(shows), {"file": file, "from": old, "to": new}):
        assert game_named("hop").title == "Three Crows"
        yield


@each(LATE, every=3)
def test_commands_say_it_in_one_sentence(shows: str, tmp_path: Path) -> None:
    folder = tmp_path / shows.replace(" ", "-")
    with late(folder, shows):
        game, out = folder / "hop.yaml", folder / "out"
        game.write_text(TEXT, encoding="utf-8")
        asked = [
            *(command("check", game), command("report", game, "--every"), command("legal", game)),
            *(command("report", game, "-o", f"{out}.{kind}", "--format", kind) for kind in ("html", "svg")),
            *(command("report", game, "--every", "--format", kind) for kind in ("jsonl", "words")),
            *(command("move", game, "amber", "F 5", "jade", "F 9", "violet", "F 1"), command("page", game)),
            *(command("play", game, stdin=b"q\n"), command("check", "--suggest", game)),
        ]
        said = [one.err + one.out for one in asked if "broken-game" in one.err + one.out]
        assert said
        assert all("the game hop cannot be used: " in one for one in said)
        assert not [one for one in asked if "Traceback" in one.err or "internal" in one.out]
        assert command("new", "boundary").status == 0


@each(LATE, every=3)
def test_a_desk_goes_on_with_all_other_games(shows: str, tmp_path: Path) -> None:
    folder = tmp_path / shows.replace(" ", "-")
    folder.mkdir()
    with late(folder / "site", shows), club(folder) as here:
        here.open("hop-1", "hop")
        here.open("b-1", "boundary")
        with suppress(BrokenGameError, PackageFault):
            for _ in here.play("hop-1", 9):
                pass
        shown = [
            here.browser.get(f"/g/hop-1{path}") for path in ("", "/board.svg", "/choices?side=amber", "/game.yaml")
        ]
        assert {one.status_code for one in shown} <= {200, 503}
        assert "restore" not in "".join(one.text for one in shown)
        for _ in here.play("b-1", 2):
            pass
        before = here.desk.state("b-1").number
        here.desk.tick(here.at + timedelta(days=90))
        assert here.desk.state("b-1").number > before
        assert here.browser.get("/g/b-1").status_code == 200
        assert here.browser.get("/").status_code == 200


@pytest.mark.parametrize("broken", sampled([missing, gone], 2), ids=["missing", "broken"])
def test_pages_and_the_api_go_on_without_a_package(broken: Callable[[Path], Any], tmp_path: Path) -> None:
    with club(tmp_path) as here:
        with offered(tmp_path / "before", 300):
            here.open("hop-1", "hop")
            here.open("b-1", "boundary")
        with broken(tmp_path / "meanwhile"):
            for path in ("/g/hop-1", "/g/hop-1/board.svg", "/g/hop-1/game.yaml"):
                said = here.get(path, 503)
                assert "restore" not in said
            for path in ("/", "/games/running", "/g/b-1", "/p/Ada"):
                here.get(path)
            with api() as asking:
                refused = asking.get("/api/v1/legal?game=hop")
                assert refused.json()["code"] in ("unknown-game", "broken-game")
                assert asking.get("/api/v1/legal?game=boundary").status_code == 200
                assert refused.status_code < 500


def test_letters_to_a_game_that_fails_wait_and_those_to_others_are_dealt_with(tmp_path: Path) -> None:
    at, people = now(), {"amber": "ada@example.org", "jade": "ben@example.org", "violet": "cy@example.org"}
    players = {"south": "ada@example.org", "north": "ben@example.org"}
    with sink() as server, late(tmp_path / "site", "a ply raises"):
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        with office_in(folder) as office:
            open_game(office, "hop-1", GameFile("hop"), at, terms=None, addresses=people)
            open_game(office, "b-1", GameFile("boundary"), at, terms=None, addresses=players)
            for trees in ((2, 6, 10), (3, 7, 11), (4, 8, 12)):
                for side, tree in zip(people, trees, strict=True):
                    if "hop-1" in office.desk.catalogue.playable(["hop-1"]):
                        raw = letter(office, "hop-1", side, f"F {tree}")
                        own = raw.replace(b"Message-ID: <", b"Message-ID: <%d." % tree)
                        receive(office, own, at, sender=people[side])
                        handle_waiting(office, at)
            receive(office, letter(office, "b-1", "south", "P a1-b2"), at, sender=people["amber"])
            tick_games(office, at + timedelta(days=1))
            assert len(office.desk.state("b-1").plies) == 1
            assert office.desk.upkeep.counts()["waiting"] == 1
            assert office.desk.upkeep.counts()["aside"] == 0
            with pytest.raises(BrokenGameError, match="ZeroDivisionError"):
                office.desk.state("hop-1")
            status = command("desk", "status", "--desk", folder)
            assert "b-1" in status.out
            assert "Traceback" not in status.err
