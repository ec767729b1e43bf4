"""Messages survive every change of a text by messengers, and nothing else is taken for one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.duel.armour import DUEL_MARK, LARGEST_MESSAGE, MOST_DAMAGED, armoured, unarmoured
from tests.support.examples import examples

raws = st.binary(min_size=1, max_size=400).map(lambda raw: b"\1" + raw)
junk = st.text(st.sampled_from(" \n\r\t>|*_~.-\u200b\u00ad\u00a0"), max_size=4)


@examples(20)
@given(st.lists(raws, max_size=4), st.data())
def test_messages_are_found_among_the_additions_of_messengers(raw: list[bytes], data: st.DataObject) -> None:
    said = []
    for one in raw:
        text, at = armoured(one), data.draw(st.integers(len(DUEL_MARK), len(armoured(one))))
        said.append(f"{text[:at]}{data.draw(junk)}{text[at:]}")
    assert [piece.raw for piece in unarmoured("hello!\n".join(["", *said, "bye"]))] == raw


@examples(20)
@given(raws, st.data())
def test_a_changed_digit_is_noticed(raw: bytes, data: st.DataObject) -> None:
    text = armoured(raw)
    at = data.draw(st.integers(len(DUEL_MARK), len(text) - 1))
    other = data.draw(st.sampled_from("0aZ9").filter(lambda digit: digit != text[at]))
    assert [piece.raw for piece in unarmoured(f"{text[:at]}{other}{text[at + 1 :]}")] == [None]


def test_a_message_cut_short_hides_no_other() -> None:
    text = armoured(b"\1first"), armoured(b"\1second")
    assert [piece.raw for piece in unarmoured(text[0][:-2] + "\n" + text[1])] == [None, b"\1second"]


def test_a_message_has_one_text() -> None:
    """A leading zero would make another text of the same number."""
    text = armoured(b"\1a")
    longer = f"{DUEL_MARK}0{'0123456789ABCDEFGHIJ'[len(text) - len(DUEL_MARK) - 1]}0{text[len(DUEL_MARK) + 2 :]}"
    assert [piece.raw for piece in unarmoured(longer)] == [None]
    assert [piece.raw for piece in unarmoured(armoured(b"\1" * (LARGEST_MESSAGE + 1)))] == [None]


def test_every_message_begins_in_the_reported_line() -> None:
    text = f"a\nb {armoured(bytes([1]))}\n\n{armoured(bytes([2]))}"
    assert [piece.line for piece in unarmoured(text)] == [2, 4]


@pytest.mark.timing
@pytest.mark.slow
def test_a_text_full_of_marks_takes_no_time() -> None:
    start = time.perf_counter()
    assert len([*unarmoured(f"{DUEL_MARK}zz" * 10_000)]) == MOST_DAMAGED
    assert time.perf_counter() - start < 2
