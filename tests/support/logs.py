"""Logs as tests make, read and audit them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256

from referee.desk import Audit, Came, Entry, LogEvent, State, audit, new_entry, write_time
from referee.desk.log.events import Failed
from referee.desk.log.log import chain_faults


def audit_text(exported: str, head: str | None = None) -> Audit:
    """Audit the text of an exported log."""
    return audit(exported.removesuffix("\n").split("\n"), head)


def fold_log(entries: Iterable[Entry]) -> State:
    """The state of a game after the trusted entries of its log."""
    first, *others = entries
    state = State.start(first)
    for entry in others:
        state = state.after(entry)
    return state


def is_whole(entries: Iterable[Entry]) -> bool:
    """True if the entries are a whole log from its start, and nothing in it was changed."""
    last: Entry | None = None
    for entry in entries:
        if any(chain_faults(entry, last)):
            return False
        last = entry
    return last is not None


def letter(side: str, at: datetime) -> Came:
    """The letter of a side's acts at a time, for the log."""
    return Came(sha256(f"from {side} at {at}".encode()).hexdigest(), write_time(at))


def chain(game: str, number: int, before: str, at: datetime, events: Iterable[LogEvent]) -> Iterator[Entry]:
    """Events that happened at one time, as the entries that follow the one of this number and digest."""
    for event in events:
        came = letter(event.side, at) if isinstance(event, Failed) else None
        entry = new_entry(game, number + 1, at, event, before, came=came)
        yield entry
        number, before = entry.number, entry.digest
