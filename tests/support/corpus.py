"""The letters of letters/ and the verdicts on them; and parts to make further letters."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from referee.mail.addresses import Mailbox
from referee.mail.intake.letter import Letter, read_letter
from tests.support.tables import table

HERE = Path(__file__).parents[1] / "mail" / "intake"
RECEIVED = "Received: from mail.example.com by mx.example.org with ESMTP id 1; Mon, 1 Mar 2027 11:05:12 +0100 (CET)\n"
"""The Received line of the host's mail server."""

MAILBOX = Mailbox("desk@example.org", "desk.example.org", frozenset({"mx.example.org"}))
HEADER = "From: Ada Lovelace <ada@example.com>\nTo: desk+spring-b3-7.k4wq2m7x@example.org\n"


@cache
def letters() -> dict[str, bytes]:
    """Every letter by its name."""
    return {path.stem: path.read_bytes() for path in sorted((HERE / "letters").glob("*.eml"))}


@cache
def verdicts() -> dict[str, dict[str, Any]]:
    """The verdict on every letter by its name."""
    found: dict[str, dict[str, Any]] = table(HERE / "verdicts.yaml")
    return found


def letter(text: str = "", header: str = "", *, recipient: str | None = None, sender: str | None = None) -> Letter:
    """A letter from Ada with more fields in its header, and its envelope above them, if any."""
    known = {"Return-Path": sender, "Delivered-To": recipient}
    envelope = "".join(f"{name}: {value}\n" for name, value in known.items() if value is not None)
    return read_letter(f"{envelope}{HEADER}{header}\n{text}".encode(), MAILBOX)


def above(trace: str, header: str = "") -> Letter:
    """A letter from Ada with fields that the host's mail server has put above its Received line."""
    return read_letter(f"{trace}{RECEIVED}{HEADER}{header}\n".encode(), MAILBOX)
