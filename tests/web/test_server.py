"""`referee serve` as a process: it prints its address, stops on a signal, and leaves nothing behind."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.api import served
from tests.support.command_line import referee
from tests.support.processes import children
from tests.support.servers import eventually

pytestmark = pytest.mark.slow

WITHOUT = "import sys; sys.modules['fastapi'] = None; from referee.cli import main; main(['serve'])"


def test_without_the_extra_it_says_how_to_install_it() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "missing-extra: this needs fastapi, which is not installed: pip install 'referee[web]'\n"


def test_a_port_in_use_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "referee", "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"listen: cannot listen at 127.0.0.1:{port}: address already in use\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seconds", "nan"), "expected a number of seconds, not nan"),
        (("--seconds", "inf"), "is not in the range"),
        (("--proxy", "foo"), "expected an address or a network, such as 10.0.0.0/8"),
        (("--origin", "https://a.b/path"), "expected a site without a path, such as https://club.example"),
        (("--host-name", "a b"), "expected a name without a port, such as api.club.example"),
    ],
)
def test_options_that_can_do_nothing_are_refused(options: tuple[str, ...], said: str) -> None:
    run = referee("serve", "--port", 0, *options)
    assert (run.status, said in run.err) == (2, True), run.err


def test_it_listens_at_ipv6_too() -> None:
    import httpx2

    with served("--host", "::1") as address:
        assert address.startswith("http://[::1]:")
        assert httpx2.get(f"{address}/api").status_code == 200


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_its_processes_end_with_it(how: signal.Signals) -> None:
    command = [sys.executable, "-m", "referee", "serve", "--port", "0", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert re.match("listening at ", process.stdout.readline())
        started = children(process.pid)
        assert len(started) >= 3
        process.send_signal(how)
        status = process.wait(30)
        said = process.stderr.read()
    assert status == (-how if how is signal.SIGKILL else 0)
    assert said == "" or how is signal.SIGKILL
    eventually(lambda: not any(Path(f"/proc/{one}").exists() for one in started), 20)
