"""Twelve jobs with the package, written from the reference of its Python API alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import referee

GAMES = Path("games").resolve()


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_new_write_read() -> None:
    """Begin, play four plies, write, read, compare."""
    game = referee.new("laser-chess", players={"blue": "Ada", "red": "Ben"})
    game = game.play("R j1 L", "R a8 L", "R j1 R", "R a8 R")
    path = Path("ada-ben.yaml")
    path.write_text(referee.dumps(game), encoding="utf-8")
    again = referee.read(path)
    assert again == game
    assert len(again.plies) == 4


def findings(path: Path) -> list[referee.Finding]:
    """Everything that is wrong in a file: how it is written, or else how it is played."""
    try:
        game = referee.read(path)
        return list(referee.judge(game).findings)
    except referee.FileError as error:
        return list(error.findings)


def test_judge_wrong_file() -> None:
    """Three mistakes, three findings."""
    path = Path("wrong.yaml")
    path.write_text(
        "game: boundary\n"
        "rulez: 1\n"
        "players:\n"
        "  south: {name: Ada}\n"
        "  west: {name: Ben}\n"
        "moves: |\n"
        "  1. P a1-b2 | P f1-e2\n"
        "  2. P a1\n",
        encoding="utf-8",
    )
    found = findings(path)
    assert [(one.line, one.column, one.code) for one in found] == [
        (2, 1, "unknown-key"),
        (5, 3, "wrong-value"),
        (8, 10, "syntax"),
    ]


def test_refuse_with_reason() -> None:
    """A reason and near moves, and the game as it was."""
    game = referee.new("boundary")
    with pytest.raises(referee.IllegalMove) as refused:
        game.play("P a1-a4")
    assert "P a1-a2" in refused.value.suggestions
    assert not game.plies
    assert game == referee.new("boundary")


def random_game(name: str, chance: random.Random, most: int = 200) -> referee.GameFile:
    """A game of random moves to its end, or agreed to be drawn when it is too long."""
    position: referee.Position[Any] = referee.start(name)
    texts: list[str] = []
    sides = referee.new(name).description.sides
    plies = 0
    while position.to_move and plies < most:
        moves = {side: position.any_move(side, chance.randrange) for side in position.to_move}
        texts += [str(moves[side]) for side in sides if side in moves]
        position = position.play_unchecked(moves)
        plies += 1
    game = referee.new(name).play(*texts)
    return game.end("agreement") if position.to_move else game


def test_random_games() -> None:
    """Random games, who won, how, and the score."""
    chance = random.Random(4)
    for name in referee.GAMES:
        outcome = random_game(name, chance).outcome
        assert outcome is not None


def moves_from(game: referee.GameFile, ply: int) -> list[referee.Move]:
    """The moves of a game from a ply on, as `play` takes them."""
    return [move for one in game.plies[ply - 1 :] for move in one.moves.values()]


def walk(line: referee.GameFile, depth: int = 0) -> Iterator[tuple[int, referee.GameFile]]:
    """A game and all its lines, each with its depth."""
    yield depth, line
    for other in line.lines:
        yield from walk(other, depth + 1)


def test_tree() -> None:
    """Take back, play on, and keep the old plies as a variation with one of its own."""
    old = referee.new("boundary").play("P a1-b2", "P f1-e2", "P a1-a2", "P f1-f2")
    game = old.undo(2).play("P b2-c2", "P e2-e3").mark("!?", ply=3).comment("Straight on.", ply=3)
    kept = game.variation(at=3).play(*moves_from(old, 3))
    tree = kept.variation(at=4).play("P e2-f2").whole
    assert [depth for depth, _ in walk(tree)] == [0, 1, 2]
    assert referee.loads(str(tree)) == tree


def test_ends() -> None:
    """Resign, agree, and be refused."""
    game = referee.new("boundary").play("P a1-b2")
    resigned = game.end("resignation", by="north").outcome
    agreed = game.end(referee.Termination.AGREEMENT).outcome
    refused = []
    for how in ("trees", "resignation", "repetition"):
        try:
            game.end(how)
        except referee.RefereeError as error:
            refused.append(error.code)
    assert resigned
    assert resigned.winner == "south"
    assert agreed
    assert agreed.winner is None
    assert refused == ["end"] * 3


def test_pictures() -> None:
    """SVG, PNG and text."""
    position = referee.start("laser-chess")
    svg = referee.svg(position, colours="dark")
    png = referee.png(position, size=300, view="red", highlight=["a1", "j8"], labels=False)
    Path("board.svg").write_text(svg, encoding="utf-8")
    Path("board.png").write_bytes(png)
    assert svg.startswith("<svg")
    assert int.from_bytes(png[16:20], "big") == 300


def fifty_games() -> list[referee.GameFile]:
    """Fifty games of random moves."""
    chance = random.Random(8)
    return [replace(random_game("laser-chess", chance), id=f"g{n}") for n in range(50)]


def test_archive() -> None:
    """Write archives, read them lazily, and find the game that does not hold."""
    games = fifty_games()
    wrong = "game: laser-chess\nmoves: |\n  1. R j1 L | R a8 L\n  2. M e1-e8\n"
    games[30] = referee.loads(wrong)
    for name in ("fifty.jsonl", "fifty.jsonl.gz"):
        archive = referee.archive(name)
        assert archive.write(games) == 50
        places = [(one.line, one.verdict.findings) for one in archive if one.verdict.findings]
        assert [line for line, _ in places] == [31]


@pytest.mark.data
def test_frames() -> None:
    """The mean length of games by winner, twice."""
    import polars

    archive = referee.archive("games.jsonl.gz")
    archive.write(fifty_games())
    plies = referee.frame(archive)
    means = plies[plies["ply"] == 1].groupby("winner", dropna=False)["plies"].mean()
    firsts = referee.frame(archive, "polars").filter(polars.col("ply") == 1)
    rows = firsts.group_by("winner").agg(polars.col("plies").mean()).rows()
    assert len(firsts) == 50
    assert {k: round(v, 9) for k, v in rows if k} == {k: round(v, 9) for k, v in means.items() if isinstance(k, str)}


def test_starts() -> None:
    """Options right and wrong, and a position's text."""
    beams = referee.start("beams", columns=17, rows=7, mode="synchronous", first="north")
    wrong = {"columns": 3, "rows": "many", "mode": "both", "colour": "red"}
    with pytest.raises(referee.OptionError) as error:
        referee.start("beams", options=wrong)
    text = "board 6 / 6 / 6 / 6 / 6 / GLMS 3 rS 1 | turn north"
    boundary = referee.start("boundary", position=text)
    assert beams.to_move == {"north"}
    assert {name for name, _ in error.value.faults} == set(wrong)
    assert str(boundary) == text


def test_json() -> None:
    """One JSON document for each ply; a canonical move."""
    game = referee.read(GAMES / "beams" / "asynchronous.yaml")
    rows = [json.dumps({**ply.as_json(), "score": dict(ply.position.score)}) for ply in game.plies]
    last = json.loads(rows[-1])
    assert last["outcome"]["winner"] == "north"
    assert {"position", "score", "outcome"} <= set(last)
    assert str(referee.parse_move("beams", "  p m2v  b3 10:00 ")) == "P M2V B3 10"


def test_mobility() -> None:
    """How many moves each side had, and the ply with the most."""
    game = referee.read(GAMES / "boundary" / "trees.yaml")
    counts = [
        (len(ply.before.legal_moves(side)), ply.number, side) for ply in game.plies for side in ply.before.to_move
    ]
    means = {side: mean(count for count, _, who in counts if who == side) for side in game.description.sides}
    assert len(counts) == len(game.plies)
    assert max(counts)[0] > max(means.values()) > 1
