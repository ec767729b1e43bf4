"""Legal moves that are suggested for a text (beams.yaml, "near")."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.notation.moves import parse_move
from referee.notation.nearest import nearest, words_of
from referee.rules import start
from tests.support.examples import examples
from tests.support.rows import each
from tests.support.strategies import games, mutated, positions
from tests.support.tables import table

TABLE = table(Path(__file__).parent / "beams.yaml")


@pytest.mark.slow
@each(TABLE["near"], name=lambda entry: repr(entry["text"]), every=3)
def test_the_suggestions_are_what_was_meant(entry: dict[str, Any]) -> None:
    position = start("beams")
    for ply in entry.get("plies", []):
        south, north = (parse_move("beams", text) for text in ply.split("|"))
        position = position.play({"south": south, "north": north})
    suggested = nearest(entry["text"], position.legal_moves("south"))
    assert suggested[0] == entry["first"]
    assert set(entry.get("among", ())) <= set(suggested)
    assert len(suggested) == 3


@given(st.data())
def test_suggestions_are_legal_moves_that_can_be_pasted(data: st.DataObject) -> None:
    name = data.draw(games())
    position = data.draw(st.sampled_from([one for one in positions(name)[::15] if one.to_move]))
    side = min(position.to_move)
    legal = list(position.legal_moves(side))
    text = data.draw(mutated(st.sampled_from(legal).map(str)))
    suggested = nearest(text, legal)
    assert len(set(suggested)) == len(suggested) == min(3, len(legal))
    for one in suggested:
        position.check(side, parse_move(name, one))
        assert str(parse_move(name, one)) == one


@given(st.data())
def test_a_legal_move_is_nearest_to_itself(data: st.DataObject) -> None:
    name = data.draw(games())
    position = data.draw(st.sampled_from([one for one in positions(name)[::15] if one.to_move]))
    legal = list(position.legal_moves(min(position.to_move)))
    move = data.draw(st.sampled_from(legal))
    assert nearest(f"  {str(move).lower()} ", legal)[0].lower() == str(move).lower()


@examples(2)
@given(st.data())
def test_a_move_cut_short_is_completed_first(data: st.DataObject) -> None:
    name = data.draw(games())
    position = data.draw(st.sampled_from([one for one in positions(name)[::15] if one.to_move]))
    legal = [str(move) for move in position.legal_moves(min(position.to_move))]
    words = data.draw(st.sampled_from(legal)).split()
    cut = " ".join(words[:-1])
    completed = [move for move in legal if move.startswith(f"{cut} ")]
    suggested = nearest(cut, legal)
    if len(words) > 2:
        assert suggested[0] in completed


def difference(one: str, two: str) -> int:
    """The cost of another word: 150 if its kind is another, else 35 a character and up to 9 for their distance."""
    if one == two:
        return 0
    if any(any(map(kind, one)) != any(map(kind, two)) for kind in (str.isalpha, str.isdigit)):
        return 150
    steps = 0
    for part, other in zip(*(re.findall("[a-z]+|[0-9]+", word) for word in (one, two)), strict=False):
        if part.isdigit() and other.isdigit():
            steps += abs(int(part) - int(other))
        else:
            steps += sum(abs(ord(a) - ord(b)) for a, b in zip(part, other, strict=False))
    changed = max(len(one), len(two)) - sum(map(str.__eq__, one, two))
    return min(100, 35 * changed + min(9, steps))


def cost(text: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The whole table of costs, cell by cell: 70 for a missing word, 100 for one too much, 10 for one yet to come."""
    if other[: len(text)] == text:
        return (len(other) - len(text)) * 10
    table = {(0, 0): 0}
    for row in range(len(text) + 1):
        for column in range(len(other) + 1):
            ways = []
            if row:
                ways.append(table[row - 1, column] + 100)
            if column:
                ways.append(table[row, column - 1] + 70)
            if row and column:
                ways.append(table[row - 1, column - 1] + difference(text[row - 1], other[column - 1]))
            table[row, column] = min(ways, default=0)
    return table[len(text), len(other)]


@given(st.data())
def test_the_order_is_that_of_the_whole_table(data: st.DataObject) -> None:
    name = data.draw(games())
    position = data.draw(st.sampled_from([one for one in positions(name)[::15] if one.to_move]))
    legal = data.draw(st.permutations([str(move) for move in position.legal_moves(min(position.to_move))][::40]))
    text = data.draw(mutated(st.sampled_from(legal))).casefold()
    if len(text.split()) > 1:
        costs = {move: cost(words_of(text), words_of(move.casefold())) for move in legal}
        assert list(nearest(text, legal, len(legal))) == sorted(legal, key=costs.__getitem__)


def test_no_moves_no_suggestions() -> None:
    assert nearest("P M1 A2 12", []) == ()


def test_a_very_long_text_is_compared_by_its_beginning() -> None:
    assert nearest("P M1 B3 12" + " x" * 100_000, start("beams").legal_moves("south"))[0] == "P M1 B3 12"
