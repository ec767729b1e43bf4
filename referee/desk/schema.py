"""The desk's tables, and how those of an older desk are upgraded.

One definition serves SQLite and PostgreSQL. Times are texts as in logs, so they sort in order of time.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.schema import SchemaItem

from referee.errors import RefereeError

IDENTITY_BYTES = 8
"""Bytes of a desk's id."""

TABLES = MetaData()

META = Table("meta", TABLES, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))


def _event_in(tables: MetaData, *since: SchemaItem) -> Table:
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


EVENT = _event_in(TABLES, Column("came", Text))
"""The logs of all games; two workers cannot both take the same primary key.

`came` says how an act came by letter; logs before version 3 have none.
"""


def _letter_in(tables: MetaData, *since: SchemaItem) -> Table:
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


LETTER_IN = _letter_in(
    TABLES,
    Column("content", Text),
    Column("account", Text),
    Column("size", Integer),
    Column("cut", Boolean),
    Index("letter_in_account", "account", "received"),
)
"""Letters as they came; `done` when one was dealt with, `next` when it is tried (again), neither: set aside.

`raw` is the envelope and `content` names the letter's own bytes; without `content`, `raw` is everything. `size`
counts the bytes that the letter added to the store, and `account` says who is charged for them; of a letter that is
`cut` only the beginning was kept.
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
    Index("outbox_waiting", "sent", "next"),
    Index("outbox_recipient", "recipient", "queued"),
)
"""Letters to be sent; `sent` when one was, `next` when it is tried (again), neither: given up."""

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
"""What people have chosen for the letters to their address, which is in small letters."""

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

ALL_DUE = (
    "insert into due (game, number, at) select game, 0, '' from event where number = 0 and not exists ("
    "select 1 from event as last where last.game = event.game and last.kind = 'closed' and not exists ("
    "select 1 from event as again where again.game = last.game and again.kind = 'reopened' "
    "and again.number > last.number))"
)
"""Makes a row of `DUE`, which has none, for each game that is not over."""

IS_ADDRESS = "substr(name, 1, 8) = 'address/'"
"""The condition for rows of `SECRET` with an address; an index covers those alone."""

_FIRST = MetaData()
"""The tables of version 1 that have changed since."""

_event_in(_FIRST)
_letter_in(_FIRST)


def _first(connection: Connection) -> None:
    """Version 1: all tables, and the guards of those that only grow."""
    TABLES.create_all(connection, tables=[OUTBOX, SECRET], checkfirst=False)
    _FIRST.create_all(connection, checkfirst=False)
    if connection.dialect.name != "sqlite":
        connection.execute(
            text(
                "create function refuse_change() returns trigger language plpgsql as "
                "$$ begin raise exception 'this table is only added to'; end $$"
            )
        )
    _guard(connection, "event")
    _guard(connection, "letter_in", "number, digest, received, raw")


def _second(connection: Connection) -> None:
    """Version 2: a desk's id, the bytes of letters once, who is charged for them, and an index of addresses."""
    connection.execute(insert(META).values(name="id", value=secrets.token_hex(IDENTITY_BYTES)))
    CONTENT.create(connection)
    _guard(connection, "content")
    for name, kind in (("content", "text"), ("account", "text"), ("size", "integer"), ("cut", "boolean")):
        connection.execute(text(f"alter table letter_in add column {name} {kind}"))
    connection.execute(text("create index letter_in_account on letter_in (account, received)"))
    connection.execute(text(f"create index secret_address on secret (lower(value)) where {IS_ADDRESS}"))


def _third(connection: Connection) -> None:
    """Version 3: how an act came, and what people choose for their letters."""
    connection.execute(text("alter table event add column came text"))
    PREFERENCE.create(connection)


def _fourth(connection: Connection) -> None:
    """Version 4: the keys by which letters were signed."""
    DOMAIN_KEY.create(connection)


