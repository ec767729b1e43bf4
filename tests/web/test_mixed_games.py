"""Whole games mixed from letters and the board: the log is that of the game by letters alone."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from referee.desk import LogEvent, kind_of
from referee.desk.log.events import Submitted
from referee.rules import GAMES
from tests.support.correspondence import GAME
from tests.support.examples import sampled
from tests.support.strategies import any_move
from tests.web.seated import Seated, seated

MOST = 30
"""Moves after which a player resigns: random moves may never end a game."""


def told(event: LogEvent) -> tuple[str, object, object]:
    """An event without its seals."""
    return kind_of(event), getattr(event, "side", None), getattr(event, "moves", None)


Way = Callable[[Seated, str, str], object]


def by_letter(here: Seated, side: str, line: str) -> None:
    """Write a line to the address of a seat."""
    here.post.write(side, line, to=here.post.office.seat_address(here.post.state, side))


def played(folder: Path, game: str, made: Way, moves: list[tuple[str, str]]) -> list[LogEvent]:
    """The events of a whole game, each move `made` in one way; without `moves`, they are random and kept."""
    chance, given = random.Random(7), deque(moves)
    with seated(folder, game, settings="answers: {an-hour: 10000}\n") as here:
        post = here.post
        for side in post.state.position.sides:
            here.pair(side)
        for _ in range(MOST):
            if post.state.closed is not None:
                break
            side = min(post.state.owing)
            post.pass_time(1)
            if not given:
                moves.append((side, str(any_move(post.state.position, side, chance))))
            made(here, *(given.popleft() if given else moves[-1]))
            post.collect()
            post.at += timedelta(minutes=2)  # a receipt may wait for a minute
            post.collect()
        if post.state.closed is None:
            by_letter(here, post.state.position.sides[0], "resign")
        post.holds()
        return [entry.event for entry in post.office.desk.log(GAME)]


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_whole_game_from_letters_and_board_has_the_log_of_one_by_letters(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.web.site.seats.ACTS_AT_ONCE", 10_000.0)
    ways, moves = random.Random(8), list[tuple[str, str]]()

    def by_either(here: Seated, side: str, move: str) -> None:
        if ways.random() < 0.5:
            here.told("move", side, line=move)
        else:
            by_letter(here, side, move)

    letters = played(tmp_path / "letters", game, by_letter, moves)
    both = played(tmp_path / "both", game, by_either, moves)
    if any(isinstance(one, Submitted) for one in letters):  # seals are bound to the letters before them
        assert [*map(told, both)] == [*map(told, letters)]
    else:
        assert both == letters
    assert len(letters) > MOST / 2
