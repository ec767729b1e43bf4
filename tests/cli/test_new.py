"""`referee new`."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game import loads, read
from tests.support.command_line import referee
from tests.support.rows import each

STANDARD = "options: {mode: asynchronous, columns: 15, rows: 13, pieces: standard, barriers: crossing}\n"


def test_a_new_game_has_every_option_written_out() -> None:
    run = referee("new", "beams")
    assert run == (0, f"game: beams\nrules: 1\n{STANDARD}moves: |\n", "")


def test_every_option_goes_into_the_file() -> None:
    options = ("--mode", "synchronous", "--columns", 9, "--rows", 12, "--pieces", "beginner", "--barriers", "facing")
    header = (
        "--south",
        "Ada Lovelace <ada@example.org>",
        "--north",
        "  no ",
        "--id",
        "2027-03-01",
        "--event",
        "a: b",
    )
    run = referee("new", "beams", *options, "--first", "north", *header, "--date", "2027-03-01")
    assert (run.status, run.err) == (0, "")
    assert run.lines == [
        "game: beams",
        "rules: 1",
        'id: "2027-03-01"',
        "date: 2027-03-01",
        'event: "a: b"',
        "players:",
        "  south: {name: Ada Lovelace, email: ada@example.org}",
        '  north: {name: "no"}',
        "options: {mode: synchronous, columns: 9, rows: 12, pieces: beginner, barriers: facing, first: north}",
        "moves: |",
    ]


def test_beginner_is_one_after_the_other_with_the_beginner_pieces() -> None:
    run = referee("new", "beams", "--beginner")
    assert "options: {mode: synchronous, columns: 15, rows: 13, pieces: beginner, barriers: crossing}" in run.lines


def test_an_option_overrules_a_preset() -> None:
    assert loads(referee("new", "beams", "--beginner", "--pieces", "standard").out).options["pieces"] == "standard"


def test_the_coin_decides_and_the_file_says_so() -> None:
    seen = set()
    for _ in range(40):
        run = referee("new", "beams", "--beginner", "--first", "flip")
        first = loads(run.out).options["first"]
        assert run.lines[0] == f"# first: {first}, decided by a coin flip"
        seen.add(first)
    assert seen == {"south", "north"}


def test_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    assert referee("new", "beams", "-o", path) == (0, "", "")
    assert path.read_text(encoding="utf-8") == referee("new", "beams").out
    assert read(path).rounds == ()


def test_no_file_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text("mine", encoding="utf-8")
    run = referee("new", "beams", "-o", path)
    assert (run.status, run.out) == (2, "")
    assert "already exists, and files are never overwritten" in run.err
    assert path.read_text(encoding="utf-8") == "mine"


@each(
    [
        ((), "Usage"),
        (("chess",), "there is no game 'chess'; the games are: beams"),
        (("beams", "--columns", 14), "columns must be odd"),
        (("beams", "--columns", 7, "--rows", 5), "at least 53 are needed"),
        (("beams", "--columns", 53), "7<=x<=51"),
        (("beams", "--rows", "many"), "not a valid integer"),
        (("beams", "--mode", "turns"), "'asynchronous', 'synchronous'"),
        (("beams", "--first", "north"), "there is no first side"),
        (("beams", "--first", "flip"), "there is no first side"),
        (("beams", "--first", "east"), "'south', 'north', 'flip'"),
        (("beams", "--south", ""), "a player is a name, or 'Name <address>'"),
        (("beams", "--south", "<a@b>"), "a player is a name"),
        (("beams", "--south", "Ada <ada>"), "'ada' is not an e-mail address"),
        (("beams", "--south", "A\x1b[2J"), "one line of text"),
        (("beams", "--south", "\udcff"), "this is not YAML"),
        (("beams", "--id", ""), "one line of text"),
        (("beams", "--event", "a\nb"), "one line of text"),
        (("beams", "--date", "x" * 201), "at most 200 characters"),
        (("beams", "--size", 3), "No such option"),
        (("beams", "more"), "unexpected extra argument"),
        (("beams", "-o", "/nowhere/at/all.yaml"), "cannot be written: no such file or directory"),
        (("beams", "-o", "/"), "already exists"),
    ]
)
def test_a_program_that_cannot_start_is_wrong_usage(row: tuple[tuple[object, ...], str]) -> None:
    arguments, says = row
    run = referee("new", *arguments)
    assert (run.status, run.out) == (2, "")
    assert says in run.err


OLD = """\
game: boundary
id: first
date: 2027-03-01
players:
  south: {name: Ada}
  north: {name: Ben, email: ben@example.org}
