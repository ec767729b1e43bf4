"""What goes into a desk's store, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from referee.desk.case import Secrets
from referee.desk.log import Entry
from referee.desk.state import State


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as it came, its envelope before it; `digest` is SHA-256 of these bytes.

    `attempts` count how often work on it began; `cut` if only its beginning was kept.
    """

    digest: str
    received: datetime
    raw: bytes = field(repr=False)
    attempts: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to be sent; `id` stays the same when what it answers is done again, so that it goes out once.

    `draft` is what it will say; whoever sends it knows how that is written.

    `kind` tells news, notes and the kinds of answers from each other, so that each is counted apart; what stands
    behind a slash in it tells letters of one kind from each other.
    """

    id: str
    recipient: str
    draft: bytes = field(repr=False)
    game: str | None = None
    attempts: int = 0
    kind: str = "news"


@dataclass(frozen=True, slots=True)
class Held:
    """What the store has of a game: its state, None if there is no such game, and its secrets."""

    state: State | None
    secrets: Secrets = field(repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be stored at once; the entries follow the state that it was made from."""

    entries: tuple[Entry, ...] = ()
    secrets: Secrets = field(default_factory=dict, repr=False)
    letters: tuple[Outgoing, ...] = ()
    note: str = ""


Work = Callable[[Held], Change]
"""What makes a change from what there is; it may be asked again, from a newer state."""
