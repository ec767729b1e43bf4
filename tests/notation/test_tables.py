"""A text is read by table exactly as lark reads it by its grammar."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from referee.errors import NotationError
from referee.notation.grammar import load, notation_error
from referee.notation.moves import continuations, misfit, notation
from referee.notation.plans.words import disguised
from referee.notation.tables import TableParser, Word, table_of
from referee.rules import GAMES
from tests.notation import parse_tables
from tests.support.corpus import HERE
from tests.support.examples import examples
from tests.support.strategies import mutated, plies
from tests.support.tables import table

NOTATION = Path(__file__).parent


class Reading:
    """A maker whose values show the reading: the rule and its parts, and the place of each terminal."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        return (lambda word: (name, str(word), word.column)) if name.isupper() else lambda *parts: (name, parts)


@cache
def texts(grammar: str) -> list[str]:
    """Texts that the tests of a grammar read, and some that it does not fit."""
    if grammar in GAMES:
        return sorted({str(move).lower() for ply in plies(grammar) for move in ply.moves.values()})
    if grammar == "plan":
        return plan_shapes()
    entries = table(HERE / "reading.yaml") if grammar == "letter" else table(NOTATION / "movelist.yaml")["read"]
    return sorted({line.strip() for entry in entries for line in entry["text"].split("\n")})


def plan_shapes() -> list[str]:
    """Lines of plans whose moves are disguised."""
    entries = table(NOTATION / "plans.yaml").items()
    return sorted(
        {disguised(game, line) for game, some in entries for one in some for line in one["text"].split("\n")}
    )


@cache
def maker_of(grammar: str) -> type:
    """The maker of a game's moves; for other grammars a maker of plain values, each with the name of its rule."""
    if grammar in GAMES:
        return notation(grammar).ToMove
    rules = {rule.name for rule in table_of(grammar).rules if not rule.name.startswith("_")}
    return type("Plain", (), {rule: lambda self, *parts, rule=rule: (rule, *map(plain, parts)) for rule in rules})


def plain(part: object) -> object:
    """A part of a value; a word with its terminal and its column."""
    return (str(part), part.type, part.column) if isinstance(part, Token | Word) else part


@cache
def lark_of(grammar: str) -> Lark:
    return load(grammar, maker_of(grammar))


@cache
def table_parser_of(grammar: str) -> TableParser:
    return TableParser(table_of(grammar), maker_of(grammar)())


def by_lark(grammar: str, text: str) -> object:
    """The value that lark's parser gives, or None for a text that does not fit."""
    try:
        return lark_of(grammar).parse(text)
    except UnexpectedInput:
        return None


def by_table(grammar: str, text: str) -> object:
    """The same by the grammar's table."""
    return table_parser_of(grammar).parse(text)


@pytest.mark.parametrize("grammar", parse_tables.WHOLE)
def test_the_tables_are_those_of_the_grammars(grammar: str) -> None:
    kept = parse_tables.path(grammar).read_text(encoding="utf-8")
    assert kept == parse_tables.text(grammar), "run python -m tests.notation.parse_tables"


@pytest.mark.parametrize("grammar", parse_tables.WHOLE)
def test_a_text_is_read_by_table_as_by_lark(grammar: str) -> None:
    read = [by_table(grammar, text) for text in texts(grammar)]
    assert read == [by_lark(grammar, text) for text in texts(grammar)]
    assert any(read)


@pytest.mark.parametrize("grammar", parse_tables.WHOLE)
@given(st.data())
@examples(60, quick=15)
def test_any_text_is_read_by_table_as_by_lark(grammar: str, data: st.DataObject) -> None:
    right = st.sampled_from(texts(grammar))
    text = data.draw(st.one_of(mutated(right), st.tuples(right, right).map(" ".join), st.text(max_size=30)))
    assert by_table(grammar, text) == by_lark(grammar, text)


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
@examples(60, quick=15)
def test_a_text_that_is_no_move_ceases_to_be_one_where_lark_says_so(game: str, data: st.DataObject) -> None:
    right = st.sampled_from(texts(game))
    text = data.draw(st.one_of(mutated(right), st.tuples(right, right).map(" ".join), st.text(max_size=30)))
    span = None
    try:
        lark_of(game).parse(text)
    except UnexpectedInput as error:
        span = notation_error(error, text, notation(game).WORDS, whole="move").span
    assert misfit(game, text) == (span and span.column)


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
@examples(6, quick=15)
def test_a_text_that_ceases_at_its_end_is_the_beginning_of_a_move(game: str, data: st.DataObject) -> None:
    whole = data.draw(mutated(st.sampled_from(texts(game))))
    text = whole[: data.draw(st.integers(0, len(whole)))]
    column, goes_on = misfit(game, text), False
    with suppress(NotationError):
        goes_on = bool(continuations(game, text))
    assert column is None or (column > len(text.rstrip(" \t"))) is goes_on


def test_words_know_their_terminal_and_column() -> None:
    parser = TableParser(table_of("boundary"), Reading())
    assert parser.parse("s d4 e5, p f6 e6") == (
        "momentum",
        (("SQUARE", "d4", 3), ("SQUARE", "e5", 6), ("SQUARE", "f6", 12), ("SQUARE", "e6", 15)),
    )
    word = TableParser(table_of("boundary"), type("Plain", (), {"walk": lambda self, *parts: parts[1]})()).parse(
        "P a1 b2"
    )
    assert isinstance(word, Word)
    assert (word, word.type, word.column) == ("b2", "SQUARE", 6)


@pytest.mark.parametrize("text", ["", "P", "P a1 b2 c3", "P a1 ~", "X"])
def test_a_text_that_does_not_fit_has_no_value(text: str) -> None:
    assert TableParser(table_of("boundary"), Reading()).parse(text) is None
