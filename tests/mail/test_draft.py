"""Drafts in the outbox: what an older version has stored is still written out."""

from __future__ import annotations

import json
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import get_args

from referee.desk.records import Outgoing
from referee.mail.letters.format.blocks import (
    Block,
    Depiction,
    Heading,
    Lines,
    Link,
    ListedMoves,
    Paragraph,
    Pointed,
    Points,
    Quote,
    Rows,
    Section,
    TextBoard,
    Under,
    Written,
)
from referee.mail.letters.render import render
from referee.mail.letters.story.draft import Diagram, Gist, LetterContent, Note, Thread, as_bytes, read_draft
from tests.support.correspondence import BEGIN, GAME, address, corresponding, text

ANSWER = "- Your move was read as [P M1 A2 12] and is accepted."
OLD = {
    "answers": [ANSWER],
    "asked": [["The moves so far", ["|   1.  P M1 A2 12 | P M1 A2 12"]]],
    "at": "2027-03-01T12:00:00.000000Z",
    "number": 0,
    "side": "south",
    "since": 0,
    "thread": {"digest": "0" * 64, "message_id": "<1@players.example>"},
}
NOTE = {"at": OLD["at"], "lines": ["Nothing was done."], "subject": "Which game?", "thread": OLD["thread"]}


BLOCKS: tuple[Block, ...] = (
    Paragraph("a paragraph"),
    Points(("one", "two")),
    Heading("a heading"),
    Under(("one", "two")),
    Link("referee@example.org"),
    Lines(("one", "two")),
    ListedMoves(("P M1 A2 12",)),
    Quote(("one",), message=True),
    Pointed(("P M9", "  ^")),
    Rows(("head", "other"), (("a", "b"), ("c", "d")), ("a: b",)),
    Written(("one", "", "two")),
)


def test_a_draft_of_an_older_version_is_written_out(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        draft = json.dumps(OLD).encode()
        letter = Outgoing("<old@example.org>", address("south"), draft, GAME)
        message = message_from_bytes(render(post.office, letter), policy=default)
        assert isinstance(message, EmailMessage)
        assert message["Subject"] == f"[{GAME}] Your turn: round 1"
        for words in ("It is your turn: round 1.", ANSWER, "The moves so far", "P M1 A2 12 | P M1 A2 12"):
            assert words in text(message)
    assert isinstance(read_draft(json.dumps(NOTE).encode()), Note)


def test_drafts_are_read_as_they_were_kept() -> None:
    sections = (Section("b", BLOCKS[:5]), Section("c", BLOCKS[5:], minor=True))
    tried = ((("south", "P M1 A2 12"), ("north", "P M1 A2 12")),)
    asked = (*sections, Diagram(2, 1), Diagram(2, tried=tried, above=BLOCKS[:2], below=BLOCKS[2:3]))
    content = LetterContent(BEGIN, "south", 1, 2, BLOCKS, asked, None, ("e",), Gist.NOT_DONE)
    note = Note(BEGIN, "f", sections, Thread("g", "h"), "i", ("beams", "boundary"))
    for draft in (content, note):
        assert read_draft(as_bytes(draft)) == draft


def test_drafts_know_every_kind_of_block() -> None:
    drawn_later = {TextBoard, Depiction}
    assert {type(one) for one in BLOCKS} == {*get_args(Block)} - drawn_later
