"""The time of an answer to a sealed move says nothing about the move."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import pytest

from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.transport.receipt import receive
from tests.support.correspondence import KEY, address, corresponding

MOVES = ("P M1 A2 12", "P M3 M14 2", "P R3 G8 10", "P S B1", "P M2V F15 6", "P R2Y A8 12")
TIMES = 15


def taken(folder: Path, move: str) -> float:
    """Seconds of the processor until a sealed move is handled, and the other player's letter is in the outbox."""
    with corresponding(folder, key=KEY) as post:
        post.open("beams")
        to = post.office.seat_address(post.state, "south")
        raw = f"From: {address('south')}\nTo: {to}\nMessage-ID: <1@x>\n\n{move}\n"
        receive(post.office, raw.encode(), post.at)
        before = time.process_time()
        handle_waiting(post.office, post.at)
        found = time.process_time() - before
        assert post.kinds == ["opened", "submitted"]
        return found


@pytest.mark.slow
@pytest.mark.timing
def test_the_answer_to_a_sealed_move_takes_the_same_time_whatever_it_is(tmp_path: Path) -> None:
    times: dict[str, list[float]] = {move: [] for move in MOVES}
    for number in range(TIMES):
        for at, move in enumerate(MOVES):  # in turns, so that a slow moment hits all of them
            times[move].append(taken(tmp_path / f"{number}-{at}", move))
    medians = {move: median(found[1:]) for move, found in times.items()}
    assert max(medians.values()) < 1.5 * min(medians.values()), medians
