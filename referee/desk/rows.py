"""Rows of the store's tables, and the values that they stand for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Row

from referee.desk.database import StoreError
from referee.desk.events import body, canonical, event_of, kind_of
from referee.desk.log import Entry, read_time
from referee.desk.records import Letter
from referee.desk.schema import EVENT
from referee.desk.state import State
from referee.errors import RefereeError


@contextmanager
def undamaged(what: str) -> Iterator[None]:
    """Tell rows that cannot be read as StoreError: no desk has written them so."""
    try:
        yield
    except StoreError:
        raise
    except (RefereeError, ValueError, LookupError, TypeError) as error:
        message = f"{what} is damaged ({type(error).__name__}): restore a backup"
        raise StoreError("store", message) from None


def append(connection: Connection, game: str | None, state: State | None, entries: Iterable[Entry]) -> None:
    """Add entries to a log; they must follow the state."""
    number, head = (state.number, state.head) if state else (-1, None)
    rows = []
    for entry in entries:
        if (entry.game, entry.number) != (game, number + 1) or head not in (None, entry.before):
            raise ValueError(f"entry {entry.number} of {entry.game} does not follow entry {number}")
        number, head = entry.number, entry.digest
        rows.append({**entry.as_json(), "kind": kind_of(entry.event), "body": canonical(body(entry.event))})
    if rows:
        connection.execute(EVENT.insert(), rows)


def entry_of(row: Row[Any]) -> Entry:
    """The entry that a row of the logs is."""
    event = event_of(row.kind, json.loads(row.body))
    return Entry(row.game, row.number, read_time(row.at), event, row.before, row.digest)


def letter_of(row: Row[Any]) -> Letter:
    """The letter that a row is, with its own bytes behind its envelope."""
    return Letter(row.digest, read_time(row.received), row.raw + (row.bytes or b""), row.attempts, bool(row.cut))


def plain(note: str) -> str:
    """A note as any database takes it, whatever was in the letter that it speaks of."""
    return note.encode(errors="replace").decode().replace("\0", "?")
