"""A program of the host's plays a seat by letter: bound like an engine, and not computed again by the audit."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.desk import LEASE, acts
from referee.engine.program import program_request
from referee.engine.sandbox import UNPROTECTED, sandbox
from referee.game import GameFile, loads
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.checks import Severity
from referee.mail.host.checks.concerns import UNPLAYED, concern_diagnoses, write_to_host
from referee.mail.host.checks.machine import program_diagnoses
from referee.mail.host.engine_room import EngineRoom
from referee.mail.host.host import open_game, order_by_host
from referee.mail.settings import Engines
from tests.oracles.verifier import verify
from tests.support.command_line import referee
from tests.support.engine_rooms import engines_move, threads
from tests.support.friends import ADA, BEN, SETTINGS, Friends, friends

PLAYER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"move": asked["legal"][0]}), flush=True)
"""
BROKEN = {
    "ends": ("raise SystemExit('no book')", "the program has ended, with the status 1: no book"),
    "moves wrongly": (
        """print('{"move": "P a1-a1"}', flush=True); sys.stdin.read()""",
        "the program's move 'P a1-a1' is refused",
    ),
    "answers nonsense": ("print('hello', flush=True); sys.stdin.read()", "the program said 'hello'"),
}


@contextmanager
def club(folder: Path, text: str = PLAYER, more: str = "") -> Iterator[Friends]:
    """Friends around a desk whose host has a program with this text."""
    (folder / "player.py").write_text(f"import sys\n{text}")
    program = json.dumps(f"{sys.executable} {folder / 'player.py'}")
    with friends(folder, f"{SETTINGS}engines: {{program: {program}}}\n{more}") as post:
        yield post


def seated(post: Friends, game: str, *, options: Mapping[str, Any] | None = None) -> str:
    """A game of Ada, on the first side, against the host's program; the program's side."""
    file = GameFile(game, options=options or {})
    first, *others = file.description.sides
    engines = dict.fromkeys(others, 0)
    open_game(post.office, "one", file, post.at, terms=None, addresses={first: ADA}, engines=engines)
    post.collect()
    return first


def move(post: Friends, side: str) -> str:
    return next(map(str, post.state.position.legal_moves(side)))


def think(post: Friends) -> int:
    made = engines_move(post.office, post.at)
    post.collect()
    return made


def audited(post: Friends, *more: str) -> list[str]:
    run = referee("desk", "audit", "one", "--desk", post.office.folder, *more)
    assert run.status == 0
    return run.lines


@pytest.mark.slow
@pytest.mark.parametrize("game", ["laser-chess", "beams"])
def test_a_program_plays_a_game_by_letters_and_no_audit_computes_its_moves_again(game: str, tmp_path: Path) -> None:
    with club(tmp_path, more="dkim: ignore\n") as post:
        side = seated(post, game)
        (other,) = post.state.engine_sides
        assert post.state.players[other] == "The host's program"
        assert f"A program of the host's plays {other}." in post.said(ADA)
        assert "seed" not in post.said(ADA)
        if game == "beams":
            early = move(post, side)
            assert post.answer(ADA, early) == {}, "the letter waits: the program has sealed nothing"
            assert post.state.seals == {}
            post.at += timedelta(minutes=1)
        plies = 0
        while plies < 2:
            if side in post.state.position.to_move and (game != "beams" or post.state.seals):
                post.answer(ADA, move(post, side))
            think(post)
            plies = sum(other in ply for ply in post.state.plies)
        kinds = post.kinds()
        if game == "beams":
            assert kinds[:5] == ["opened", "engaged", "submitted", "submitted", "played"]
            assert post.state.plies[0][side] == early
        post.answer(ADA, "resign")
        assert post.kinds()[-3:] == ["resigned", "closed", "disclosed"]
        assert "recompute" not in post.said(ADA)
        post.holds()
        made = sum(other in ply for ply in post.state.plies)
        lines = audited(post)
        assert f"{other} is a program of the host's" in lines
        (says,) = [line for line in lines if "computed again" in line]
        assert says.endswith("not computed again: only the host's word says what plays there")
        assert int(says.split()[0]) >= made
        assert not [line for line in lines if "follows from the seed" in line]
        assert verify("".join(f"{one.as_line()}\n" for one in post.office.desk.log("one"))) == []
        letters = tmp_path / "letters.mbox"
        assert referee("desk", "letters", "one", "--export", letters, "--desk", post.office.folder).status == 0
        strict = referee("desk", "audit", "one", "--desk", post.office.folder, "--letters", letters, "--strict")
        assert says in strict.lines
        assert not [line for line in strict.lines if line.startswith("entry ") and f", {other} (" in line]


@pytest.mark.slow
def test_a_program_plays_to_the_end_of_a_game(tmp_path: Path) -> None:
    with club(tmp_path) as post:
        side = seated(post, "the-beam")
        while post.state.closed is None:
            think(post)
            if post.state.closed is None:
                post.answer(ADA, move(post, side))
        assert post.kinds()[-3:] == ["disclosed"] * 3
        post.holds()
        assert "p2 is a program of the host's" in audited(post)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["beams", "the-beam"])
