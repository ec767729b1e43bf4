"""`referee desk try`: an address that is taken is refused, and nothing is left behind."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.support.command_line import referee


def test_a_port_that_is_taken_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = referee("desk", "try", "--no-browser", "--port", str(port))
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith(f"listen: cannot listen at 127.0.0.1:{port}: address already in use")
    assert [*tmp_path.iterdir()] == []
