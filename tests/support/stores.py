"""A place for a store, in SQLite and in PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import postgres


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL; if there can be none, its tests are skipped, with the reason."""
    if reason := postgres.missing():
        pytest.skip(reason)
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place for a store of its own; in PostgreSQL a schema that is dropped afterwards."""
    if request.param == "sqlite":
        yield str(tmp_path / "desk.db")
        return
    from sqlalchemy import create_engine, make_url, text

    url, name = make_url(request.getfixturevalue("server")), f"test_{uuid.uuid4().hex}"
    engine = create_engine(url.set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(text(f"create schema {name}"))
    own = url.update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"drop schema {name} cascade"))
    engine.dispose()
