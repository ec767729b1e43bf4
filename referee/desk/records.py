"""Records of a desk beside its logs: letters in and out, choices of people, and what is stored at once."""

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
"""The name of the folder of old letters, beside the settings of the desk."""

LEASE = timedelta(seconds=30)
"""Time for which a letter out or a move of an engine belongs to the worker that took it, unless that renews it."""

CODE_LASTS = timedelta(minutes=30)
"""Time in which the code of a letter can be typed."""

PAIRING_LASTS = timedelta(days=180)
"""Time in which a browser may move for an address; then it has to be paired again."""

BEGINNING = 16_384
"""Bytes of a letter that are searched for what stands in its header."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A letter as it came, its envelope before it; `digest` is the SHA-256 of these bytes.

    `attempts` counts how often work on it began; `cut` says that only its beginning was kept.
    """

    digest: str
    received: datetime
    raw: bytes = field(repr=False)
    attempts: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to be sent.

    `id` stays the same when the letter that it answers is dealt with again, so that it goes out once. `draft` is what
    it will say; its sender knows how to read that. `kind` tells news, notes and the kinds of answers apart, and each
    is counted on its own; what follows a slash tells letters of one kind apart.
    """

    id: str
    recipient: str
    draft: bytes = field(repr=False)
    game: str | None = None
    attempts: int = 0
    kind: str = "news"


@dataclass(frozen=True, slots=True)
class Preference:
    """What somebody chooses for the letters to their address, which is in small letters; None takes a choice back."""

    address: str = field(repr=False)
    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A browser that may move for an address in small letters, since a time (docs/pages.md, "Submit a move").

    `token` is a digest of the secret in its cookie. While there is a `code`, of which this is a digest, too, its
    owner has not typed that yet, and may do nothing but try, so many `tries` more.
    """

    token: str = field(repr=False)
    address: str = field(repr=False)
    at: datetime
    code: str | None = field(default=None, repr=False)
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Returned:
    """What a report says of a letter out that was queued at a time: it could not be delivered, or not yet.

    `said` begins with the status code of RFC 3463; one that begins with 5 is for good.
    """

    queued: datetime
    said: str

    @property
    def for_good(self) -> bool:
        """True if no later attempt can deliver the letter."""
        return self.said.startswith("5")


@dataclass(frozen=True, slots=True)
class DealtWith:
    """A letter in, and what became of it; it `waits`, was dealt with at the time `done`, or else was set aside.

    `fault` says why the letter has its envelope alone; empty if it is whole.
    """

    letter: Incoming
    done: datetime | None
    waits: bool
    note: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Posted:
    """A letter out, and what became of it; it `waits`, was `sent` at a time, or else was given up.

    `returned` is what a report says of one that came back.
    """

    letter: Outgoing
    queued: datetime
    sent: datetime | None
    waits: bool
    note: str
    returned: str = ""


class TallyIn(NamedTuple):
    """How many letters have the same note and state; `cut` says that only their beginning was kept."""

    note: str
    done: bool
    waits: bool
    cut: bool
    number: int


class TallyOut(NamedTuple):
    """How many letters of a kind are in a state: `waiting`, `sent` or `given-up`."""

    kind: str
    state: str
    number: int


class PutAway(NamedTuple):
    """What was moved: how many letters, the bytes that they took in the store, and the file that has them now."""

    letters: int
    size: int
    file: Path


class AtticFile(NamedTuple):
    """A file of the attic: how many letters' bytes it should have, and what is wrong with it; empty if nothing is."""

    file: Path
    letters: int
    fault: str


@dataclass(frozen=True, slots=True)
class Held:
    """What the store has of a game: its state (None if there is no such game) and its secrets."""

    state: State | None
    secrets: Secrets = field(repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """What is stored at once; the entries follow the state it was made from.

    With a `ticket` it is stored only if no other change with one was stored since that ticket was drawn.
    `signers` are the names of the keys by which the letter that brings it is signed; what DNS says of them is kept.
    """

    entries: tuple[Entry, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    letters: tuple[Outgoing, ...] = ()
    note: str = ""
    preferences: tuple[Preference, ...] = ()
    ticket: int | None = None
    signers: tuple[str, ...] = ()
    pairings: tuple[Pairing, ...] = ()


@dataclass(frozen=True, slots=True)
class DomainKey:
    """What DNS said at a time of the place of a key by which mail servers sign (DKIM)."""

    name: str
    at: datetime
    record: str


Work = Callable[[Held], Change]
"""Makes a change from the stored game; it may be called again, with a newer state."""
