"""Plain files are read without a YAML parser, and as it reads them; all others are left to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game import Player
from referee.game.file.dumper import dumps
from referee.game.file.gamefile import new_game
from referee.game.file.plain_yaml import parse_plain_yaml
from referee.game.file.yaml_document import parse_yaml
from referee.rules import GAMES, game_named
from tests.support.examples import examples
from tests.support.findings import cases
from tests.support.game_files import game_files
from tests.support.strategies import mutated

BLOCK = "moves: |\n  1. P a1-b2\n"
PLAIN = (
    f"game: boundary\nrules: 1\nid: spring-b3-7\ndate: 2027-03-01\n{BLOCK}",
    f"game: boundary\nevent: Spring cup\noptions: {{first: south}}\nend: {{how: resignation, by: north}}\n{BLOCK}",
    f'game: the-beam\noptions: {{deal: {{seed: "0.3, #"}}}}\nresult: {{team: 7}}\n{BLOCK}',
    f"game: boundary\nplayers:\n  south: {{name: Ada Lovelace}}\n  north: {{name: Zoë O'Neill-Brontë}}\n{BLOCK}",
)
NOT_PLAIN = (
    f"game: boundary\nid: no\n{BLOCK}",
    f"game: boundary\nid: 012\n{BLOCK}",
    f"game: boundary\nid: 12:30\n{BLOCK}",
    f"game: boundary\nid: {{a: *b}}\n{BLOCK}",
    f"game: boundary\nid: a #b\n{BLOCK}",
    f"game: boundary\nevent: Spring\n  cup\n{BLOCK}",
    f"game: boundary\ngame: boundary\n{BLOCK}",
    f"game: boundary\nplayers:\n{BLOCK}",
    f"game: boundary\noptions: {{first: south, first: north}}\n{BLOCK}",
    f"game: boundary\noptions: {{first: south, }}\n{BLOCK}",
    f"moves: none\n{BLOCK}",
    f"game: boundary\n{BLOCK}result: {{south: 1, north: 0}}\n",
    f"game: boundary\n{BLOCK}\n",
    f"game: boundary\n{BLOCK}  \n",
    f"game: boundary\n{BLOCK} 2. P a2-b3\n",
    f"game: boundary\n{BLOCK}".removesuffix("\n"),
    f"game: boundary\n{BLOCK}  2. P a2-b3 \x07\n",
)


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_file_is_read_without_a_parser(text: str) -> None:
    agrees(text)
    assert parse_plain_yaml(text) is not None


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_is_not_plain_is_left_to_the_parser(text: str) -> None:
    assert parse_plain_yaml(text) is None


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_of_a_game_are_read_as_the_parser_reads_them(name: str) -> None:
    for path in game_named(name).examples.glob("*.yaml"):
        agrees(path.read_text(encoding="utf-8"))


def test_a_game_is_written_as_a_plain_file() -> None:
    players = {"south": Player("Ada Lovelace", "ada@example.org"), "north": Player("Ben Franklin")}
    game = new_game("beams", {}, players, id="b3-7", date="2027-03-01", event="Spring cup")
    assert parse_plain_yaml(dumps(game) + "  1. P S A2 | P S A2\n") is not None


FILES = st.one_of(game_files().map(dumps), st.sampled_from([*PLAIN, *NOT_PLAIN, *(case.file for case in cases())]))


@given(st.one_of(FILES, mutated(FILES)))
@examples(20, quick=60)
def test_a_plain_file_is_read_as_the_parser_reads_it(text: str) -> None:
    agrees(text)


def agrees(text: str) -> None:
    """Fail if a file is read as plain but has other data for the parser, or places of its own."""
    plain, strict = parse_plain_yaml(text), parse_yaml(text)
    if plain is None:
        return
    assert not strict.findings
    assert repr(plain.data) == repr(strict.data)
    for key in (("game",), ("moves",), ("players", "south"), ("options",)):
        assert plain.place(key) == strict.place(key)
        assert plain.extent(key) == strict.extent(key)
