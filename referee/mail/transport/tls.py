"""Encrypted connections to mail servers (TLS): the server must prove its name."""

from __future__ import annotations

import ssl

from referee.errors import RefereeError
from referee.mail.log import log_line, reason
from referee.mail.office import Office
from referee.mail.settings import Server


def tls_context(office: Office, server: Server) -> ssl.SSLContext:
    """The check of a server's certificate: its name, dates and authority; RefereeError `ca-file` if it has none."""
    if server.ca_file is None:
        return ssl.create_default_context()
    path = office.folder / server.ca_file
    try:
        return ssl.create_default_context(cafile=path)
    except ssl.SSLError:
        message = f"{path} holds no certificate: expected '-----BEGIN CERTIFICATE-----' and what follows it"
        raise RefereeError("ca-file", message) from None
    except OSError as error:
        message = f"the certificates in {path} cannot be read: {(error.strerror or '').lower()}"
        raise RefereeError("ca-file", message) from None


def unencrypted(code: str, server: Server) -> RefereeError:
    """The refusal of a server that offers no STARTTLS: nothing is sent to it."""
    message = (
        f"{server.host}:{server.port} offers no STARTTLS, or the offer is hidden on the way; "
        "use its port for 'security: tls', if it has one"
    )
    return RefereeError(code, message)


def connection_failure(error: Exception) -> str:
    """The reason of a failed connection in one line, such as a certificate that does not count."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate cannot be trusted: {log_line(error.verify_message).rstrip('.')}"
    return reason(error)
