"""Names of files: those in a folder, their form on a terminal, and the replacement of their files."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.archives.files.compression import writer
from referee.archives.files.files import expand
from referee.terminal import visible


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "link.yaml").symlink_to("pipe.yaml")
    (tmp_path / "real.yaml").touch()
    (tmp_path / "to-real.yaml").symlink_to("real.yaml")
    assert [Path(name).name for name in expand([str(tmp_path)])] == ["real.yaml", "to-real.yaml"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a b-é.yaml", "a b-é.yaml"), ("a\x1b[2J\n", "a\\x1b[2J\\n"), ("\udcff\u202e", "\\udcff\\u202e")],
)
def test_a_name_is_shown_on_one_line(name: str, expected: str) -> None:
    assert visible(name) == expected


def test_a_link_leads_to_what_is_replaced(tmp_path: Path) -> None:
    link, real = tmp_path / "link.jsonl", tmp_path / "real.jsonl"
    link.symlink_to(real.name)
    for content in (b"1\n", b"2\n"):
        with writer(str(link)) as file:
            file.write(content)
        assert (link.is_symlink(), real.read_bytes()) == (True, content)


@pytest.mark.slow
def test_folders_may_be_nested_deeper_than_python_calls(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*["d"] * 200)
    deepest.mkdir(parents=True)
    (deepest / "game.yaml").touch()
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        found = list(expand([str(tmp_path)]))
    finally:
        sys.setrecursionlimit(usual)
    assert found == [str(deepest / "game.yaml")]


def test_a_folder_that_cannot_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> Any:  # noqa: ANN401 - what os.scandir gives
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return opened(folder)

    (tmp_path / "closed").mkdir()
    (tmp_path / "game.yaml").touch()
    opened = os.scandir
    monkeypatch.setattr(os, "scandir", refused)
    left: list[tuple[str, str]] = []
    assert [Path(one).name for one in expand([str(tmp_path)], leave=lambda *one: left.append(one))] == ["game.yaml"]
    assert left == [(str(tmp_path / "closed"), "the folder cannot be read: permission denied")]
