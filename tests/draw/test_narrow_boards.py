"""Boards in 45 columns, for a telephone or half a terminal: nothing is wider, and nothing is left out."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import referee
from referee.draw import drawing
from referee.draw.scenes.ink import Run, boxed, folded, placed, plain_lines
from referee.draw.text import NARROW_WIDTH, REPORT_WIDTH, low_board, report_lines, report_text, text_board
from referee.errors import RefereeError
from referee.game import GameFile, Ply, zeroth_ply
from tests.draw.test_beams_text import SIZES, some_game
from tests.oracles.text_board import read_narrow_board
from tests.support.examples import sampled
from tests.support.playthroughs import examples
from tests.support.rows import each
from tests.support.strategies import facts_of

EXAMPLES = [
    pytest.param(file, id=f"{game}/{file.stem}", marks=[pytest.mark.slow] if number else [])
    for game in referee.GAMES
    for number, file in enumerate(sorted(examples(game), key=lambda file: file.stat().st_size))
]
"""Every example; the shortest of each game is quick."""
VIEWS = ("south", "north")


def narrow(game: GameFile, ply: Ply, view: str, *, unicode: bool = False) -> str:
    return report_text(game, ply, view=view, unicode=unicode, width=NARROW_WIDTH)


@pytest.mark.parametrize("unicode", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["ascii", "unicode"])
@pytest.mark.parametrize("file", EXAMPLES)
def test_a_narrow_report_is_45_columns_wide_at_most(file: Path, unicode: bool) -> None:
    game = referee.read(file)
    for ply in (zeroth_ply(game), *game.replay()):
        for view in game.description.sides:
            lines = narrow(game, ply, view, unicode=unicode).split("\n")
            assert [line for line in lines if len(line) > NARROW_WIDTH or line != line.rstrip()] == []
            assert unicode or all(line.isascii() for line in lines)


@pytest.mark.parametrize("name", referee.GAMES)
def test_a_board_alone_is_the_board_of_the_report(name: str) -> None:
    game = referee.read(examples(name)[0])
    *_, ply = game.replay()
    for view in game.description.sides:
        for width in (NARROW_WIDTH, REPORT_WIDTH):
            board = "\n".join(text_board(ply.position, view, ply.events, width=width))
            assert f"\n\n{board}\n\n" in report_text(game, ply, view=view, width=width)
    assert ply.position.text() == "\n".join(text_board(ply.position))
    with pytest.raises(RefereeError, match="unknown-side"):
        text_board(ply.position, "west")


@each(examples("beams"), every=3)
def test_a_low_board_of_beams_has_every_piece_at_any_width(file: Path) -> None:
    for ply in referee.read(file).plies:
        pieces = Counter(piece["piece"] for piece in facts_of(ply.position)["pieces"])
        for view, width in product(VIEWS, (50, 60, 70, REPORT_WIDTH)):
            board = "\n".join(low_board(ply.position, view, ply.events, width=width)).upper()
            assert not [name for name, count in pieces.items() if board.count(name) < count]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("columns", "rows"), sampled(SIZES, 8))
def test_a_board_of_beams_is_whole_in_45_columns_or_in_parts(columns: int, rows: int, view: str) -> None:
    game = some_game(columns, rows, plies=2)
    *_, last = game.replay()
    text = narrow(game, last, view)
    assert max(map(len, text.split("\n"))) <= NARROW_WIDTH
    assert text.count("'s rear boundary") == 2 * -(-columns // 15)
    assert all(narrow(game, last, view, unicode=True).count(side) >= 2 for side in VIEWS)


@pytest.mark.parametrize("view", sampled(VIEWS, 2))
def test_every_piece_is_on_a_narrow_board_of_beams(view: str) -> None:
    game = some_game(15, 13, plies=30, seed=5)
    *_, last = game.replay()
    seen = read_narrow_board(narrow(game, last, view), view, 15)
    facts = facts_of(last.position)
    assert seen == {(one["side"], one["cell"]): (one["piece"], one["clock"]) for one in facts["pieces"]}


@pytest.mark.parametrize("game", ["boundary", "laser-chess", "the-beam"])
def test_a_narrow_board_shows_what_the_wide_one_shows(game: str) -> None:
    """The same signs in the same order; where a square has two marks, the narrow board has the first."""
    file = referee.read(examples(game)[0])
    for ply in [*file.replay()][::4]:
        for view in file.description.sides[:2]:
            boards = [
                plain_lines(
                    drawing(game).board_lines(  # type: ignore[attr-defined]
                        ply.position, view=view, unicode=False, events=ply.events, width=width
                    )
                )
                for width in (REPORT_WIDTH, NARROW_WIDTH)
            ]
            wide, small = ([words(line) for line in squares(board)] for board in boards)
            assert small == wide


def squares(board: list[str]) -> list[str]:
    """The lines of a board with squares or their names, without the legend."""
    end = len(board) - board[::-1].index("")
    return [line for line in board[:end] if re.match(r" *[a-z1-8][ >*]", line)]


def words(line: str) -> list[str]:
    """The words of a line of a board, each with one mark at most."""
    return [re.sub(r"^>\*", ">", word) for word in re.sub(r"(?<![ >*])(?=[>*])", " ", line).split()]


def test_the_width_of_a_game_without_a_narrow_form_is_kept_by_parts() -> None:
    wide = ["tree" + "".join(f"{tree:>5}" for tree in range(1, 13)), "nuts" + "    3" * 12]
    assert max(map(len, wide)) == 64
    parts = folded(wide, NARROW_WIDTH)
    assert max(map(len, parts)) <= NARROW_WIDTH
    assert "".join(parts[0::3]).split() == wide[0].split()
    assert folded(["x" * 100], 45) == ["x" * 45, "", "x" * 45, "", "x" * 10]


@pytest.mark.parametrize("file", [examples(game)[0] for game in referee.GAMES], ids=referee.GAMES)
def test_every_paint_is_one_of_the_scene(file: Path) -> None:
    game = referee.read(file)
    side = game.description.sides[0]
    paints = drawing(game.game).scene(game.start(), view=side).paints
    used = {
        run.paint
        for width in (REPORT_WIDTH, NARROW_WIDTH)
        for ply in game.replay()
        for line in report_lines(game, ply, view=side, unicode=False, width=width)
        for run in line
    }
    assert used - {""} <= set(paints)
    assert len(used) > 2


def test_a_square_keeps_the_place_of_its_mark() -> None:
    star, arrow, text = Run("*"), Run(">"), Run("Mnw")
    lines = [boxed(marks, (text,), 4, narrow=True) for marks in ((), (star,), (arrow, star))]
    assert plain_lines(lines) == [" Mnw", "*Mnw", ">Mnw"]
    assert plain_lines([boxed((arrow, star), (text,), 7, narrow=False)]) == [" >*Mnw"]
    assert plain_lines([placed([(6, Run("b")), (1, Run("aa"))])]) == [" aa   b"]
