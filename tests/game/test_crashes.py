"""A file that several processes write, and processes that die while they write."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import FileError
from referee.game import read
from referee.game.amend.edit import add_ply
from referee.game.file.judge import judge
from tests.support.examples import sampled

GAME = "game: beams\nmoves: |\n"
ROOT = Path(__file__).parents[2]

# All of them can be made in any order: no generator touches another one.
BARRIERS = ["P S A2", "P S C2", "P S E2", "P S G2", "P R1 I2 2", "P R1 K2 4", "P R1 M2 6", "P R2V A4 8"]
GENERATORS = ["P M1 A8 12", "P M1 E8 2", "P M1 I8 4", "P M2V M8 6", "P M2Y A12 8", "P M3 E12 10", "P R3 M12 2"]


def both(move: str) -> dict[str, str]:
    return {"south": move, "north": move}


def worker(file: Path, go: Path, moves: list[str], *more: str) -> subprocess.Popen[str]:
    """A process that is ready to add a ply for each of the moves, both sides making the same."""
    plies = json.dumps([both(move) for move in moves])
    command = [sys.executable, "-m", "tests.game.append_worker", str(file), str(go), plies, *more]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.slow
@pytest.mark.parametrize("round_", sampled(range(3), 3))
def test_of_two_processes_at_the_same_time_nothing_is_lost(tmp_path: Path, round_: int) -> None:
    file, go = tmp_path / "game.yaml", tmp_path / "go"
    file.write_text(GAME, encoding="utf-8")
    lists = (BARRIERS, GENERATORS)
    processes = [worker(file, go, moves) for moves in lists]
    go.touch()
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    game = read(file)
    assert judge(game).findings == ()
    made = [str(one.moves[0].move) for one in game.rounds]
    for moves in lists:
        assert [move for move in made if move in moves] == moves
    assert len(made) == len(BARRIERS + GENERATORS)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [1, pytest.param(8, marks=pytest.mark.slow)])
def test_a_process_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path, kills: int) -> None:
    file, go = tmp_path / "game.yaml", tmp_path / "go"
    go.touch()
    chance = random.Random(2)
    for _ in range(kills):
        file.write_text(GAME, encoding="utf-8")
        process = worker(file, go, BARRIERS, "--forever")
        while file.read_text(encoding="utf-8") == GAME:
            assert process.poll() is None
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        _, errors = process.communicate(timeout=60)
        assert errors == ""
        game = read(file)
        made = [str(one.moves[0].move) for one in game.rounds]
        assert (judge(game).findings, made) == ((), BARRIERS[: len(made)])
        add_ply(file, both(GENERATORS[0]))
        assert judge(read(file)).plies == len(made) + 1


def _dies(*_: object, **__: object) -> None:
    os._exit(9)


def _after(step: Callable[..., Any]) -> Callable[..., None]:
    def wrapped(*arguments: object) -> None:
        step(*arguments)
        os._exit(9)

    return wrapped


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    ("step", "dies", "plies"),
    [
        ("os.fdopen", _dies, 0),
        ("os.fchmod", _dies, 0),
        ("os.fsync", _dies, 0),
        ("os.fsync", _after(os.fsync), 0),
        ("pathlib.Path.replace", _dies, 0),
        ("pathlib.Path.replace", _after(Path.replace), 1),
        ("referee.game.amend.gate.sync_folder", _dies, 1),
    ],
)
def test_a_process_that_dies_at_a_step_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, dies: Callable[..., None], plies: int
) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    child = os.fork()
    if child == 0:
        try:
            monkeypatch.setattr(step, dies)
            add_ply(file, both("P S A2"))
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert judge(read(file)).plies == plies
    add_ply(file, both("P S A4"))
    assert judge(read(file)).plies == plies + 1


@pytest.mark.slow
def test_no_process_gets_in_between_reading_and_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one process is about to write, another one waits, and then adds to the new file."""
    file, go = tmp_path / "game.yaml", tmp_path / "go"
    file.write_text(GAME, encoding="utf-8")
    other = worker(file, go, ["P S A4"])
    fsync = os.fsync

    def slow(descriptor: int) -> None:
        if not go.exists():
            go.touch()
            time.sleep(0.5)
            assert other.poll() is None
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", slow)
    add_ply(file, both("P S A2"))
    _, errors = other.communicate(timeout=60)
    assert (other.returncode, errors) == (0, "")
    assert [str(one.moves[0].move) for one in read(file).rounds] == ["P S A2", "P S A4"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_file_that_may_only_be_read_stays_as_it_is() -> None:
    """Also when root runs the tests, which no permission binds: a child process drops its rights first."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        file = Path(folder) / "game.yaml"
        file.write_text(GAME, encoding="utf-8")
        add_ply(file, both("P S A2"))
        known = file.read_bytes()
        file.chmod(0o444)
        child = os.fork()
        if child == 0:
            try:
                if os.geteuid() == 0:
                    os.setuid(65534)
                add_ply(file, both("P S A4"))
            except FileError as error:
                os._exit(7 if "the file cannot be written: permission denied" in str(error) else 8)
            finally:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert file.read_bytes() == known
        assert list(Path(folder).iterdir()) == [file]
