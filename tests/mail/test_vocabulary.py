"""The list of commands: complete, and only those that fit the game in its present state."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.data import data
from tests.support.correspondence import address, corresponding, text
from tests.support.friends import ADA, BEN, friends

ALL_GAMES = ("[withdraw all]", "[all] at the end", "[accept with word", "[new ", "[end]")
"""Words of the list beyond the first word of a command, or without a rule in the grammar of letters."""


def commands() -> set[str]:
    """The words that the commands in the grammar of letters begin with; a move begins with none."""
    grammar = (data("grammar") / "letter.lark").read_text(encoding="utf-8")
    start = grammar[grammar.index("?start:") : grammar.index("\n\n", grammar.index("?start:"))]
    rules = dict(re.findall(r"^([a-z]+): (.*)$", grammar, re.MULTILINE))
    found = set()
    for name in re.findall(r"[a-z]+", start.removeprefix("?start:")):
        rule = rules[name]
        while (without := re.sub(r"\[[^\[\]]*\]", "", rule)) != rule:
            rule = without
        found |= {word.lower() for word in re.findall(r"_([A-Z]+)", rule)[:1]}
    return found


@pytest.mark.slow
def test_every_command_is_in_the_list_of_some_game(tmp_path: Path) -> None:
    """And in no list of a game without it."""
    settings = "open: players\npages: https://desk.example.org\nweb: {moves: submit}\n"
    with corresponding(tmp_path / "beams", settings) as post:
        post.open("beams", {"days": 3, "vacation": 14})
        lists = [said := text(post.write("south", "help")[address("south")])]
        assert "[seal] " in said
        assert "[give 12 hours to north]" in said
        assert "rematch" not in said
        post.write("south", "resign")
        lists.append(said := text(post.write("south", "help")[address("south")]))
        assert "[resign]" not in said
    with friends(tmp_path) as arranging:
        arranging.write(ADA, f"new the beam with {BEN}")
        arranging.answer(ADA, "help")
        lists.append(said := text(arranging.letters[ADA][-1]))
        assert "[seal]" not in said
    with corresponding(tmp_path / "plain") as post:
        post.open("laser-chess")
        lists.append(said := text(post.write("blue", "help")[address("blue")]))
        for word in ("[seal]", "[vacation]", "[browsers]", "[give", "[try]", "[accept with", "[join]", "[rematch]"):
            assert word not in said, word
    whole = "\n".join(lists)
    missing = [word for word in sorted(commands()) if not re.search(rf"\[{word}\b", whole)]
    assert missing == []
    assert [words for words in ALL_GAMES if words not in whole] == []
    assert not re.search(r"\](?=[a-z])", whole), "a word and what it does stand apart"
