"""The set to print, measured in millimetres in the PDF itself."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from pypdf import PageObject
from pypdf.generic import ContentStream

from referee.draw.paper.print_set import print_set
from referee.errors import RefereeError
from referee.notation.lesson import lesson_of
from referee.rules import GAMES, game_named
from tests.draw.pdf_pages import Path, Point, pages, paths, size, text, texts
from tests.support.examples import sampled

SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
WIDTH, HEIGHT = 16 * 26 * 3**0.5 / 2, 28 * 13.0
"""The board between its walls and between its rear boundaries: 15 columns and 13 rows, cells of 26 mm."""

papers = pytest.mark.parametrize("paper", [pytest.param(paper, marks=pytest.mark.slow) for paper in SIZES])
"""Six pages of beams on paper of each size take long to look through."""


@cache
def printed(paper: str) -> bytes:
    """The board and the pieces of beams."""
    return print_set("beams", paper=paper, parts=("board", "pieces"))


@cache
def beams(paper: str) -> list[PageObject]:
    return pages(printed(paper))


@cache
def drawn(paper: str, number: int) -> list[Path]:
    """The outlines of a page of beams' set: four quadrants, pieces, counters."""
    return list(paths(beams(paper)[number]))


@papers
def test_every_page_has_the_size_of_the_paper(paper: str) -> None:
    assert [size(page) for page in beams(paper)] == 6 * [SIZES[paper]]


@papers
def test_pieces_are_as_large_as_a_quarter_and_a_nickel(paper: str) -> None:
    diameters = Counter(round(path.diameter, 2) for path in drawn(paper, 4) if path.diameter)
    coins = {diameter: number for diameter, number in diameters.items() if diameter in (24.26, 21.21)}
    assert coins == {24.26: 2 * 12, 21.21: 2 * 4}
    assert max(diameters) == 24.26


@papers
def test_counters_are_as_large_as_a_dime(paper: str) -> None:
    diameters = [round(path.diameter, 2) for path in drawn(paper, 5) if path.diameter]
    assert diameters == 48 * [17.91]


@papers
@pytest.mark.parametrize("number", [4, 5])
def test_coins_lie_apart_and_on_the_paper(paper: str, number: int) -> None:
    coins = [path.box for path in drawn(paper, number) if path.diameter and path.diameter > 17.9]
    width, height = SIZES[paper]
    assert all(left > 7 and top > 7 and right < width - 7 and low < height - 7 for left, top, right, low in coins)
    for place, (left, top, right, low) in enumerate(coins):
        others = (one for one in coins[:place] if one[0] < right and left < one[2] and one[1] < low and top < one[3])
        inside = (one for one in others if not (one[0] <= left and one[1] <= top and right <= one[2]))
        assert not list(inside)


@papers
def test_a_quarter_lies_in_a_cell(paper: str) -> None:
    tall = Counter(round(path.box[3] - path.box[1], 1) for path in drawn(paper, 0) if len(path.points) == 6)
    assert tall[26.0] == 15 * 27 // 2
    assert 26.0 > 24.26


@cache
def edge(paper: str, number: int) -> tuple[float, float, float, float]:
    """The edge of the whole board on a quadrant's page."""
    (found,) = (path for path in drawn(paper, number) if len(path.points) == 4 and path.box[2] - path.box[0] > 300)
    return found.box


def on_the_board(paper: str, number: int, point: Point) -> Point:
    """A place on a quadrant's page as it counts from the board's upper left as south sees it."""
    left, top, right, bottom = edge(paper, number)
    return (point[0] - left, point[1] - top) if number < 2 else (right - point[0], bottom - point[1])


@cache
def part(paper: str, number: int) -> tuple[float, float, float, float]:
    """The rectangle of the board that a quadrant shows."""
    clips = {path.clip for path in drawn(paper, number) if path.clip}
    ((left, top, right, bottom),) = clips
    (x1, y1), (x2, y2) = (on_the_board(paper, number, corner) for corner in ((left, top), (right, bottom)))
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


@papers
def test_the_quadrants_are_the_board(paper: str) -> None:
    middle, midline, side, rear = WIDTH / 2, HEIGHT / 2, 9.0, 29.0
    south = [(-side, midline, middle, HEIGHT + rear), (middle, midline, WIDTH + side, HEIGHT + rear)]
    north = [(middle, -rear, WIDTH + side, midline), (-side, -rear, middle, midline)]
    for number, expected in enumerate(south + north):
        assert part(paper, number) == pytest.approx(expected, abs=0.02)
        left, top, right, bottom = edge(paper, number)
        assert (right - left, bottom - top) == pytest.approx((WIDTH, HEIGHT), abs=0.02)


