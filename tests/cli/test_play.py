"""`referee play`, `match`, `annotate` and `puzzles`: an engine to play with, and its eye on games."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest

import referee as library
from referee.cli.play.kept_game import KeptGame
from referee.desk import commitment
from referee.draw.text import low_report
from referee.engine.practice import Practice
from referee.game import GameFile, dumps, judge, new_game
from referee.rules import game_named
from tests.cli.terminals import on_terminal
from tests.support.command_line import Run, referee

SEALED = re.compile(r"^north has sealed its move for ply \d+:\n  ([0-9a-f]{64})$", re.MULTILINE)
OPENED = re.compile(r"^north had sealed (.+), with the nonce\n  ([0-9a-f]{64})$", re.MULTILINE)


def play(*arguments: object, lines: str) -> Run:
    return referee("play", *arguments, stdin=lines.encode())


def test_the_engine_answers_a_move() -> None:
    run = play("laser-chess", "--against", 1, lines="r j1 l\nquit\n")
    assert run.status == 0, run.err
    assert re.search(r"^red: [MR] ", run.out, re.MULTILINE)
    assert "round 1, after ply 2" in run.out


def test_the_engine_begins_where_a_person_wants_the_second_side() -> None:
    run = play("boundary", "--against", 1, "--side", "north", lines="")
    assert re.search(r"^south: [PS] ", run.out, re.MULTILINE)
    assert "to move       north" in run.out


def test_a_sealed_move_is_opened_after_ones_own_and_is_what_was_sealed() -> None:
    run = play("beams", "--against", 1, lines="P M1 A2 12\n")
    sealed = SEALED.search(run.out)
    opened = OPENED.search(run.out)
    assert sealed is not None
    assert opened is not None
    assert sealed.start() < opened.start()
    assert sealed[1] == commitment("play", 1, "north", "beams 1", opened[1], bytes.fromhex(opened[2]))
    assert all(len(line) <= 80 for line in run.lines)


def test_a_wrong_move_costs_nothing() -> None:
    run = play("laser-chess", "--against", 1, lines="r j9 l\nr j1 l\nquit\n")
    assert "unknown-square" in run.out
    assert "round 1, after ply 2" in run.out


THINKER = """
import json, sys
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    print(json.dumps({"move": legal[0], "value": -len(legal), "line": legal[:1]}), flush=True)
"""


@pytest.mark.parametrize(
    ("game", "words", "move"),
    [
        ("beams", "m1 a2 12", "P M1 A2 12"),
        ("beams", "I put my M1 on A2 facing 12", "P M1 A2 12"),
        ("laser-chess", "d1 to d2", "M d1-d2"),
        ("boundary", "a1 to a2", "P a1-a2"),
    ],
)
def test_a_move_in_own_words_is_made_and_told(game: str, words: str, move: str) -> None:
    run = play(game, "--against", 1, lines=f"{words}\nquit\n")
    assert f"read as {move}" in run.lines
    assert "after ply" in run.out


def test_words_with_two_meanings_make_no_move() -> None:
    run = play("beams", "--against", 1, lines="put a double generator on c2 at 12\nquit\n")
    assert "P M2V C2 12" in run.out
    assert "P M2Y C2 12" in run.out
    assert "read as" not in run.out


@pytest.fixture
def thinker(tmp_path: Path) -> str:
    """The command of a program that makes the first legal move, and thinks little of it."""
    (tmp_path / "thinker.py").write_text(THINKER)
    return shlex.join([sys.executable, str(tmp_path / "thinker.py")])


@pytest.mark.slow
def test_a_program_plays_on_in_the_file_it_has_played_in(thinker: str, tmp_path: Path) -> None:
    file, against = tmp_path / "game.yaml", ("--against", f"program:{thinker}")
    begun = play("boundary", *against, "-o", file, lines="P a1-a2\nwhy\nquit\n")
    assert re.search(r"^north: .+ \(-\d+\.0 points\)$|^north: .+ \(-\d+\.00 points\)$", begun.out, re.MULTILINE)
    assert library.read(file).players["north"].name == "a program"
    assert len(library.read(file).rounds) == 1
    play(file, *against, lines="P a2-a3\nquit\n")
    assert len(library.read(file).rounds) == 2
    assert "a program plays in this file" in play(file, lines="").err
    assert "a program plays in this file" in play(file, "--against", 2, lines="").err


@pytest.mark.slow
def test_a_program_that_fails_ends_the_play_and_not_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    failing = f"program:{shlex.quote(sys.executable)} -c 1/0"
    saved = tmp_path / "saved.yaml"
    run = play("boundary", "--against", failing, "-o", file, lines=f"P a1-a2\nP a2-a3\nsave {saved}\nquit\n")
    assert (run.status, "ZeroDivisionError" in run.err) == (1, True)
    assert run.out.count("the program plays no more") == 2
    assert library.read(saved) == replace(library.read(file), file=str(saved))
    assert [str(one.move) for one in library.read(file).rounds[0].moves] == ["P a1-a2"]


@pytest.mark.slow
def test_a_program_comments_a_game(thinker: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: boundary\nmoves: |\n  1. P a1-a2 | P f1-f2\n")
    run = referee("annotate", tmp_path / "game.yaml", "--program", thinker, "-o", "-")
    assert run.status == 0, run.err
    assert len(re.findall(r"\{value [+-]\d+\.\d\d\}", run.out)) == 2


@pytest.mark.slow
def test_one_can_ask_and_take_back() -> None:
    said = "why\nundo\nclaim\nhint\nlegal R j\nsave\nhelp\nr j1 l\nwhy\nundo\nboard\nquit\n"
    run = play("laser-chess", "--against", 1, lines=said)
    lines = run.lines
    for line in (
        "no engine has moved yet",
        "you have made no move yet",
        "there is no repetition to claim",
        "R j1 L",
        "say where: save FILE",
        "undo         take your last move back, and let the engine draw again",
    ):
        assert line in lines, line
    assert any(re.match(r"red: [MR] .* \([+-]\d+\.\d\d points\)$", line) for line in lines)
    assert lines.count("Laser Chess: before the first ply") == 3


def test_a_game_is_kept_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda size: "00" * size)  # with some seeds the game ends by moves
    file = tmp_path / "game.yaml"
    assert play("laser-chess", "--against", 2, "-o", file, lines="r j1 l\nquit\n").status == 0
    first = library.read(file)
    assert (len(first.rounds), first.players["red"].name) == (1, "engine, level 2 (Easy)")
    run = play(file, lines="r j1 r\nresign\n")
    assert "you have resigned" in run.lines
    kept = library.read(file)
    assert kept.rounds[0] == first.rounds[0]
    assert kept.ending is not None
    assert (kept.ending.how, kept.ending.by) == ("resignation", "blue")
    assert not judge(kept).findings


def test_save_keeps_a_game_from_then_on(tmp_path: Path) -> None:
    file = tmp_path / "kept.yaml"
    play("boundary", "--against", 1, lines=f"save {file}\np a1-b1\nsave {file}\n")
    assert len(library.read(file).rounds[0].moves) == 2


def test_in_a_game_for_a_team_engines_play_the_others(tmp_path: Path) -> None:
    file = tmp_path / "team.yaml"
    run = play("the-beam", "--against", 1, "--side", "p3", "-o", file, lines="quit\n")
    assert run.status == 0, run.err
    game = library.read(file)
    assert sorted(game.players) == ["p1", "p2", "p4"]


def test_every_reader_can_check_a_seal() -> None:
    run = play("beams", "--against", 1, lines="P M1 A2 12\n")
    sealed, opened = SEALED.search(run.out), OPENED.search(run.out)
    assert sealed is not None
    assert opened is not None
    move, nonce = opened.groups()
    again = referee("seal", "play", 1, "north", move, "--rules", "beams 1", "--nonce", nonce)
    assert again.lines[0] == f"seal {sealed[1]}"
    lines = ["referee seal 1", "play", "1", "north", "beams 1", move, nonce]
    shell = subprocess.run(["sha256sum"], input="".join(f"{one}\n" for one in lines), capture_output=True, text=True)
    assert shell.stdout.split()[0] == sealed[1]


@pytest.mark.slow
def test_after_an_undo_the_engine_draws_and_seals_another_move() -> None:
    said = "P M1 A2 12\nundo\n" * 4
    run = play("beams", "--against", 1, lines=said)
    sealed = [match[1] for match in SEALED.finditer(run.out)]
    opened = [match.groups() for match in OPENED.finditer(run.out)]
    first = [match[1] for match in SEALED.finditer(run.out) if "for ply 1:" in match[0]]
    assert len(opened) == 4
    assert len({*sealed}) == len(sealed)
    assert len({move for move, _ in opened}) > 1
    for promise, (move, nonce) in zip(first, opened, strict=False):
        assert promise == commitment("play", 1, "north", "beams 1", move, bytes.fromhex(nonce))


@pytest.mark.slow
def test_a_seal_is_kept_until_a_move_is_made() -> None:
    run = play("beams", "--against", 1, lines="P M1 A3 12\nhint\nboard\nP M1 A2 12\n")
    assert run.out.count("for ply 1:") == 1


def test_what_an_engine_expected_is_of_the_move_that_it_made(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    run = play("laser-chess", "--against", 1, "-o", file, lines="r j1 l\nundo\nr j1 l\nwhy\n")
    (*_, made) = re.findall(r"^red: ([MR] \S+(?: [LR])?)$", run.out, re.MULTILINE)
    (why,) = re.findall(r"^red: (.+) \([+-]\d+\.\d\d points\)$", run.out, re.MULTILINE)
    assert why.split(", ")[0] == made
    run = play(file, lines="why\n")
    assert "what it expected is not in the file: ask after its next move" in run.lines


def test_each_ply_before_the_one_on_the_board_is_reported() -> None:
    run = play("laser-chess", "--against", 1, lines="r j1 l\n")
    told, _, _ = run.out.rpartition("round 1, after ply 2")
    assert "  - blue's laser on j1 was turned" in told.splitlines()


def test_a_file_goes_on_and_back_with_the_game_and_keeps_what_people_wrote(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    play("laser-chess", "--against", 1, "-o", file, lines="r j1 l\n")
    text = "# for the archive\n" + file.read_text(encoding="utf-8").replace("R j1 L", "R j1 L !? {mine}")
    file.write_text(text, encoding="utf-8")
    play(file, lines="m c1-c2\nundo\n")
    assert file.read_text(encoding="utf-8") == text
    play(file, lines="resign\n")
    assert "end: {how: resignation, by: blue}" in file.read_text(encoding="utf-8")
    play(file, lines="m c1-c2\nundo\nm c1-c2\nquit\n")
    assert file.read_text(encoding="utf-8").startswith("# for the archive\ngame: laser-chess\n")
    assert "R j1 L !? {mine}" in file.read_text(encoding="utf-8")
    kept = library.read(file)
    assert (len(kept.rounds), kept.ending) == (2, None)


def test_a_file_that_another_program_changes_stays_as_it_is(tmp_path: Path) -> None:
    file, game = tmp_path / "game.yaml", new_game("boundary", {})
    practice = Practice.begun(game, "south", 1, "any")
    kept = KeptGame.created(file, practice.game)
    file.write_text(file.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    before = file.read_bytes()
    later = practice.moved({"south": practice.position.parse("south", "P a1-a2")}, {})
    with pytest.raises(click.ClickException, match="has been changed meanwhile, and stays as it is"):
        kept.follow(practice.game, later.game)
    assert file.read_bytes() == before


def test_a_game_whose_file_is_lost_goes_on_and_can_be_saved_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, other = tmp_path / "game.yaml", tmp_path / "other.yaml"
    follow = KeptGame.follow

    def lose(kept: KeptGame, before: GameFile, after: GameFile) -> None:
        kept.path.unlink(missing_ok=True)
        follow(kept, before, after)

    monkeypatch.setattr(KeptGame, "follow", lose)
    run = play("boundary", "--against", 1, "-o", file, lines=f"p a1-a2\nsave {other}\nquit\n")
    assert run.status == 0
    assert "from now on the game is not kept: save FILE keeps it elsewhere" in run.lines
    assert len(library.read(other).rounds[0].moves) == 2


@pytest.mark.slow
def test_at_a_terminal_a_line_can_be_dropped_and_completed_and_no_game_is_lost_by_mistake() -> None:
    command = [sys.executable, "-m", "referee", "play", "boundary", "--against", "1"]
    keys = [
        ("south> ", "nonsense"),
        ("nonsense", "\x03"),
        ("Ctrl-D or quit leaves\r\nsouth> ", "p a1-a\t\r"),
        ("to move       south\r\n", "quit\r"),
        ("the game is not saved: save FILE keeps it, and quit leaves without it\r\nsouth> ", "\x04"),
    ]
    shown = on_terminal(command, keys)
    assert shown.status == 0
    assert "Traceback" not in shown.text
    assert max(map(len, shown.text.splitlines())) <= 80


def test_a_finished_game_is_shown_and_its_end_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.yaml"
    file.write_bytes(Path("games/laser-chess/puzzle.yaml").read_bytes())
    new = tmp_path / "new.yaml"
    run = play(file, "--against", 1, "-o", new, lines="m g3-g2\nhint\nlegal\nresign\nclaim\nundo\n")
    assert run.lines.count("the game is over: undo takes your last move back, and quit leaves") == 5
    assert file.read_bytes() == Path("games/laser-chess/puzzle.yaml").read_bytes()
    assert library.read(new).ending is None


def test_a_game_of_others_is_not_changed_and_goes_on_elsewhere(tmp_path: Path) -> None:
    file, new = Path("games/beams/resignation.yaml"), tmp_path / "new.yaml"
    before = file.read_bytes()
    run = play(file, "--against", 1, "--side", "north", "-o", new, lines="quit\n")
    assert run.status == 0, run.err
    assert file.read_bytes() == before
    kept = library.read(new)
    assert {side: player.name for side, player in kept.players.items()} == {"south": "engine, level 1 (Beginner)"}
    assert (kept.id, kept.date, kept.ending) == (None, None, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--against", 4], "in this FILE the engine has level 1: leave --against out"),
        (["--side", "red"], "in this FILE you play blue: leave --side out"),
        (["-o", "other.yaml"], "this FILE is a game against an engine, and is kept up to date: leave -o out"),
        (["--option", "setup=ace"], "a FILE has its own options: leave --option out"),
    ],
)
def test_a_kept_game_goes_on_as_it_is(tmp_path: Path, arguments: list[object], said: str) -> None:
    file = tmp_path / "game.yaml"
    play("laser-chess", "--against", 1, "-o", file, lines="quit\n")
    run = play(file, *arguments, lines="")
    assert (run.status, run.lines) == (2, [])
    assert said in run.err


def test_no_file_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("mine", encoding="utf-8")
    assert play("boundary", "-o", file, lines="").status == 2
    names = file, "~nobody-of-this-name/game.yaml", "a\0b", "board.svg", tmp_path / "no" / "where"
    run = play("boundary", "--against", 1, lines="".join(f"save {name}\n" for name in names))
    assert f"{file} already exists, and files are never overwritten" in run.lines
    assert "no file can be called ~nobody-of-this-name/game.yaml" in run.lines
    assert sum("no file can be called" in line for line in run.lines) == 2
    assert "board.svg: no format has the suffix .svg; expected .yaml or .yml" in run.lines
    assert run.lines[-1].endswith("cannot be written: no such file or directory")
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["laser-chess", "--side", "green"], "--side must be one of blue, red, not green"),
        (["laser-chess", "--against", "9"], "there is no level '9'"),
        (["nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_games_that_cannot_be_played_are_refused(arguments: list[str], said: str) -> None:
    run = play(*arguments, lines="")
    assert run.status == 2
    assert said in run.err


def test_a_match_prints_the_score_with_its_interval() -> None:
    run = referee("match", "1", "chance", "--game", "laser-chess", "-n", 2, "-j", 1, "--plies", 200)
    assert run.lines[:2] == ["2 games: 1 won 2, chance won 0, drawn 0", "share of 1: 1.000 (0.342 to 1.000)"]


@pytest.mark.slow
def test_a_match_of_a_team_prints_points() -> None:
    run = referee("match", "1", "chance", "--game", "the-beam", "-n", 2, "-j", 1)
    assert run.lines[0].startswith("2 games; points of 1: ")
    assert run.lines[1] == "plies a game: 24"


def test_a_match_of_equals_tells_them_apart() -> None:
    run = referee("match", "chance", "chance", "--game", "laser-chess", "-n", 1, "-j", 1, "--plies", 2)
    assert run.lines[0] == "1 game: chance (FIRST) won 0, chance (SECOND) won 0, drawn 1"


def test_unknown_input_is_referred_to_help() -> None:
    run = play("laser-chess", "--against", 1, lines="what\nR j1\nundo 2\nquit now\nquit\n")
    assert run.lines.count("help lists what you can type") == 2, "at the beginning, and where nothing is a move"
    assert "nothing follows undo: type it alone" in run.lines
    assert "nothing follows quit: type it alone" in run.lines


@pytest.mark.slow
def test_an_annotated_game_has_values_as_a_curve_and_stays_the_same_game(tmp_path: Path) -> None:
    file, noted, page = Path("games/laser-chess/curiosity.yaml"), tmp_path / "noted.yaml", tmp_path / "noted.html"
    assert referee("annotate", file, "--level", 1, "-o", noted).status == 0
    text = noted.read_text(encoding="utf-8")
    assert "{value +0.00}" in text
    assert "{value won}" in text
    assert [ply.moves for ply in library.read(noted).replay()] == [ply.moves for ply in library.read(file).replay()]
    assert referee("record", noted, "-o", page).status == 0
    assert '<h2 id="value">Value by ply</h2>' in page.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
def test_an_annotated_game_is_annotated_alike(tmp_path: Path, level: int) -> None:
    noted = tmp_path / "noted.yaml"
    assert referee("annotate", "games/laser-chess/curiosity.yaml", "--level", level, "-o", noted).status == 0
    assert referee("annotate", noted, "--level", level).out == noted.read_text(encoding="utf-8")


@pytest.mark.slow
def test_puzzles_are_found_with_their_solutions(tmp_path: Path) -> None:
    folder, sheet = tmp_path / "puzzles", tmp_path / "sheet.pdf"
    run = referee("puzzles", "games/laser-chess/puzzle.yaml", "-o", folder, "--sheet", sheet, "-j", 1)
    assert run.status == 0, run.err
    found: list[GameFile] = [library.read(one) for one in sorted(folder.glob("*.yaml"))] if folder.exists() else []
    assert run.lines[0].startswith(f"{len(found)} puzzle")
    for one in found:
        (comment,) = one.trailing_comments
        start = one.start()
        (side,) = start.to_move
        assert start.parse(side, comment.removeprefix("solution: ")) in start.legal_moves(side)
        assert library.loads(dumps(one)) == one
    assert sheet.exists() == bool(found)


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (None, 2, "left out because something is wrong with them: 1 game (unreadable 1)"),
        ("hello: world", 1, "left out because something is wrong with them: 1 game ("),
        ("game: boundary\nmoves: |\n  1. P a1-a6\n", 1, "left out because something is wrong with them: 1 game ("),
        ("game: the-beam\nmoves: |\n", 0, "no puzzles in games for a team: 1 game"),
    ],
)
def test_games_without_puzzles_are_counted(tmp_path: Path, content: str | None, status: int, said: str) -> None:
    file, folder = tmp_path / "game.yaml", tmp_path / "puzzles"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    run = referee("puzzles", file, "-o", folder, "-j", 1)
    assert (run.status, run.lines, folder.exists()) == (status, ["0 puzzles, so nothing is written"], False)
    assert said in run.err


@pytest.mark.slow
def test_puzzles_need_a_folder_and_no_sheet(tmp_path: Path) -> None:
    file, folder = tmp_path / "game.yaml", tmp_path / "puzzles"
    file.write_bytes(Path("games/laser-chess/puzzle.yaml").read_bytes())
    assert f"{file} is a file: name a new folder for the puzzles" in referee("puzzles", file, "-o", file).err
    shown = on_terminal([sys.executable, "-m", "referee", "puzzles", str(file), "-o", str(folder), "-j", "1"])
    assert (shown.status, [one.name for one in folder.iterdir()]) == (0, ["puzzle-1.yaml"])


@pytest.mark.slow
def test_a_position_of_two_games_is_one_puzzle(tmp_path: Path) -> None:
    games, folder = tmp_path / "games", tmp_path / "puzzles"
    games.mkdir()
    for name in ("one.yaml", "two.yaml"):
        (games / name).write_bytes(Path("games/laser-chess/puzzle.yaml").read_bytes())
    assert referee("puzzles", games, "-o", folder, "-j", 1).lines == [f"1 puzzle in {folder}"]
    again = referee("puzzles", games, "-o", folder, "-j", 1)
    assert (again.status, again.lines) == (2, [])
    assert "has puzzles already: name another folder" in again.err


def test_rules_are_one_word_away_with_examples_that_are_legal_now() -> None:
    run = play("beams", "--against", 1, "--option", "pieces=beginner", lines="rules\n")
    for line in ("The aim", "A turn", "The end", "How a move is written"):
        assert line in run.lines
    assert re.search(r"For example: P S [A-M]\d", " ".join(run.out.split()))
    assert "M3" not in run.out[run.out.index("The aim") :]
    assert run.lines[-1] == "Beams, Boosters and Barriers is a game by Keith Wiley."


FIRST_MOVES = {"beams": "P M1 A2 12", "boundary": "P a1-a2", "laser-chess": "R j1 L", "the-beam": ""}
OWN = {"beams": "south", "boundary": "south", "laser-chess": "blue", "the-beam": "p1"}


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(FIRST_MOVES))
def test_on_a_terminal_of_24_lines_the_board_the_changes_and_the_prompt_are_in_sight(game: str) -> None:
    prompt = f"{OWN[game]}> "
    move = FIRST_MOVES[game]
    keys = [*([(prompt, f"{move}\r")] if move else []), (prompt, "\x04"), (prompt, "\x04")]
    shown = on_terminal([sys.executable, "-m", "referee", "play", game, "--against", "1"], keys)
    lines = shown.text.splitlines()
    last = max(
        place for place, line in enumerate(lines) if line.startswith(prompt) and line.strip() == prompt.strip()
    )
    warned = "the game is not saved" in lines[last - 1]
    end = last - 2 if warned else last
    screen = lines[max(0, end - 23) : end + 1]
    title = game_named(game).title
    assert any(line.startswith(f"{title}: ") for line in screen)
    assert any(line.startswith(("last ply", "last plies")) for line in screen)
    assert any(line.startswith("score") for line in screen)
    assert max(map(len, screen)) <= 80


def test_a_low_report_leaves_out_the_legend_first_and_cuts_the_changes_last() -> None:
    game = library.read("games/beams/opening.yaml")
    plies = list(game.replay())[-1:]
    tall, low = (low_report(game, plies, view="south", unicode=False, width=78, height=height) for height in (60, 23))
    assert any("a piece, then its clock" in line for line in tall)
    assert len(low) == 23
    assert low[-1].endswith(" ...")
    assert [line for line in low if line.startswith("EF")] != []
    assert max(map(len, low)) <= 78


@pytest.mark.slow
def test_the_tab_key_completes_moves_word_by_word_and_shows_what_can_come_next() -> None:
    command = [sys.executable, "-m", "referee", "play", "boundary", "--against", "easy"]
    keys = [("south> ", "s c3-e\t"), ("S c3-e1 ", "p a1-\t"), ("S c3-e1 P a1-c3", "\x15ru\t\x15quit\r")]
    shown = on_terminal(command, keys).text
    assert "S c3-e1 P a1-c1" in shown
    assert "rules" in shown


@pytest.mark.parametrize(("command", "status"), [("sh -c 'exit 3'", 1), ("no-such-program", 1)])
def test_a_match_with_a_program_that_never_starts_fails(command: str, status: int) -> None:
    run = referee("match", "1", f"program:{command}", "--game", "boundary", "-n", 2, "-j", 1)
    assert run.status == status
    assert "program: " in run.err
