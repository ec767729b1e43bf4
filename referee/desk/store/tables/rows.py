"""Statements that find rows of the tables, built once, as that takes as long as executing, and their values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, LargeBinary, Row, and_, bindparam, func, or_, select, text, update

from referee.desk.errors import StoreError
from referee.desk.log.bodies import canonical, event_of
from referee.desk.log.log import Entry, came_of, read_time
from referee.desk.records import BEGINNING, Incoming
from referee.desk.state.state import State
from referee.desk.store.tables.schema import CONTENT, EVENT, IS_ADDRESS, LETTER_IN, OUTBOX, RARE, SECRET
from referee.errors import RefereeError

LETTERS = select(LETTER_IN, CONTENT.c.bytes).outerjoin(CONTENT, CONTENT.c.digest == LETTER_IN.c.content)

_WAITS = (
    select(
        LETTER_IN.c.number,
        (func.length(LETTER_IN.c.raw) + func.coalesce(func.length(CONTENT.c.bytes), 0)).label("size"),
    )
    .outerjoin(CONTENT, CONTENT.c.digest == LETTER_IN.c.content)
    .where(
        LETTER_IN.c.done.is_(None),
        or_(LETTER_IN.c.next <= bindparam("at"), LETTER_IN.c.next > bindparam("beyond")),
    )
    .order_by(LETTER_IN.c.number)
    .limit(bindparam("most"))
    .subquery()
)
_SUMMED = select(
    _WAITS.c.number, (func.sum(_WAITS.c.size).over(order_by=_WAITS.c.number) - _WAITS.c.size).label("before")
).subquery()
WAITING = LETTERS.where(
    LETTER_IN.c.number.in_(select(_SUMMED.c.number).where(_SUMMED.c.before < bindparam("held")))
).order_by(LETTER_IN.c.number)
"""The letters to handle at a time, in order of arrival, until `held` bytes are read; also those that would wait until
`beyond` or later."""

DEALT_WITH = (
    update(LETTER_IN)
    .where(LETTER_IN.c.digest == bindparam("letter"), LETTER_IN.c.done.is_(None))
    .values(done=bindparam("at"), next=None, note=bindparam("said"))
)
"""The mark that a letter has been handled."""

ENTRIES = (
    select(EVENT)
    .where(EVENT.c.game == bindparam("of"), EVENT.c.number >= bindparam("first"))
    .order_by(EVENT.c.number)
)
"""The entries of a game's log, from one on."""

BEGINNINGS = select(
    LETTER_IN.c.digest,
    (LETTER_IN.c.content.is_not(None) & CONTENT.c.bytes.is_(None)).label("moved"),
    func.substr(LETTER_IN.c.raw, 1, BEGINNING, type_=LargeBinary).label("envelope"),
    func.substr(CONTENT.c.bytes, 1, BEGINNING, type_=LargeBinary).label("content"),
).outerjoin(CONTENT, CONTENT.c.digest == LETTER_IN.c.content)
"""The beginnings of letters, of the envelope and of what is in it, unless that is `moved` to the attic."""

RECENT = BEGINNINGS.where(
    LETTER_IN.c.digest.in_(
        select(LETTER_IN.c.digest)
        .where(
            LETTER_IN.c.account == bindparam("of"),
            LETTER_IN.c.received >= bindparam("since"),
            LETTER_IN.c.done.is_not(None),
        )
        .order_by(LETTER_IN.c.received.desc())
        .limit(bindparam("most"))
    )
)
"""The beginnings of the newest handled letters of an account since a time."""

_ENTERED = EVENT.insert()

SECRETS = select(SECRET.c.name, SECRET.c.value).where(SECRET.c.game == bindparam("of"))

KEY = select(SECRET.c.value).where(SECRET.c.game == "", SECRET.c.name == "key")

_AFTER_DIGITS = "g"
"""A text after every hexadecimal digit, in any order that a database may use."""

HAS_ADDRESS = and_(text(IS_ADDRESS), func.lower(SECRET.c.value) == bindparam("address"))
"""A secret is this address of a seat; the index `secret_address` finds it."""

SEATS = select(SECRET.c.game).where(HAS_ADDRESS).group_by(SECRET.c.game)
"""The games with an address on a seat."""

NOTES = select(OUTBOX.c.recipient, OUTBOX.c.queued).where(
    text(RARE), OUTBOX.c.queued > bindparam("since"), OUTBOX.c.kind == "note"
)
"""To whom notes about no game were queued since a time, and when; an index has them."""


def begins(digest: ColumnElement[str], how: str) -> ColumnElement[bool]:
    """The condition that a digest begins so; an index of digests finds it, which `like` with a parameter does not."""
    return and_(digest >= how, digest < how + _AFTER_DIGITS, digest.startswith(how, autoescape=True))


@contextmanager
def row_faults(what: str) -> Iterator[None]:
    """Raise StoreError for damaged rows; PackageFault is raised as it is."""
    try:
        yield
    except StoreError:
        raise
    except (RefereeError, ValueError, LookupError, TypeError) as error:
        raise StoreError("store", f"{what} is damaged ({type(error).__name__}): restore a backup") from None


def append(connection: Connection, game: str | None, state: State | None, entries: Iterable[Entry]) -> None:
    """Add entries to a log; they must follow the state."""
    number, head = (state.number, state.head) if state else (-1, None)
    rows = []
    for entry in entries:
        if (entry.game, entry.number) != (game, number + 1) or head not in (None, entry.before):
            raise ValueError(f"entry {entry.number} of {entry.game} does not follow entry {number}")
        number, head = entry.number, entry.digest
        written = entry.as_json()
        rows.append({**written, "body": canonical(written["body"]), "came": canonical(written["came"])})
    if rows:
        connection.execute(_ENTERED, rows)


def entry_of(row: Row[Any]) -> Entry:
    """The entry that a row of the logs is."""
    return _entry(row.game, row.number, row.at, row.kind, row.body, row.before, row.digest, row.came)


@lru_cache(1024)
def _entry(game: str, number: int, at: str, kind: str, body: str, before: str, digest: str, came: str) -> Entry:
    """The last ones are kept, because the letters about a ply read the same log."""
    event = event_of(kind, json.loads(body))
    return Entry(game, number, read_time(at), event, before, digest, came_of(json.loads(came)))


def letter_of(row: Row[Any]) -> Incoming:
    """The letter that a row is, with its own bytes behind its envelope."""
    return Incoming(row.digest, read_time(row.received), row.raw + (row.bytes or b""), row.attempts, bool(row.cut))


def plain(note: str) -> str:
    """A note in a form that any database accepts, even with odd characters from a letter."""
    return note.encode(errors="replace").decode().replace("\0", "?")
