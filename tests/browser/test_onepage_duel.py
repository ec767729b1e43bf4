"""Runs the browser's tests on duels in the one page: it and `referee duel` read each other's messages, offline."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.draw import drawing
from referee.duel.state_file import state_text
from referee.duel.status import text_to_send
from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts
from tests.browser.browser import PYODIDE, in_a_browser, run_in_chromium
from tests.support.command_line import referee
from tests.support.duels import STRANGERS, cheats, friends
from tests.support.strategies import random_play

WHOLE = {"beams": 23, "laser-chess": 9}
"""Games that end, by the numbers of their chances."""

TOUCHED = ("laser-chess", 30)
CODES = {"fork", "changed-opening", "mismatch", "unsealed", "contradiction", "unsent", "already-bound", "game-over"}
REMARK = re.compile(r"\S+:\d+:\d+: (.*)")

pytestmark = in_a_browser


def script(name: str, seed: int) -> dict[str, Any]:
    """A whole game: the moves of each side, each with the choices on the board that lead to it."""
    plies = [*random_play(name, seed, {}, 200)]
    assert not plies[-1].after.to_move, "the game does not end"
    sides = plies[0].before.sides
    moves: dict[str, list[str]] = {side: [] for side in sides}
    ways: dict[str, list[Any]] = {side: [] for side in sides}
    for ply in plies:
        for side, move in ply.moves.items():
            moves[side].append(str(move))
            ways[side].append([*way(ply.before, side, move)])
    return {"game": name, "sides": sides, "moves": moves, "ways": ways}


def way(position: Any, side: str, move: Any) -> Iterator[dict[str, object]]:  # noqa: ANN401 - any game's
    draw: Any = drawing(position.game)
    targets = {one.id: one for one in draw.targets(position, side=side, view=side)}
    for chosen in draw.composition(position, side, move).targets:
        yield {"name": targets[chosen].name, "place": bool(targets[chosen].outline)}


def cheated() -> Iterator[dict[str, Any]]:
    """A duel, a text for its player, and the command's output for it: a cheat of each kind, and forgeries."""
    both, left = friends("beams", seed=7), {*CODES}
    for turn in range(12):
        for seat in (1, 0) if both.duels[0].exchange.cut == both.duels[1].exchange.cut else (1 - turn % 2,):
            state = state_text(both.duels[1 - seat])
            for message, code in cheats(both.duels[seat], both.chance):
                if code in left:
                    left.discard(code)
                    yield by_command(state, message.armour, code)
        both.round(1 - turn % 2)
    assert not left, left
    text = text_to_send(both.duels[0])
    for number, code in ((2, "forged"), (1, "damaged")):
        yield by_command(state_text(both.duels[1]), STRANGERS[number](text, random.Random(1)), code)


def by_command(state: str, text: str, code: str) -> dict[str, Any]:
    Path("some.duel").write_text(state, encoding="utf-8")
    run = referee("duel", "read", "some.duel", stdin=text.encode())
    told = [found[1] for line in run.out.splitlines() if (found := REMARK.fullmatch(line))]
    assert any(one.startswith(f"{code}: ") for one in told), (code, run)
    return {"state": state, "text": text, "code": code, "told": told}


@pytest.mark.slow(minutes=4)
def test_duels_on_the_page_in_chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.json").write_text(json.dumps([script(*one) for one in WHOLE.items()]), encoding="utf-8")
    Path("touched.json").write_text(json.dumps(script(*TOUCHED)), encoding="utf-8")
    Path("cheats.json").write_text(json.dumps([*cheated()]), encoding="utf-8")
    Path("referee.html").write_text(one_page(page_parts(PYODIDE)), encoding="utf-8")
    run_in_chromium("onepage.duel.test.js", tmp_path)
