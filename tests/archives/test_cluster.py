"""Work on a Dask cluster: the same verdicts as in one process, even if workers die.

All of it is slow: Dask takes a second to load, and a cluster some seconds to start, and to be missed.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import referee.archives.files.shards as cutting
from referee.archives.executors import cluster
from referee.archives.executors.cluster import on_dask
from referee.archives.executors.executors import one_process
from referee.archives.files.shards import Shard, shards
from referee.archives.judge import CheckSettings, check_shard
from referee.errors import RefereeError
from tests.archives.tasks import checked_slowly, doubled, dying, refused
from tests.support.archives import archive, lines, mixed

# Warnings of Dask when workers go away are not ours.
pytestmark = pytest.mark.filterwarnings("default")

ROOT = Path(__file__).resolve().parents[2]


class Cluster(NamedTuple):
    """A scheduler, and two workers in processes of their own."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


def dask(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(autouse=True)
def installed() -> None:
    pytest.importorskip("distributed", reason="needs Dask: pip install -e '.[dev-slow]'")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster on the loopback interface."""
    file = tmp_path / "scheduler.json"
    started = [dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))]
    try:
        until = time.monotonic() + 30
        while not file.exists() or not file.read_text(encoding="utf-8").endswith("}"):
            assert time.monotonic() < until
            time.sleep(0.05)
        joining = ("--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        started += [dask("worker", "--host", "127.0.0.1", *joining) for _ in range(2)]
        yield Cluster(address(file), started[0], started[1:])
    finally:
        for one in started:
            one.kill()
            one.wait()


def address(file: Path) -> str:
    import json

    return str(json.loads(file.read_text(encoding="utf-8"))["address"])


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Shard]:
    """Thirty shards of good and bad games."""
    monkeypatch.setattr(cutting, "MOST_IN_A_SHARD", 10)
    made = list(shards([str(archive(tmp_path / "games.jsonl", mixed(265)))]))
    assert len(made) > 25
    return made


@pytest.mark.slow
def test_a_cluster_on_this_machine_gives_the_same_verdicts(cut: list[Shard]) -> None:
    assert list(on_dask(check_shard, cut, None, 1)) == list(one_process(check_shard, cut))


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(running: Cluster, cut: list[Shard]) -> None:
    """Verdicts of other processes are those of this one; one of them is killed in the middle."""
    verdicts, done_by = [], []
    for shard, (process, report) in on_dask(checked_slowly, cut, running.address, 1):
        verdicts.append((shard, report))
        done_by.append(process)
        if len(done_by) == 8:
            os.kill(running.workers[0].pid, signal.SIGKILL)
    assert verdicts == [(shard, check_shard(shard, CheckSettings(each=True))) for shard in cut]
    assert {running.workers[1].pid} <= set(done_by) <= {one.pid for one in running.workers}
    assert os.getpid() not in done_by


@pytest.mark.slow
def test_the_loss_of_the_scheduler_is_reported(running: Cluster, tmp_path: Path) -> None:
    """In a process of its own, because Dask's threads do not survive it."""
    path = archive(tmp_path / "games.jsonl", [*lines("beams", 250)] * 20)
    command = [sys.executable, "-m", "referee", "check", "--each", "--executor", "dask"]
    command += ["--scheduler", running.address, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().endswith(b"\n")
        running.scheduler.kill()
        _, said = process.communicate(timeout=60)
    assert (process.returncode, b"no-scheduler: the scheduler has gone away" in said) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", ["nonsense", "tcp://127.0.0.1:9", "tls://127.0.0.1:9"])
def test_a_missing_scheduler_is_reported(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTION_TIME", "0.5s")
    with pytest.raises(RefereeError, match="no-scheduler: the scheduler cannot be reached: "):
        list(on_dask(doubled, range(3), scheduler, 1))
    gc.collect()  # a client that failed would otherwise stop its loop while the next one starts, and both would wait


@pytest.mark.slow
def test_our_own_faults_are_not_hidden() -> None:
    with pytest.raises(ValueError, match="seven"):
        list(on_dask(refused, range(20), None, 1))


def listening() -> set[tuple[str, int]]:
    """The ports of this process and of those that it has started."""
    import psutil  # Dask needs it

    this = psutil.Process()
    everyone = [this, *this.children(recursive=True)]
    places = (one.laddr for each in everyone for one in each.net_connections("tcp") if one.status == "LISTEN")
    return {(place.ip, place.port) for place in places}


def answered(place: tuple[str, int], *, secured: bool) -> bytes:
    """The answer of a port to a request for a page without a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        plain = socket.create_connection(place, timeout=3)
        with context.wrap_socket(plain) if secured else plain as there:
            there.sendall(b"GET /json/identity.json HTTP/1.0\r\n\r\n")
            return there.recv(1000)
    except OSError:
        return b""


@pytest.mark.slow
def test_strangers_cannot_use_a_cluster_on_this_machine() -> None:
    """Connections without a certificate are closed, and no port serves a page."""
    before = listening()
    running = on_dask(doubled, range(3), None, 1)
    assert next(running) == (0, 0)
    opened = listening() - before
    assert len(opened) > 2
    assert {ip for ip, _ in opened} == {"127.0.0.1"}
    for place in opened:
        said = answered(place, secured=False)
        assert not said or said.startswith(b"HTTP/1.1 404 ")
        assert answered(place, secured=True) == b""
    assert list(running) == [(1, 2), (2, 4)]


@pytest.mark.slow
def test_work_that_no_worker_survives_is_given_up() -> None:
    with pytest.raises(RefereeError, match="worker-lost"):
        list(on_dask(dying, range(3), None, 1))
