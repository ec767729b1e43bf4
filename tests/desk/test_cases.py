"""What requests do to a game, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.desk.desks import Desk, holds, request

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"))
_WORDS = {"after", "gives", "logs", "again", "ply"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["shows"])
def test_case(case: dict[str, Any]) -> None:
    desk = Desk(case.get("game", "beams"), case.get("options"), case.get("clock"), secret=case.get("secret"))
    for step in case["steps"]:
        before = len(desk.entries)
        ((who, words),) = [(name, said) for name, said in step.items() if name not in _WORDS]
        (answer,) = desk.ask(request(desk, who, words, step.get("ply")), after=step.get("after", 0))
        assert (answer.code, answer.repeated) == (step["gives"], step.get("again", False)), (step, answer)
        assert answer.refused == bool(answer.message)
        if "logs" in step:
            assert desk.kinds[before:] == step["logs"], step
        holds(desk)
    for side, standing in case.get("standing", {}).items():
        assert desk.state.standing(side) == standing
    if "ply" in case:
        assert desk.state.ply == case["ply"]
    if "outcome" in case:
        assert desk.state.outcome is not None
        assert {name: getattr(desk.state.outcome, name) for name in case["outcome"]} == case["outcome"]
