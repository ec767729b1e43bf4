"""Sets to print of games of other packages, which have no code for them."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from referee.draw.paper.print_set import print_set
from tests.draw.pdf_pages import pages, paths, text, texts


def test_a_game_without_a_kit_has_a_board_at_true_size() -> None:
    cells = [path.box for path in paths(pages(print_set("hex", parts=("board",)))[0]) if len(path.points) == 6]
    assert "A cell is 20.0 mm" in text(print_set("hex", parts=("board",)))
    assert Counter(round(right - left, 1) for left, _, right, _ in cells).most_common(1)[0][0] == 20.0


@pytest.mark.slow
def test_its_pieces_are_those_of_its_scenes() -> None:
    told = Counter(one for page in pages(print_set("hex", parts=("pieces",))) for one, _ in texts(page))
    words = Counter(one for line, number in told.items() for one in line.split() * number)
    assert words["R"] > 20
    assert abs(words["R"] - words["b"]) <= 1


@pytest.mark.slow
def test_crows_are_pieces_and_trees_are_the_board() -> None:
    board, pieces = (text(print_set("three-crows", parts=(part,))) for part in ("board", "pieces"))
    assert not re.search(r"^[AJV]$", board, re.MULTILINE)
    assert {"A", "J", "V"} <= {*pieces.split()}
    assert "The board is" in board
