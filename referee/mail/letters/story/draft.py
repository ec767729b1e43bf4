"""Drafts of letters, as the outbox keeps them.

They are written out when they are handed over (`referee.mail.letters.render`), always in the same words, so that no
game waits for boards and pictures to be drawn.
"""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from datetime import datetime

from referee.desk import canonical
from referee.mail.letters.format import blocks
from referee.mail.letters.format.blocks import Block, LetterSection
from referee.rules.codec import Codecs


@dataclass(frozen=True, slots=True)
class Thread:
    """The letter that is answered: its message id, and the digest of its bytes."""

    message_id: str = ""
    digest: str = ""


class Gist(enum.StrEnum):
    """The outcome of a letter where the log does not have it."""

    NEWS = ""
    """It reports only the log."""
    DONE = "done"
    """The acts in the answered letter were done, or had been done before."""
    NOT_IN = "not-in"
    """A move in that letter was refused, or needs a question."""
    NOT_DONE = "not-done"
    """Another act in that letter was refused, or needs a question."""
    IGNORED = "ignored"
    """That letter came to a seat's address, but from another sender."""
    UNCLEAR = "unclear"
    """Nothing in that letter was understood."""
    RUNS = "runs"
    """It accepts a game that has begun without that."""
    SHOWN = "shown"
    """That letter asked to see something."""
    TRIED = "tried"
    """That letter asked for the result of moves."""
    NEW_KEY = "new-key"
    """The desk has a new key."""
    RESTORED = "restored"
    """The desk has a new key, because it was restored from a backup."""
    NEW_ADDRESS = "new-address"
    """The desk has a new address."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A section with a requested board, which is drawn when the letter is written out.

    The board is that after some `plies` of the game and the ones `tried` after them, each the canonical texts of its
    moves by side. It is the one after a `round`, or, if that is None, one of hypothetical moves.
    """

    plies: int
    round: int | None = None
    tried: tuple[tuple[tuple[str, str], ...], ...] = ()
    above: tuple[Block, ...] = ()
    below: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterContent:
    """A letter to a side, about the log's entries after `since` up to `number`; and perhaps an answer.

    `asked` are requested sections. `proofs` are digests for later, at its end. `unsigned` is true if the answered
    letter needed a signature and had no valid one.
    """

    at: datetime
    side: str
    since: int
    number: int
    answers: tuple[Block, ...] = ()
    asked: tuple[LetterSection | Diagram, ...] = ()
    thread: Thread | None = None
    proofs: tuple[str, ...] = ()
    gist: Gist = Gist.NEWS
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class GeneralLetter:
    """A letter that is not about one game, or not to one of its players.

    `reply_to` is the address for answers, empty for the desk's own. No line of it is a command in any of `games`.
    """

    at: datetime
    subject: str
    sections: tuple[LetterSection, ...]
    thread: Thread
    reply_to: str = ""
    games: tuple[str, ...] = ()


Draft = LetterContent | GeneralLetter

_CODEC = Codecs(
    {
        "letter": LetterContent,
        "note": GeneralLetter,
        "section": LetterSection,
        "diagram": Diagram,
        "paragraph": blocks.Paragraph,
        "points": blocks.BulletList,
        "heading": blocks.Heading,
        "under": blocks.Under,
        "link": blocks.Link,
        "lines": blocks.Lines,
        "moves": blocks.ListedMoves,
        "quote": blocks.Quote,
        "pointed": blocks.Pointed,
        "rows": blocks.Rows,
    }
).of(Draft)


def as_bytes(draft: Draft) -> bytes:
    """A draft as the outbox keeps it."""
    return canonical(_CODEC.write(draft)).encode()


def read_draft(content: bytes) -> Draft:
    """The draft that the outbox has kept."""
    draft: Draft = _CODEC.read(json.loads(content))
    return draft
