"""The desk's tables in SQLite and PostgreSQL; times are texts as in logs, so they sort in order of time."""

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
    Table,
    Text,
    UniqueConstraint,
    select,
)

TABLES = MetaData()

FILED = "substr(note, 1, 5) in ('list:', 'junk:', 'bounc')"
"""The condition for rows of `LETTER_IN` that were filed as letters of machines; an index covers those alone."""

RARE = "kind not in ('news', 'answer')"
"""The condition for the few rows of `OUTBOX` besides news and answers; an index covers those alone."""

CAME_BACK = "returned is not null"
"""The condition for rows of `OUTBOX` that were reported as undelivered; an index covers those alone."""

IS_ADDRESS = "substr(name, 1, 8) = 'address/'"
"""The condition for rows of `SECRET` with an address; an index covers those alone."""

META = Table("meta", TABLES, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

EVENT = Table(
    "event",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("came", Text, nullable=False),
    CheckConstraint("number >= 0"),
)
"""The logs of all games; `came` says how an act came by letter, as JSON."""

LETTER_IN = Table(
    "letter_in",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("received", Text, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Column("next", Text),
    Column("attempts", Integer, nullable=False),
    Column("done", Text),
    Column("note", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("account", Text),
    Column("size", Integer, nullable=False),
    Column("cut", Boolean, nullable=False),
    Column("acknowledged", Text),
    Index("letter_in_account", "account", "received"),
    Index("letter_in_waiting", "done", "next"),
)
"""Letters as they came; `done` when one was handled, `next` when it is tried (again), neither: set aside.

`raw` is the envelope and `content` names the letter's own bytes. `size` counts the bytes that the letter added to the
store, and `account` says who is charged for them; of a letter that is `cut` only the beginning was kept. A letter
that the host has `acknowledged` need no longer be listed.
"""

CONTENT = Table(
    "content",
    TABLES,
    Column("digest", Text, primary_key=True),
    Column("bytes", LargeBinary, nullable=False),
)
"""The bytes of letters without their envelopes, once each, by SHA-256."""

OUTBOX = Table(
    "outbox",
    TABLES,
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
    Column("moved", Text),
    Column("returned", Text),
    Column("acknowledged", Text),
    Index("outbox_waiting", "sent", "next"),
    Index("outbox_recipient", "recipient", "queued"),
)
"""Letters to be sent; `sent` when one was, `next` when it is tried (again), neither: given up.

`returned` is the status code of a report that a sent letter could not be delivered, and what the report says. One
that the host has `acknowledged` need no longer be counted. `moved` is the digest of a draft that is in the attic.
"""

ATTIC = Table(
    "attic",
    TABLES,
    Column("digest", Text, primary_key=True),
    Column("file", Text, nullable=False),
    Column("place", BigInteger, nullable=False),
)
"""Places of the bytes of old letters and drafts, by their SHA-256: the file, and the offset in it."""

SECRET = Table(
    "secret",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Secrets of no log: sealed moves, chance results, addresses; and the desk's own key, of the game ''."""

PREFERENCE = Table(
    "preference",
    TABLES,
    Column("address", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""Choices of people for the letters to their address (in small letters)."""

NAMESAKE = Table(
    "namesake",
    TABLES,
    Column("name", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("address", Text, primary_key=True),
    UniqueConstraint("name", "number"),
)
"""Numbers that keep players of one name apart; addresses are in small letters."""

DOMAIN_KEY = Table(
    "domain_key",
    TABLES,
    Column("name", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("at", Text),
    Column("record", Text),
)
"""The DKIM keys of letters that have acted: the answer of DNS about each name on a day.

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
    Column("day", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("number", Integer, nullable=False),
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

`code` is a digest of the code that its owner still has to type, within a number of `tries`; null once they have. `at`
is when the code was asked for, and then when it was typed.
"""

PROJECTION = Table(
    "projection",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("value", Text, nullable=False),
    Column("version", Text),
    Column("at", Text),
    Column("phase", Text),
    Column("paused", Boolean),
    Column("due", Text),
    Column("owed", Text),
    Column("since", Text),
    Column("taken", Text),
    Index("projection_phase", "phase"),
    Index("projection_due", "due"),
    Index("projection_since", "since"),
)
"""Projections of each log up to the entry of a number; `value` is JSON.

A `game` is what lists show, and so that it is found: the time of the entry, how far the game has come, and whether
the host has stopped its clocks; when the clock is next `due`, null if it does nothing; the move that an engine has
`owed` `since` a time, null if none does, and until when a worker has `taken` it. An empty `due` comes before all
others: nothing is known of it. A `snapshot` is the state, written by a `version` of the package.
"""

GAME, SNAPSHOT = "game", "snapshot"

STANDING = select(PROJECTION).where(PROJECTION.c.kind == GAME).subquery("standing")
