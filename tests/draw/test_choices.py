"""Trees of choices: every legal move is at the end of one way, and everything on the way has a name and a place."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

import referee
from referee.draw import drawing
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.scenes.svg import scene_svg
from referee.rules import Position, movers
from tests.browser.composer_page import composer_page
from tests.support.examples import is_quick
from tests.support.positions import the_beam
from tests.support.strategies import positions

FEW = 5 if is_quick() else 20
"""Positions that are looked at, from the start to the end of random games."""


def some_positions(game: str) -> list[Position]:
    """A few positions of random play with a side to move."""
    found = [position for position in positions(game) if position.to_move]
    return found[:: -(-len(found) // FEW)]


def data_of(position: Position, side: str) -> Any:  # noqa: ANN401 - data for JSON
    """A tree of choices as a page reads it."""
    return json.loads(json.dumps(choice_tree(position, side)))


def ways(tree: Any, node: int = -1, path: tuple[int, ...] = ()) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """The text and the sentence at the end of every way."""
    _, choices, wording = tree["nodes"][node]
    if wording is not None:
        chosen = [tree["targets"][number] for number in path]
        texts, phrases = ([one.get(key, one["text"]) for one in chosen] for key in ("text", "phrase"))
        yield tree["wordings"][wording]["text"].format(*texts), tree["wordings"][wording]["sentence"].format(*phrases)
    for target, child in choices:
        yield from ways(tree, child, (*path, target))


@pytest.mark.slow
@pytest.mark.parametrize("game", referee.GAMES)
def test_every_legal_move_is_at_the_end_of_one_way(game: str) -> None:
    for position in some_positions(game):
        for side in movers(position):
            tree = data_of(position, side)
            found = list(ways(tree))
            assert Counter(text for text, _ in found) == Counter(map(str, position.legal_moves(side)))
            assert len({sentence for _, sentence in found}) == len(found) == tree["moves"]
            assert not [sentence for _, sentence in found if re.search("[{}]|  | ,", sentence)]
            assert all(ask for ask, choices, _ in tree["nodes"] if choices)


@pytest.mark.slow
@pytest.mark.parametrize("game", referee.GAMES)
def test_targets_differ_and_lie_in_the_picture(game: str) -> None:
    for position in some_positions(game):
        for side in movers(position):
            tree = data_of(position, side)
            scene = drawing(game).scene(position, view=side)
            for key in ("id", "name"):
                assert [name for name, many in Counter(one[key] for one in tree["targets"]).items() if many > 1] == []
            for one in tree["targets"]:
                if "place" in one and "beside" not in one:
                    x, y, outline = one["place"]
                    for right, down in tree["outlines"][outline]:
                        assert -1 <= x + right <= scene.width + 1
                        assert -1 <= y + down <= scene.height + 1


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_side_that_is_not_to_move_has_nothing_to_choose(game: str) -> None:
    for position in some_positions(game):
        for side in set(position.sides) - position.to_move:
            tree = data_of(position, side)
            assert (tree["moves"], tree["nodes"]) == (0, [["", [], None]])


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_preview_is_the_picture_after_the_move_or_nothing(game: str) -> None:
    for position in some_positions(game):
        side = movers(position)[0]
        move = next(iter(position.legal_moves(side)))
        seen = preview(position, side, move)
        assert shown_position(position, view=side)["svg"] == scene_svg(drawing(game).scene(position, view=side))
        if seen is not None and len(position.to_move) == 1:
            after = position.play({side: move})
            assert seen["facts"] == after.facts() or game == "the-beam"
            assert json.dumps(seen)


def test_moves_that_may_not_be_tried_have_no_preview() -> None:
    position = referee.start("laser-chess")
    assert preview(position, "blue", next(iter(position.legal_moves()))) is None


def test_a_preview_shows_one_move_where_both_are_made_at_once() -> None:
    position = referee.start("beams")
    seen: Any = preview(position, "north", position.parse("north", "P M1 B3 12"), view="south")
    assert [(piece["side"], piece["cell"]) for piece in seen["facts"]["pieces"]] == [("north", "B3")]
    assert "Last: north placed M1 at 12 on B3." in seen["text"].splitlines()


def test_a_preview_turns_no_card_over() -> None:
    decks = [[3, 2, 6, 6], [5, 1, 1, 1]]
    known, more = (the_beam({"decks": [deck[:cards] for deck in decks]}) for cards in (1, 4))
    shown = []
    for position in (known, more):
        side = movers(position)[0]
        after = position.play({side: position.parse(side, "A M3 B5")})
        player = movers(after)[0]
        move = next(move for move in after.legal_moves(player) if str(move).startswith("P"))
        shown.append(json.dumps(preview(after, player, move)))
    assert shown[0] == shown[1]


def test_a_tree_is_small() -> None:
    size, zipped = sizes(choice_tree(referee.start("beams"), "south"))
    assert size <= 25_000
    assert zipped <= 5_000


@pytest.mark.slow
def test_the_largest_tree_fits_into_a_page() -> None:
    size, zipped = sizes(choice_tree(referee.start("beams", columns=51, rows=26), "south"))
    assert size <= 150_000
    assert zipped <= 25_000


def sizes(tree: object) -> tuple[int, int]:
    """The bytes of data, and of the same compressed."""
    data = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()
    return len(data), len(gzip.compress(data))


def test_a_page_runs_no_script_but_its_own_and_loads_nothing() -> None:
    page = unescape(composer_page(referee.start("laser-chess"), "blue"))
    assert "default-src 'none'" in page
    assert not re.findall(r"""(?:src|href)=|\bon[a-z]+="|\beval\b|innerHTML|^import |^export """, page, re.MULTILINE)
    script = page.rpartition("<script>")[2]
    assert len(script.encode()) <= 60_000
