"""The grammars themselves: no two terminals are mistaken for each other, and every one has its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import interegular
import pytest
from lark import Lark
from lark.lexer import BasicLexer, ContextualLexer, TerminalDef

from referee.data import data
from referee.notation import movelist
from referee.notation.grammar import load
from referee.notation.moves import notation
from referee.rules import GAMES

WHOLE = sorted(
    path.stem
    for path in data("grammar").glob("*.lark")
    if re.search(r"^[?!]?start\s*:", path.read_text(encoding="utf-8"), re.MULTILINE)
)

# Interegular knows no word boundaries, and skips every terminal that has one; what they stand behind is the same.
_AHEAD = re.compile(r"\\b|\(\?[=!][^()]*\)")


def words(name: str) -> Mapping[str, str]:
    """The table terminal -> words of a grammar."""
    return movelist.LINE_WORDS if name == "movelist" else notation(name).WORDS


def collisions(lark: Lark) -> Iterator[tuple[str, str]]:
    """The terminals of one priority that can stand in the same place and match the same text."""
    lexer = lark.parser.lexer
    assert isinstance(lexer, ContextualLexer)
    for state in lexer.lexers.values():
        assert isinstance(state, BasicLexer)
        yield from overlapping(state.terminals)


def overlapping(terminals: Iterable[TerminalDef]) -> Iterator[tuple[str, str]]:
    for one, other in combinations(terminals, 2):
        machines = [
            interegular.parse_pattern(_AHEAD.sub("", terminal.pattern.to_regexp())).to_fsm()
            for terminal in (one, other)
        ]
        if one.priority == other.priority and not machines[0].isdisjoint(machines[1]):
            yield one.name, other.name


def test_there_is_a_whole_grammar_for_each_game_and_for_the_move_list() -> None:
    assert {*GAMES, "movelist"} <= set(WHOLE)
    assert "shared" not in WHOLE


@pytest.mark.parametrize("name", WHOLE)
def test_a_grammar_loads_strictly(name: str) -> None:
    load(name, strict=True)


@pytest.mark.parametrize("name", WHOLE)
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
