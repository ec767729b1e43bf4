"""Repairs: the smallest changes after which a list holds again."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.game import loads
from referee.game.file.judge import judge
from referee.game.file.loader import dumps
from referee.notes.repair.repair import MOST_REPAIRS, repairs
from referee.notes.repair.trials import MOST_SECONDS
from tests.support.examples import sampled
from tests.support.planted import VARIANTS, draft, planted, undoes
from tests.support.tables import table

GAMES = 8
"""Games of each variant in the thorough test, with a slip of each kind in each."""


PLACED = "".join(f"  {n}. P S B{4 * n - 1} | P S B{4 * n - 1}\n" for n in range(1, 7))
_TURNS = "  R j1 L | R a8 L\n  R j1 R | R a8 R\n"
LONG = [
    f"game: laser-chess\nmoves: |\n{_TURNS * 499}  M c4-h8 | R a8 L\n",
    f"game: laser-chess\nresult: {{blue: 1, red: 0}}\nmoves: |\n{_TURNS * 500}",
    f"game: laser-chess\nmoves: |\n  1. {_TURNS.strip()}\n  4. M d2-e2 | M b7-c6\n{_TURNS * 490}",
]
"""Lists as long as a search takes: with a wrong last round, with a wrong result, with rounds left out."""

LARGE = [
    f"game: beams\noptions: {{columns: 51, rows: 26}}\nmoves: |\n{PLACED}{wrong}\n"
    for wrong in ("  R C4 L", "  9. P S C4 | P S C4\n  11. R B3 L | R B9 L")
]
"""Lists on the largest board, where many thousands of moves are legal."""


class Case(NamedTuple):
    """A list with a slip, and the repair that should be among the first."""

    shows: str
    file: str
    repair: str


CASES = [Case(**one) for one in table(Path(__file__).with_name("repairs.yaml"))]


@pytest.mark.parametrize("case", sampled([(one,) for one in CASES], 5), ids=lambda case: case.shows)
def test_a_slip_is_repaired(case: Case) -> None:
    found = repairs(draft(case.file))
    assert len(found) <= MOST_REPAIRS
    assert case.repair in list(map(str, found))


@pytest.mark.parametrize("case", sampled([(one,) for one in CASES[:8]], 2), ids=lambda case: case.shows)
def test_the_words_of_a_repair_are_true(case: Case) -> None:
    for repair in repairs(draft(case.file)):
        if repair.holds:
            verdict = judge(loads(dumps(repair.game)), suggest=False)
            assert {one.code for one in verdict.findings} <= {"end", "wrong-result"}
            assert repair.result == (not verdict.findings)
            assert repair.rounds == len(repair.game.rounds)
        line = case.file.split("\n")[repair.line - 1]
        assert 1 <= repair.column <= len(line)


def test_a_game_that_holds_needs_no_repair() -> None:
    assert repairs(loads("game: laser-chess\nmoves: |\n  1. M c4-d5 | M f5-e6\n")) == ()


def test_a_list_that_is_too_long_is_left_alone() -> None:
    text = "game: laser-chess\nmoves: |\n" + "  R j1 L | R a8 L\n" * 1_001
    assert repairs(draft(text)) == ()


def test_the_same_repairs_are_found_again() -> None:
    assert repairs(draft(CASES[0].file)) == repairs(draft(CASES[0].file))


@pytest.mark.slow
def test_a_search_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even on the largest board, where looking at the moves alone would take longer."""
    monkeypatch.setattr("referee.notes.repair.trials.MOST_SECONDS", 0.1)
    wrong = draft("game: beams\noptions: {columns: 51, rows: 26}\nmoves: |\n  P M1 B3 12 | P M1 A2 12\n  R B5 L\n")
    begin = time.thread_time()
    repairs(wrong)
    assert time.thread_time() - begin < 1


@pytest.mark.slow
@pytest.mark.parametrize("text", [*LONG, *LARGE], ids=len)
def test_no_list_takes_longer_than_is_said(text: str) -> None:
    wrong = draft(text)
    begin = time.thread_time()
    repairs(wrong)
    assert time.thread_time() - begin < MOST_SECONDS + 1


@pytest.mark.slow
@pytest.mark.parametrize("variant", sampled([2, 3, 4], 3))
def test_planted_slips_are_undone(variant: int) -> None:
    for one in planted(variant, 1, kinds=("cell", "swapped", "round twice")):
        assert any(undoes(repair, one) for repair in repairs(draft(one.text))), one.text


@pytest.mark.slow(minutes=2)
@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=[f"{name} {options}" for name, options, _ in VARIANTS])
def test_nine_of_ten_planted_slips_are_undone(variant: int) -> None:
    tried, undone = Counter[str](), Counter[str]()
    for number in range(1, GAMES + 1):
        for one in planted(variant, number):
            tried[one.kind] += 1
            undone[one.kind] += any(undoes(repair, one) for repair in repairs(draft(one.text)))
    assert tried.total() >= 10 * GAMES
    assert undone.total() >= 0.9 * tried.total(), {kind: (undone[kind], tried[kind]) for kind in tried}
