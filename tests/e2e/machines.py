"""A Debian for a test: a container with systemd, over the files of this machine, which it cannot change.

It has its own network, users, processes and services, and lasts as long as the test. Root alone can start it.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_BOOT = """\
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
: > "$1/root/etc/fstab"
shift
exec systemd-nspawn "$@"
"""
"""Lays a folder over the files of this machine, in a private view of them, and boots the result."""

_OWN = ("--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd")
_NETWORK = "--net"


_TRIAL = """\
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
test -w /sys/fs/cgroup
"""
"""Needs of a machine to boot, which a container that runs the tests may not allow."""


@cache
def missing() -> str:
    """The reason why no machine can be started here; empty if one can."""
    if shutil.which("systemd-nspawn") is None:
        return "no systemd-nspawn here: apt-get install systemd-container dbus"
    if os.getuid():
        return "a machine of its own is started by root only"
    with tempfile.TemporaryDirectory(prefix="referee-", dir="/tmp") as name:
        spaces = ["unshare", "--mount", "--pid", "--net", "--fork", "--propagation=private"]
        trial = subprocess.run([*spaces, "bash", "-c", _TRIAL, "bash", name], capture_output=True, check=False)
    return "no machine of its own can be started here" if trial.returncode else ""


@dataclass(frozen=True)
class Machine:
    """A running machine; `leader` is its first process, as this machine sees it."""

    leader: int

    def run(self, command: str, *, internet: bool = False, seconds: float = 300) -> str:
        """The output of shell commands by root there; with `internet`, over the network of this machine.

        AssertionError, if one of them fails.
        """
        spaces = _OWN if internet else (*_OWN, _NETWORK)
        return self._enter(spaces, ["bash", "-euo", "pipefail", "-c", command], _environment(), seconds)

    def run_from_here(self, command: list[str], seconds: float = 300) -> str:
        """The output of a program of this machine that sees only the network there."""
        return self._enter((_NETWORK,), command, dict(os.environ), seconds)

    def _enter(self, spaces: tuple[str, ...], command: list[str], environment: dict[str, str], seconds: float) -> str:
        done = subprocess.run(
            ["nsenter", "--target", str(self.leader), *spaces, *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, f"{command[-1]}\n{done.stdout}"
        return done.stdout


def _environment() -> dict[str, str]:
    """The environment of root after a login, with this machine's settings for packages."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name.endswith("_proxy")}
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {**kept, "PATH": path, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


@contextmanager
def machine(sources: dict[Path, str]) -> Iterator[Machine]:
    """A machine that has booted; folders of this machine are there under other names, as copies."""
    with tempfile.TemporaryDirectory(prefix="referee-", dir="/tmp") as name:
        base = Path(name)
        (base / "files").mkdir()
        shown = [f"--overlay={source}::{target}" for source, target in sources.items()]
        kind = [
            "--boot",
            "--register=no",
            "--keep-unit",
            "--private-network",
            "--resolv-conf=off",
            "--notify-ready=yes",
        ]
        command = ["unshare", "--mount", "--propagation=private", "bash", "-c", _BOOT, "bash", f"{base}/files"]
        command += [*kind, "--console=pipe", "--quiet", f"--directory={base}/files/root", *shown]
        with (base / "said").open("w+") as said:
            told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            told.bind(f"{base}/told")
            environment = {**os.environ, "NOTIFY_SOCKET": f"{base}/told"}
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=environment)
            leader = 0
            try:
                with told:  # closed then: it is no longer read, and a full one would hold the machine up
                    leader = _booted(told, process, base / "said")
                yield Machine(leader)
            finally:
                if leader:
                    os.kill(leader, signal.SIGKILL)  # and with it everything that runs there
                else:
                    process.terminate()
                process.wait(20)


def _booted(told: socket.socket, process: subprocess.Popen[bytes], said: Path, seconds: float = 120) -> int:
    """The first process of a machine, as soon as the machine says that it is up."""
    end, leader, up = time.monotonic() + seconds, 0, False
    told.settimeout(1)
    while not (leader and up):
        down = process.poll() is not None or time.monotonic() > end
        assert not down, said.read_text()[-4000:]
        try:
            lines = told.recv(4096).decode().splitlines()
        except TimeoutError:
            continue
        values = dict(line.partition("=")[::2] for line in lines)
        leader, up = int(values.get("X_NSPAWN_LEADER_PID", leader)), up or values.get("READY") == "1"
    return leader
