"""A package that is broken, or gone, stops its own game alone; once it is whole again, everything goes on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import referee.rules
from referee.errors import PackageFault
from referee.game import GameFile
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.checks.concerns import concern_diagnoses
from referee.mail.host.engine_room import EngineRoom, play_on
from referee.mail.host.host import open_game, tick_games
from referee.mail.office import Office, now, office_in
from referee.mail.transport.receipt import receive
from referee.mail.transport.smtp import deliver
from referee.rules import game_named
from tests.plugins.conftest import CROWS, HEX, forget, installed
from tests.support.command_line import referee as command
from tests.support.examples import is_quick, sampled
from tests.support.rows import each
from tests.support.servers import Sink, folder_of, free_port, sink
from tests.support.tables import table

CASES = table(Path(__file__).parent / "broken.yaml")
NOTES = b"1. P a1-b2, P f1-e2\n"


@contextmanager
def offered(folder: Path, number: int, *cases: dict[str, Any]) -> Iterator[None]:
    """A package that offers a game `hop`, broken as cases say: Three Crows, or Hex by `of`."""
    package = f"broken_{number}_{folder.name.replace('-', '_')}"
    is_hex = any(case.get("of") == "hex" for case in cases)
    source, made = HEX / "referee_hex" if is_hex else CROWS / "referee_crows", folder / package
    made.mkdir(parents=True)
    for file in [one for one in source.iterdir() if one.suffix in (".py", ".lark", ".yaml")]:
        text = file.read_text(encoding="utf-8").replace(source.name, package)
        text = text.replace("three-crows", "hop").replace('"hex"', '"hop"')
        mine = [case for case in cases if case["file"] == file.name]
        if any(case.get("gone") for case in mine):
            continue
        for case in mine:
            for old, new in ((case["from"], case["to"]), case.get("and", ("", ""))):
                assert old in text
                text = text.replace(old, new) if old else text
        (made / file.name).write_text(text, encoding="utf-8")
    installed(folder, f"package-{number}", f"hop = {package}:GAME")
    sys.path.insert(0, str(folder))
    forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [one for one in sys.modules if one.startswith(package)]:
            del sys.modules[name]
        forget()


def called(case: dict[str, Any]) -> str:
    return str(case["shows"])


@pytest.mark.slow
@each(CASES, name=called, every=9)
def test_a_broken_game_is_reported_in_one_sentence_and_disturbs_no_other(
    case: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / str(CASES.index(case))
    games, notes, typo = tmp_path / "games.yaml", tmp_path / "notes.txt", tmp_path / "typo.yaml"
    games.write_text("game: boundary\nmoves: |\n  1. P a1-b2 | P f1-e2\n", encoding="utf-8")
    notes.write_bytes(NOTES)
    typo.write_text("game: bondary\n", encoding="utf-8")
    mine = tmp_path / "hop.yaml"
    mine.write_text("game: hop\n", encoding="utf-8")
    with offered(folder, CASES.index(case), case):
        with pytest.raises(PackageFault) as caught:
            game_named("hop")
        said = str(caught.value)
        assert said.startswith("broken-game: ")
        package = f"broken_{CASES.index(case)}_{folder.name}"
        assert re.search(case["says"].replace("PACKAGE", package), said), said
        assert len(said.splitlines()) == 1
        assert [game.name for game in referee.games()] == [*referee.rules.GAMES, "hex", "three-crows"]
        work = [command("check", games), command("import", notes), command("explain", "occupied"), command("explain")]
        work += [command("new", "boundary"), command("--help"), command("new", "--help"), command("legal", games)]
        assert [one.status for one in work] == [0] * len(work), [one.err for one in work]
        assert "did you mean" in command("check", typo).out or "boundary" in command("check", typo).out
        asked = [
            command("new", "hop"),
            command("check", "--game", "hop", notes),
            command("generate", "hop"),
            command("play", "hop"),
            command("match", "1", "2", "--game", "hop", "--number", 1),
            command("report", mine),
            command("move", mine, "south", "P a1-b2"),
            command("record", mine, "-o", tmp_path / "mine.svg"),
        ]
        for one in asked:
            assert one.status in (1, 2)
            assert "Traceback" not in one.err + one.out
            assert caught.value.message in one.err + one.out, one


@pytest.mark.slow
def test_a_code_that_another_game_has_too_is_explained_for_both(tmp_path: Path) -> None:
    file = tmp_path / "refusals.yaml"
    file.write_text("codes: [{code: occupied, says: the tree is taken}]\n", encoding="utf-8")
    case = {
        "file": "__init__.py",
        "from": "moves_per_round=3",
        "to": f"moves_per_round=3, refusals=Path({str(file)!r})",
    }
    with offered(tmp_path / "site", 99, case):
        said = command("explain", "occupied")
        assert (said.status, "the tree is taken" in said.out, "Beams" in said.out) == (0, True, True)


def letter(office: Office, name: str, side: str, move: str) -> bytes:
    table = office.desk.table(name)
    to = office.seat_address(table.state, side)
    head = f"From: {table.address(side)}\r\nTo: {to}\r\nSubject: a move\r\n"
    return f"{head}Message-ID: <{name}.{side}.{move[0]}@players.example>\r\n\r\n{move}\r\n".encode()


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as found:
        yield found


def gone(_folder: Path) -> Any:  # noqa: ANN401 - a context manager
    return offered(_folder, 0, {"file": "__init__.py", "from": "GAME = Game(", "to": "import nonsense\nGAME = Game("})


@contextmanager
def missing(_folder: Path) -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.slow
@pytest.mark.parametrize("broken", sampled([missing, gone], 2), ids=["missing", "broken"])
def test_a_game_without_its_package_waits_and_goes_on(
    broken: Callable[[Path], Any], server: Sink, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
    at, ada = now(), "ada@example.org"
    people = {"amber": ada, "jade": "ben@example.org", "violet": "cy@example.org"}
    with offered(tmp_path / "before", 1), office_in(folder) as office:
        open_game(office, "hop-1", GameFile("hop"), at, terms=None, addresses=people)
        open_game(
            office, "b-1", GameFile("boundary"), at, terms=None, addresses={"south": ada, "north": "ben@example.org"}
        )
        hop, move = letter(office, "hop-1", "amber", "F 2"), letter(office, "b-1", "south", "P a1-b2")
    with broken(tmp_path / "meanwhile"), office_in(folder) as office:
        assert deliver(office, at) == 2, "the first letters of the other game"
        for raw in (hop, move):
            receive(office, raw, at, sender=ada)
        for minutes in range(0, 600, 30 if is_quick() else 2):
            tick_games(office, at + timedelta(minutes=minutes))
        assert len(office.desk.state("b-1").plies) == 1
        assert office.desk.upkeep.counts() == {"waiting": 1, "aside": 0, "to-send": 5, "unsent": 0}
        assert deliver(office, at + timedelta(days=1)) == 2
        with EngineRoom(0) as room:
            play_on(room, office)
        found = [one for one in concern_diagnoses(office, at) if one.about == "packages"]
        assert len(found) == 1
        assert "hop-1" in found[0].says
        for later in range(2, 60, 10 if is_quick() else 1):
            deliver(office, at + timedelta(days=later))
        assert office.desk.upkeep.counts()["unsent"] == 0
        told = [
            command("desk", *one, "--desk", folder) for one in (["status"], ["doctor", "--no-letter"], ["letters"])
        ]
        assert all("b-1" in one.out for one in (told[0], told[2]))
        assert all("the game hop-1 waits: " in one.out and "restore" not in one.out for one in told[:2])
        for name in ("export", "log", "clock"):
            refused = command("desk", name, "hop-1", "--desk", folder)
            assert refused.err.startswith("broken-game: the game hop-1 waits: ")
            assert len(refused.err.splitlines()) == refused.status == 1
        assert "Traceback" not in "".join(one.err for one in told)
    with offered(tmp_path / "after", 2), office_in(folder) as office:
        tick_games(office, at + timedelta(days=60))
        assert office.desk.state("hop-1").seals.keys() == {"amber"}
        assert deliver(office, at + timedelta(days=60)) >= 3
        handle_waiting(office, at)
        assert office.desk.upkeep.counts() == {"waiting": 0, "aside": 0, "to-send": 0, "unsent": 0}
    assert {recipient for _, recipient, raw in server.taken if b"hop-1" in raw} == {*people.values()}
