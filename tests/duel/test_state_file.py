"""The file of a duel: it has everything, it is private, and it is whole whenever the program dies."""

from __future__ import annotations

import json
import random
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.duel.player import Duel, read_paste
from referee.duel.state_file import duel_from, state_text
from referee.duel.status import text_to_send
from referee.errors import FileError
from referee.game.amend.gate import create_private, replace_content
from tests.support.duels import after, cheats, over_channel
from tests.support.rows import each

BROKEN = {
    "no JSON": "{",
    "deep": "[" * 100_000,
    "another file": "{}",
    "a seed that is none": '"seed": "x"',
    "another seat": '"seat": 2',
    "no message": '"messages": []',
    "another seed": f'"seed": "{"00" * 32}"',
    "half of a character": r'"sealed": "\ud800"',
    "half of a character as a name": r'"name": "\ud800"',
    "a name of two lines": r'"name": "two\nlines"',
    "a name that is too long": f'"name": "{"x" * 300}"',
}


def broken(duel: Duel, change: str) -> str:
    """The text of a file with another value of one name, or another text altogether."""
    if not change.startswith('"'):
        return change
    return json.dumps({**json.loads(state_text(duel)), **json.loads(f"{{{change}}}")})


def test_a_duel_is_read_back_as_it_was() -> None:
    both = after("beams", 2)
    reader = both.duels[0]
    for cheat in cheats(both.duels[1], both.chance):
        reader = read_paste(reader, cheat.message.armour).duel
    assert reader.exchange.proofs
    for duel in (*both.duels, reader):
        assert duel_from(state_text(duel), "a file") == duel


@pytest.mark.slow
def test_every_duel_over_a_bad_channel_is_read_back_as_it_was() -> None:
    for duel in over_channel("beams", {}, 3).both.duels:
        assert duel_from(state_text(duel), "a file") == duel


@each(BROKEN)
def test_a_file_that_is_none_is_refused(which: str) -> None:
    with pytest.raises(FileError) as caught:
        duel_from(broken(after("beams", 1).duels[0], BROKEN[which]), "a file")
    assert caught.value.code == "duel-file"


def test_a_new_file_is_private_and_overwrites_nothing(tmp_path: Path) -> None:
    file = tmp_path / "my.duel"
    create_private(file, b"mine")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileError, match="exists"):
        create_private(file, b"yours")
    replace_content(file, b"mine again")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"mine again", 0o600)
    assert [one.name for one in tmp_path.iterdir()] == ["my.duel"]


_DIES = """
import os, sys
from pathlib import Path
step = int(sys.argv[2])
def dies(*names):
    for place, name in names:
        made = getattr(place, name)
        def counted(*arguments, made=made, **named):
            global step
            step -= 1
            if step == 0: os._exit(9)
            done = made(*arguments, **named)
            step -= 1
            if step == 0: os._exit(9)
            return done
        setattr(place, name, counted)
dies((os, "open"), (os, "fchmod"), (os, "fsync"), (Path, "replace"), (os, "link"))
from referee.cli import main
main(["duel", *sys.argv[3:]])
"""


@pytest.mark.slow
def test_a_program_that_dies_at_any_step_has_said_nothing_that_is_not_in_its_file(tmp_path: Path) -> None:
    """Every printed message is in the file, so no two different messages of one number can get out."""
    both = after("boundary", 1)
    duel = next(one for one in both.duels if one.duty)
    file = tmp_path / "my.duel"
    for step in range(1, 40):
        file.unlink(missing_ok=True)
        create_private(file, state_text(duel).encode())
        done = subprocess.run(
            [sys.executable, "-c", _DIES, "-", str(step), "play", str(file), "resign"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        kept = duel_from(file.read_text(encoding="utf-8"), "a file")
        assert kept.exchange.course.settlement is not None or (kept == duel and done.stdout == "")
        if done.stdout:
            assert done.stdout == text_to_send(kept)
        if done.returncode == 0:
            return
    raise AssertionError("the program never got through")


_WRITES = """
import sys
from pathlib import Path
from referee.game.amend.gate import replace_content
file, *states = map(Path, sys.argv[1:])
states = [one.read_bytes() for one in states]
while True:
    for state in states:
        replace_content(file, state)
"""


@pytest.mark.slow
def test_a_program_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    chance, file = random.Random(1), tmp_path / "my.duel"
    states = [state_text(after("beams", rounds).duels[1]).encode() for rounds in (1, 5)]
    for number, state in enumerate(states):
        (tmp_path / f"{number}").write_bytes(state)
    for _ in range(20):
        create_private(file, b"new")
        command = [sys.executable, "-c", _WRITES, str(file), str(tmp_path / "0"), str(tmp_path / "1")]
        program = subprocess.Popen(command)
        while file.read_bytes() == b"new":
            assert program.poll() is None
        time.sleep(chance.uniform(0, 0.05))
        program.kill()
        program.wait()
        assert file.read_bytes() in states
        file.unlink()
