"""The steps from each version of a desk's tables to the next, and the tables of a new desk, which are made by all."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, MetaData, insert, inspect, select, text, update

from referee.desk.store.tables.derivation import ALL_DUE, ALL_STANDINGS
from referee.desk.store.tables.schema import (
    ATTIC,
    CAME_BACK,
    CONTENT,
    DAY_HEAD,
    DAY_ROOT,
    DOMAIN_KEY,
    DUE,
    ENGINE_TURN,
    EVENT,
    FILED,
    IS_ADDRESS,
    LETTER_IN,
    META,
    PAIRING,
    PREFERENCE,
    RARE,
    SECRET,
    SNAPSHOT,
    STANDING,
    TABLES,
    event_table,
    letter_in_table,
    outbox_table,
)
from referee.errors import RefereeError

IDENTITY_BYTES = 8
"""Bytes of a desk's id."""

_AS_IT_CAME = "number, digest, received, raw"
"""What never changes of a letter in."""

_FIRST = MetaData()
"""The tables of version 1 that have changed since."""

event_table(_FIRST)
letter_in_table(_FIRST)
outbox_table(_FIRST)


def _first(connection: Connection) -> None:
    """Version 1: all tables, and the guards of those that only grow."""
    TABLES.create_all(connection, tables=[SECRET], checkfirst=False)
    _FIRST.create_all(connection, checkfirst=False)
    if connection.dialect.name != "sqlite":
        connection.execute(
            text(
                "create function refuse_change() returns trigger language plpgsql as "
                "$$ begin raise exception 'this table is only added to'; end $$"
            )
        )
    _guard(connection, "event")
    _guard(connection, "letter_in", _AS_IT_CAME)


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


def _eighth(connection: Connection) -> None:
    """Version 8: snapshots of states, where each game stands, and an index of the letters that were filed."""
    TABLES.create_all(connection, tables=[SNAPSHOT, STANDING], checkfirst=False)
    connection.execute(text(ALL_STANDINGS))
    connection.execute(text(f"create index letter_in_filed on letter_in (number) where {FILED}"))


def _ninth(connection: Connection) -> None:
    """Version 9: old letters' bytes may leave the store, once it is noted which file has them.

    Those of version 1 move to where the others are, so that they may leave, too.
    """
    _contents_of_first(connection)
    ATTIC.create(connection)
    connection.execute(text("alter table outbox add column moved text"))
    if connection.dialect.name == "sqlite":
        connection.execute(text("drop trigger content_deleted"))
        connection.execute(
            text(
                "create trigger content_deleted before delete on content when not exists "
                "(select 1 from attic where digest = old.digest) "
                "begin select raise(abort, 'these bytes are nowhere else'); end"
            )
        )
        return
    connection.execute(text("drop trigger content_deleted on content"))
    connection.execute(
        text(
            "create function refuse_loss() returns trigger language plpgsql as $$ begin "
            "if not exists (select 1 from attic where digest = old.digest) "
            "then raise exception 'these bytes are nowhere else'; end if; return old; end $$"
        )
    )
    connection.execute(
        text("create trigger content_deleted before delete on content for each row execute function refuse_loss()")
    )


def _tenth(connection: Connection) -> None:
    """Version 10: the moves that engines owe, and an index of the letters out that are neither news nor answers."""
    ENGINE_TURN.create(connection)
    connection.execute(text(f"create index outbox_rare on outbox (queued) where {RARE}"))


def _eleventh(connection: Connection) -> None:
    """Version 11: what reports say of letters that came back, and what the host need not see any more."""
    for table, column in (("outbox", "returned"), ("outbox", "acknowledged"), ("letter_in", "acknowledged")):
        connection.execute(text(f"alter table {table} add column {column} text"))
    connection.execute(text(f"create index outbox_returned on outbox (game) where {CAME_BACK}"))


def _contents_of_first(connection: Connection) -> None:
    """Keep the bytes of letters of version 1 as those of later ones: without an envelope the digest is the same."""
    first = "from letter_in where content is null"
    if connection.execute(text(f"select 1 {first} limit 1")).first() is None:
        return
    _unguard(connection, "letter_in")
    anew = "and not exists (select 1 from content where content.digest = letter_in.digest)"
    connection.execute(text(f"insert into content (digest, bytes) select digest, raw {first} {anew}"))
    empty = text("update letter_in set content = digest, raw = :empty where content is null")
    connection.execute(empty, {"empty": b""})
    _guard(connection, "letter_in", _AS_IT_CAME)


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


def _unguard(connection: Connection, table: str) -> None:
    """Take back what `_guard` makes."""
    sqlite = connection.dialect.name == "sqlite"
    for name in ("changed", "deleted") if sqlite else ("changed", "deleted", "emptied"):
        connection.execute(text(f"drop trigger {table}_{name}{'' if sqlite else f' on {table}'}"))


Upgrades = Sequence[Callable[[Connection], None]]

UPGRADES: Upgrades = (_first, _second, _third, _fourth, _fifth, _sixth, _seventh, _eighth, _ninth, _tenth, _eleventh)
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


def expect_known(connection: Connection, upgrades: Upgrades = UPGRADES) -> int:
    """The version of a desk's tables, which is this one or older.

    Raises:
        RefereeError: `newer-desk`, if it is not known here; `no-desk`, if there are no such tables.
    """
    had = version(connection)
    if had is None:
        raise RefereeError("no-desk", "this database holds no desk: only 'referee desk init' creates one")
    if had > len(upgrades):
        message = f"a newer referee has upgraded this desk: its tables have version {had}, not {len(upgrades)}"
        raise RefereeError("newer-desk", message)
    return had


def prepare(connection: Connection, upgrades: Upgrades = UPGRADES) -> int:
    """Upgrade the tables to this version, in one transaction; return the version they had.

    Raises:
        RefereeError: as `expect_known` does.
    """
    _alone(connection)
    had = expect_known(connection, upgrades)
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
