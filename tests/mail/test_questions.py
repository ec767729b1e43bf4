"""Requests of players to see rules, notation, earlier boards, and boards after hypothetical moves."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from referee import dumps, parse_move, read
from referee.desk import acts
from referee.draw import LowDrawing, drawing
from referee.draw.text import low_board
from referee.game import AnnotatedMove, Round, ply_at
from referee.mail.host.host import order_by_host
from referee.mail.intake.commands import read_commands
from referee.mail.intake.titles import games_in
from referee.mail.letters.format.plain import blocks_text, silent
from referee.mail.letters.lessons import lesson, notation_blocks, rules_blocks
from referee.rules import GAMES, Position, all_games, game_named
from tests.support.command_line import referee
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.examples import sampled
from tests.support.strategies import any_move, random_play, variants

OPTIONS = {"beams": {"columns": 9, "rows": 13}}


def section(post: Correspondence, side: str, body: str, heading: str) -> list[str]:
    """The lines below a heading of the answer to a letter."""
    lines = text(post.write(side, body)[address(side)]).splitlines()
    at = lines.index(heading) + 2
    end = next((number for number in range(at, len(lines)) if lines[number].startswith("-----")), len(lines) + 1)
    return lines[at : end - 2]


def board_of(post: Correspondence, side: str, tried: list[dict[str, str]], ply: int, folder: Path) -> list[str]:
    """The board that `referee report` shows after a ply of a file with the game's moves and these."""
    file = post.state.as_file()
    size, sides = file.description.moves_per_round, file.description.sides
    texts = [one[side] for one in (*post.state.plies, *tried) for side in sides if side in one]
    moves = [AnnotatedMove(parse_move(file.game, move)) for move in texts]
    rounds = tuple(Round(tuple(moves[at : at + size])) for at in range(0, len(moves), size))
    path = folder / "tried.yaml"
    path.write_text(dumps(replace(file, rounds=rounds)), encoding="utf-8")
    run = referee("report", str(path), "--ply", str(ply), "--view", side)
    assert run.status == 0, run
    lines = run.out.splitlines()
    if isinstance(drawing(file.game), LowDrawing):  # such a board is too high for a letter with what is around it
        last = ply_at(read(path), ply)
        return [*low_board(last.position, side, last.events, explained=True), "score 0"]
    return lines[lines.index("") :]


def drawn(lines: list[str]) -> list[str]:
    """The board, without captions that name players, among lines that begin with it and go on with the score."""
    score = next(number for number, line in enumerate(lines) if re.match(r"[Ss]core |\w+ \d+ +h[ao]", line))
    return [line for line in lines[:score] if line and "'s" not in line and "your " not in line]


def move_on(post: Correspondence, plies: int, chance: random.Random) -> None:
    """Play legal moves by letter."""
    for _ in range(plies):
        for side in sorted(post.state.owing):
            post.write(side, str(any_move(post.state.position, side, chance)))


def foreseen(position: Position, plies: int, chance: random.Random) -> list[dict[str, str]]:
    """Legal moves from a position on, up to hidden information."""
    found: list[dict[str, str]] = []
    while len(found) < plies and position.to_move:
        moves = {side: any_move(position, side, chance) for side in position.sides if side in position.to_move}
        found.append({side: str(move) for side, move in moves.items()})
        position = position.play(moves)
    return found


def lines_of(post: Correspondence, tried: list[dict[str, str]], *, numbers: bool) -> list[str]:
    """Moves as lines of a move list that continues the game."""
    size = post.state.description.moves_per_round
    made = sum(map(len, post.state.plies))
    texts = [move for ply in tried for side in post.state.position.sides if (move := ply.get(side))]
    cuts = [0, *range(-made % size or size, len(texts), size), len(texts)]
    lines = [" | ".join(texts[start:end]) for start, end in pairwise(cuts)]
    return [f"{made // size + 1 + n}. {line}" if numbers else line for n, line in enumerate(lines)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(20), 20))
