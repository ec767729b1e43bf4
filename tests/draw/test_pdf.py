"""Scenes and score sheets as PDF."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.draw.paper.score_sheet import score_sheet
from referee.draw.scenes.pdf import Box, PdfDocument, Placement
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Polygon, Polyline, Scene, Shape
from referee.errors import FileError, RefereeError
from referee.game import GameFile, Player
from referee.rules import GAMES
from tests.draw.pdf_pages import pages, paths, size, text, texts
from tests.support.examples import sampled
from tests.support.playthroughs import examples, sampled_examples

RED, BLUE = ("#ff0000", "#ff0000"), ("#0000ff", "#0000ff")
PAINTS = {
    "own": Paint(stroke=BLUE, width=2),
    "group": Paint(stroke=RED, fill=RED, width=4, dash=(6, 3), opacity=0.5),
    "faint": Paint(opacity=0.5),
    "label": Paint(fill=BLUE),
}
GAME_FILES = sorted(file for game in GAMES for file in examples(game))


def scene(*shapes: Shape) -> Scene:
    return Scene(100, 100, "", "", shapes, PAINTS)


def drawn(one: Scene, placing: Placement, within: Box | None = None) -> bytes:
    document = PdfDocument("a4", "test")
    document.page()
    document.draw(one, placing, within=within)
    return document.as_bytes()


def test_a_shape_has_its_own_paint_before_that_of_its_group() -> None:
    line = Polyline(((0, 0), (1, 1)), ("own", "faint"))
    ((mark, paint),) = scene(Group(("group",), (Group((), (line,)),))).marks()
    assert mark is line
    assert paint == Paint(fill=RED, stroke=BLUE, width=2, dash=(6, 3), opacity=0.25, bold=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("placing", "box"),
    sampled(
        [
            (Placement((120, 130), 0.5, turned=True), (105, 110, 115, 120)),
            (Placement((20, 30), 0.5), (25, 40, 35, 50)),
        ],
        2,
    ),
    ids=["turned", "upright"],
)
def test_shapes_lie_where_they_are_placed(placing: Placement, box: tuple[float, ...]) -> None:
    square = Polygon(((10, 20), (30, 20), (30, 40), (10, 40)), ("own",))
    (page,) = pages(
        drawn(scene(square, Circle((20, 30), 10, ("own",)), Polyline(((10, 20), (30, 40)), ("own",))), placing)
    )
    assert [path.box for path in paths(page)] == 3 * [pytest.approx(box, abs=0.02)]


def test_a_label_is_centred() -> None:
    (page,) = pages(drawn(scene(Label((50, 50), "III", 20, ("label",))), Placement((0, 0), 1)))
    ((found, (x, y)),) = texts(page)
    assert found == "III"
    assert 50 - x == pytest.approx(3 * 20 * 0.295 / 2, abs=0.1)
    assert y - 50 == pytest.approx(0.36 * 20, abs=0.1)


@pytest.mark.slow
def test_a_label_outside_the_box_or_without_a_fill_is_not_drawn() -> None:
    places = {"in": ((50, 50), "label"), "out": ((50, -5), "label"), "unseen": ((50, 50), "own")}
    labels = scene(*(Label(place, name, 5, (paint,)) for name, (place, paint) in places.items()))
    assert text(drawn(labels, Placement((0, 0), 1), Box(0, 0, 90, 90))) == "in"


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled_examples(GAMES[:1]))
def test_a_score_sheet_tells_the_whole_game(file: Path) -> None:
    game = referee.read(file)
    paper = ("a4", "letter")[GAME_FILES.index(file) % 2]
    pdf = score_sheet(game, paper=paper)
    told = text(pdf)
    wanted = [
        game.description.title,
        *(player.name for player in game.players.values()),
        game.event,
        game.date,
        game.id,
    ]
    wanted += [str(noted.move) for one in game.rounds for noted in one.moves]
    assert [one for one in wanted if one and one not in told] == []
    words = told.split()
    comments = [
        word for one in game.rounds for noted in one.moves for text in noted.comments for word in text.split()
    ]
    assert set(comments) <= set(words)
    assert {size(page) for page in pages(pdf)} == {(210.0, 297.0) if paper == "a4" else (215.9, 279.4)}


@pytest.mark.slow
def test_a_score_sheet_draws_values_instead_of_listing_them() -> None:
    lines = "{line: R h8 L} {value +0.40} | M e8-e7 ? {better: R h8 L; R j1 L} {good} {value +2.40}"
    pdf = score_sheet(referee.loads(f"game: laser-chess\nmoves: |\n  1. R j1 L {lines}\n"))
    told = text(pdf)
    assert "Value by ply" in told
    assert "By how many points blue is better, as an engine sees it." in told
    assert "better: R h8 L; R j1 L" in told
    assert "good" in told
    assert "value +" not in told
    assert "line: " not in told
    plain = score_sheet(referee.loads("game: laser-chess\nmoves: |\n  1. R j1 L | M e8-e7\n"))
    assert "Value by ply" not in text(plain)
    assert len(list(paths(pages(pdf)[0]))) > len(list(paths(pages(plain)[0])))


def long() -> GameFile:
    """A game with long texts in many scripts."""
    game = opening()
    long_word = "Donaudampfschifffahrtsgesellschaft" * 9
    comments = ("much to tell " * 80, long_word, "\u9673 was here", "two\nlines")
    first = game.rounds[0]
    noted = first.moves[0]._replace(mark="!?", comments=comments)
    players = {"south": Player("Łukasz \u9673 " + "and his friends " * 400, "l@example.org"), "north": Player("عربى")}
    rounds = (first._replace(moves=(noted, first.moves[1]), comments=("before",)), *game.rounds[1:])
    return replace(game, rounds=rounds, players=players, event="X" * 3000, trailing_comments=("the last word",))


def opening() -> GameFile:
    return referee.read(next(file for file in GAME_FILES if file.stem == "opening"))


@cache
def long_sheet() -> bytes:
    return score_sheet(long())


@pytest.mark.slow
def test_everything_lies_on_the_paper() -> None:
    for page in pages(long_sheet()):
        width, height = size(page)
        places = [place for _, place in texts(page)]
        assert all(14 < x < width - 14 and 14 < y < height - 14 for x, y in places)
        boxes = [path.box for path in paths(page)]
        assert all(box[0] > 14 and box[1] > 14 and box[2] < width - 14 and box[3] < height - 14 for box in boxes)


@pytest.mark.slow
def test_any_script_is_shown_or_visibly_substituted() -> None:
    told = text(long_sheet())
    assert "Łukasz \u25a1 and" in told
    assert "\u25a1 was here" in told
    assert "l@example.org" not in told
    assert "the last word" in told
    assert len([char for char in told if "\u0600" <= char <= "\u06ff" or "\ufb50" <= char <= "\ufeff"]) >= 4


@pytest.mark.slow
def test_a_score_sheet_is_always_the_same() -> None:
    assert score_sheet(opening()) == score_sheet(opening())


@pytest.mark.slow
def test_a_game_without_moves_has_a_score_sheet() -> None:
    assert "not over yet" in text(score_sheet(GameFile("beams")))


@pytest.mark.slow
def test_a_score_sheet_keeps_the_deal() -> None:
    game = referee.read(next(file for file in GAME_FILES if file.stem == "class-4b"))
    told = text(score_sheet(game)).replace("\n", "")
    deal: Any = game.options["deal"]
    assert deal["seed"][:12] not in told


def test_a_move_that_is_not_legal_has_no_score_sheet() -> None:
    game = referee.read(next(file for file in GAME_FILES if file.stem == "asynchronous"))
    with pytest.raises(FileError):
        score_sheet(replace(game, rounds=(game.rounds[0], game.rounds[0])))


@pytest.mark.parametrize("library", ["fpdf", "uharfbuzz"])
def test_without_the_library_the_error_says_how_to_get_it(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(RefereeError, match=r"pip install 'referee\[pictures\]'") as raised:
        score_sheet(GameFile("beams"))
    assert raised.value.code == "missing-extra"
