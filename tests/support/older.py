"""Desks of older versions, made from new ones."""

from __future__ import annotations

from sqlalchemy import Connection, text

from referee.desk.store.tables.schema import ATTIC, ENGINE_TURN


def take_back_returns(connection: Connection) -> None:
    """Undo the step to version 11 of the tables."""
    connection.execute(text("drop index outbox_returned"))
    for table, column in (("outbox", "returned"), ("outbox", "acknowledged"), ("letter_in", "acknowledged")):
        connection.execute(text(f"alter table {table} drop column {column}"))


def take_back_engines(connection: Connection) -> None:
    """Undo the steps to versions 11 and 10 of the tables."""
    take_back_returns(connection)
    ENGINE_TURN.drop(connection)


def take_back_the_attic(connection: Connection) -> None:
    """Undo the steps to versions 11, 10 and 9 of the tables."""
    take_back_engines(connection)
    connection.execute(text("drop index outbox_rare"))
    connection.execute(text("alter table outbox drop column moved"))
    if connection.dialect.name == "postgresql":
        connection.execute(text("drop trigger content_deleted on content"))
        connection.execute(text("drop function refuse_loss"))
        act = "for each row execute function refuse_change()"
        connection.execute(text(f"create trigger content_deleted before delete on content {act}"))
    ATTIC.drop(connection)
