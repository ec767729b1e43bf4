"""Games as rows: the same columns and values in data frames, in Parquet, and for DuckDB."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.archives.rows import PlyRow, rows_of
from referee.errors import FileError
from referee.rules import GAMES
from tests.support.archives import archive, lines
from tests.support.command_line import referee as run

OPENING = Path("games/beams/opening.yaml")
WRONG = '{"game": "beams", "id": "b", "moves": "P S B3 | P S A2\\nP S C4 | P S A2"}'


@pytest.mark.data
def test_a_frame_of_an_archive_has_its_lines(tmp_path: Path) -> None:
    kept = referee.archive(tmp_path / "two.jsonl")
    kept.write([referee.new("boundary").play("P a1-b2"), referee.new("boundary").play("P a1-a2", "P f1-e2")])
    assert referee.frame(kept)["line"].to_list() == [1, 2, 2]


@pytest.mark.data
def test_frames_without_names_or_games_can_be_kept(tmp_path: Path) -> None:
    for number, games in enumerate(([], [referee.new("boundary").play("P a1-b2")])):
        first, second = (tmp_path / f"{number}-{name}.parquet" for name in ("pandas", "polars"))
        referee.frame(games).to_parquet(first)
        referee.frame(games, "polars").write_parquet(second)
        assert first.stat().st_size
        assert second.stat().st_size


def test_a_row_is_a_ply() -> None:
    first, *_, last = rows_of(referee.read("games/laser-chess/curiosity.yaml"))
    assert first._replace(players={}, date=None, event=None) == PlyRow(
        file="games/laser-chess/curiosity.yaml",
        line=0,
        id="laser-curiosity",
        game="laser-chess",
        date=None,
        event=None,
        players={},
        plies=41,
        winner="blue",
        termination="king",
        ply=1,
        round=1,
        side=("blue",),
        move=first.move,
        piece=first.piece,
        score={"blue": 0, "red": 0},
    )
    assert (last.ply, last.side, last.score) == (41, ("blue",), {"blue": 1, "red": 0})


@pytest.mark.parametrize("game", GAMES)
def test_rows_say_what_the_replay_says(game: str) -> None:
    for line in lines(game, 3, 12):
        one = referee.loads(line)
        plies = list(one.replay())
        rows = list(rows_of(one, 7))
        assert [(row.ply, row.round, dict(zip(row.side, row.move, strict=True))) for row in rows] == [
            (ply.number, ply.round, {side: str(move) for side, move in ply.moves.items()}) for ply in plies
        ]
        assert [dict(row.score) for row in rows] == [
            dict(ply.outcome.score if ply.outcome else ply.position.score) for ply in plies
        ]
        assert {row.line for row in rows} == {7}


@pytest.mark.data
def test_a_frame_of_pandas() -> None:
    import pandas

    frame = referee.frame(referee.read(OPENING))
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(PlyRow._fields)
    assert frame["score"].str["south"].to_list() == [3, 5, 4, 6, 4]
    assert frame.explode(["side", "move", "piece"])["side"].to_list() == ["south", "north"] * 5


@pytest.mark.data
def test_a_frame_of_polars() -> None:
    import polars

    frame = referee.frame([referee.read(OPENING), referee.read("games/laser-chess/curiosity.yaml")], "polars")
    assert frame.columns == list(PlyRow._fields)
    assert frame["score"].struct.field("south").to_list()[:6] == [3, 5, 4, 6, 4, None]
    assert frame.schema["side"] == polars.List(polars.String)
    assert referee.frame([], "polars").height == 0


@pytest.mark.data
def test_no_games_make_an_empty_frame() -> None:
    assert referee.frame([]).shape == (0, len(PlyRow._fields))


@pytest.mark.data
def test_refusals_of_a_frame() -> None:
    with pytest.raises(FileError, match="occupied"):
        referee.frame(referee.loads(WRONG))
    with pytest.raises(ValueError, match="expected a library: pandas or polars, not 'excel'"):
        referee.frame([], "excel")  # type: ignore[call-overload]


@pytest.mark.data
def test_parquet_has_the_rows_of_the_games_that_hold(tmp_path: Path) -> None:
    import duckdb

    made = [*lines("beams", 4, 8), WRONG, *lines("the-beam", 2, 8)]
    source, target = archive(tmp_path / "club.jsonl", made), tmp_path / "club.parquet"
    done = run("convert", source, target, "-j", 1)
    assert done.status == 1
    assert done.err.startswith(f"{source}:5:30: occupied: S stands on A2 already")
    good = [(number, referee.loads(line)) for number, line in enumerate(made, 1) if line != WRONG]
    expected = [row._replace(file=str(source)) for number, one in good for row in rows_of(one, number)]
    table = duckdb.read_parquet(str(target))
    assert table.columns == list(PlyRow._fields)
    assert [tuple(map(without_nulls, row)) for row in table.fetchall()] == [
        tuple(list(value) if isinstance(value, tuple) else value for value in row) for row in expected
    ]


def without_nulls(value: object) -> object:
    """A struct without the sides of other games."""
    return {key: one for key, one in value.items() if one is not None} if isinstance(value, dict) else value


@pytest.mark.data
def test_parquet_gives_the_score_of_a_side_and_the_moves_to_every_library(tmp_path: Path) -> None:
    import duckdb
    import pandas
    import polars

    target = tmp_path / "one.parquet"
    assert run("convert", OPENING, target).status == 0
    south = [3, 5, 4, 6, 4]
    by_pandas, by_polars = pandas.read_parquet(target), polars.read_parquet(target)
    assert by_pandas["score"].str["south"].to_list() == south
    assert by_polars["score"].struct.field("south").to_list() == south
    assert duckdb.execute(f"select score.south from '{target}' order by ply").fetchall() == [(one,) for one in south]
    moves = [move for ply in referee.read(OPENING).plies for move in map(str, ply.moves.values())]
    assert by_pandas.explode("move")["move"].to_list() == moves
    assert by_polars.explode("move")["move"].to_list() == moves
    asked = duckdb.execute(f"select unnest(move) from '{target}' order by ply").fetchall()
    assert [move for (move,) in asked] == moves


@pytest.mark.data
def test_a_parquet_file_is_never_overwritten_and_has_no_other_form(tmp_path: Path) -> None:
    target = tmp_path / "a.parquet"
    refused = run("convert", OPENING, target, "--to", "json")
    assert (refused.status, target.exists()) == (2, False)
    assert "a.parquet gets parquet: leave --to json out" in refused.err.replace("\n", " ")
    assert run("convert", OPENING, target).status == 0
    before = target.read_bytes()
    assert run("convert", OPENING, target).status == 2
    assert target.read_bytes() == before


def test_a_missing_library_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    done = run("convert", OPENING, tmp_path / "a.parquet")
    assert done.status == 1
    assert "pip install 'referee[parquet]'" in done.err
    assert list(tmp_path.iterdir()) == []
