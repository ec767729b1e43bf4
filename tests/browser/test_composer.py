"""Runs the browser's tests on boards to choose a move on: of every game, and of one of another package."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.draw.choices import choice_tree, preview, shown_position
from referee.rules import Move, Position, movers
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.browser.composer_page import composer_page
from tests.plugins.conftest import CROWS, forget, installed
from tests.support.strategies import random_play

pytestmark = in_a_browser

PLIES = {"beams": 7, "boundary": 12, "the-beam": 9, "laser-chess": 12, "three-crows": 3}
CONTINUED = "boundary"


@pytest.fixture
def with_crows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Three Crows, installed for one test; its imported modules read their files in that folder until the end."""
    folder = tmp_path_factory.mktemp("site")
    installed(folder, "referee-crows", "three-crows = referee_crows:GAME", source=CROWS / "referee_crows")
    sys.path.insert(0, str(folder))
    forget()
    yield
    sys.path.remove(str(folder))
    forget()


def one_of_each_shape(position: Position, side: str) -> list[Move]:
    """The last legal move of each class and of as many parts."""
    return list({(type(move), len(str(move).split())): move for move in position.legal_moves(side)}.values())


@pytest.mark.slow(minutes=3)
@pytest.mark.usefixtures("with_crows")
def test_moves_are_chosen_in_chromium(tmp_path: Path) -> None:
    moves: dict[str, list[str]] = {}
    for game, plies in PLIES.items():
        *_, last = random_play(game, 3, {}, plies)
        position, side = last.after, movers(last.after)[0]
        chosen = one_of_each_shape(position, side)
        page = composer_page(position, side, previews=chosen)
        (tmp_path / f"{game}.html").write_text(page, encoding="utf-8")
        moves[game] = [str(move) for move in chosen]
    (tmp_path / "moves.json").write_text(json.dumps(moves), encoding="utf-8")
    write_served(tmp_path)
    run_in_chromium("composer.test.js", tmp_path)


def write_served(folder: Path) -> None:
    """Write a server's answers about a running game: a position, the one two plies later, and results of moves."""
    position = referee.start(CONTINUED)
    first, second = (("P a1-a2",), ("P a1-a2", "P f1-f2"))
    states = []
    for texts in ((), second):
        after: Position = position
        for text in texts:
            (side,) = after.to_move
            after = after.play({side: after.parse(side, text)})
        states.append({"tree": choice_tree(after, "south"), "board": shown_position(after, view="south")})
    (folder / "states.json").write_text(json.dumps(states), encoding="utf-8")
    seen = {text: preview(position, "south", position.parse("south", text)) for text in first}
    (folder / "previews.json").write_text(json.dumps(seen), encoding="utf-8")
    (folder / "style.css").write_text("svg { display: block; width: 100% }", encoding="utf-8")
