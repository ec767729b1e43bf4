"""Desks of older versions, made from new ones."""

from __future__ import annotations

from sqlalchemy import Connection, text

from referee.desk.schema import ATTIC, ENGINE_TURN


def take_back_engines(connection: Connection) -> None:
    """Undo the step to version 10 of the tables."""
    ENGINE_TURN.drop(connection)


def take_back_the_attic(connection: Connection) -> None:
    """Undo the steps to versions 10 and 9 of the tables."""
    take_back_engines(connection)
    connection.execute(text("drop index outbox_rare"))
    connection.execute(text("alter table outbox drop column moved"))
    if connection.dialect.name == "postgresql":
        connection.execute(text("drop trigger content_deleted on content"))
        connection.execute(text("drop function refuse_loss"))
        act = "for each row execute function refuse_change()"
        connection.execute(text(f"create trigger content_deleted before delete on content {act}"))
    ATTIC.drop(connection)
