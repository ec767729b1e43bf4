"""Files that are replaced: a kill leaves no copy of them, and systems without POSIX can do it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from referee.game.amend.gate import create_private, locked, replace_content

SECRET = b"a seed that only its owner may have"


def killed_at(step: str, work: Callable[[], None]) -> None:
    """Do something in a process that a kill ends at a step."""
    child = os.fork()
    if child == 0:
        with mock.patch(step, side_effect=lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)):
            work()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("step", ["os.fchmod", "os.fsync", "os.link"])
def test_a_kill_leaves_no_secret_in_another_file(tmp_path: Path, step: str) -> None:
    kept = tmp_path / "kept.duel"
    create_private(kept, SECRET)
    killed_at(step, lambda: replace_content(kept, SECRET * 2))
    killed_at(step, lambda: create_private(tmp_path / "new.duel", SECRET))
    assert [*tmp_path.iterdir()] == [kept]
    assert kept.read_bytes() == SECRET


def test_a_new_file_never_has_another_name(tmp_path: Path) -> None:
    killed_at("pathlib.Path.unlink", lambda: create_private(tmp_path / "new.duel", SECRET))
    assert [*tmp_path.iterdir()] == [tmp_path / "new.duel"]


def test_the_next_command_removes_the_file_of_a_killed_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept[1].duel"
    create_private(kept, SECRET)
    killed_at("pathlib.Path.replace", lambda: replace_content(kept, SECRET * 2))
    assert len([*tmp_path.iterdir()]) == 2
    with locked(kept):
        assert [*tmp_path.iterdir()] == [kept]
    assert kept.read_bytes() == SECRET


def test_a_file_system_without_nameless_files_takes_named_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "O_TMPFILE")
    kept = tmp_path / "kept.duel"
    create_private(kept, SECRET)
    replace_content(kept, SECRET * 2)
    assert [(one, one.read_bytes(), one.stat().st_mode & 0o777) for one in tmp_path.iterdir()] == [
        (kept, SECRET * 2, 0o600)
    ]
