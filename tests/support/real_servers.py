"""Debian's Postfix and Dovecot for one test: configured, started and stopped again, on loopback and on high ports.

Only root can start them. They share nothing with a Postfix or a Dovecot that runs on the machine.
"""

from __future__ import annotations

import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PASSWORD = "sesame"
"""The password of all mailboxes."""

_OWNER = "nobody"
"""The owner of the mailboxes, because neither server delivers as root."""


def missing(*programs: str) -> str:
    """The reason why these servers cannot be started here; empty if they can."""
    absent = [name for name in programs if _program(name) is None]
    if absent:
        packages = {"postfix": "postfix", "dovecot": "dovecot-imapd dovecot-lmtpd"}
        return f"no {' and no '.join(absent)} here: apt-get install {' '.join(packages[name] for name in absent)}"
    return "Postfix and Dovecot are started by root only" if os.getuid() else ""


def free_port() -> int:
    """A free port of 20000 or more."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", port)):
                return port


@dataclass(frozen=True)
class Mailboxes:
    """A running Dovecot: any user name with `PASSWORD` has a mailbox."""

    imap: int
    lmtp: int


@dataclass(frozen=True)
class Servers:
    """A running Postfix that hands the desk's letters to the desk, and all others to the mailboxes."""

    smtp: int
    mailboxes: Mailboxes
    log: Path


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that servers can read that do not run as root."""
    with tempfile.TemporaryDirectory(prefix="referee-", dir="/tmp") as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


@contextmanager
def dovecot(base: Path, more: str = "") -> Iterator[Mailboxes]:
    """A Dovecot that keeps everything in a folder; `more` are further settings."""
    mailboxes = Mailboxes(free_port(), free_port())
    owner = pwd.getpwnam(_OWNER)
    mail = base / "mail"
    mail.mkdir()
    os.chown(mail, owner.pw_uid, owner.pw_gid)
    settings = base / "dovecot.conf"
    settings.write_text(f"""\
base_dir = {base}/dovecot
state_dir = {base}/dovecot
log_path = {base}/dovecot.log
listen = 127.0.0.1
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{mail}/%u
mail_fsync = never
auth_failure_delay = 0
first_valid_uid = {owner.pw_uid}
first_valid_gid = {owner.pw_gid}
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={mail}/%u allow_all_users=yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {mailboxes.imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {mailboxes.lmtp}
  }}
}}
{more}""")
    process = subprocess.Popen([_found("dovecot"), "-F", "-c", settings], stdin=subprocess.DEVNULL)
    try:
        _listens(mailboxes.imap, base / "dovecot.log")
        _listens(mailboxes.lmtp, base / "dovecot.log")
        yield mailboxes
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def postfix(
    base: Path,
    mailboxes: Mailboxes,
    desk: str,
    port: int,
    pipe: str = "",
    more: Iterable[str] = (),
    amended: str = "",
) -> Iterator[Servers]:
    """A Postfix that keeps everything in a folder; letters to the desk's address go by LMTP to a port, or by a pipe.

    `pipe` are the flags and the command of a pipe, as in master.cf; the user `nobody` runs it. `more` are further
    services, as in master.cf; `amended` are lines of main.cf that count instead of the usual ones.
    """
    smtp, settings, log = free_port(), base / "postfix", base / "postfix.log"
    settings.mkdir()
    data = base / "data"
    data.mkdir()
    shutil.chown(data, "postfix")
    (settings / "transport").write_text(f"{desk} {'referee:' if pipe else f'lmtp:inet:127.0.0.1:{port}'}\n")
    (settings / "main.cf").write_text(f"""\
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {data}
maillog_file = {log}
maillog_file_prefixes = {base}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
meta_directory = /etc/postfix
myhostname = mx.example.org
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
recipient_delimiter = +
virtual_mailbox_domains = example.org, players.example
virtual_transport = lmtp:inet:127.0.0.1:{mailboxes.lmtp}
transport_maps = texthash:{settings}/transport
alias_maps =
smtpd_peername_lookup = no
smtpd_relay_restrictions = permit_mynetworks, reject
disable_dns_lookups = yes
lmtp_host_lookup = native
referee_destination_recipient_limit = 1
minimal_backoff_time = 2s
queue_run_delay = 2s
{amended}""")
    services = [
        f"127.0.0.1:{smtp} inet n - n - - smtpd",
        "pickup unix n - n 60 1 pickup",
        "cleanup unix n - n - 0 cleanup",
        "qmgr unix n - n 300 1 qmgr",
        "rewrite unix - - n - - trivial-rewrite",
        "bounce unix - - n - 0 bounce",
        "defer unix - - n - 0 bounce",
        "trace unix - - n - 0 bounce",
        "flush unix n - n 1000? 0 flush",
        "proxymap unix - - n - - proxymap",
        "smtp unix - - n - - smtp",
        "relay unix - - n - - smtp",
        "error unix - - n - - error",
        "retry unix - - n - - error",
        "discard unix - - n - - discard",
        "lmtp unix - - n - - lmtp",
        "anvil unix - - n - 1 anvil",
        "scache unix - - n - 1 scache",
        "postlog unix-dgram n - n - 1 postlogd",
    ]
    services += [f"referee unix - n n - 1 pipe user={_OWNER} {pipe}"] if pipe else []
    services += more
    (settings / "master.cf").write_text("".join(f"{service}\n" for service in services))
    (base / "queue").mkdir()
    control = [_found("postfix"), "-c", str(settings)]
    _run([*control, "start"], log)
    try:
        _listens(smtp, log)
        yield Servers(smtp, mailboxes, log)
    finally:
        _run([*control, "stop"], log)


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _found(name: str) -> str:
    program = _program(name)
    assert program is not None
    return program


def _run(command: list[str], log: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + (log.read_text() if log.exists() else "")


def _listens(port: int, log: Path, seconds: float = 60) -> None:
    """Wait until a server listens at a port."""
    end = time.monotonic() + seconds
    while True:
        with socket.socket() as sock:
            if not sock.connect_ex(("127.0.0.1", port)):
                return
        assert time.monotonic() < end, log.read_text() if log.exists() else f"nobody listens at {port}"
        time.sleep(0.05)