options: {first: north}
moves: |
  1. P f1-e2 | P a1-b2
  2. P f1-f3
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.yaml"
    path.write_text(OLD, encoding="utf-8")
    return path


def test_another_game_begins_as_the_first_one_did(old: Path) -> None:
    run = referee("new", "--from", old, "--id", "second")
    header = OLD.replace("id: first\ndate: 2027-03-01", "rules: 1\nid: second").partition("  1.")[0]
    assert run == (0, header, "")


def test_the_players_change_sides(old: Path) -> None:
    game = loads(referee("new", "--from", "-", "--swap", stdin=OLD.encode()).out)
    assert {side: one.name for side, one in game.players.items()} == {"south": "Ben", "north": "Ada"}
    assert game.players["south"].email == "ben@example.org"


def test_the_players_of_a_game_for_more_move_on_one_side() -> None:
    run = referee("new", "--from", "games/the-beam/running.yaml", "--swap")
    assert [one.name for one in loads(run.out).players.values()] == ["Theo", "Mila", "Jonas", "Aylin"]


def test_a_game_can_begin_where_another_one_stood(old: Path) -> None:
    run = referee("new", "--from", old, "--ply", "2", "-o", old.with_name("new.yaml"))
    assert run == (0, "", "")
    *_, stood, _ = read(old).replay()
    assert read(old.with_name("new.yaml")).start() == stood.position
    assert referee("new", "--from", old, "--ply", "0").out == referee("new", "--from", old).out


def test_chance_decides_again_in_another_game() -> None:
    source = "games/the-beam/running.yaml"
    run = referee("new", "--from", source)
    assert run.err.startswith("secret, for the referee alone")
    deals = [loads(run.out).options["deal"], read(source).options["deal"]]
    assert deals[0] != deals[1]
    later = referee("new", "--from", source, "--ply", "3")
    assert (later.err, loads(later.out).options["deal"]) == ("", deals[1])


def test_a_game_can_begin_with_a_position(old: Path) -> None:
    line = referee("report", old, "--format", "position").out.strip()
    run = referee("new", "boundary", "--position", line, "--north", "Ben")
    assert (run.status, loads(run.out).start()) == (0, list(read(old).replay())[-1].position)
    assert referee("new", "boundary", "--position", "nothing").status == 2


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--ply", 4), 1, "no-such-ply: there is no ply 4: the game has 3"),
        (("--ply", -1), 2, "-1 is not in the range"),
        (("boundary",), 2, "--from goes without it"),
        (("-o", "new.json"), 2, "expected .yaml or .yml"),
    ],
)
def test_games_that_cannot_follow_another(old: Path, arguments: tuple[object, ...], status: int, says: str) -> None:
    run = referee("new", "--from", old, *arguments)
    assert (run.status, run.out) == (status, "")
    assert says in run.err


def test_a_game_that_is_over_has_no_sequel() -> None:
    run = referee("new", "--from", "games/the-beam/class-4b.yaml", "--ply", 24)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("game-over: the game is over after ply 24")


def test_new_needs_a_game_or_a_file() -> None:
    run = referee("new", "--swap")
    assert (run.status, run.out) == (2, "")
    assert "name a game, or a file with --from" in run.err


def test_an_option_of_the_command_after_the_name_of_a_game_is_referred_to_its_place() -> None:
    run = referee("new", "beams", "--from", "a.yaml")
    assert (run.status, run.out) == (2, "")
    assert "--from goes without the name of a game: referee new --from a.yaml" in run.err
