"""Random games, written in random layouts: every sure reading is the written game."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.archives.generate import Generation, random_game
from referee.game import GameFile
from referee.notes import import_notes, note_lines
from referee.rules import GAMES
from tests.support.examples import sampled

BARS = (" | ", " / ", ", ", "\t", " ... ", "    ", " - ", " ; ", "\n")
NUMBERS = ("", "{}. ", "{}) ", "Round {}: ", "{}: ", "{}\t")
DASHES = str.maketrans("-", "\N{EN DASH}")
SHARE = 0.95


def written(game: GameFile, chance: random.Random) -> str:
    """The moves of a game in a random layout, now and then with a comment."""
    bar, number = chance.choice(BARS), chance.choice(NUMBERS)
    labels = chance.choice(["", "", "full", "initial"]) if len(game.description.sides) == 2 else ""
    lines = []
    for count, each in enumerate(game.rounds, 1):
        texts = [str(one.move) for one in each.moves]
        if chance.random() < 0.3:
            texts = [text.lower() for text in texts]
        if labels:
            sides = game.description.sides
            names = [side if labels == "full" else side[0].upper() for side in sides]
            texts = [f"{name}: {text}" for name, text in zip(names, texts, strict=False)]
        note = " (a quiet move)" if chance.random() < 0.1 else ""
        lines.append(f"{number.format(count)}{bar.join(texts)}{note}")
    text = "\n".join(lines)
    return text.translate(DASHES) if chance.random() < 0.3 else text


def verdict(name: str, seed: int) -> str:
    """The verdict on a random game in a random layout: `right`, `wrong`, or `open` if something stays unsure."""
    chance = random.Random(f"{name}/{seed}")
    game = random_game(Generation(name, "layouts", plies=chance.randrange(2, 13) * 2), seed)
    named = name if chance.random() < 0.5 else None
    given = dict(game.options) if name == named else {}
    header = f"game: {name}\n" + "".join(f"{key}: {value}\n" for key, value in game.options.items() if not given)
    found = import_notes(note_lines(header + written(game, chance), "notes"), named, given)
    if not found.is_sure:
        return "open"
    same = [[one.move for one in each.moves] for each in found.game.rounds]
    return "right" if same == [[one.move for one in each.moves] for each in game.rounds] else "wrong"


@pytest.mark.parametrize("name", sampled(GAMES, 4))
def test_a_random_layout_is_read(name: str) -> None:
    assert verdict(name, 1) == "right"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_nearly_all_layouts_are_read_and_none_wrongly_in_silence(name: str) -> None:
    figures = Counter(verdict(name, seed) for seed in range(1, 51))
    print(f"\n{name}: {dict(figures)}")
    assert figures["wrong"] == 0
    assert figures["right"] >= SHARE * figures.total()
