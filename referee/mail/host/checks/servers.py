"""Checks of the ports of a desk, and of the mail servers around it: the ways in and out."""

from __future__ import annotations

import errno
import smtplib
import socket
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException

from referee.errors import RefereeError
from referee.mail.addresses import small
from referee.mail.host.checks import Diagnosis, note, well, wrong
from referee.mail.log import log_line
from referee.mail.office import Office
from referee.mail.settings import is_here
from referee.mail.transport.http import DESK_HEADER, LOOPBACK
from referee.mail.transport.imap import open_mailbox
from referee.mail.transport.lmtp import MARK
from referee.mail.transport.smtp import TOO_LARGE, connection, failure, reply_words

PATIENCE = 5
"""Seconds to wait for one of the desk's own ports."""

_TAGS = "have it take letters to {} and to every tag behind a + (in Postfix 'recipient_delimiter = +')"

_REMEDIES: tuple[tuple[type[Exception], str], ...] = (
    (ssl.SSLCertVerificationError, "correct 'host' to a name in the certificate, or name its authority: 'ca-file'"),
    (ssl.SSLError, "correct 'port' or 'security' under 'send': the server speaks no TLS there, or not at once"),
    (socket.gaierror, "correct 'host' under 'send': no machine is known by this name"),
    (ConnectionRefusedError, "start the mail server, or correct 'host' and 'port' under 'send'"),
    (smtplib.SMTPAuthenticationError, "correct 'user' under 'send', and the password in its file"),
    (smtplib.SMTPNotSupportedError, "leave 'user' out, or correct 'port' and 'security': there is no login there"),
    (smtplib.SMTPDataError, "look at the log of the mail server: it took the addresses, but not the letter"),
    (RefereeError, "correct the settings under 'send'"),
)
"""Advice about failures to hand a letter over; the first kind that fits counts."""


def is_served(office: Office) -> bool:
    """True if `serve` of this desk takes letters at its port."""
    listen = office.settings.listen
    try:
        with smtplib.LMTP(listen.host, listen.port, office.mailbox.ids, timeout=PATIENCE) as server:
            server.ehlo()
            return server.esmtp_features.get(small(MARK)) == office.port_mark
    except (OSError, smtplib.SMTPException, ValueError):
        return False


def port_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Check that the desk accepts letters at its port."""
    listen, address = office.settings.listen, office.settings.address
    place = f"{listen.host}:{listen.port}"
    if not is_here(listen.host):
        says = f"other machines may reach the port {place}, and LMTP asks for no password"
        yield note("port", says, "let a firewall or a network of its own keep others away")
    try:
        with smtplib.LMTP(listen.host, listen.port, office.mailbox.ids, timeout=PATIENCE) as server:
            server.ehlo()
            mark = server.esmtp_features.get(small(MARK))
            server.mail("")
            code, said = server.rcpt(address)
    except (smtplib.SMTPException, TimeoutError, ValueError) as error:
        remedy = "find out which program listens there, or choose another port under 'listen'"
        yield wrong("port", f"the program at {place} does not answer by LMTP: {log_line(str(error))}", remedy)
    except OSError as error:
        remedy = "run 'referee desk serve', unless letters come by a pipe, a Maildir or IMAP"
        yield note("port", f"no program takes letters at {place}: {(error.strerror or str(error)).lower()}", remedy)
    else:
        if code == 250 and mark != office.port_mark:
            says = f"the program at {place} takes letters to {address}, but is not 'serve' of this desk as it is now"
            remedy = (
                "stop another desk there, or start this one's 'serve' again; or choose another port under 'listen'"
            )
            yield wrong("port", says, remedy)
        elif code == 250:
            yield well("port", f"'referee desk serve' takes letters at {place}")
        else:
            says = f"the program at {place} refuses letters to {address}: {reply_words(code, said)}"
            yield wrong("port", says, "another desk may listen there: choose another port under 'listen'")


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


def mailbox_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Log in to the mailbox under `imap`, if the settings have one, and leave all letters there."""
    imap = office.settings.imap
    if imap is None:
        return
    try:
        with open_mailbox(office):
            pass
    except RefereeError as error:
        yield wrong("mailbox", error.message, "correct the settings under 'imap'")
    else:
        yield well("mailbox", f"{imap.host}:{imap.port} opens {imap.folder} after the login")


def hand_over(office: Office, raw: bytes, sender: str, recipient: str) -> Diagnosis:
    """Hand a letter to the server of the settings, and report its answer."""
    send = office.settings.send
    place = f"{send.host}:{send.port}"
    try:
        with connection(office) as server:
            server.sendmail(sender, [recipient], raw)
    except smtplib.SMTPRecipientsRefused as error:
        ((code, said),) = error.recipients.values()
        remedy = _TAGS.format(office.settings.address)
        return wrong("server", f"{place} takes no letter: {reply_words(code, said)}", remedy)
    except (OSError, smtplib.SMTPException, RefereeError) as error:
        message = error.message if isinstance(error, RefereeError) else failure(error)
        return wrong("server", f"{place} takes no letter: {message}", _remedy(office, error))
    how = {"none": "without encryption", "starttls": "over STARTTLS", "tls": "over TLS"}[send.security]
    return well("server", f"{place} takes letters {how}{', after the login' if send.user else ''}")


def _remedy(office: Office, error: Exception) -> str:
    if isinstance(error, smtplib.SMTPSenderRefused):
        if error.smtp_code == TOO_LARGE:
            return "raise its limit for the size of a letter: letters with a picture have some 100 kB"
        if error.smtp_code == 530:
            return "set 'user' and 'password-file', or 'security: starttls', under 'send'"
        return f"have it take letters from {office.settings.address} and its tags, sent by this machine or this user"
    found = (remedy for kind, remedy in _REMEDIES if isinstance(error, kind))
    return next(found, "correct 'host', 'port' and 'security' under 'send', or wait until the server is back")
