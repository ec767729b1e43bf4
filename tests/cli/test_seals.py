"""`referee seal`: its output, and its refusals."""

from __future__ import annotations

import re

import pytest

from referee.desk import Past, commitment
from tests.support.command_line import Run, referee

GAME = "spring-7"
NONCE = bytes(range(32)).hex()


SEALS: tuple[tuple[tuple[object, ...], int, str], ...] = (
    ((GAME, 1, "east", "P M1 A2 12"), 2, "there is no side 'east'"),
    ((GAME, 0, "south", "P M1 A2 12"), 2, "PLY"),
    ((GAME, 1, "south", "P M1 A2 12", "--head", "cc" * 32), 2, "--opening and --head go together"),
    ((GAME, 1, "south", "P M1 A2 12", "--head", "cc" * 32, "--opening", "no"), 2, "--opening"),
    (("../../etc/passwd", 1, "south", "P M1 A2 12"), 2, "the game's id"),
    (("spring-7\n2", 1, "south", "P M1 A2 12"), 2, "the game's id"),
    ((GAME, 1, "south", "P M9 A2 12"), 1, "syntax: "),
    ((GAME, 1, "south"), 2, "the input has ended, and no such line came"),
    ((GAME, 1, "south", "P M1 A2 12", "--nonce", "12"), 1, "no-nonce: "),
    ((GAME, 1, "south", "P M1 A2 12", "--rules", "beams 99"), 2, "such as 'beams 1'"),
    ((GAME, 1, "south", "P M1 A2 12", "--rules", "chess 1"), 1, "unknown-game: "),
)


@pytest.mark.parametrize(("arguments", "status", "says"), SEALS, ids=lambda value: str(value)[:60])
def test_seals_that_are_refused(arguments: tuple[object, ...], status: int, says: str) -> None:
    run = referee("seal", *arguments)
    assert (run.status, run.out, says in run.err) == (status, "", True), run


def test_a_seal_is_what_the_documentation_says() -> None:
    run = referee("seal", GAME, 1, "south", "p m1 a2 12", "--nonce", NONCE.upper())
    promise = commitment(GAME, 1, "south", "beams 1", "P M1 A2 12", bytes.fromhex(NONCE))
    assert run == Run(0, f"seal {promise}\nreveal P M1 A2 12 {NONCE}\n", "")
    past = Past("5c" * 32, "cc" * 32)
    promise = commitment(GAME, 1, "south", "beams 1", "P M1 A2 12", bytes.fromhex(NONCE), past)
    seen = ("--opening", past.opening, "--head", past.head.upper())
    run = referee("seal", GAME, 1, "south", "P M1 A2 12", "--nonce", NONCE, *seen)
    assert run == Run(0, f"seal {promise}\nreveal P M1 A2 12 {NONCE}\n", "")
    drawn = {referee("seal", GAME, 1, "south", "P M1 A2 12").out for _ in range(3)}
    assert len(drawn) == 3
    assert all(re.fullmatch(r"seal [0-9a-f]{64}\nreveal P M1 A2 12 [0-9a-f]{64}\n", out) for out in drawn)
