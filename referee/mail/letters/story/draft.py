"""What the outbox keeps of a letter: what it tells of.

It is written out when it is handed over (`referee.mail.letters.render`), always in the same words, so that no game
waits for boards and pictures to be drawn.
"""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from datetime import datetime

from referee.desk.log.bodies import canonical
from referee.mail.letters.format.blocks import (
    Block,
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
    Under,
)
from referee.rules.codec import Codecs


@dataclass(frozen=True, slots=True)
class Thread:
    """What a letter answers: the message id of somebody's letter, and the digest of that letter's bytes."""

    message_id: str = ""
    digest: str = ""


class Gist(enum.StrEnum):
    """What a letter comes to where the log does not say it."""

    NEWS = ""
    """It tells of the log alone."""

    DONE = "done"
    """What the letter that it answers says was done, or was so already."""

    NOT_IN = "not-in"
    """A move in that letter was refused, or has to be asked back."""

    NOT_DONE = "not-done"
    """Something else in that letter was refused, or has to be asked back."""

    IGNORED = "ignored"
    """That letter came to a seat's address, but from somebody else's."""

    UNCLEAR = "unclear"
    """Nothing in that letter was understood."""

    RUNS = "runs"
    """It accepts a game that has begun without that."""

    SHOWN = "shown"
    """That letter asked to see something."""

    TRIED = "tried"
    """That letter asked what moves would do."""

    NEW_KEY = "new-key"
    """The desk has a new key."""

    RESTORED = "restored"
    """The desk has a new key, because it was restored from a backup."""

    NEW_ADDRESS = "new-address"
    """The desk has a new address."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A section with a board that somebody asked for, which is drawn when the letter is written out.

    The board is that after some `plies` of the game and the ones `tried` after them, each the canonical texts of its
    moves by side. It is the one after a `round`, or, if that is None, one of moves that nobody has made.
    """

    plies: int
    round: int | None = None
    tried: tuple[tuple[tuple[str, str], ...], ...] = ()
    above: tuple[Block, ...] = ()
    below: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterContent:
    """A letter to a side, of the entries of the game's log after `since` up to `number`; and perhaps an answer.

    `asked` is what somebody wanted to see. `proofs` are digests for later, which stand at its end. `unsigned` says
    that the letter answered needed a signature and had none that holds.
    """

    at: datetime
    side: str
    since: int
    number: int
    answers: tuple[Block, ...] = ()
    asked: tuple[Section | Diagram, ...] = ()
    thread: Thread | None = None
    proofs: tuple[str, ...] = ()
    gist: Gist = Gist.NEWS
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A letter that is not about one game, or to somebody who is not, or no longer, a player of it.

    `reply_to` is the address for answers, empty for the desk's own. No line of it is a command in any of `games`.
    """

    at: datetime
    subject: str
    sections: tuple[Section, ...]
    thread: Thread
    reply_to: str = ""
    games: tuple[str, ...] = ()


Draft = LetterContent | Note

_CODEC = Codecs(
    {
        "letter": LetterContent,
        "note": Note,
        "section": Section,
        "diagram": Diagram,
        "paragraph": Paragraph,
        "points": Points,
        "heading": Heading,
        "under": Under,
        "link": Link,
        "lines": Lines,
        "moves": ListedMoves,
        "quote": Quote,
        "pointed": Pointed,
        "rows": Rows,
    }
).of(Draft)


def as_bytes(draft: Draft) -> bytes:
    """A draft as the outbox keeps it."""
    return canonical(_CODEC.write(draft)).encode()


def read_draft(content: bytes) -> Draft:
    """The draft that the outbox has kept."""
    draft: Draft = _CODEC.read(json.loads(content))
    return draft
