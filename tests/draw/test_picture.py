"""A board as SVG and PNG, with the size, marks and colours that a program asks for."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from xml.etree import ElementTree

import pytest

import referee
from tests.support.rows import each

GAME = referee.read("games/beams/opening.yaml")
START = referee.start("boundary")
HIGHLIGHTED = "#f2c200"


def count(picture: str, name: str) -> int:
    return sum(name in one.get("class", "").split() for one in ElementTree.fromstring(picture).iter())


def test_a_ply_and_a_game_show_the_last_move_and_a_position_does_not() -> None:
    last = GAME.plies[-1]
    assert referee.svg(GAME) == referee.svg(last) != referee.svg(last.position)
    assert referee.svg(last.position) == last.position._repr_svg_()


def test_a_position_shows_the_changes_that_are_named() -> None:
    last = GAME.plies[-1]
    events = last.before.events(last.moves, last.position)
    for drawn in (referee.svg, referee.text):
        assert drawn(last.position, last=events) == drawn(last) != drawn(last.position)
        assert drawn(last.position, last=last) == drawn(last)


@pytest.mark.parametrize("last", ["P f1-e2", (1, 2), START.parse("south", "P a1-b2")])
def test_only_a_ply_or_events_can_be_marked(last: object) -> None:
    with pytest.raises(TypeError, match=r"expected a ply, or events as Position\.events gives them"):
        referee.svg(START, last=last)  # type: ignore[arg-type]


@each(referee.games(), name=lambda game: game.name)
def test_every_square_has_its_highlight(game: referee.Game) -> None:
    position = referee.start(game.name)
    square = {"beams": "B3", "boundary": "a1", "the-beam": "2,3", "laser-chess": "j8"}[game.name]
    for view in position.sides:
        assert count(referee.svg(position, view=view, highlight=[square]), "highlight") == 1
        assert count(referee.svg(position, view=view), "highlight") == 0
        for width in (45, 78):
            shown = referee.text(position, view=view, highlight=[square], width=width)
            plain = referee.text(position, view=view, width=width)
            assert (shown.count("!"), plain.count("!")) == (1, 0)
            assert shown.replace("!", " ") == plain


def test_a_piece_in_a_hand_is_no_square_to_highlight() -> None:
    position = referee.start("beams")
    for draw in (referee.svg, referee.text):
        with pytest.raises(ValueError, match=r"there is no cell or square 'R1'; there are: [AM]"):
            draw(position, highlight=["R1"])


def test_a_highlight_in_text_is_before_a_mark_or_instead_of_it() -> None:
    game = referee.read("games/laser-chess/curiosity.yaml")
    wide, narrow = (referee.text(game, highlight=["g3", "g5"], width=width).splitlines() for width in (78, 45))
    assert ("   !>*S\\ " in wide[11], "  !*. " in wide[7]) == (True, True)
    assert (".!>S\\ " in narrow[11], ". !*. " in narrow[7]) == (True, True)


def test_a_name_is_that_of_the_side_that_sees_the_board() -> None:
    position = referee.start("beams")
    pictures = {view: referee.svg(position, view=view, highlight=["B3"]) for view in position.sides}
    outlines = [
        [one.get("points") for one in ElementTree.fromstring(picture).iter() if one.get("class") == "highlight"]
        for picture in pictures.values()
    ]
    assert outlines[0] == outlines[1]


def test_the_names_beside_the_board_can_be_left_out() -> None:
    assert count(referee.svg(START), "label") > 10
    assert count(referee.svg(START, labels=False), "label") == 0
    for name, signs in (("beams", 94), ("boundary", 24), ("the-beam", 12), ("laser-chess", 36)):
        named, bare = (referee.text(referee.start(name), labels=shown) for shown in (True, False))
        assert len("".join(named.split())) - len("".join(bare.split())) == signs


def test_a_picture_has_its_width() -> None:
    assert ElementTree.fromstring(referee.svg(START, size=320)).get("width") == "320"
    assert ElementTree.fromstring(referee.svg(START)).get("width") is None
    image = pytest.importorskip("PIL.Image").open(BytesIO(referee.png(GAME, size=320, highlight=["B3"])))
    assert (image.format, image.width) == ("PNG", 320)


def test_a_picture_has_its_colours() -> None:
    assert "prefers-color-scheme" in referee.svg(START)
    assert "prefers-color-scheme" not in referee.svg(START, colours="dark")
    assert "#123456" in referee.svg(START, colours={"cell": "#123456"})


@each(
    [
        (lambda: referee.svg(START, colours={"sky": "#123456"}), "there is no class with a colour 'sky'"),
        (lambda: referee.svg(START, colours="blue"), "expected 'light', 'dark' or 'both'"),  # type: ignore[arg-type]
        (lambda: referee.svg(START, colours={"cell": "red; } * { x"}), "expected a colour such as '#1b1b1b'"),
        (lambda: referee.png(START, colours={"cell": "red"}), "expected a colour such as '#1b1b1b'"),
        (lambda: referee.svg(START, size=0), "expected a width of at least one pixel"),
        (lambda: referee.svg(START, highlight=["z9"]), "there is no cell or square 'z9'"),
        (lambda: referee.svg(START, size="320"), "expected a width in pixels"),  # type: ignore[arg-type]
        (lambda: referee.png(START, size=None), "expected a width in pixels"),  # type: ignore[arg-type]
        (lambda: referee.png(START, size=3), "pixels wide, not 3"),
        (lambda: referee.svg("boundary"), "expected a position, a ply or a game"),  # type: ignore[arg-type]
        (lambda: referee.svg(START, view="blue"), "there is no side 'blue'"),
    ],
    name=lambda row: row[1],
)
def test_what_cannot_be_drawn_is_said(row: tuple[Callable[[], object], str]) -> None:
    draw, said = row
    with pytest.raises((ValueError, TypeError, referee.RefereeError)) as refused:
        draw()
    assert said in str(refused.value)


def test_a_text_marks_the_last_move_of_a_ply_or_a_game() -> None:
    *_, last = GAME.plies
    assert referee.text(GAME) == referee.text(last) != referee.text(last.position)
    assert referee.text(last.position, view="north") == last.position.text("north")
    with pytest.raises(ValueError, match="expected at least 45 columns, not 44"):
        referee.text(GAME, width=44)
    with pytest.raises(TypeError, match="expected a position, a ply or a game"):
        referee.text("beams")  # type: ignore[arg-type]
