"""Correspondences as data: the effects of letters, the answers, and the notices to others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.desk import commitment
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, proofs, text
from tests.support.examples import sampled
from tests.support.tables import table

CASES = table(Path(__file__).with_name("exchanges.yaml"))
HEADS: dict[str, str] = table(Path(__file__).with_name("heads.yaml"))["exchanges"]
"""The log head of each correspondence, recorded once and for all."""

NONCE = bytes(range(32))
WORDS = {
    "first",
    "says",
    "silent",
    "told",
    "news",
    "log",
    "none",
    "note",
    "to",
    "sender",
    "header",
    "last",
    "after",
    "bare",
}


@pytest.mark.parametrize("case", sampled(CASES, 5), ids=lambda case: case["shows"])
def test_exchange(case: dict[str, Any], tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", key=KEY) as post:
        post.open(case["game"], case.get("clock", {}))
        for step in case["letters"]:
            _step(post, step)
        post.holds()
        assert post.state.head == HEADS[case["shows"]], "the bytes of logs never change"


def _step(post: Correspondence, step: dict[str, Any]) -> None:
    post.pass_time(step.get("after", 0))
    (who, said), *_ = [(key, value) for key, value in step.items() if key not in WORDS]
    side = _side(post, who)
    before = len(post.kinds)
    if step.get("bare"):
        post.letters.pop(address(side), None)
    ways = {name: step[name] for name in ("to", "sender", "header", "last") if name in step}
    came = post.write(side, _body(post, side, said), **ways)
    answer = came.pop(address(side), None)
    assert post.kinds[before:] == step["log"]
    assert (answer is None) == step.get("none", False)
    if answer is not None:
        said_back = " ".join((*text(answer).split(), proofs(answer)))
        assert text(answer).startswith(step.get("first", ""))
        assert answer["Auto-Submitted"] == "auto-replied"
        for words in step.get("says", ()):
            assert " ".join(words.split()) in said_back
        for words in step.get("silent", ()):
            assert words not in said_back
    told = {address(_side(post, one)) for one in step.get("told", came if "told" not in step and step["log"] else ())}
    if "note" in step:
        told = {step["note"]}
    assert {*came} == (told if "told" in step or "note" in step or not step["log"] else {*came})
    for letter in came.values():
        for words in step.get("news", ()):
            assert words in " ".join((*text(letter).split(), proofs(letter)))


def _side(post: Correspondence, who: str) -> str:
    sides = post.state.position.sides
    due = [side for side in sides if side in post.state.position.to_move]
    match who:
        case "first-to-move" | "second":
            return due[0] if who == "first-to-move" else next(side for side in sides if side not in due)
        case "other":
            return due[0]
        case _:
            return who


def _body(post: Correspondence, side: str, said: str | int) -> str:
    """The text to write: placeholders for legal moves and seals are filled in, all else is unchanged."""
    state = post.state
    if isinstance(said, int):
        return str(next(iter(state.position.legal_moves(side))))
    verb, _, move = said.partition(" ")
    if verb == "seal":
        return f"seal {commitment(GAME, state.ply, side, state.protocol, move, NONCE, state.past)}"
    return f"{said} {NONCE.hex()}" if verb == "reveal" else said


def test_every_case_shows_something_else() -> None:
    names: Iterator[str] = (case["shows"] for case in CASES)
    assert len(set(names)) == len(CASES)