def _fifth(connection: Connection) -> None:
    """Version 5: roots of days."""
    TABLES.create_all(connection, tables=[DAY_ROOT, DAY_HEAD], checkfirst=False)
    _guard(connection, "day_root")
    _guard(connection, "day_head")


def _sixth(connection: Connection) -> None:
    """Version 6: browsers that may move for an address."""
    PAIRING.create(connection)


def _seventh(connection: Connection) -> None:
    """Version 7: when each game is next due; the clock looks once at all that are not over."""
    DUE.create(connection)
    connection.execute(text(ALL_DUE))


def _guard(connection: Connection, table: str, columns: str = "") -> None:
    """Make the database refuse to delete from a table or to change these columns; all of them if none is named."""
    sqlite = connection.dialect.name == "sqlite"
    of = f" of {columns}" if columns else ""
    for name, when in ((f"{table}_changed", f"update{of}"), (f"{table}_deleted", "delete")):
        act = (
            "begin select raise(abort, 'this table is only added to'); end"
            if sqlite
            else "for each row execute function refuse_change()"
        )
        connection.execute(text(f"create trigger {name} before {when} on {table} {act}"))
    if not sqlite:
        act = "for each statement execute function refuse_change()"
        connection.execute(text(f"create trigger {table}_emptied before truncate on {table} {act}"))


Upgrades = Sequence[Callable[[Connection], None]]

UPGRADES: Upgrades = (_first, _second, _third, _fourth, _fifth, _sixth, _seventh)
"""The step from each version of the tables to the next; the first one leads from nothing to version 1.

A released step never changes; once the definitions above have moved on, it has definitions of its own.
"""


def version(connection: Connection) -> int | None:
    """The version of a desk's tables; None if the database holds no desk."""
    found = inspect(connection)
    if not all(found.has_table(table.name) for table in (META, EVENT, LETTER_IN, SECRET)):
        return None
    if {column["name"] for column in found.get_columns("meta")} != {"name", "value"}:
        return None
    said = connection.execute(select(META.c.value).where(META.c.name == "schema")).scalar_one_or_none()
    return int(said) if said is not None and said.isdigit() else None


def begin(connection: Connection, upgrades: Upgrades = UPGRADES) -> bool:
    """Create a desk's tables if there are none; True if that was needed.

    Raises:
        RefereeError: `store`, if there are tables of the same names that are not a desk's.
    """
    _alone(connection)
    if version(connection) is not None:
        return False
    taken = sorted(TABLES.tables.keys() & {*inspect(connection).get_table_names()})
    if taken:
        message = f"this database already holds something else, in tables called {', '.join(taken)}: use another one"
        raise RefereeError("store", message)
    META.create(connection)
    connection.execute(insert(META).values(name="schema", value="0"))
    _upgrade(connection, 0, upgrades)
    return True


def prepare(connection: Connection, upgrades: Upgrades = UPGRADES) -> int:
    """Upgrade the tables to this version, in one transaction; return the version they had.

    Raises:
        RefereeError: `newer-desk`, if their version is not known here; `no-desk`, if there are none.
    """
    _alone(connection)
    had = version(connection)
    if had is None:
        raise RefereeError("no-desk", "this database holds no desk: only 'referee desk init' creates one")
    if had > len(upgrades):
        message = f"a newer referee has upgraded this desk: its tables have version {had}, not {len(upgrades)}"
        raise RefereeError("newer-desk", message)
    if had < len(upgrades):
        _upgrade(connection, had, upgrades)
    return had


def _alone(connection: Connection) -> None:
    """Make others wait who want to change the tables too; SQLite has only one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(7330)"))


def _upgrade(connection: Connection, had: int, upgrades: Upgrades) -> None:
    for upgrade in upgrades[had:]:
        upgrade(connection)
    connection.execute(update(META).where(META.c.name == "schema").values(value=str(len(upgrades))))
