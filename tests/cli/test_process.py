"""The command as a process: its start, its outputs, and its end."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from referee import __version__
from referee.cli import TOP_COMMANDS
from referee.cli.desk import DESK_COMMANDS
from referee.cli.edit import edit_command
from referee.cli.game import game_group
from referee.cli.keys import own_key
from referee.cli.play.duel import duel_group
from tests.support.command_line import process, referee
from tests.support.examples import sampled
from tests.support.rows import each

COMMANDS = (
    *((), ("new", "beams")),
    *((name,) for name in TOP_COMMANDS),
    *(("desk", name) for name in DESK_COMMANDS),
    *(("key", name) for name in own_key.commands),
    *(("duel", name) for name in duel_group.commands),
    *(("game", name) for name in game_group.commands),
)


@pytest.mark.slow
@each(COMMANDS, name=" ".join, every=3)
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    for option in ("-h", "--help"):
        run = referee(*command, option)
        assert (run.status, run.err) == (0, "")
        assert run.lines[0].startswith(" ".join(("Usage: referee", *command, "[OPTIONS]")))
        assert all(len(line) <= 100 for line in run.lines)


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ((), TOP_COMMANDS),
        (("desk",), DESK_COMMANDS),
        (("key",), own_key.commands),
        (("duel",), duel_group.commands),
        (("game",), game_group.commands),
        (("edit", "game.yaml"), edit_command.commands),
    ],
    ids=["referee", "desk", "key", "duel", "game", "edit"],
)
def test_the_help_lists_every_command_with_the_first_sentence_of_its_own(
    group: tuple[str, ...], names: Collection[str]
) -> None:
    lines = " ".join(referee(*group, "--help").out.split())
    for name in names:
        own = " ".join(referee(*group, name, "--help").out.partition("\n\n")[2].split())
        assert f" {name} {own.partition('. ')[0]}." in lines


def test_the_version() -> None:
    assert referee("--version").out == f"referee, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("--nonsense",), ("check",), ("report",), ("move",), ("legal",)]
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    run = referee(*arguments)
    assert (run.status, run.out) == (2, "")
    assert "Usage: referee" in run.err


@pytest.mark.slow
def test_it_runs_as_a_module(at_once: Path) -> None:
    assert process("check", at_once) == referee("check", at_once)


@pytest.mark.slow
def test_no_standard_input(at_once: Path) -> None:
    run = process("check", "-", at_once, shell="<&-")
    assert (run.status, run.err) == (2, "")
    assert run.lines[0] == "-:1:1: unreadable: there is no standard input"
    assert run.lines[1].startswith(f"{at_once}: ok")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["report", "check", "legal"])
def test_output_that_cannot_be_written(at_once: Path, command: str) -> None:
    run = process(command, at_once, shell=">/dev/full")
    assert (run.status, run.err) == (2, "the output cannot be written: no space left on device\n")


@pytest.mark.slow
def test_a_reader_that_has_enough_gets_no_traceback(at_once: Path) -> None:
    run = process("legal", at_once, shell="| head -1")
    assert (run.out, run.err) == ("south P M1 A6 12\n", "")


WITHOUT_LETTERS = (("report", "--unicode"), ("check",), ("report", "--format", "json"))


@pytest.fixture
def yamada(tmp_path: Path) -> Path:
    """A game with a player whose name not every terminal can show."""
    path = tmp_path / "game.yaml"
    path.write_text('game: beams\nplayers: {south: {name: "\u5c71\u7530"}}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("arguments", WITHOUT_LETTERS, ids=" ".join)
def test_an_output_may_lack_letters(yamada: Path, arguments: tuple[str, ...], encoding: str) -> None:
    run = referee(*arguments, yamada, encoding=encoding)
    assert (run.status, run.err) == (0, "")
    assert run.out


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
@pytest.mark.parametrize("arguments", WITHOUT_LETTERS, ids=" ".join)
def test_a_terminal_may_lack_letters(yamada: Path, arguments: tuple[str, ...], encoding: str) -> None:
    run = process(*arguments, yamada, shell="| cat -v", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (run.status, run.err) == (0, "")
    assert run.out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs file names that are no text")
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_file_name_that_is_no_text(tmp_path: Path, form: str) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.yaml"
    Path(os.fsdecode(path)).write_text("game: beams\n", encoding="utf-8")
    run = process("check", "--format", form, os.fsdecode(path), PYTHONIOENCODING="utf-8:strict")
    assert (run.status, run.err) == (0, "")
    assert "\\udcff.yaml" in run.out


MADE = (
    ("record", "--format", "txt"),
    ("report", "--format", "svg"),
    ("check",),
)
"""Commands that read a file and write into another."""


@pytest.mark.parametrize("command", sampled([(one,) for one in MADE], 3), ids=" ".join)
def test_output_goes_into_a_pipe_and_along_a_link(at_once: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    pipe, link, real = (tmp_path / name for name in ("pipe", "link", "real"))
    os.mkfifo(pipe)
    link.symlink_to(real)
    with ThreadPoolExecutor() as reader:
        content = reader.submit(pipe.read_bytes)
        assert referee(*command, at_once, "-o", pipe) == (0, "", "")
    assert pipe.is_fifo()
    for _ in range(2):
        assert referee(*command, at_once, "-o", link) == (0, "", "")
        assert link.is_symlink()
        assert real.read_bytes() == content.result()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


@pytest.mark.parametrize("command", MADE, ids=" ".join)
def test_a_game_is_not_written_over_by_what_is_made_of_it(
    at_once: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    game, link = tmp_path / "a.yaml", tmp_path / "link"
    game.write_bytes(at_once.read_bytes())
    link.symlink_to(game)
    run = referee(*command, game, "-o", link)
    assert (run.status, run.out) == (2, "")
    assert "is also read" in run.err
    assert game.read_bytes() == at_once.read_bytes()