@cache
def cut(paper: str, number: int, axis: int) -> list[float]:
    """The points where lines of a quadrant meet its cut, at the middle column (axis 0) or at the midline (axis 1)."""
    line = (WIDTH / 2, HEIGHT / 2)[axis]
    rectangle = part(paper, number)
    low, high = rectangle[1 - axis], rectangle[3 - axis]
    met = []
    for path in drawn(paper, number):
        points = (
            [on_the_board(paper, number, point) for point in path.points] if path.clip and not path.curved else []
        )
        for one, two in pairwise(points):
            before, after = one[axis] - line, two[axis] - line
            if abs(before) > 0.02 and abs(after) > 0.02 and before * after < 0:
                at = one[1 - axis] + before / (before - after) * (two[1 - axis] - one[1 - axis])
                met += [at] if low + 0.1 < at < high - 0.1 else []
    return [at for before, at in pairwise([0.0, *sorted(met)]) if at - before > 0.05]


@papers
@pytest.mark.parametrize(("one", "two", "axis"), [(0, 1, 0), (2, 3, 0), (0, 3, 1), (1, 2, 1)])
def test_lines_go_on_behind_a_cut(paper: str, one: int, two: int, axis: int) -> None:
    assert len(cut(paper, one, axis)) >= 8 - 4 * axis
    assert cut(paper, one, axis) == pytest.approx(cut(paper, two, axis), abs=0.02)


@papers
@pytest.mark.parametrize("number", range(4))
def test_a_printer_reaches_the_whole_quadrant(paper: str, number: int) -> None:
    clip = next(path.clip for path in drawn(paper, number) if path.clip is not None)
    width, height = SIZES[paper]
    assert clip[0] > 6.35
    assert clip[1] > 6.35
    assert clip[2] < width - 6.35
    assert clip[3] < height - 6.35


@papers
@pytest.mark.parametrize("number", range(4))
def test_rows_and_columns_are_their_owners(paper: str, number: int) -> None:
    found = [(one, place) for one, place in texts(beams(paper)[number]) if len(one) < 3]
    rows = sorted(((place[1], one) for one, place in found if one.isalpha()))
    columns = sorted(((place[0], one) for one, place in found if one.isdigit()))
    assert [one for _, one in rows] == list("ABCDEFGHIJKLM")
    assert [one for _, one in columns] == [str(column) for column in (range(8, 16) if number % 2 else range(1, 9))]
    assert rows[1][0] - rows[0][0] == pytest.approx(13, abs=0.02)


@papers
@pytest.mark.parametrize("number", range(4))
def test_a_dime_has_room_behind_the_rear_boundary(paper: str, number: int) -> None:
    slots = [path for path in drawn(paper, number) if path.diameter and path.box[1] > edge(paper, number)[3]]
    assert {round(path.diameter or 0, 2) for path in slots} == {17.91}
    assert len(slots) == 15


CELLS = {"beams": 26.0, "boundary": 34.0, "the-beam": 28.0, "laser-chess": 25.0}
CORNERS = {"beams": 6, "boundary": 4, "the-beam": 4, "laser-chess": 4}


