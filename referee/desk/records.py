"""Records of a desk next to its logs: letters in and out, choices of people, and changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from referee.desk.log.log import Entry
from referee.desk.log.secrets import Secrets
from referee.desk.state.state import State

ATTIC_FOLDER = "attic"
"""Name of the folder of old letters, next to the settings of the desk."""

LEASE = timedelta(seconds=30)
"""Time for which a letter out or an engine's move belongs to the worker that took it, unless renewed."""

HOLD = timedelta(minutes=1)
"""Time for which a letter waits for an engine's answer, to be one letter with it."""

CODE_LASTS = timedelta(minutes=30)
"""Lifetime of the code in a letter."""

PAIRING_LASTS = timedelta(days=180)
"""Lifetime of a pairing; after it the browser must be paired again."""

BEGINNING = 16_384
"""Bytes at the beginning of a letter that are searched for a header."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A letter as it came, its SHA-256 and the attempts to handle it; `cut` if only its beginning was kept."""

    digest: str
    received: datetime
    raw: bytes = field(repr=False)
    attempts: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to be sent.

    `id` stays the same when the letter that it answers is handled again, so that it goes out once. `draft` is its
    content, in the form that its sender reads. `kind` tells news, notes and the kinds of answers apart, and each is
    counted on its own; a part after a slash tells letters of one kind apart. One that is `held` waits for `HOLD`: the
    next letter about its game to its recipient has its id in `instead`, or lets it go first.
    """

    id: str
    recipient: str
    draft: bytes = field(repr=False)
    game: str | None = None
    attempts: int = 0
    kind: str = "news"
    held: bool = False
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """A choice for the letters to an address (in small letters); a value of None takes it back."""

    address: str = field(repr=False)
    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A browser that may move for an address in small letters, since a time (docs/pages.md, "Submit a move").

    `token` is a digest of the secret in its cookie. While there is a `code`, also a digest, its owner has not typed
    it yet and may only try it, `tries` more times.
    """

    token: str = field(repr=False)
    address: str = field(repr=False)
    at: datetime
    code: str | None = field(default=None, repr=False)
    tries: int = 0


class Submission(NamedTuple):
    """The effect of a page's submission, in a sentence; `game` is the new game that it led to.

    `followed` says what followed so far, in sentences, and whether an engine is about to add to it.
    """

    done: str
    followed: Callable[[], tuple[bool, str | None]]
    game: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """A report about an undelivered letter; `said` begins with a status of RFC 3463, with 5 for a permanent one."""

    queued: datetime
    said: str

    @property
    def for_good(self) -> bool:
        """True if no later attempt can deliver the letter."""
        return self.said.startswith("5")


@dataclass(frozen=True, slots=True)
class DealtWith:
    """A letter in: it waits, is done, or was set aside; `fault` is why only its envelope could be read."""

    letter: Incoming
    done: datetime | None
    waits: bool
    note: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter out: it waits, was sent, or was given up; `returned` is the report about one that came back."""

    letter: Outgoing
    queued: datetime
    sent: datetime | None
    waits: bool
    note: str
    returned: str = ""


class TallyIn(NamedTuple):
    """The number of letters with the same note and state; `cut` is true if only their beginning was kept."""

    note: str
    done: bool
    waits: bool
    cut: bool
    number: int


class TallyOut(NamedTuple):
    """The number of letters of a kind in a state: `waiting`, `sent` or `given-up`."""

    kind: str
    state: str
    number: int


class PutAway(NamedTuple):
    """Letters that were moved: their number, their bytes in the store, and the file that now has them."""

    letters: int
    size: int
    file: Path


class AtticFile(NamedTuple):
    """A file of the attic: the number of letters that it should have, and its fault; empty if there is none."""

    file: Path
    letters: int
    fault: str


@dataclass(frozen=True, slots=True)
class Held:
    """A game in the store: its state (None if there is no such game) and its secrets."""

    state: State | None
    secrets: Secrets = field(repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """A change to store, with a `ticket` only if none was stored since that was drawn; `signers` name DKIM keys.

    All browsers of the address `unpaired` (in small letters) are forgotten.
    """

    entries: tuple[Entry, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    letters: tuple[Outgoing, ...] = ()
    note: str = ""
    preferences: tuple[Preference, ...] = ()
    ticket: int | None = None
    signers: tuple[str, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    unpaired: str = ""


@dataclass(frozen=True, slots=True)
class DomainKey:
    """A DKIM key record, as DNS returned it at `at`."""

    name: str
    at: datetime
    record: str


Work = Callable[[Held], Change]
"""Makes a change from the stored game; it may be called again with a newer state."""
