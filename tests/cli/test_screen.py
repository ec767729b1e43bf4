"""On a terminal there are colours, a pager and boards of its width; everywhere else the text is plain."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.shell.output import TextOutput, progress
from referee.cli.shell.screen import Screen, terminal_width
from referee.draw.text import NARROW_WIDTH
from referee.terminal import colour_pen, plain_pen
from tests.cli.terminals import Shown, on_terminal
from tests.support.command_line import referee

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
HERE = (sys.executable, "-m", "referee")
WRONG = "game: beams\nmoves: |\n  P S A2 | P S A3\n"


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A game file with a wrong move."""
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, encoding="utf-8")
    return path


def bare(text: str) -> str:
    """A text without its colours."""
    return COLOUR.sub("", text)


# --- Colours ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("color", "environment", "stream", "coloured"),
    [
        ("auto", {}, Terminal(), True),
        ("auto", {}, io.StringIO(), False),
        ("auto", {}, None, False),
        ("auto", {"NO_COLOR": "1"}, Terminal(), False),
        ("auto", {"NO_COLOR": ""}, Terminal(), True),
        ("auto", {"TERM": "dumb"}, Terminal(), False),
        ("always", {"NO_COLOR": "1"}, io.StringIO(), True),
        ("never", {}, Terminal(), False),
    ],
)
def test_there_are_colours_on_a_terminal_unless_they_are_switched_off(
    color: str,
    environment: dict[str, str],
    stream: io.StringIO | None,
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    screen = Screen()
    screen.color = color
    assert screen.pen(stream) is (colour_pen if coloured else plain_pen)


@pytest.mark.parametrize(("term", "bar"), [("xterm", True), ("dumb", False)])
def test_a_terminal_that_cannot_draw_a_line_again_gets_no_bar(
    term: str, bar: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal())
    with progress(2, "reading") as advance:
        advance(1)
    output = TextOutput(None)
    output.put("ok")
    output.flush()
    assert isinstance(sys.stderr, Terminal)
    assert ("\r" in sys.stderr.getvalue() or "reading" in sys.stderr.getvalue()) is bar


@pytest.mark.parametrize(("command", "place"), [("report", "before"), ("check", "behind")])
def test_an_error_has_colours_and_the_same_words(command: str, place: str, wrong: Path) -> None:
    color = ("--color", "always")
    run = referee(*color, command, wrong) if place == "before" else referee(command, wrong, *color)
    plain = referee(command, wrong)
    said, expected = run.out + run.err, plain.out + plain.err
    assert COLOUR.search(expected) is None
    assert bare(said) == expected
    assert "\x1b[1;31munknown-cell\x1b[0m" in said
    assert "\x1b[1;31m^\x1b[0m" in said
    assert "try: \x1b[32mP S A2\x1b[0m" in said


@pytest.mark.parametrize(
    ("example", "seen"),
    [
        ("beams/opening", ["\x1b[34mM3.10", "\x1b[33m"]),
        ("boundary/trees", ["\x1b[32mGLMS", "\x1b[34mBLMS", "\x1b[31mr", "\x1b[33my"]),
        ("laser-chess/curiosity", ["\x1b[34mMnw", "\x1b[31mmne", "\x1b[35m*"]),
        ("the-beam/running", ["\x1b[31mR", "\x1b[32mG", "\x1b[34mB"]),
    ],
)
def test_a_board_has_the_colours_of_its_scene(example: str, seen: list[str]) -> None:
    file = Path("games") / f"{example}.yaml"
    run = referee("report", file, "--color", "always")
    assert [part for part in seen if part not in run.out] == []
    assert bare(run.out) == referee("report", file).out


@pytest.mark.slow
def test_a_repair_has_the_colour_of_a_hint(wrong: Path) -> None:
    run = referee("check", "--repair", wrong, "--color", "always")
    assert "repair: \x1b[32m" in run.out
    assert bare(run.out) == referee("check", "--repair", wrong).out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("diff", "-", "games/beams/opening.yaml"), b"game: chess"),
        (("import", "--game", "beams", "-"), b"P S A2 | P S A3"),
    ],
)
def test_findings_of_other_commands_have_colours(words: tuple[str, ...], text: bytes) -> None:
    run, plain = (referee("--color", color, *words, stdin=text) for color in ("always", "never"))
    assert "\x1b[1;31m" in run.err
    assert bare(run.err) == plain.err


