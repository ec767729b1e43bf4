"""The letters of letters/ and the verdicts on them, and what a test needs to make another letter."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from referee.mail.intake import Letter, Mailbox, read

HERE = Path(__file__).parent
MAILBOX = Mailbox("desk@example.org", "desk.example.org", frozenset({"mx.example.org"}))
HEADER = "From: Ada Lovelace <ada@example.com>\nTo: desk+spring-b3-7.k4wq2m7x@example.org\n"


@cache
def letters() -> dict[str, bytes]:
    """Every letter by its name."""
    return {path.stem: path.read_bytes() for path in sorted((HERE / "letters").glob("*.eml"))}


@cache
def verdicts() -> dict[str, dict[str, Any]]:
    """The verdict on every letter by its name."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "verdicts.yaml").read_text(encoding="utf-8"))
    return found


def letter(text: str = "", header: str = "", *, recipient: str | None = None, sender: str | None = None) -> Letter:
    """A letter from Ada with more fields in its header."""
    return read(f"{HEADER}{header}\n{text}".encode(), MAILBOX, recipient=recipient, sender=sender)
