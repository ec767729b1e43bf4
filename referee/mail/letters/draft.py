"""What the outbox keeps of a letter: what it tells of.

It is written out when it is handed over (`referee.mail.letters.render`), always in the same words, so that no game
waits for boards and pictures to be drawn.
"""

from __future__ import annotations

import enum
import json
from dataclasses import asdict, dataclass
from datetime import datetime

from referee.desk.events import canonical
from referee.desk.log import read_time, write_time

Parts = tuple[tuple[str, tuple[str, ...]], ...]
"""Parts of a letter that were asked for: a heading and lines each."""


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


@dataclass(frozen=True, slots=True)
class LetterContent:
    """A letter to a side, of the entries of the game's log after `since` up to `number`; and perhaps an answer.

    `proofs` are digests for later, which stand at its end. `unsigned` says that the letter answered needed a
    signature and had none that holds.
    """

    at: datetime
    side: str
    since: int
    number: int
    answers: tuple[str, ...] = ()
    asked: Parts = ()
    thread: Thread | None = None
    proofs: tuple[str, ...] = ()
    gist: Gist = Gist.NEWS
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A few lines to somebody who is not, or no longer, a player of a game.

    `reply_to` is the address for answers, empty for the desk's own.
    """

    at: datetime
    subject: str
    lines: tuple[str, ...]
    thread: Thread
    reply_to: str = ""


Draft = LetterContent | Note


def as_bytes(draft: Draft) -> bytes:
    """A draft as the outbox keeps it."""
    return canonical({**asdict(draft), "at": write_time(draft.at)}).encode()


def read_draft(content: bytes) -> Draft:
    """The draft that the outbox has kept; one of an older version lacks what that version did not know."""
    data = json.loads(content)
    data["at"] = read_time(data["at"])
    thread = None if data["thread"] is None else Thread(**data["thread"])
    if "lines" in data:
        return Note(data["at"], data["subject"], tuple(data["lines"]), thread or Thread(), data.get("reply_to", ""))
    asked = tuple((heading, tuple(lines)) for heading, lines in data["asked"])
    lists = {name: tuple(data.get(name, ())) for name in ("answers", "proofs")}
    return LetterContent(**{**data, **lists, "asked": asked, "thread": thread, "gist": Gist(data.get("gist", ""))})
