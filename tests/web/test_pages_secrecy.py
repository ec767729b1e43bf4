"""Pages show public information alone: no secret of the desk is in any of their bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.desk import acts, sealed_name, seat_token
from referee.rules import all_games
from tests.support.examples import examples, is_quick, sampled
from tests.support.sites import Club, club

GAME = "spring-7"
DIGEST = re.compile("[0-9a-f]{64}|head=[0-9a-f]{12}")


def pages(here: Club) -> Iterator[tuple[str, str]]:
    """Every page about the game."""
    state = here.desk.state(GAME)
    paths = ["/", "/p/Ada", "/p/Ben", *(f"/games/{phase}" for phase in ("running", "waiting", "finished"))]
    of_game = ["", "/board.svg", "/feed", "/game.yaml", f"?ply={state.turn // 2}"]
    of_game += [f"{one}?view={side}" for side in state.position.sides for one in ("", "/board.svg")]
    for path in (*paths, *(f"/g/{GAME}{one}" for one in of_game)):
        yield path, here.get(path)


def secrets(here: Club) -> Iterator[str]:
    """Secrets of the desk, or of a single player."""
    held, key = here.desk.games.held(GAME), here.desk.key
    assert held.state is not None
    yield key.secret.hex()
    for side in held.state.holders:
        yield from (seat_token(key, held.state, side, ply) for ply in range(1, held.state.turn + 1))
    yield key.addresses(GAME, held.state.closings).hex()
    for name, value in held.secrets.items():
        if name.startswith("address/"):
            yield value
            yield key.calendar(value)
        elif name == sealed_name(held.state.ply, name.rpartition("/")[2]):
            yield value.rsplit(" ", 1)[1]
        elif held.state.closed is None and not name.startswith("sealed/"):
            yield value


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(all_games(), 2))
def test_no_page_tells_a_secret(game: str, tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.open(GAME, game)
        told = 0
        for number, _ in enumerate(here.play(GAME, 6 if is_quick() else 200, seed=3)):
            if number % (3 if is_quick() else 7):
                continue
            kept = [*secrets(here)]
            for path, page in pages(here):
                assert not [one for one in kept if one in page], path
            told += len(kept)
        assert told > 10


@pytest.mark.slow
@given(st.integers(0, 10**6))
@examples(0.1, quick=1)
def test_pages_do_not_depend_on_the_sealed_move(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    shown = []
    for first in (True, False):
        with club(tmp_path_factory.mktemp("club")) as here:
            here.open(GAME, "beams")
            for _ in here.play(GAME, 4, seed):
                pass
            legal = sorted(map(str, here.desk.state(GAME).position.legal_moves("south")))
            here.act(GAME, "south", acts.MakeMove(legal[0 if first else -1]))
            here.at += timedelta(hours=1)
            shown.append({path: DIGEST.sub("", page) for path, page in pages(here)})
    assert shown[0] == shown[1]


@pytest.mark.slow
def test_the_file_has_only_the_cards_that_are_dealt(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.open(GAME, "the-beam")
        for state in here.play(GAME, 7):
            deal: Any = referee.loads(here.get(f"/g/{GAME}/game.yaml")).options["deal"]
            assert "seed" not in deal
            assert len(deal["decks"][0]) == state.round
