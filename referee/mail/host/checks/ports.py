"""Checks of the ports at which `serve` opens web pages and numbers: free, or this desk's own."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException

from referee.mail.host.checks import Diagnosis, note, well, wrong
from referee.mail.host.checks.servers import PATIENCE
from referee.mail.office import Office
from referee.mail.transport.http import DESK_HEADER, LOOPBACK


def web_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Check the ports of the settings for pages and numbers, if they name any."""
    settings = office.settings
    if settings.pages is not None:
        yield _port(office, "pages", "web", settings.web.host, settings.web.port)
    if settings.metrics is not None:
        yield _port(office, "metrics", "metrics", LOOPBACK, settings.metrics.port)


def _port(office: Office, about: str, key: str, host: str, port: int) -> Diagnosis:
    place, other = f"{host}:{port}", f"choose another port under '{key}', or stop the program that has this one"
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            says = f"'serve' cannot listen at {place}: {(error.strerror or str(error)).lower()}"
            return wrong(about, says, f"correct the address under '{key}': 'serve' does not start without it")
        if _answers_as(office.port_mark, host, port):
            return well(about, f"this desk has the port {place}")
        return wrong(about, f"another program has the port {place}, and 'serve' does not start without it", other)
    return note(about, f"the port {place} is free, as it should be until 'serve' runs", "start 'referee desk serve'")


def _answers_as(mark: str, host: str, port: int) -> bool:
    connection = HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("HEAD", "/", headers={"Host": LOOPBACK})
        return connection.getresponse().getheader(DESK_HEADER) == mark
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
