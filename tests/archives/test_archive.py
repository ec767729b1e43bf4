"""An archive is a value that gives its games, with their places, and writes them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import referee
from referee.game import Player
from tests.support.rows import each

GAMES = [referee.new("beams", id="one"), referee.new("boundary", id="two").play("P a1-b2")]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", pytest.param("a.jsonl.zst", marks=pytest.mark.data)])
def test_games_are_written_and_read_back(tmp_path: Path, name: str) -> None:
    archive = referee.archive(tmp_path / name)
    assert archive.write(GAMES) == 2
    for _ in range(2):
        assert [(one.line, one.game, one.verdict.ok) for one in archive] == [
            (number, game, True) for number, game in enumerate(GAMES, 1)
        ]


def test_one_game_is_written_and_those_of_another_archive(tmp_path: Path) -> None:
    first, second = (referee.archive(tmp_path / name) for name in ("a.jsonl", "b.jsonl.gz"))
    assert first.write(referee.new("boundary").play("P a1-b2")) == 1
    assert second.write(first) == 1
    assert [one.game for one in second] == [one.game for one in first]


def test_an_archive_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none.x\.jsonl'$"):
        referee.archive(tmp_path / "none" / "x.jsonl").write([])


@pytest.mark.parametrize("name", ["keep.yaml", "x.jsonl.xz", "x.json", "jsonl", "x.gz"])
def test_only_a_file_with_the_name_of_an_archive_is_written(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("game: boundary\n", encoding="utf-8")
    with pytest.raises(referee.FileError) as refused:
        referee.archive(path).write(GAMES)
    assert (refused.value.file, refused.value.code) == (str(path), "archive")
    assert path.read_text(encoding="utf-8") == "game: boundary\n"


def test_a_wrong_game_has_its_place_and_disturbs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"game": "boundary"}\n\n{"game": "bound"}\n{"game": "boundary", "moves": "1. P a1-a4"}\nno\n')
    first, unknown, illegal, broken = referee.archive(str(path))
    assert first.verdict.ok
    assert [(one.code, one.line) for one in unknown.verdict.findings] == [("unknown-game", 3)]
    with pytest.raises(referee.FileError) as refused:
        _ = unknown.game
    assert (refused.value.file, refused.value.findings[0].line) == (str(path), 3)
    assert illegal.game.game == "boundary"
    assert [one.line for one in illegal.verdict.findings] == [4]
    assert not broken.verdict.ok


def test_an_archive_is_read_as_its_games_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"game": "boundary"}\n' * 50_000)
    assert next(iter(referee.archive(path))).line == 1


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    archive = referee.archive(tmp_path / "a.jsonl")
    archive.write(GAMES)

    def games() -> Iterator[referee.GameFile]:
        yield GAMES[0]
        raise KeyError

    with pytest.raises(KeyError):
        archive.write(games())
    assert [one.game for one in archive] == GAMES
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]


@each(
    [
        (referee.GameFile("chess"), "unknown-game"),
        (replace(GAMES[1], rules=99), "unknown-rules"),
        (replace(GAMES[1], options={"first": "west"}), "option"),
        (replace(GAMES[1], players={"west": Player("Ada")}), "wrong-value"),
        (replace(GAMES[1], id="two\nlines"), "wrong-value"),
    ],
    name=lambda row: row[1],
)
def test_a_game_that_could_not_be_read_back_is_not_written(row: tuple[referee.GameFile, str], tmp_path: Path) -> None:
    game, code = row
    archive = referee.archive(tmp_path / "a.jsonl")
    with pytest.raises(referee.FileError) as refused:
        archive.write([GAMES[0], game])
    assert [(one.code, one.line) for one in refused.value.findings] == [(code, 2)]
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(referee.FileError):
        list(referee.archive(tmp_path / "none.jsonl"))


def test_a_game_file_is_read_from_an_open_file(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(str(GAMES[1]), encoding="utf-8")
    with path.open(encoding="utf-8") as text, path.open("rb") as raw:
        assert referee.read(text) == referee.read(raw) == referee.read(path) == GAMES[1]
    with pytest.raises(referee.FileError, match="encoding"):
        referee.read(io.BytesIO(b"\xff"))
    (tmp_path / "a.jsonl").write_text("{}")
    with pytest.raises(referee.FileError, match="archive"):
        referee.read(tmp_path / "a.jsonl")
    with pytest.raises(TypeError, match="expected the path of a file, or an open file"):
        referee.read(3)  # type: ignore[arg-type]


def test_the_games_that_are_installed_are_listed() -> None:
    assert [game.name for game in referee.games()][:4] == [*referee.GAMES]
