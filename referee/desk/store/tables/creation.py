"""The tables of a new desk, the guards of those that only grow, and the version of tables that are there."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, inspect, select, text

from referee.desk.store.tables.schema import (
    CAME_BACK,
    EVENT,
    FILED,
    IS_ADDRESS,
    LETTER_IN,
    META,
    RARE,
    SECRET,
    TABLES,
)
from referee.errors import RefereeError

TABLES_VERSION = 1

_AS_IT_CAME = "number, digest, received, raw, content"
"""Columns of a letter in that never change."""

_PARTIAL_INDEXES = (
    f"letter_in_filed on letter_in (number) where {FILED}",
    f"outbox_rare on outbox (queued) where {RARE}",
    f"outbox_returned on outbox (game) where {CAME_BACK}",
    f"secret_address on secret (lower(value)) where {IS_ADDRESS}",
)
"""Indexes of the rows that meet a condition; as part of the tables they would load both dialects of SQLAlchemy."""

_CHANGE = "create function refuse_change() returns trigger language plpgsql as $$ begin {} end $$"
_LOSS = (
    "create function refuse_loss() returns trigger language plpgsql as $$ begin "
    "if not exists (select 1 from attic where digest = old.digest) then {} end if; return old; end $$"
)
_ONLY_ADDED, _NOWHERE_ELSE = "this table is only added to", "these bytes are nowhere else"


def create_tables(connection: Connection) -> bool:
    """Create a desk's tables if there are none; True if that was needed; RefereeError `store` for other tables."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time anyway
        connection.execute(text("select pg_advisory_xact_lock(7330)"))
    if _version(connection) is not None:
        return False
    taken = sorted(TABLES.tables.keys() & {*inspect(connection).get_table_names()})
    if taken:
        message = f"this database already holds something else, in tables called {', '.join(taken)}: use another one"
        raise RefereeError("store", message)
    TABLES.create_all(connection, checkfirst=False)
    for index in _PARTIAL_INDEXES:
        connection.execute(text(f"create index {index}"))
    _guard_all(connection)
    noted = {"schema": str(TABLES_VERSION), "id": secrets.token_hex(8)}
    connection.execute(META.insert(), [{"name": name, "value": value} for name, value in noted.items()])
    return True


def expect_version(connection: Connection) -> None:
    """Expect a desk's tables of this version; RefereeError `newer-desk`, or `no-desk` without such tables."""
    had = _version(connection)
    if had is None:
        raise RefereeError("no-desk", "this database holds no desk: only 'referee desk init' creates one")
    if had != TABLES_VERSION:
        message = f"the tables of this desk have version {had}, and this referee knows version {TABLES_VERSION} only"
        raise RefereeError("newer-desk", message)


def _version(connection: Connection) -> int | None:
    """The version of a desk's tables; None if the database holds no desk."""
    found = inspect(connection)
    if not all(found.has_table(table.name) for table in (META, EVENT, LETTER_IN, SECRET)):
        return None
    if {column["name"] for column in found.get_columns("meta")} != {"name", "value"}:
        return None
    said = connection.execute(select(META.c.value).where(META.c.name == "schema")).scalar_one_or_none()
    return int(said) if said is not None and said.isdigit() else None


def _guard_all(connection: Connection) -> None:
    """Make the database refuse changes of what only grows; a letter's bytes may go once the attic has them."""
    sqlite = connection.dialect.name == "sqlite"
    if not sqlite:
        connection.execute(text(_CHANGE.format(f"raise exception '{_ONLY_ADDED}';")))
        connection.execute(text(_LOSS.format(f"raise exception '{_NOWHERE_ELSE}';")))
    refuse = _SQLITE_REFUSAL.format(_ONLY_ADDED) if sqlite else "for each row execute function refuse_change()"
    keep = _SQLITE_LOSS if sqlite else "for each row execute function refuse_loss()"
    for table in ("event", "day_root", "day_head", "letter_in", "content"):
        update = f"update of {_AS_IT_CAME}" if table == "letter_in" else "update"
        acts = {"changed": (update, refuse), "deleted": ("delete", keep if table == "content" else refuse)}
        if not sqlite:
            acts["emptied"] = ("truncate", "for each statement execute function refuse_change()")
        for name, (when, act) in acts.items():
            connection.execute(text(f"create trigger {table}_{name} before {when} on {table} {act}"))


_SQLITE_REFUSAL = "begin select raise(abort, '{}'); end"
_SQLITE_LOSS = "when not exists (select 1 from attic where digest = old.digest) " + _SQLITE_REFUSAL.format(
    _NOWHERE_ELSE
)
