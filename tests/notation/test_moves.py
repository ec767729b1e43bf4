"""Text to move and back, for every game; the tables are those of beams (beams.yaml)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from referee.errors import NotationError, RefereeError, Span
from referee.notation.grammar import load, notation_error
from referee.notation.moves import LONGEST_MOVE, continuations, notation, parse_move
from referee.rules import GAMES
from referee.rules.beams import Cell, Clock, Move, PieceType, Place, Rotate, Turn
from tests.support.examples import examples
from tests.support.rows import each
from tests.support.strategies import games, mutated, plies, positions
from tests.support.tables import table

TABLE: dict[str, list[dict[str, Any]]] = table(Path(__file__).parent / "beams.yaml")

every_game = pytest.mark.parametrize("name", GAMES)


def text_of(entry: dict[str, Any]) -> str:
    """The name of an entry of the tables."""
    return repr(entry["text"])


def refusal(name: str, text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        parse_move(name, text)
    return caught.value


def tried(name: str, text: str) -> object:
    """The move in a text, or the error of its refusal."""
    try:
        return parse_move(name, text)
    except NotationError as error:
        return error


def made(name: str) -> list[str]:
    """The text of every distinct move of a few random games."""
    return sorted({str(move) for ply in plies(name) for move in ply.moves.values()})


def texts_of(name: str) -> st.SearchStrategy[str]:
    """A move's text, one with mistakes, or any text at all."""
    right = st.sampled_from(made(name))
    return st.one_of(right, mutated(right), st.text(max_size=30))


# --- The tables of beams -----------------------------------------------------------------------------------------


@each(TABLE["read"], name=text_of)
def test_lenient_reading_and_canonical_writing(entry: dict[str, str]) -> None:
    assert str(parse_move("beams", entry["text"])) == entry["as"]


@each(TABLE["refused"], name=text_of)
def test_a_refused_text_names_the_place_and_the_expected_text(entry: dict[str, Any]) -> None:
    error = refusal("beams", entry["text"])
    assert error.code == "syntax"
    assert error.span == Span(1, entry["column"])
    assert [words for words in entry["says"] if words not in error.message] == []


@each(TABLE["follows"], name=text_of)
def test_possible_continuations_of_a_part_of_a_move(entry: dict[str, Any]) -> None:
    assert list(continuations("beams", entry["text"])) == entry["with"]


def test_text_after_a_mistake_is_refused_as_the_whole_would_be() -> None:
    with pytest.raises(NotationError) as caught:
        continuations("beams", "P X1")
    assert caught.value.message == refusal("beams", "P X1 A2 12").message
    assert caught.value.span == Span(1, 3)


# --- Every shape of move of beams ----------------------------------------------------------------------------------


@st.composite
def beams_moves(draw: st.DrawFn) -> Move:
    """Any move that can be written."""
    cell = Cell(draw(st.integers(1, 26)), draw(st.integers(0, 99)))
    piece = draw(st.sampled_from([None, *PieceType]))
    if piece is None:
        return Rotate(cell, draw(st.sampled_from(Turn)))
    return Place(piece, cell, None if piece is PieceType.S else draw(st.sampled_from(Clock)))


@examples(5)
@given(beams_moves())
def test_every_move_is_read_as_it_was_written(move: Move) -> None:
    assert parse_move("beams", str(move)) == move


@examples(2)
@given(beams_moves(), st.sampled_from([" ", "  ", "\t", " \t "]))
def test_small_letters_blanks_and_full_hours_make_no_difference(move: Move, blank: str) -> None:
    hour = ":00" if isinstance(move, Place) and move.clock else ""
    assert parse_move("beams", f"{blank}{str(move).lower()}{hour}{blank}".replace(" ", blank)) == move


