"""Drafts in the outbox."""

from __future__ import annotations

from typing import get_args

from referee.mail.letters.format.blocks import (
    Block,
    BulletList,
    Button,
    Depiction,
    Heading,
    LetterSection,
    Lines,
    Link,
    ListedMoves,
    Paragraph,
    Pointed,
    Quote,
    Rows,
    TextBoard,
    Under,
)
from referee.mail.letters.story.draft import Diagram, GeneralLetter, Gist, LetterContent, Thread, as_bytes, read_draft
from tests.support.correspondence import BEGIN

BLOCKS: tuple[Block, ...] = (
    Paragraph("a paragraph"),
    BulletList(("one", "two")),
    Heading("a heading"),
    Under(("one", "two")),
    Link("referee@example.org"),
    Lines(("one", "two")),
    ListedMoves(("P M1 A2 12",)),
    Quote(("one",), message=True),
    Pointed(("P M9", "  ^")),
    Rows(("head", "other"), (("a", "b"), ("c", "d")), ("a: b",)),
)


def test_drafts_are_read_as_they_were_kept() -> None:
    sections = (LetterSection("b", BLOCKS[:5]), LetterSection("c", BLOCKS[5:], minor=True))
    tried = ((("south", "P M1 A2 12"), ("north", "P M1 A2 12")),)
    asked = (*sections, Diagram(2, 1), Diagram(2, tried=tried, above=BLOCKS[:2], below=BLOCKS[2:3]))
    content = LetterContent(BEGIN, "south", 1, 2, BLOCKS, asked, None, ("e",), Gist.NOT_DONE)
    note = GeneralLetter(BEGIN, "f", sections, Thread("g", "h"), "i", ("beams", "boundary"))
    for draft in (content, note):
        assert read_draft(as_bytes(draft)) == draft


def test_drafts_know_every_kind_of_block() -> None:
    drawn_later = {TextBoard, Depiction, Button}
    assert {type(one) for one in BLOCKS} == {*get_args(Block)} - drawn_later
