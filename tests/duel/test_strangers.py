"""Every signed text of a stranger gets an answer, and never a traceback."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.duel.armour import armoured
from referee.duel.message import message_of
from referee.duel.player import duel_signer, join_duel, read_paste
from referee.errors import RefereeError
from tests.support.duels import after
from tests.support.examples import examples

SIGNER = duel_signer(bytes(32))
OPTIONS = ("mode", "columns", "rows", "pieces", "barriers", "first", "setup", "kings", "deal", "other")

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["south", "grail"]),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
openings = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["beams", "boundary", "laser-chess", "the-beam", ""]) | values,
        "name": st.just("") | values,
        "options": st.dictionaries(st.sampled_from(OPTIONS), values, max_size=4) | values,
        "rules": st.just(1) | values,
        "side": st.sampled_from(["south", "blue", "p1"]) | values,
    }
)


def opened(said: str) -> str:
    """A text with a signed opening of this content."""
    body = b"\1\0" + bytes(8 + 4 + 32) + bytes.fromhex(SIGNER.public)
    body += len(said.encode()).to_bytes(2, "big") + said.encode()
    signature = SIGNER.sign(f"referee duel message 1\n{body.hex()}\n")
    return armoured(body + bytes.fromhex(signature))


@pytest.mark.slow
@examples(15, quick=40)
@given(openings)
def test_an_opening_that_says_anything(said: dict[str, object]) -> None:
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    with suppress(RefereeError, UnicodeEncodeError):
        join_duel(opened(text), bytes(32))


@examples(30, quick=40)
@given(st.binary(max_size=300), st.sampled_from([b"", b"\1\0", b"\1\1" + bytes(44), b"\1\1" + bytes(76)]))
def test_bytes_that_mean_anything(raw: bytes, head: bytes) -> None:
    with suppress(RefereeError):
        message = message_of(head + raw)
        assert message.body + bytes.fromhex(message.signature) == head + raw


@examples(20, quick=10)
@given(st.text(max_size=200), st.text(max_size=50))
def test_a_text_that_says_anything(text: str, more: str) -> None:
    with suppress(RefereeError):
        read_paste(after("boundary", 0).duels[0], f"{text}duel1{more}")
