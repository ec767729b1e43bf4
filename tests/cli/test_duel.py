"""`referee duel`: two files, texts between them, and no loss by a mistake."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

import pytest

from referee.duel.armour import unarmoured
from referee.game import judge, loads
from tests.cli.duel_example import example, example_on_page
from tests.support.command_line import Run, referee
from tests.support.duels import STRANGERS, after


@pytest.fixture
def ada(tmp_path: Path) -> Path:
    """The file of a player who has opened a game; the text for the other one is in a file next to it."""
    made = referee("duel", "new", "beams", "--name", "Ada", "-o", tmp_path / "ada.duel")
    (tmp_path / "opening").write_text(made.out, encoding="utf-8")
    return tmp_path / "ada.duel"


@pytest.fixture
def ben(ada: Path) -> Path:
    """The file of the other player."""
    file = ada.with_name("ben.duel")
    joined = referee("duel", "join", ada.with_name("opening"), "--name", "Ben", "-o", file)
    assert (joined.status, "round 1: it is your move" in joined.lines) == (0, True)
    return file


def paste(file: Path, text: str) -> Run:
    return referee("duel", "read", file, stdin=f"Hi,\n{text}\nBye".encode())


def play(file: Path, *lines: str) -> str:
    made = referee("duel", "play", file, *lines)
    assert made.status == 0, made.err
    return made.out


@pytest.mark.slow
def test_a_game_goes_from_hand_to_hand(ada: Path, ben: Path, tmp_path: Path) -> None:
    assert "north 0: [join; seal " in paste(ada, play(ben, "p m1 a2 12:00")).out
    assert "south 1: [P S A2]" in paste(ben, play(ada, "P S A2")).lines
    assert "last: south P S A2; north P M1 A2 12" in referee("duel", "show", ben).lines
    assert "north has offered a draw" in paste(ada, play(ben, "P S C2", "I offer a draw")).lines
    last = play(ada, "accept")
    assert paste(ben, last).lines[-3] == "over: no winner (agreement); south 0, north 1"
    file = tmp_path / "game.yaml"
    assert referee("duel", "export", ben, "-o", file).status == 0
    game = loads(file.read_text(encoding="utf-8"))
    assert (judge(game).findings, game.players["north"].name) == ((), "Ben")
    for player in (ada, ben):
        checked = referee("duel", "check", stdin=referee("duel", "export", player, "--messages").out.encode())
        assert (checked.status, checked.lines[0].partition(": ")[2]) == (
            0,
            "5 messages hold, 1 ply; over: no winner (agreement); south 0, north 1",
        )


def test_both_files_are_private_and_none_is_overwritten(ada: Path, ben: Path) -> None:
    play(ben, "P S A2")
    assert {stat.S_IMODE(file.stat().st_mode) for file in (ada, ben)} == {0o600}
    before = ada.read_bytes()
    for command in (("new", "beams"), ("join", ada.with_name("opening"))):
        again = referee("duel", *command, "-o", ada)
        assert (again.status, again.out, "exists: " in again.err) == (2, "", True)
    assert ada.read_bytes() == before


@pytest.mark.slow
def test_a_refused_edit_leaves_the_file_as_it_was(ada: Path, ben: Path) -> None:
    before = ben.read_bytes()
    for lines, code in (
        (("P M1 A1 12",), "unknown-cell"),
        (("P M1",), "syntax"),
        (("accept",), "no-offer"),
        (("P S A2", "P S A4"), "already-bound"),
        (("claim repetition",), "no-claim"),
    ):
        run = referee("duel", "play", ben, *lines)
        assert (run.status, run.out, f"{code}: " in run.err) == (1, "", True), run
    for text, code in (("hello", "no-message"), ("x" * 70_000, "too-large")):
        run = paste(ben, text)
        assert (run.status, f"{code}: " in run.err) == (1, True), run
    assert ben.read_bytes() == before


def test_a_move_is_hinted_at(ben: Path) -> None:
    assert "try: P M1 " in referee("duel", "play", ben, "P M1 A1 12").err


def test_a_forged_text_is_named_and_the_real_one_is_read_after_it(ada: Path, ben: Path) -> None:
    text = play(ben, "P S A2")
    bad = STRANGERS[2](text, after("beams", 0).chance)
    forged = paste(ada, bad)
    assert (forged.status, "forged: " in forged.lines[0]) == (1, True)
    assert paste(ada, text).status == 0


def test_again_prints_what_was_not_acknowledged_as_text_or_link(ada: Path, ben: Path) -> None:
    assert "nothing-to-say: " in referee("duel", "again", ben).err
    text = play(ben, "P S A2")
    assert referee("duel", "again", ben).out == text
    link = referee("duel", "again", ben, "--link", "https://example.org/referee.html").out
    assert link.startswith("https://example.org/referee.html#duel1")
    assert [one.raw for one in unarmoured(link)] == [one.raw for one in unarmoured(text)]
    paste(ada, link)
    assert (
        referee("duel", "read", ada, stdin=text.encode()).lines[0].endswith("a message came again: nothing changes")
    )


def test_a_coin_decides_an_option(tmp_path: Path) -> None:
    made = referee("duel", "new", "boundary", "--option", "first=flip", "-o", tmp_path / "my.duel")
    assert made.status == 0
    assert '"first":"' in referee("duel", "export", tmp_path / "my.duel", "--messages").out


def test_a_duel_needs_an_extra_that_is_named(ada: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    opening, other = tmp_path / "opening", tmp_path / "ben.duel"
    for command in (
        ("new", "beams", "-o", other),
        ("join", opening, "-o", other),
        ("show", ada),
        ("read", ada, opening),
        ("check", opening),
    ):
        run = referee("duel", *command)
        assert (run.status, run.out) == (1, "")
        assert re.fullmatch(r"missing-extra: .* pip install 'referee\[proof\]'\n", run.err)
    assert not other.exists()


def test_a_file_that_is_none(tmp_path: Path) -> None:
    assert referee("duel", "show", tmp_path / "none").status == 2
    (tmp_path / "some").write_text("game: beams\n", encoding="utf-8")
    assert "duel-file: " in referee("duel", "show", tmp_path / "some").err


def test_the_example_of_the_page_is_whole_and_written_by_us() -> None:
    """`python -m tests.cli.duel_example` rewrites it."""
    assert example_on_page() == example()
    checked = referee("duel", "check", stdin=example_on_page().encode())
    assert (checked.status, "5 messages hold" in checked.out) == (0, True)
    assert referee("duel", "check", stdin=example_on_page()[:-9].encode()).status == 1
