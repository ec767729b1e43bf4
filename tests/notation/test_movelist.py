"""One line of a move list (movelist.yaml); the fast path reads as the grammar does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.errors import NotationError, Span
from referee.notation.movelist import MoveLine, WrittenMove, parse_move_line, parse_move_line_by_grammar
from tests.support.examples import examples
from tests.support.rows import each
from tests.support.strategies import mutated
from tests.support.tables import table

TABLE: dict[str, list[dict[str, Any]]] = table(Path(__file__).parent / "movelist.yaml")
READERS = (parse_move_line, parse_move_line_by_grammar)
Reader = Callable[[str], MoveLine]


def text_of(entry: dict[str, Any]) -> str:
    """The name of an entry."""
    return repr(entry["text"])


@each(TABLE["read"], name=text_of)
def test_a_line_is_read(entry: dict[str, Any]) -> None:
    moves = tuple(WrittenMove(text, column, *_notes(*notes)) for text, column, *notes in entry["moves"])
    for read in READERS:
        assert read(entry["text"]) == MoveLine(entry.get("number"), moves, tuple(entry.get("comments", ())))


def _notes(mark: str = "", comments: tuple[str, ...] = ()) -> tuple[str, tuple[str, ...]]:
    return mark, tuple(comments)


@each(TABLE["refused"], name=text_of)
def test_a_refused_line_names_the_place_and_the_expected_text(entry: dict[str, Any]) -> None:
    for read in READERS:
        with pytest.raises(NotationError) as caught:
            read(entry["text"])
        assert caught.value.code == "syntax"
        assert caught.value.span == Span(1, entry["column"])
        assert [words for words in entry["says"] if words not in caught.value.message] == []


# --- The fast path -------------------------------------------------------------------------------------------------


def tried(read: Reader, text: str) -> MoveLine | NotationError:
    """The result of a reader for a text."""
    try:
        return read(text)
    except NotationError as error:
        return error


def outcome(read: Reader, text: str) -> object:
    """The same, for comparison: a line, or the place and reason of its refusal."""
    line = tried(read, text)
    return (line.code, line.message, line.span, line.text) if isinstance(line, NotationError) else line


BLANKS = st.text(" \t", max_size=2)
MOVES = st.sampled_from(
    ["P M1 A2 12", "R B3 L", "p s a2", "P c1-c2", "c1c2", "A M3 B5", "P / 3,1", "12", "1. a", "a"]
)
NUMBERS = st.builds(str.__add__, st.integers(0, 9_999_999).map(str), st.sampled_from(["", ".", ")", ":", ".."]))
MARKS = st.sampled_from(["", "", "!", "?", "!?", "!!!"])
COMMENTS = st.sampled_from(["", "", "{good}", "{}", "; rest", "{a | b}", "{open", "shut}"])


@st.composite
def lines(draw: st.DrawFn) -> str:
    """A line, right or nearly so."""
    parts = [draw(st.one_of(st.just(""), NUMBERS))]
    for bar in draw(st.sampled_from([[""], ["", "|"], ["", "|", "|"], ["|"], []])):
        parts += [bar, draw(MOVES), draw(MARKS), draw(COMMENTS)]
    return "".join(draw(BLANKS) + part for part in [*parts, ""])


@pytest.mark.slow
@examples(10, quick=30)
@given(st.one_of(lines(), mutated(lines())))
@example("1. a | b")
@example("12 | b")
@example("1 2")
@example("12\u00a0a | b")
@example("12\x0ba")
@example("12\n")
@example(";\n")
@example("a\r| b")
@example("1 2 | 3 4")
def test_the_fast_path_reads_as_the_grammar_does(text: str) -> None:
    assert outcome(parse_move_line, text) == outcome(parse_move_line_by_grammar, text)


@examples(5)
@given(st.text(max_size=20))
def test_the_fast_path_reads_any_text_as_the_grammar_does(text: str) -> None:
    assert outcome(parse_move_line, text) == outcome(parse_move_line_by_grammar, text)


@examples(5)
@given(st.one_of(lines(), mutated(lines()), st.text(max_size=20)))
def test_a_move_is_at_its_column_and_a_mistake_is_within_the_line(text: str) -> None:
    line = tried(parse_move_line, text)
    if isinstance(line, NotationError):
        assert line.span is not None
        assert 1 <= line.span.column <= len(text) + 1
        return
    assert len(line.moves) <= 2
    for move in line.moves:
        assert text[move.column - 1 :].startswith(move.text)
        assert move.text == move.text.strip()


@pytest.mark.parametrize("length", [150, 160, 161, 170, 5000])
def test_long_lines_are_read_alike(length: int) -> None:
    text = "1. " + "a" * (length - 7) + " | b"
    assert len(text) == length
    assert parse_move_line(text) == parse_move_line_by_grammar(text)
    assert len(parse_move_line(text).moves) == 2


@pytest.mark.parametrize("text", ["1 " * 5000, "a " * 5000, " " * 10_000, "a" + " " * 10_000 + "|", "{" * 10_000])
def test_no_line_takes_long(text: str) -> None:
    assert outcome(parse_move_line, text) == outcome(parse_move_line_by_grammar, text)
