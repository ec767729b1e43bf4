"""The desk's tables, and how an older desk's become today's.

One definition serves SQLite and PostgreSQL. Times are texts as logs have them, and in order as they stand.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
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

from referee.errors import RefereeError

TABLES = MetaData()

META = Table("meta", TABLES, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

EVENT = Table(
    "event",
    TABLES,
    Column("game", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("digest", Text, nullable=False),
    PrimaryKeyConstraint("game", "number"),
    CheckConstraint("number >= 0"),
)
"""The logs of all games; the primary key is what two workers cannot both take."""

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
    Index("letter_in_waiting", "done", "next"),
)
"""Letters as they came; `done` when one was dealt with, `next` when it is tried (again), neither: set aside."""

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

_FIXED = (("event", ""), ("letter_in", "number, digest, received, raw"))
"""Tables from which nothing is ever deleted, and the columns that never change; '' stands for all."""


def _first(connection: Connection) -> None:
    """Version 1: all tables, and the guards of those that are only added to."""
    TABLES.create_all(connection, tables=[EVENT, LETTER_IN, OUTBOX, SECRET], checkfirst=False)
    sqlite = connection.dialect.name == "sqlite"
    if not sqlite:
        connection.execute(
            text(
                "create function refuse_change() returns trigger language plpgsql as "
                "$$ begin raise exception 'this table is only added to'; end $$"
            )
        )
    for table, columns in _FIXED:
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


UPGRADES: tuple[Callable[[Connection], None], ...] = (_first,)
"""What leads from each version of the tables to the next; the first one from nothing to version 1.

A step that was released is never changed, and says itself what it makes once the definitions above have moved on.
"""


def prepare(connection: Connection, upgrades: tuple[Callable[[Connection], None], ...] = UPGRADES) -> int:
    """Bring the tables to this version, in one transaction, and return the version they had.

    Raises:
        RefereeError: `newer-desk`, if they are of a version that is not known here.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(7330)"))
    if not inspect(connection).has_table("meta"):
        META.create(connection)
        connection.execute(insert(META).values(name="schema", value="0"))
    version = int(connection.execute(select(META.c.value).where(META.c.name == "schema")).scalar_one())
    if version > len(upgrades):
        message = f"this desk is kept by a newer referee: its tables have version {version}, not {len(upgrades)}"
        raise RefereeError("newer-desk", message)
    if version < len(upgrades):
        for upgrade in upgrades[version:]:
            upgrade(connection)
        connection.execute(update(META).where(META.c.name == "schema").values(value=str(len(upgrades))))
    return version
