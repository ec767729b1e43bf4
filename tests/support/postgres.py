"""A PostgreSQL to test with: the one that is named, or else a temporary one."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NAMED = os.environ.get("REFEREE_TEST_POSTGRES", "")
"""The URL of a PostgreSQL, such as `postgresql://user:password@host/database`, in which schemas may be made."""

QUICK = "-c fsync=off -c listen_addresses='' -c timezone=Asia/Kolkata"
"""A server that only these tests can reach, whose data need not outlive them; in a zone far from UTC."""


def missing() -> str:
    """The reason why there can be no PostgreSQL here; empty if there can."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed (pip install 'referee[postgres]')"
    if not NAMED and programs() is None:
        return "PostgreSQL is not installed (no initdb), and REFEREE_TEST_POSTGRES names no running one"
    return ""


@contextmanager
def server(more: str = "") -> Iterator[str]:
    """The URL of a PostgreSQL; one that was started for this, with `more` settings, is stopped again."""
    home = programs()
    if NAMED or home is None:
        yield NAMED
        return
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        account = _account()
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
        data = f"{folder}/data"
        control = [f"{home}/pg_ctl", "-D", data, "-s", "-w"]
        options = f"{QUICK} -c unix_socket_directories='{folder}' {more}"
        _run([f"{home}/initdb", "-D", data, "-A", "trust", "-U", "desk", "-E", "UTF8", "--no-sync"], account)
        _run([*control, "-l", f"{folder}/log", "-o", options, "start"], account)
        try:
            yield f"postgresql://desk@/postgres?host={folder}"
        finally:
            _run([*control, "-m", "immediate", "stop"], account)


def give(file: Path) -> None:
    """Let the server own a file, such as its key."""
    account = _account()
    if account is not None:
        os.chown(file, account.pw_uid, account.pw_gid)


def programs() -> Path | None:
    """The folder of the server's programs; Debian keeps them off the path, the newest last."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


def _account() -> pwd.struct_passwd | None:
    """The account of the server, which refuses to run as root."""
    if os.getuid():
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _run(command: list[str], account: pwd.struct_passwd | None) -> None:
    """Run a program of the server; its output is shown only if it fails."""
    user, group = (account.pw_uid, account.pw_gid) if account else (None, None)
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            command, cwd="/", user=user, group=group, stdout=said, stderr=said, timeout=60, check=False
        )
        said.seek(0)
        assert done.returncode == 0, said.read().decode(errors="replace")
