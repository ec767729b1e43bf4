"""The effects of requests on a game, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.desk.law.law import MOST_SAID
from referee.desk.log.events import Submitted
from referee.desk.state.talk import MOST_MESSAGES
from tests.support.desks import Desk, holds, message, request
from tests.support.logs import audit_text, chain, fold_log
from tests.support.rows import each
from tests.support.tables import table

CASES: list[dict[str, Any]] = table(Path(__file__).with_name("cases.yaml"))
HEADS: dict[str, str] = table(Path(__file__).with_name("heads.yaml"))
"""The digest of each case's last entry recorded once and for all."""

_WORDS = {"after", "gives", "logs", "again", "ply"}


def played(case: dict[str, Any]) -> Desk:
    """The game of a case, each answer as in the case."""
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
    assert desk.state.head == HEADS[case["shows"]], "the bytes of logs never change"
    return desk


@pytest.mark.slow
@each(CASES, name=lambda case: str(case["shows"]), every=3)
def test_case(case: dict[str, Any]) -> None:
    desk = played(case)
    for side, standing in case.get("standing", {}).items():
        assert desk.state.standing(side) == standing
    if "ply" in case:
        assert desk.state.ply == case["ply"]
    if "outcome" in case:
        assert desk.state.outcome is not None
        assert {name: getattr(desk.state.outcome, name) for name in case["outcome"]} == case["outcome"]


def test_a_sides_messages_in_a_day_are_limited() -> None:
    desk = Desk("beams")
    codes = {desk.ask(message("south", "x"))[0].code for _ in range(MOST_MESSAGES)}
    assert codes == {"message"}
    assert desk.ask(message("south", "x"))[0].code == "too-much"
    assert desk.ask(message("north", "x"))[0].code == "message"
    assert desk.ask(message("south", "x"), after=24)[0].code == "message"


def test_a_commitment_whose_move_was_told_is_sealed_no_more() -> None:
    desk = Desk("beams")
    desk.ask(request(desk, "south", "submit P M1 A2 12"), request(desk, "host", "close"))
    told = next(entry.event.commitment for entry in desk.entries if isinstance(entry.event, Submitted))
    desk.ask(request(desk, "host", "reopen A mistake"), after=1)
    assert desk.ask(request(desk, "south", f"seal {told}"))[0].code == "already-told"
    last = desk.entries[-1]
    (forged,) = chain(last.game, last.number, last.digest, last.at, [Submitted(1, "south", told, desk.state.begun)])
    assert {one.code for one in audit_text(f"{desk.exported}{forged.as_line()}\n").findings} == {"commitment"}
    desk.ask(request(desk, "south", "submit P M1 A2 12"))
    assert desk.state.seals["south"].commitment != told
    holds(desk)


def test_the_bytes_of_a_sides_messages_in_a_day_are_limited() -> None:
    """Judged from the log alone; refused messages do not count."""
    desk = Desk("beams")
    page = "ä" * 4096
    codes = [desk.ask(message("south", page), after=1)[0].code for _ in range(12)]
    assert codes == ["message"] * (MOST_SAID // 8192) + ["too-much"] * 4
    assert desk.ask(message("north", page))[0].code == "message", "each side has its own"
    assert desk.ask(message("south", "x"))[0].code == "too-much"
    assert desk.ask(message("south", page), after=13)[0].code == "message", "24 hours after the first one"
    assert desk.ask(message("south", page))[0].code == "too-much"
    assert fold_log(desk.entries) == desk.state
    holds(desk)
