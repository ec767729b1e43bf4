"""Manual pages, and the output of `referee` alone."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import referee.rules
from referee.cli import TOP_COMMANDS
from referee.cli.desk import DESK_COMMANDS
from referee.cli.edit import edit_command
from referee.cli.game import game_group
from referee.cli.keys import own_key
from referee.cli.play.duel import duel_group
from referee.rules import GAMES
from tests.support.command_line import referee as run

NAMES = {
    "referee",
    *(f"referee-{name}" for name in TOP_COMMANDS),
    *(f"referee-desk-{name}" for name in DESK_COMMANDS),
    *(f"referee-key-{name}" for name in own_key.commands),
    *(f"referee-duel-{name}" for name in duel_group.commands),
    *(f"referee-edit-{name}" for name in edit_command.commands),
    *(f"referee-game-{name}" for name in game_group.commands),
    *(f"referee-new-{game}" for game in GAMES),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text of every page."""
    folder = tmp_path_factory.mktemp("man")
    assert run("man", "-o", folder) == (0, "", "")
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix == ".1"}


def test_every_command_has_a_page(pages: dict[str, str]) -> None:
    assert pages.keys() == NAMES
    for name, text in pages.items():
        assert text.startswith(f".TH {name.upper().replace('-', chr(92) + '-')} 1 ")
        assert re.findall(r"^\.SH (.*)$", text, re.MULTILINE)[:2] == ["NAME", "SYNOPSIS"]
        assert "\b" not in text


def test_a_page_says_what_the_help_says(pages: dict[str, str]) -> None:
    told = " ".join(pages["referee-report"].replace("\\-", "-").split())
    said = run("report", "--help").out
    assert "The position is that after the last ply of FILE" in told
    for option in re.findall(r"^  (--?\w.*?)(?:  |$)", said, re.MULTILINE):
        assert option in told
    assert "referee\\-check\\fR(1)" in pages["referee"]
    assert "referee\\-desk\\-open\\fR(1)" in pages["referee-desk"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_sees_no_fault_in_any_page(pages: dict[str, str]) -> None:
    for text in pages.values():
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww"], input=text, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stderr == ""


def test_a_page_is_printed() -> None:
    assert run("man").out.startswith('.TH REFEREE 1 "" "referee ')
    assert "referee\\-desk\\-open \\- Open a game and invite its players\n" in run("man", "desk", "open").out


def test_pages_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "referee.1").write_text("mine", encoding="utf-8")
    assert run("man", "-o", tmp_path).status == 2
    assert (tmp_path / "referee.1").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("words", [("nonsense",), ("desk", "nonsense"), ("move", "x"), ("move", "-o", "x")])
def test_a_page_that_there_is_not(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("man", *words).status == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_first_steps_work_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    welcome = run()
    assert (welcome.status, welcome.out) == (2, "")
    steps = re.findall(r"^  referee (.*)$", welcome.err, re.MULTILINE)
    assert [shlex.split(step)[0] for step in steps] == ["report", "play", "new", "check"]
    for step in steps:
        assert run(*shlex.split(step)).status == 0
    assert all(game in welcome.err for game in referee.rules.all_games())


def test_the_example_of_the_first_steps_is_named_from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    assert "  referee report games/" in run().err
