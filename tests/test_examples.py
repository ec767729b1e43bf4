"""No game without examples, playthroughs, a page of rules and a board in text."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.draw import drawing
from referee.game import Ply, dumps, to_json
from referee.rules.laser_chess.setups import NAMES
from tests.support.archives import report
from tests.support.playthroughs import KEPT, ROOT, examples, kept, played
from tests.support.rows import each

EXAMPLES = [(game, file) for game in referee.GAMES for file in examples(game)]


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_has_an_example(game: str) -> None:
    assert examples(game)


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_has_a_complete_example(game: str) -> None:
    ends = [list(referee.read(file).replay())[-1].position.outcome for file in examples(game)]
    assert any(ends)


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_has_a_page_of_rules(game: str) -> None:
    assert (ROOT / "docs" / "rules" / f"{game}.md").is_file()


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_has_a_text_board(game: str) -> None:
    assert all(callable(getattr(drawing(game), name)) for name in ("board_lines", "standing", "sentence"))


@each(EXAMPLES, name=lambda row: f"{row[0]}/{row[1].stem}")
def test_an_example_is_a_clean_game_of_its_folder(row: tuple[str, Path]) -> None:
    game, file = row
    assert referee.read(file).game == game
    assert report(file).findings == []


@each(EXAMPLES, name=lambda row: f"{row[0]}/{row[1].stem}")
def test_an_example_written_down_is_the_same_game(row: tuple[str, Path]) -> None:
    _, file = row
    example = referee.read(file)
    assert referee.loads(dumps(example)) == example
    assert referee.loads(to_json(example)) == example


@each(EXAMPLES, name=lambda row: f"{row[0]}/{row[1].stem}")
def test_an_example_is_canonical(row: tuple[str, Path]) -> None:
    game, file = row
    assert dumps(referee.read(file)) == file.read_text(encoding="utf-8"), game


@pytest.mark.parametrize("setup", NAMES)
def test_a_set_up_of_laser_chess_has_a_complete_game(setup: str) -> None:
    ends = [
        last_of(file).outcome for file in examples("laser-chess") if referee.read(file).options.get("setup") == setup
    ]
    assert any(end is not None and end.termination == "king" for end in ends)


def test_the_examples_show_what_each_game_is_about() -> None:
    ends = {game: [last_of(file).outcome for file in examples(game)] for game in referee.GAMES}
    assert any(end is not None and end.termination == "trees" for end in ends["boundary"])
    assert any(end is not None and end.score["team"] >= 12 for end in ends["the-beam"])
    assert any(end is not None and end.termination == "repetition" for end in ends["laser-chess"])


@each(EXAMPLES, name=lambda row: f"{row[0]}/{row[1].stem}")
def test_an_example_plays_through_as_it_is_kept(row: tuple[str, Path]) -> None:
    game, file = row
    golden = kept(game, file)
    assert golden.is_file(), "no playthrough is kept: python -m tests.support.playthroughs writes it"
    assert played(referee.read(file)) == golden.read_text(encoding="utf-8")


@each(EXAMPLES, name=lambda row: f"{row[0]}/{row[1].stem}")
def test_a_playthrough_is_small(row: tuple[str, Path]) -> None:
    game, file = row
    assert kept(game, file).stat().st_size < 8192


def test_every_playthrough_that_is_kept_has_its_example() -> None:
    assert {kept(game, file) for game in referee.GAMES for file in examples(game)} == set(KEPT.glob("*/*.txt"))


def last_of(file: Path) -> Ply:
    """The last ply of an example."""
    *_, last = referee.read(file).replay()
    return last