@pytest.mark.slow
@pytest.mark.parametrize("paper", sampled([*SIZES, "a3"], 3))
@pytest.mark.parametrize("game", GAMES)
def test_a_cell_is_as_wide_as_the_page_says(game: str, paper: str) -> None:
    for page in pages(print_set(game, paper=paper, parts=("board",))):
        said = re.search(r"A cell is ([\d.]+) mm", page.extract_text())
        assert said
        assert float(said[1]) == CELLS[game]
        boxes = [path.box for path in paths(page) if path.clip and len(path.points) == CORNERS[game]]
        narrowest = Counter(round(min(right - left, low - top), 1) for left, top, right, low in boxes)
        assert narrowest.most_common(1)[0][0] == pytest.approx(CELLS[game], abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("paper", sampled([*SIZES, "a3"], 3))
@pytest.mark.parametrize("game", GAMES)
def test_everything_is_within_reach_of_a_printer(game: str, paper: str) -> None:
    for page in pages(print_set(game, paper=paper, black=True)):
        width, height = size(page)
        boxes = [path.clip or path.box for path in paths(page)]
        assert all(box[0] > 2.9 and box[1] > 3.9 and box[2] < width - 2.9 and box[3] < height - 3.9 for box in boxes)
        assert all(3 < x < width - 3 and 3 < y < height - 3 for _, (x, y) in texts(page))


PIECES = {
    "boundary": {"green L": 1, "yellow S": 1, "south's stone-bop": 2, "north's stone-bop": 2},
    "laser-chess": {"blue king": 1, "red laser": 1, "blue deflector": 7, "red defender": 2, "red switch": 2},
    "the-beam": {"1": 4, "6": 4, "Y": 3, "R": 3},
    "beams": {"south M1": 3, "north S": 4, "north R2Y": 1},
}


@pytest.mark.slow
@pytest.mark.parametrize("game", PIECES)
def test_a_set_has_all_pieces(game: str) -> None:
    told = [one for page in pages(print_set(game, parts=("pieces",))) for one, _ in texts(page)]
    words = Counter(line.strip() for one in told for line in one.splitlines())
    assert {name: words[name] for name in PIECES[game]} == PIECES[game]


@pytest.mark.slow
def test_a_folded_pyramid_closes() -> None:
    (page,) = pages(print_set("boundary", parts=("pieces",)))
    nets = [path.points for path in paths(page) if len(path.points) == 6 and not path.curved]
    assert len(nets) == 12
    for tip, *corners in nets:
        assert len({round(math.dist(tip, corner), 1) for corner in corners}) == 1
        bases = {round(math.dist(one, two), 1) for one, two in pairwise(corners)}
        assert len(bases) == 1
        assert bases <= {26.0, 20.0, 14.0}


@pytest.mark.slow
def test_options_change_the_set() -> None:
    options = {"columns": 7, "rows": 16, "pieces": "beginner", "mode": "synchronous"}
    told = text(print_set("beams", options=options))
    assert "south M3" not in told
    assert "The players take turns, one move each." in told
    assert "Each half has 7" in told.replace("\n", " ")
    assert "setup grail" in text(print_set("laser-chess", options={"setup": "grail"}, parts=("setup",)))


@pytest.mark.slow
def test_black_and_white_has_no_colours() -> None:
    for page in pages(print_set("laser-chess", black=True)):
        contents = page.get_contents()
        assert contents is not None
        operations = ContentStream(contents, page.pdf).operations
        colours = [operands for operands, operator in operations if operator in (b"rg", b"RG")]
        assert all(len({float(part) for part in colour}) == 1 for colour in colours)


@pytest.mark.slow
def test_the_rules_name_the_designer() -> None:
    for game in GAMES:
        (outside, *_) = pages(print_set(game, parts=("rules",)))
        assert lesson_of(game_named(game), {}).credit in outside.extract_text().replace("\n", " ")


@pytest.mark.slow
@pytest.mark.parametrize("paper", sampled([*SIZES, "a3"], 3))
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_a_folded_sheet_without_an_empty_page(game: str, paper: str) -> None:
    outside, inside = pages(print_set(game, paper=paper, parts=("rules",)))
    for page in (outside, inside):
        fold, height = size(page)[0] / 2, size(page)[1]
        lines = [[y for _, (x, y) in texts(page) if (x > fold) == right] for right in (False, True)]
        assert all(len(half) >= 3 and min(half) < height / 4 for half in lines)
        assert all(max(half) > height / 2 for half in lines)


@pytest.mark.slow
def test_a_deal_is_not_on_the_card_of_the_set_up() -> None:
    assert "cards" in (told := text(print_set("the-beam", parts=("setup",))))
    assert "round 1 of 12" not in told


@pytest.mark.slow
def test_the_set_says_how_to_print_it() -> None:
    assert "Print at 100 %" in text(printed("a4"))


@pytest.mark.slow
def test_every_page_has_a_line_to_measure() -> None:
    for number in range(6):
        assert 100.0 in [round(path.box[2] - path.box[0], 2) for path in drawn("a4", number) if not path.clip]


@pytest.mark.slow
def test_a_set_is_always_the_same() -> None:
    assert print_set("beams", parts=("board", "pieces")) == printed("a4")


@pytest.mark.parametrize(
    ("game", "paper", "code"), [("beams", "a5", "unknown-paper"), ("chess", "a4", "unknown-game")]
)
def test_games_that_cannot_be_printed(game: str, paper: str, code: str) -> None:
    with pytest.raises(RefereeError) as raised:
        print_set(game, paper=paper)
    assert raised.value.code == code