@pytest.mark.parametrize("cell", ["A2", "B15", "M14", "Z99"])
def test_every_shape_at_one_cell(cell: str) -> None:
    oriented = [f"P {piece} {cell} {clock:d}" for piece in PieceType if piece is not PieceType.S for clock in Clock]
    texts = [*oriented, f"P S {cell}", f"R {cell} L", f"R {cell} R"]
    assert len(texts) == 51
    assert [str(parse_move("beams", text)) for text in texts] == texts
    assert len({parse_move("beams", text) for text in texts}) == 51


# --- Every game --------------------------------------------------------------------------------------------------


@every_game
def test_legal_moves_are_read_as_they_were_written(name: str) -> None:
    for position in positions(name)[::20]:
        for side in position.sides:
            for move in list(position.legal_moves(side))[::7]:
                again = parse_move(name, str(move))
                assert again == move
                assert hash(again) == hash(move)
                assert str(again) == str(move)


@examples(6)
@given(st.data())
def test_any_text_is_a_move_or_refused_with_a_place_in_it(data: st.DataObject) -> None:
    name = data.draw(games())
    text = data.draw(texts_of(name))
    move = tried(name, text)
    if not isinstance(move, NotationError):
        assert parse_move(name, str(move)) == move
        return
    assert move.code == "syntax"
    assert move.text == text
    assert move.message
    assert move.span is not None
    assert move.span.line == 1
    assert 1 <= move.span.column <= len(text) + 1
    assert move.finding.as_text()


@examples(3)
@given(st.data())
def test_continuations_are_known_for_any_beginning_of_a_move(data: st.DataObject) -> None:
    name = data.draw(games())
    text = data.draw(texts_of(name))
    if not _begins(name, text):
        refused = tried(name, text)
        assert isinstance(refused, NotationError)
        assert "ends too early" not in refused.message
        return
    follows = continuations(name, text)
    assert len(set(follows)) == len(follows)
    if not follows:
        assert not isinstance(tried(name, text), NotationError)


def _begins(name: str, text: str) -> bool:
    try:
        continuations(name, text)
    except NotationError:
        return False
    return True


@every_game
def test_after_each_word_of_a_move_something_can_follow(name: str) -> None:
    for text in made(name):
        words = text.split()
        for count in range(len(words)):
            assert continuations(name, " ".join(words[:count])), text


@every_game
def test_a_remembered_text_is_read_the_same_again(name: str) -> None:
    right = made(name)[:40]
    wrong = [text[:-1] + "?" for text in right]
    first = [_told(name, text) for text in right + wrong]
    assert [_told(name, text) for text in right + wrong] == first
    assert [_told_anew(name, text) for text in right + wrong] == first
    assert parse_move(name, right[0]) is parse_move(name, right[0])


def _told(name: str, text: str) -> object:
    found = tried(name, text)
    return (found.message, found.span) if isinstance(found, NotationError) else found


def _told_anew(name: str, text: str) -> object:
    """The same by the game's grammar, which remembers no text."""
    try:
        return _lark_of(name).parse(text)
    except UnexpectedInput as error:
        refused = notation_error(error, text, notation(name).WORDS, whole="move")
        return refused.message, refused.span


@cache
def _lark_of(name: str) -> Lark:
    return load(notation(name).GRAMMAR, notation(name).ToMove)


@every_game
def test_a_text_longer_than_any_move_is_refused_unread(name: str) -> None:
    text = made(name)[0]
    assert parse_move(name, text + " " * (LONGEST_MOVE - len(text))) == parse_move(name, text)
    error = refusal(name, text + " " * (LONGEST_MOVE - len(text) + 1))
    assert error.span == Span(1, LONGEST_MOVE + 1)
    assert f"longer than {LONGEST_MOVE}" in error.message
    assert refusal(name, "P" * 1_000_000).span == Span(1, LONGEST_MOVE + 1)


def test_a_long_word_is_shown_cut() -> None:
    assert "'QQQQQQQQQQQQQQQQQQQQ...' does not fit" in refusal("beams", "Q" * 90).message


def test_an_unknown_game() -> None:
    with pytest.raises(RefereeError) as caught:
        parse_move("chess", "e4")
    assert caught.value.code == "unknown-game"
