"""Commands where the system has nothing of POSIX: all but the desk, and programs in matches, go on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.examples import sampled
from tests.support.playthroughs import ROOT

HIDING = """
import os, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "resource", "termios", "tty", "pwd", "grp", "readline"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules.pop(name, None)
for name in ("fchmod", "killpg", "fork", "setsid", "nice", "getuid", "O_TMPFILE"):
    if hasattr(os, name):
        delattr(os, name)
"""
"""A `sitecustomize` that removes everything that Windows lacks."""

COMMANDS = (
    (("check", "opening.yaml"), 0, "ok, 5 plies"),
    (("report", "opening.yaml"), 0, "south 4, north 5"),
    (("record", "opening.yaml", "-o", "record.html"), 0, ""),
    (("new", "beams", "-o", "new.yaml"), 0, ""),
    (("move", "new.yaml", "south", "P S A2", "north", "P S A2"), 0, "round 1, ply 1"),
    (("edit", "new.yaml", "set", "event", "Spring"), 0, "event: Spring"),
    (("import", "notes.txt"), 0, "nothing is unsure"),
    (("play", "boundary"), 0, "help"),
    (("duel", "new", "beams", "-o", "ada.duel"), 0, "duel1"),
    (("page", "--help"), 0, "Usage"),
    (("desk", "init", "club", "--address", "desk@example.org"), 2, "the desk needs a POSIX system"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "together", sampled([(COMMANDS[::10],), (COMMANDS[1:6],), (COMMANDS[6:],)], 3), ids=["a check", "files", "others"]
)
def test_without_posix_all_commands_go_on_but_the_desk(
    together: tuple[tuple[tuple[str, ...], int, str], ...], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDING)
    (tmp_path / "opening.yaml").write_bytes((ROOT / "games/beams/opening.yaml").read_bytes())
    (tmp_path / "notes.txt").write_text("1. P a1-b2, P f1-e2\n")
    paths = os.pathsep.join((str(tmp_path), str(ROOT)))
    for arguments, status, said in together:
        run = subprocess.run(
            [sys.executable, "-m", "referee", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths},
            input="",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert run.returncode == status, (arguments, run.stdout, run.stderr)
        assert said in run.stdout + run.stderr, arguments
        assert "Traceback" not in run.stderr
