"""Copies of a letter: servers on the way write into each of them, but not into its text."""

from __future__ import annotations

from referee.desk.records import BEGINNING
from referee.mail.intake.letter import Letter


def is_copy(one: Letter, other: Letter) -> bool:
    """Whether two letters are copies of one: they have the same text and Message-ID, which is new in each letter."""
    return (one.message_id, one.body.text) == (other.message_id, other.body.text)


def is_findable(letter: Letter, raw: bytes) -> bool:
    """Whether a desk finds a letter when a copy of it comes: its Message-ID must stand unfolded in its beginning."""
    return mark_of(letter) in raw[:BEGINNING]


def mark_of(letter: Letter) -> bytes:
    """What the beginning of a letter is searched for."""
    return letter.message_id.strip("<>").encode(errors="replace")
