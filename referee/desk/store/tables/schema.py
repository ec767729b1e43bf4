"""The desk's tables, as this version of the package has them (`upgrades.py` leads there from older ones).

One definition serves SQLite and PostgreSQL. Times are texts as in logs, so they sort in order of time.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)
from sqlalchemy.schema import SchemaItem

TABLES = MetaData()

META = Table("meta", TABLES, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))


def event_table(tables: MetaData, *since: SchemaItem) -> Table:
    """The table of logs, as version 1 has it, and what has been added since."""
    return Table(
        "event",
        tables,
        Column("game", Text, nullable=False),
        Column("number", Integer, nullable=False),
        Column("at", Text, nullable=False),
        Column("kind", Text, nullable=False),
        Column("body", Text, nullable=False),
        Column("before", Text, nullable=False),
        Column("digest", Text, nullable=False),
        *since,
        PrimaryKeyConstraint("game", "number"),
        CheckConstraint("number >= 0"),
    )


EVENT = event_table(TABLES, Column("came", Text))
"""The logs of all games; two workers cannot both take the same primary key.

`came` says how an act came by letter; logs before version 3 have none.
"""


def letter_in_table(tables: MetaData, *since: SchemaItem) -> Table:
    """The table of letters in, as version 1 has it, and what has been added since."""
    return Table(
        "letter_in",
        tables,
        Column("number", Integer, primary_key=True, autoincrement=True),
        Column("digest", Text, nullable=False, unique=True),
        Column("received", Text, nullable=False),
        Column("raw", LargeBinary, nullable=False),
        Column("next", Text),
        Column("attempts", Integer, nullable=False),
        Column("done", Text),
        Column("note", Text, nullable=False),
        *since,
        Index("letter_in_waiting", "done", "next"),
    )


LETTER_IN = letter_in_table(
    TABLES,
    Column("content", Text),
    Column("account", Text),
    Column("size", Integer),
    Column("cut", Boolean),
    Column("acknowledged", Text),
    Index("letter_in_account", "account", "received"),
)
"""Letters as they came; `done` when one was dealt with, `next` when it is tried (again), neither: set aside.

`acknowledged` is when the host said that a filed letter need not be listed any more.

`raw` is the envelope and `content` names the letter's own bytes. `size` counts the bytes that the letter added to the
store, and `account` says who is charged for them; of a letter that is `cut` only the beginning was kept.
"""

CONTENT = Table(
    "content",
    TABLES,
    Column("digest", Text, primary_key=True),
    Column("bytes", LargeBinary, nullable=False),
)
"""The bytes of letters without their envelopes, once each, by SHA-256."""


def outbox_table(tables: MetaData, *since: SchemaItem) -> Table:
    """The table of letters out, as version 1 has it, and what has been added since."""
    return Table(
        "outbox",
        tables,
        Column("id", Text, primary_key=True),
        Column("game", Text),
        Column("kind", Text, nullable=False),
        Column("recipient", Text, nullable=False),
        Column("draft", LargeBinary, nullable=False),
        Column("queued", Text, nullable=False),
        Column("next", Text),
        Column("attempts", Integer, nullable=False),
        Column("sent", Text),
        Column("note", Text, nullable=False),
        *since,
        Index("outbox_waiting", "sent", "next"),
        Index("outbox_recipient", "recipient", "queued"),
    )


OUTBOX = outbox_table(TABLES, Column("moved", Text), Column("returned", Text), Column("acknowledged", Text))
"""Letters to be sent; `sent` when one was, `next` when it is tried (again), neither: given up.

`returned` is the status code of a report that a sent letter could not be delivered, and what the report says.
`acknowledged` is when the host said that a letter that was given up need not be counted any more.

`moved` is the digest of a draft that is in the attic; `draft` is empty then.
"""

ATTIC = Table(
    "attic",
    TABLES,
    Column("digest", Text, primary_key=True),
    Column("file", Text, nullable=False),
    Column("place", BigInteger, nullable=False),
)
"""Where the bytes of old letters and of drafts of letters out are, by their SHA-256: which file, and where in it."""

SECRET = Table(
    "secret",
    TABLES,
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("game", "name"),
)
"""What is in no log: sealed moves, what chance decided, addresses; and the desk's own key, of the game ''."""

PREFERENCE = Table(
    "preference",
    TABLES,
    Column("address", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("address", "name"),
)
"""What people have chosen for the letters to their address, which is in small letters; and their numbers by names."""

DOMAIN_KEY = Table(
    "domain_key",
    TABLES,
    Column("name", Text, nullable=False),
    Column("day", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("at", Text),
    Column("record", Text),
    PrimaryKeyConstraint("name", "day"),
)
"""The keys by which letters that did something were signed (DKIM): what DNS said of each name on a day.

`record` is empty if there was none, and null, like `at`, until DNS has said anything.
"""

DAY_ROOT = Table(
    "day_root",
    TABLES,
    Column("day", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("root", Text, nullable=False),
)
"""The roots of days (in UTC, such as 2027-03-01) over the heads of all games, and how many games that were."""

DAY_HEAD = Table(
    "day_head",
    TABLES,
    Column("day", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("number", Integer, nullable=False),
    PrimaryKeyConstraint("day", "game"),
)
"""The number of a game's head at the end of a day, if it was another one when the root before was made."""

PAIRING = Table(
    "pairing",
    TABLES,
    Column("token", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("code", Text),
    Column("tries", Integer, nullable=False),
    Index("pairing_address", "address"),
)
"""Browsers that may move for an address (in small letters), by a digest of the token in their cookie.

`code` is a digest of the code that its owner still has to type, within so many `tries`; null once they have. `at` is
when the code was asked for, and then when it was typed.
"""

DUE = Table(
    "due",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("at", Text),
    Index("due_at", "at"),
)
"""When the clock next does something in a game, as its log up to the entry of a number says; null if it does nothing.

An empty time comes before all others: nobody has looked yet.
"""

ENGINE_TURN = Table(
    "engine_turn",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("owed", Text, nullable=False),
    Column("since", Text),
    Column("taken", Text),
    Index("engine_turn_since", "since"),
)
"""Since when an engine owes a move in a game, as its log up to the entry of a number says; null if none does.

`owed` tells the moves of a game apart. Until `taken`, a worker has its engine think about this one. An empty time
comes before all others: nobody has looked yet.
"""

SNAPSHOT = Table(
    "snapshot",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("head", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("state", Text, nullable=False),
)
"""Where a game stood after the entry of a number, whose digest is `head`; it follows from the log."""

STANDING = Table(
    "standing",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("glance", Text),
    Index("standing_phase", "phase"),
)
"""The last entry of each log, how far the game has come, and whether the host has stopped its clocks.

`glance` is what lists show of the game; null if nobody has looked since version 8 of the tables.
"""

FILED = "substr(note, 1, 5) in ('list:', 'junk:', 'bounc')"
"""The condition for rows of `LETTER_IN` that were filed as letters of machines; an index covers those alone."""

RARE = "kind not in ('news', 'answer')"
"""The condition for rows of `OUTBOX` of which there are few; an index covers those alone, by the time of queueing."""

CAME_BACK = "returned is not null"
"""The condition for rows of `OUTBOX` that were reported as undelivered; an index covers those alone."""

IS_ADDRESS = "substr(name, 1, 8) = 'address/'"
"""The condition for rows of `SECRET` with an address; an index covers those alone."""