def test_files_have_no_colours(tmp_path: Path, at_once: Path, wrong: Path) -> None:
    board, verdict = tmp_path / "board.txt", tmp_path / "verdict.txt"
    assert referee("--color", "always", "report", at_once, "-o", board).status == 0
    assert referee("--color", "always", "check", wrong, "-o", verdict).status == 1
    assert "\x1b" not in board.read_text(encoding="utf-8") + verdict.read_text(encoding="utf-8")


def test_a_name_of_a_player_colours_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text('game: beams\nplayers: {south: {name: "\\e[31mAda"}}\n', encoding="utf-8")
    run = referee("report", path, "--color", "always")
    assert "\x1b[31mAda" not in run.out + run.err


# --- Width ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "most"), [(45, 45), (60, 60), (78, 78), (200, 78)])
def test_a_width_is_kept(width: int, most: int, at_once: Path) -> None:
    lines = referee("report", at_once, "--width", width, "--every").lines
    assert max(map(len, lines)) <= (most if width <= 78 else 200)


def test_a_width_below_45_is_refused(at_once: Path) -> None:
    run = referee("report", at_once, "--width", 44)
    assert (run.status, run.out) == (2, "")
    assert "x>=45" in run.err


def test_the_terminal_has_the_width_of_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert terminal_width(78) == 78
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert terminal_width(78) == 60
    monkeypatch.setenv("COLUMNS", "200")
    assert terminal_width(78) == 78


# --- A real terminal --------------------------------------------------------------------------------------------


def shown(*arguments: object, columns: int = 80, **environment: str) -> Shown:
    """The output of the command on a terminal."""
    return on_terminal([*HERE, *map(str, arguments)], columns=columns, environment=environment)


@pytest.mark.slow
def test_a_terminal_of_45_columns_has_a_narrow_board_in_colours(at_once: Path) -> None:
    run = shown("report", at_once, "--no-pager", columns=NARROW_WIDTH)
    assert run.status == 0
    assert "\x1b[34mM1\x1b[0m" in run.text
    assert max(len(line) for line in bare(run.text).split("\n")) <= NARROW_WIDTH


@pytest.mark.slow
def test_no_color_is_respected(at_once: Path, wrong: Path) -> None:
    assert shown("report", at_once, PAGER="cat", NO_COLOR="1").text == referee("report", at_once).out
    assert COLOUR.search(shown("check", wrong, NO_COLOR="1").text) is None
    assert COLOUR.search(shown("check", wrong).text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("command", [("report", "--every"), ("legal",), ("report", "--help")])
def test_long_output_goes_through_the_pager(command: tuple[str, ...], at_once: Path, tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho PAGED\ncat\n", encoding="utf-8")
    pager.chmod(0o755)
    words = [*command, *([] if "--help" in command else [at_once])]
    plain = referee(*words).out
    paged = shown(*words, PAGER=str(pager))
    assert bare(paged.text) == f"PAGED\n{plain}"
    assert bare(shown("--no-pager", *words, PAGER=str(pager)).text) == plain
    assert bare(shown(words[0], "--no-pager", *words[1:], PAGER=str(pager)).text) == plain
    assert bare(shown(*words, PAGER="").text) == plain
    assert bare(shown(*words, PAGER="'").text) == plain


@pytest.mark.slow
def test_text_that_fits_on_the_screen_is_shown_at_once(wrong: Path) -> None:
    assert "PAGED" not in shown("legal", wrong, PAGER="echo PAGED").text
    assert "PAGED" not in shown("legal", "--help", PAGER="echo PAGED").text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("less") is None, reason="needs less")
def test_less_shows_colours(at_once: Path) -> None:
    run = on_terminal([*HERE, "report", str(at_once)], keys=[(":", "q")])
    assert run.status == 0
    assert "\x1b[34mM1.12" in run.text


def test_an_error_comes_behind_what_was_paged(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.errors import RefereeError

    def texts() -> Iterator[str]:
        yield "first"
        raise RefereeError("syntax", "no more")

    printed: list[str] = []
    monkeypatch.setenv("PAGER", "less")
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, Terminal())
    monkeypatch.setattr("click.echo", printed.append)
    with pytest.raises(RefereeError, match="no more"):
        Screen().page(texts())
    assert printed == ["first"]