def test_a_program_gets_nothing_that_is_sealed(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def heard(*request: Any) -> dict[str, Any]:  # noqa: ANN401 - as the function has it
        asked.append(program_request(*request))
        return asked[-1]

    monkeypatch.setattr("referee.engine.program.program_request", heard)
    with club(tmp_path) as post:
        side = seated(post, game)
        for _ in range(3):
            think(post)
            if side in post.state.position.to_move:
                post.answer(ADA, move(post, side))
            hidden = [part for one in post.office.desk.table("one").secrets.values() for part in (one, one[-64:])]
            assert not [secret for secret in hidden if secret in json.dumps(asked)]
            file = loads(referee("desk", "export", "one", "--desk", post.office.folder).out)
            seen = [{by: str(made) for by, made in ply.moves.items()} for ply in file.replay()]
            assert all(one["history"] == seen[: len(one["history"])] for one in asked), "what everybody knows"
    assert {one["text"] is None for one in asked} == {game == "the-beam"}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that a sandbox shows, which that of pytest need not be."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


@pytest.mark.skipif(not sandbox(), reason="there is no bubblewrap here")
def test_a_program_does_not_see_the_desk(folder: Path) -> None:
    looks = "import os\nraise SystemExit(os.path.isdir(FOLDER) and ' '.join(os.listdir(FOLDER)) or 'nothing there')"
    with club(folder, looks.replace("FOLDER", repr(str(folder / "desk")))) as post:
        assert (post.office.folder / "desk.yaml").exists()
        side = seated(post, "boundary")
        post.answer(ADA, move(post, side))
        (concern,) = concern_diagnoses(post.office, post.at + 2 * UNPLAYED)
        assert concern.says.endswith("status 1: nothing there")
        assert program_diagnoses(post.office.settings)[0].level is Severity.OK


def test_a_desk_without_a_sandbox_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.mail.host.checks.machine.sandbox", tuple)
    with club(tmp_path) as post:
        (said,) = program_diagnoses(post.office.settings)
        assert (said.level, said.says) == (Severity.NOTE, UNPROTECTED)
        assert program_diagnoses(replace(post.office.settings, engines=Engines())) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", BROKEN)
def test_a_program_that_fails_moves_nothing_and_is_asked_again(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text, says = BROKEN[kind]
    with club(tmp_path, text, "host: host@example.org\n") as post:
        side = seated(post, "boundary")
        post.answer(ADA, move(post, side))
        number = post.state.number
        with EngineRoom(1, threads) as room:
            assert room.play(post.office, lambda: post.at) == 0
            assert says in caplog.text
            caplog.clear()
            post.at += 2 * LEASE
            assert room.play(post.office, lambda: post.at) == 0
            assert caplog.text == "", "it rests for a while"
            assert (post.state.number, post.state.standing("north")) == (number, "to-move")
            (concern,) = concern_diagnoses(post.office, post.at)
            assert concern.says.startswith(f"your program makes no move in the game one: {says}")
            assert write_to_host(post.office, post.at) == 1
            post.collect()
            assert says in post.said("host@example.org")
            (tmp_path / "player.py").write_text(PLAYER)
            assert concern_diagnoses(post.office, post.at) == []
            post.at += timedelta(minutes=5)
            assert room.play(post.office, lambda: post.at) == 1
        post.holds()


@pytest.mark.slow
def test_a_person_takes_over_from_a_program_that_has_sealed_nothing(tmp_path: Path) -> None:
    with club(tmp_path, BROKEN["ends"][0]) as post:
        side = seated(post, "beams")
        first = move(post, side)
        post.answer(ADA, first)
        assert think(post) == 0
        assert post.state.seals == {}, "no letter is read before the program has sealed"
        order_by_host(post.office, "one", acts.Replace("north", "Ben", BEN), post.at)
        post.collect()
        post.at += timedelta(minutes=1)
        handle_waiting(post.office, post.at)
        post.collect()
        post.answer(BEN, move(post, "north"))
        assert [*post.state.plies[0]] == ["south", "north"]
        post.holds()
        assert "north was a program of the host's, until a person took its seat, called Ben" in audited(post)


@pytest.mark.parametrize(
    "words", ["with engine:0", "with program", "with a program", "with the host's program", "with engine of level 0"]
)
def test_no_letter_seats_a_program(words: str, tmp_path: Path) -> None:
    with club(tmp_path) as post:
        post.write(ADA, f"new boundary {words}")
        for name in post.games:
            assert 0 not in [one.level for one in post.office.desk.state(name).engines.values()]


def test_a_rematch_seats_no_program(tmp_path: Path) -> None:
    with club(tmp_path) as post:
        seated(post, "boundary")
        post.answer(ADA, "resign")
        post.answer(ADA, "rematch")
        assert "Only the host gives seats to programs" in post.said(ADA)
        assert post.games == ["one"]


@pytest.mark.slow
def test_the_host_seats_a_program_by_the_settings_alone(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    assert referee("desk", "init", folder, "--address", "desk@example.org").status == 0
    command = ("desk", "open", "boundary", "--desk", folder, "--player", f"south=Ada <{ADA}>", "--player")
    assert "program: the settings name no program" in referee(*command, "north=program").err
    assert "level: there is no level '0'" in referee(*command, "north=engine:0").err
    with (folder / "desk.yaml").open("a") as settings:
        settings.write(f"engines: {{program: {sys.executable} {tmp_path / 'player.py'}}}\n")
    (tmp_path / "player.py").write_text(PLAYER)
    assert referee(*command, "north=program", "--option", "first=north").status == 0
    assert "The host's program: to move" in referee("desk", "status", "--desk", folder).out
    assert referee("desk", "tick", "--desk", folder).out == "1 entry\n"
    assert "The host's program: waiting" in referee("desk", "status", "--desk", folder).out
