"""A store in PostgreSQL on another machine: the desk writes to no server that does not prove its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.mail.office import create_office, office_in
from tests.support import postgres, real_servers
from tests.support.certificates import authority
from tests.support.servers import ADDRESS, free_port

MISSING = postgres.missing() or (
    "REFEREE_TEST_POSTGRES names a server without certificates" if postgres.NAMED else ""
)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING != "", reason=MISSING)]


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The URL of a store at a server with a certificate for `localhost`, without the host and the file to trust."""
    with real_servers.folder() as folder:
        known = authority(folder / "known.pem").issue("localhost", "server")
        authority(folder / "unknown.pem")
        postgres.give(known.key)
        tls = f"-c ssl=on -c ssl_cert_file={known.file} -c ssl_key_file={known.key}"
        port = free_port()
        with postgres.server(f"{tls} -c listen_addresses=127.0.0.1 -c port={port}"):
            yield f"postgresql://desk@{{host}}:{port}/postgres?sslmode=verify-full&sslrootcert={folder}/{{file}}"


def test_a_server_that_proves_its_name_keeps_a_desk(store: str, tmp_path: Path) -> None:
    create_office(tmp_path / "desk", ADDRESS, store.format(host="localhost", file="known.pem"))
    with office_in(tmp_path / "desk") as office:
        assert office.desk.upkeep.counts()["waiting"] == 0


@pytest.mark.parametrize(
    ("host", "file", "why"),
    [
        ("localhost", "unknown.pem", "certificate verify failed"),
        ("127.0.0.1", "known.pem", "does not match host name"),
        ("localhost", "missing.pem", "does not exist"),
    ],
)
def test_one_that_does_not_is_refused(store: str, tmp_path: Path, host: str, file: str, why: str) -> None:
    with pytest.raises(RefereeError, match=why) as raised:
        create_office(tmp_path / "desk", ADDRESS, store.format(host=host, file=file))
    assert raised.value.code == "store"
