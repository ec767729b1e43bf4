"""The referee's evaluation against the naive oracle, and against itself from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.rules import start
from referee.rules.beams import BeamsPosition
from referee.rules.beams.light import lit
from tests.oracles.beams import NaiveBoard
from tests.support.examples import sampled
from tests.support.strategies import Options, facts_of, random_play

LARGE: tuple[Options, int] = ({"columns": 51, "rows": 26, "pieces": "beginner"}, 2)
BOARDS: tuple[tuple[Options, int], ...] = (
    ({}, 30),
    ({"columns": 7, "rows": 16}, 30),
    ({"columns": 7, "rows": 17}, 10),
    ({"columns": 9, "rows": 12}, 20),
    ({"columns": 15, "rows": 8}, 20),
    ({"columns": 23, "rows": 5}, 10),
    ({"columns": 11, "rows": 11, "mode": "synchronous"}, 10),
    ({"columns": 51, "rows": 26, "pieces": "beginner"}, 2),
)


@pytest.mark.parametrize(("share", "most"), sampled([(30, 20), (30, 40), (1, 80)], 3))
@pytest.mark.parametrize("barriers", ["crossing", "facing"])
@pytest.mark.parametrize(
    ("options", "games"),
    sampled(BOARDS, 3),
    ids=str,
)
def test_every_position_of_random_games_is_as_the_oracle_sees_it(
    options: Options, games: int, barriers: str, share: int, most: int
) -> None:
    for seed in range(max(1, games // share)):
        for ply in random_play("beams", seed, {**options, "barriers": barriers}, most):
            assert isinstance(ply.after, BeamsPosition)
            agrees(ply.after, barriers)


def agrees(position: BeamsPosition, barriers: str) -> None:
    """Fail unless the position's facts are the oracle's, and its light is that of an evaluation from scratch."""
    facts, board = facts_of(position), position.board
    naive = NaiveBoard(facts, columns=board.columns, rows=board.rows, barriers=barriers)
    assert facts["score"] == naive.score()
    assert facts["counters"] == naive.counters()
    assert sorted(map(_beam, facts["beams"])) == naive.beams()
    assert {(one["side"], one["cell"]): one["power"] for one in facts["pieces"]} == naive.powers()
    assert position.light == lit(board, facing=barriers == "facing", stones=position.stones)


def _beam(fact: dict[str, Any]) -> tuple[Any, ...]:
    leaves = fact["exit"] and (fact["exit"]["boundary"], fact["exit"]["column"])
    return fact["side"], fact["cell"], fact["clock"], fact["power"], leaves


@pytest.mark.parametrize("seeds", sampled([[0, 23], range(60)], 2), ids=["some", "all"])
def test_the_oracle_meets_what_it_is_there_for(seeds: Sequence[int]) -> None:
    seen: set[str] = set()
    for seed in seeds:
        for ply in random_play("beams", seed, {"columns": 7, "rows": 16}):
            facts = facts_of(ply.after)
            naive = NaiveBoard(facts, columns=7, rows=16, barriers="crossing")
            seen |= {f"power {power}" for power in naive.powers().values()}
            seen |= {f"column {column}" for row in facts["counters"].values() for column in row if column in "08"}
            seen |= {"stopped" if beam["exit"] is None else f"left {beam['power']}" for beam in facts["beams"]}
    powers = {f"{what} {n}" for what in ("power", "left") for n in range(1, 5)}
    assert seen == powers | {"power None", "stopped", "column 0", "column 8"}


def test_the_oracle_walks_the_worked_positions_of_the_rules_page() -> None:
    def score(*pieces: str) -> dict[str, int]:
        named = (text.split() for text in pieces)
        listed = [{"side": s, "piece": p, "cell": c, "clock": int(*clock or "0")} for s, p, c, *clock in named]
        return NaiveBoard({"pieces": listed}, columns=15, rows=13, barriers="crossing").counters()["north"]

    assert score("south M1 B3 12") == {"13": 1}
    assert score("south M1 B3 10") == {"3": 1}
    assert score("south M1 C2 6") == {}
    assert score("south M1 C2 12", "north R2Y A14 10") == {"14": 1}
    assert score("south M1 C2 12", "north R2Y A14 12") == {}


def test_an_empty_board_is_dark() -> None:
    position = start("beams")
    assert facts_of(position)["beams"] == []
    assert facts_of(position)["counters"] == {"south": {}, "north": {}}
    assert position.score == {"south": 0, "north": 0}