@pytest.mark.parametrize("game", sampled([game for game in GAMES if game_named(game).trials], 3))
def test_a_try_shows_the_board_of_a_file_with_its_moves_and_makes_none(game: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    with corresponding(tmp_path / "desk") as post:
        post.open(game, {"days": 5}, OPTIONS.get(game))
        move_on(post, seed % 4, chance)
        before = post.exported
        tried = foreseen(post.state.position, 1 + seed % 5, chance)
        for side in post.state.position.sides:
            lines = lines_of(post, tried, numbers=bool(seed % 2))
            shown = section(post, side, "try " + "\n".join(lines), "What if")
            assert shown[0].startswith("NOT made")
            ply = len(post.state.plies) + len(tried)
            wanted = board_of(post, side, tried, ply, tmp_path)
            assert drawn(shown[shown.index("") :]) == drawn(wanted)
            post.pass_time(0.5)
        assert post.exported == before
        post.holds()


@pytest.mark.slow
def test_a_try_uses_and_shows_nothing_that_is_sealed(tmp_path: Path) -> None:
    """The answer to the other side does not depend on the sealed move."""
    told = []
    for move in ("P M1 A2 12", "P M3 C4 2"):
        with corresponding(tmp_path / move.replace(" ", "-")) as post:
            post.open("beams")
            post.write("south", move)
            told.append(section(post, "north", "try P S A2 | P M1 A4 12\nP M1 B5 12", "What if"))
            assert post.kinds == ["opened", "submitted"]
    assert told[0] == told[1]
    assert "|     P M1 B5 12" in told[0]
    assert any("north owes a move" in line for line in told[0])


@pytest.mark.slow
def test_a_try_says_whose_moves_it_read(tmp_path: Path) -> None:
    """They are in the order of the sides, or with the writer's first if only that is possible."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        for move, side in (("P M1 A2 12", "south"), ("P M2V B3 12", "north")):
            post.write(side, move)
        lines = "try P S A2 | P S B3"
        shown = " ".join(section(post, "north", lines, "What if"))
        assert "2.  P S B3 | P S A2 " in shown
        assert "I read [P S A2] as your move and [P S B3] as south's move." in shown
        shown = " ".join(section(post, "south", lines, "What if"))
        assert shown.startswith("There is nothing to show: ")
        assert "I read this as your move: |" in shown


def test_a_try_ends_where_cards_are_unknown(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        allocated = str(next(iter(post.state.position.legal_moves("p2"))))
        row = allocated.split()[1][1]
        told = " ".join(section(post, "p4", f"try {allocated} | P / {row},6", "What if"))
        assert "The trial ends here, because what comes next is not known yet." in told
        post.pass_time(1)
        told = " ".join(section(post, "p4", f"try {allocated} | P / {row},6\n2. A M1 B1 | X 1,1", "What if"))
        assert "no player is to move until the referee reveals what comes next. (not-your-turn)" in told


TRIES: Mapping[str, str] = {
    "try 2. P a1-a2 | P f1-f2": "the line is for round 2, and the next move is in round 1. (round)",
    "try P a1-a4": "There is nothing to show: a pyramid of size S goes",
    "try P a1-a2 | P a2-a3": "The trial ends here:",
    "try 1 | 2 | 3": "(syntax)",
    "try {1}": "(missing-move)",
    "try P a1-a2; P f1-f2; board": "| 1. P a1-a2 | P f1-f2 a b",
    "try P a1-a2\nP f1-f2\n\nP a2-a3 | P f2-f3": "| 1. P a1-a2 | P f1-f2 | 2. P a2-a3 | P f2-f3",
    "board 1\nboard 2": "Round 2 has not begun yet: the game is in round 1,",
    "rules": "Boundary is a game by Antoine Richard.",
    "rules of laser chess": "Laser Chess is published by ThinkFun.",
    "notation beam": "- [A Mrow Bcolumn] allocates the numbers",
    "rules chess": "There is no game 'chess'.",
    "games": "Your move for round 1 is due; there is no deadline. desk+spring-7.",
}
"""Letters of south before the first move of Boundary, and parts of the answers."""


@pytest.mark.slow
def test_questions_are_answered_and_nothing_is_made(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        for body, answer in TRIES.items():
            assert answer in " ".join(text(post.write("south", body)[address("south")]).split()), body
            post.pass_time(0.2)
        assert post.kinds == ["opened"]
        last = "\n".join(text(post.write("south", "\n".join(["try P a1-a2"] * 4))[address("south")]).splitlines())
        assert last.count("NOT made: nothing has changed") == 1, "the same line is one question"


def test_where_the_rules_forbid_it_nothing_is_tried(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        shown = section(post, "blue", "try M c1-c2\nM c8-c7", "What if")
        assert " ".join(shown).startswith("In Laser Chess you cannot see")
        assert post.kinds == ["opened"]
        assert "[try]" not in text(post.write("blue", "help")[address("blue")])


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_an_earlier_board_is_that_of_the_report(game: str, tmp_path: Path) -> None:
    """The start, each round, and after the end the last one, which may be incomplete."""
    with corresponding(tmp_path / "desk") as post:
        post.open(game, options=OPTIONS.get(game))
        move_on(post, 3, random.Random(1))
        order_by_host(post.office, GAME, acts.Close(), post.at)
        post.collect()
        side = post.state.position.sides[-1]
        for number in range(post.state.last_round + 1):
            shown = section(post, side, f"board {number}", f"The board after round {number}")
            made, ply = 0, 0
            while ply < 3 and made < number * post.state.description.moves_per_round:
                made += len(post.state.plies[ply])
                ply += 1
            assert drawn(shown) == drawn(board_of(post, side, [], ply, tmp_path))
            post.pass_time(0.2)


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_lesson_is_short_silent_and_its_examples_are_legal(game: str) -> None:
    description = game_named(game)
    for options in ({}, *variants(game)):
        rules = [*blocks_text(rules_blocks(description, options), game)]
        assert 30 <= len(rules) <= 60
        assert [*silent(rules, game)] == rules
        assert not any(line.startswith("|") for line in rules)
    for seed, options in enumerate(variants(game)):
        for ply in [*random_play(game, seed, options, 12)][:: 5 - seed % 3]:
            for side in ply.before.sides:
                lines = [*blocks_text(notation_blocks(description, options, ply.before, side), None)]
                assert len(lines) <= 30
                assert max(map(len, lines)) <= 72
                assert [*silent(lines, game)] == lines
                said = " ".join(" ".join(lines).split()).split("For example: ")[1:]
                mover = side if side in ply.before.to_move else min(ply.before.to_move)
                for move in (one.partition("[")[2].partition("]")[0] for one in said):
                    ply.before.check(mover, parse_move(game, move))
                kinds = {type(move) for move in ply.before.legal_moves(mover)}
                assert len(said) >= len(kinds), "each shape of move that is legal now has its example"


def test_the_notation_names_only_pieces_of_the_game() -> None:
    beams = game_named("beams")
    for pieces, named in (("standard", True), ("beginner", False)):
        options = {"pieces": pieces}
        told = blocks_text(notation_blocks(beams, options, beams.start(options), "south"), None)
        words = " ".join(told).replace(",", " ").split()
        assert ("M3" in words, "R3" in " ".join(words)) == (named, named)
        assert "M2V" in words


@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_first_letter_says_what_the_game_is_and_where_to_read_more(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        more, aim = lesson(post.state)
        assert 60 < len(aim) < 400
        assert "[rules]" in more


def test_games_are_known_by_their_names_and_titles() -> None:
    for name in all_games():
        game = game_named(name)
        for said in (name, game.title, game.title.upper(), name.replace("-", " "), game.title.removeprefix("The ")):
            assert [*games_in(said)] == [name]
    assert games_in("chess") == {}


def test_a_try_is_never_a_move() -> None:
    """Not on the same line and not below it, with any text around it; a move above or after an empty line counts."""
    for body in ("try P M1 A2 12; P S A2", "try P M1 A2 12\nP S A2", "try P M1 A2 12 | P S A2\n2. P S A4\n3. P S A6"):
        reading = read_commands(body, "beams")
        assert [type(said.command) for said in reading.commands] == [acts.Try]
        assert not reading.acting
        assert not reading.failed
    for body in ("P S A2\ntry P M1 A2 12 | P S A2", "try P M1 A2 12 | P S A2\n\nP S A2"):
        assert [str(said.command) for said in read_commands(body, "beams").acting] == ["P S A2"]
