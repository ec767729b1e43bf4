"""Postfix and Dovecot as a provider runs them: mailboxes and an outgoing server, with logins and over TLS only.

Each address of the loopback network shows a certificate of another kind, so one pair of servers is enough.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.certificates import Certificate, authority
from tests.support.real_servers import Servers, dovecot, free_port, postfix

GOOD, EXPIRED, MISNAMED, UNKNOWN = "127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"
"""The addresses of servers with a good certificate, an expired one, one of another machine, and one of an unknown
authority."""


@dataclass(frozen=True)
class Provider:
    """Running servers with TLS; at all four addresses, at the same ports."""

    servers: Servers
    authority: Path
    """The authority's certificate, as PEM."""
    imap: int
    """With STARTTLS."""
    imaps: int
    smtps: int
    submission: int
    """With STARTTLS."""


@contextmanager
def provider(base: Path, desk: str) -> Iterator[Provider]:
    """The servers; the desk's letters go to its mailbox."""
    certificates = _certificates(base)
    imaps, smtps, submission = free_port(), free_port(), free_port()
    with dovecot(base, _dovecot(base, imaps, certificates)) as mailboxes:
        services = [
            line
            for address, certificate in certificates.items()
            for line in (
                _postfix(address, smtps, certificate, base, "smtpd_tls_wrappermode=yes"),
                _postfix(address, submission, certificate, base, "smtpd_tls_security_level=encrypt"),
            )
        ]
        services.append("tlsmgr unix - - n 1000? 1 tlsmgr")
        with postfix(base, mailboxes, desk, mailboxes.lmtp, more=services) as servers:
            yield Provider(servers, base / "authority.pem", mailboxes.imap, imaps, smtps, submission)


def _certificates(base: Path) -> dict[str, Certificate]:
    """A certificate for each address."""
    known, unknown = authority(base / "authority.pem"), authority(base / "unknown.pem")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    return {
        GOOD: known.issue(GOOD, "good"),
        EXPIRED: known.issue(EXPIRED, "expired", until=yesterday),
        MISNAMED: known.issue("mail.example.com", "misnamed"),
        UNKNOWN: unknown.issue(UNKNOWN, "stranger"),
    }


def _dovecot(base: Path, imaps: int, certificates: dict[str, Certificate]) -> str:
    """Settings of Dovecot: TLS, and logins for Postfix."""
    addresses = ", ".join(certificates)
    shown = "".join(
        f"local {address} {{\n  ssl_cert = <{one.file}\n  ssl_key = <{one.key}\n}}\n"
        for address, one in certificates.items()
    )
    return f"""\
listen = {addresses}
ssl = yes
ssl_cert = <{certificates[GOOD].file}
ssl_key = <{certificates[GOOD].key}
{shown}
service imap-login {{
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service auth {{
  unix_listener {base}/logins {{
    mode = 0666
  }}
}}
"""


def _postfix(address: str, port: int, certificate: Certificate, base: Path, security: str) -> str:
    """A service of Postfix that takes letters from people who have logged in, over TLS."""
    options = [
        security,
        f"smtpd_tls_cert_file={certificate.file}",
        f"smtpd_tls_key_file={certificate.key}",
        "smtpd_tls_auth_only=yes",
        "smtpd_sasl_auth_enable=yes",
        "smtpd_sasl_type=dovecot",
        f"smtpd_sasl_path={base}/logins",
        "smtpd_client_restrictions=permit_sasl_authenticated,reject",
        "smtpd_relay_restrictions=permit_sasl_authenticated,reject",
    ]
    return f"{address}:{port} inet n - n - - smtpd " + " ".join(f"-o {option}" for option in options)


@contextmanager
def stripped(port: int) -> Iterator[int]:
    """A relay to a server's port that hides its offer of STARTTLS, as an attacker would; yields the relay's port."""
    ended, pairs = threading.Event(), list[socket.socket]()
    with socket.create_server(("127.0.0.1", 0)) as door:

        def let_in() -> None:
            with suppress(OSError):
                while not ended.is_set():
                    client, _ = door.accept()
                    server = socket.create_connection(("127.0.0.1", port))
                    pairs.extend((client, server))
                    threading.Thread(target=_pass_on, args=(client, server), daemon=True).start()
                    threading.Thread(target=_pass_on, args=(server, client), daemon=True).start()

        thread = threading.Thread(target=let_in, daemon=True)
        thread.start()
        try:
            yield door.getsockname()[1]
        finally:
            ended.set()
            door.shutdown(socket.SHUT_RDWR)
            thread.join(10)
            for one in pairs:
                one.close()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data.replace(b"STARTTLS", b"XSTARTXX"))
        target.shutdown(socket.SHUT_WR)
