"""The grammars themselves: no two terminals are mistaken for each other, and every one has its words."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

import greenery  # type: ignore[import-untyped] # it has no types
import pytest
from lark import Lark
from lark.lexer import BasicLexer, ContextualLexer, TerminalDef

from referee.notation import movelist
from referee.notation.grammar import load
from referee.notation.moves import notation
from referee.rules import GAMES
from tests.notation.parse_tables import WHOLE
from tests.support.examples import sampled

SMALL = [name for name in WHOLE if name != "letter"]

# Greenery knows no word boundaries and no lookahead; the text before them is the same. Nor does it know that case is
# ignored: words are in small letters, and every other pattern that could match them accepts small ones as well.
_UNKNOWN = re.compile(r"\\b|\(\?[=!][^()]*\)")
_KNOWN = (("(?i:", "(?:"), ("\\-", "-"))


def words(name: str) -> Mapping[str, str]:
    """The table terminal -> words of a grammar."""
    return movelist.LINE_WORDS if name == "movelist" else notation(name).WORDS


def collisions(lark: Lark) -> Iterator[tuple[str, str]]:
    """The terminals of one priority that can be in the same place and match the same text."""
    lexer = lark.parser.lexer
    assert isinstance(lexer, ContextualLexer)
    for state in lexer.lexers.values():
        assert isinstance(state, BasicLexer)
        yield from overlapping(state.terminals)


def overlapping(terminals: Iterable[TerminalDef]) -> Iterator[tuple[str, str]]:
    for one, other in combinations(terminals, 2):
        if one.priority == other.priority and meet(one.pattern.to_regexp(), other.pattern.to_regexp()):
            yield one.name, other.name


@cache
def meet(one: str, other: str) -> bool:
    """True if two patterns match the same text."""
    return not machine(one).isdisjoint(machine(other))


@cache
def machine(pattern: str) -> Any:  # noqa: ANN401 - greenery has no types
    """The automaton of a terminal."""
    pattern = _UNKNOWN.sub("", pattern)
    for said, known in _KNOWN:
        pattern = pattern.replace(said, known)
    return greenery.parse(pattern).to_fsm()


def test_there_is_a_whole_grammar_for_each_game_and_for_the_move_list() -> None:
    assert {*GAMES, "movelist"} <= set(WHOLE)
    assert "shared" not in WHOLE


@pytest.mark.parametrize("name", WHOLE)
def test_no_rule_could_end_or_go_on_at_the_same_word(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "lark"):
        load(name)
    assert conflicts(caplog) == []


def test_a_conflict_would_be_found(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "lark"):
        Lark('start: "a" start | "a" start "b" start | "c"\n', parser="lalr")
    assert conflicts(caplog)


def conflicts(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Lark's messages about two ways to go on, one of which it takes."""
    return [message for message in caplog.messages if "conflict" in message]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(WHOLE, len(WHOLE)))
def test_no_two_terminals_match_the_same_text_in_the_same_place(name: str) -> None:
    assert set(collisions(load(name))) == set()


def test_a_collision_would_be_found() -> None:
    colliding = Lark("start: A | B\nA: /[Pp]\\b/\nB: /[PQ](?![0-9])/\n", parser="lalr")
    assert {frozenset(pair) for pair in collisions(colliding)} == {frozenset("AB")}


@pytest.mark.parametrize("name", [*GAMES, "movelist"])
def test_every_terminal_that_can_be_expected_has_words(name: str) -> None:
    lark = load(name)
    assert {terminal.name for terminal in lark.terminals} - set(lark.ignore_tokens) == words(name).keys()


@pytest.mark.parametrize("name", [*GAMES, "movelist"])
def test_no_two_terminals_have_the_same_words(name: str) -> None:
    said = list(words(name).values())
    assert sorted(set(said)) == sorted(said)
    assert all(said)
