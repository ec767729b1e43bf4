"""Letters in by LMTP (RFC 2033): the desk acknowledges a letter only after it is in the store.

LMTP is SMTP with another greeting, and with one reply per recipient after the letter. Whatever goes wrong here, the
reply is 451: the mail server keeps the letter and tries again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.errors import RefereeError
from referee.mail.intake.message.limits import LIMITS
from referee.mail.log import LOG, log_line, reason
from referee.mail.office import Office, now
from referee.mail.transport.receipt import receive

SIZE = LIMITS.size + 100_000
"""Maximum bytes of a letter: a little more than the desk reads, so that its answer can give the reason."""

RECIPIENTS = 20

CONNECTIONS = 50

IDLE = 60
"""Seconds of silence after which the desk closes a connection."""

GRACE = 2
"""Seconds for letters on their way in to arrive once the desk stops listening."""

QUIET = 60
"""Seconds before the log repeats the same fault."""

MARK = "XREFEREE"
"""The extension that identifies this desk: only its key gives the right mark."""

_TRY_AGAIN = "451 4.3.0 the letter could not be stored; try again later"
_NOT_NOW = "451 4.3.0 the clock of this desk is in doubt; try again later"
_BUSY = b"421 4.3.2 too many connections; try again later\r\n"
_UNENHANCED = re.compile(r"^(?!220 )([245])\d\d (?!\1\.\d)")


@asynccontextmanager
async def listen(
    office: Office, arrived: Callable[[], None], timely: Callable[[datetime], bool] = lambda _: True
) -> AsyncIterator[None]:
    """Accept letters at the address of the settings, and call `arrived` after each.

    While the clock is not `timely`, mail servers are asked to keep their letters. At the end, letters on their way in
    still arrive. RefereeError `listen` if the port is in use or not permitted.
    """
    intake = _Intake(office, arrived, timely)
    asyncio.get_running_loop().set_exception_handler(_fault_logger())
    address = office.settings.listen
    try:
        server = await asyncio.get_running_loop().create_server(intake.connection, address.host, address.port)
    except OSError as error:
        message = f"cannot listen at {address.host}:{address.port}: {(error.strerror or '').lower()}"
        raise RefereeError("listen", message) from None
    try:
        yield
    finally:
        server.close()
        await intake.finish()
        await server.wait_closed()


def _fault_logger() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """A handler that logs asyncio's own faults in one line each, such as a lack of file descriptors.

    asyncio itself retries again and again, and would log a traceback each time.
    """
    last, until = "", 0.0

    def log(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal last, until
        error = context.get("exception")
        said = log_line(context["message"]) if error is None else reason(error)
        if said != last or loop.time() > until:
            LOG.error("lmtp: %s", said)
            last, until = said, loop.time() + QUIET

    return log


@dataclass(eq=False)  # aiosmtpd reads all its attributes, which a class with slots cannot bear before Python 3.11.3
class _Intake:
    """The part that all connections share: accepted recipients, and the store. aiosmtpd gives the names."""

    office: Office
    arrived: Callable[[], None]
    timely: Callable[[datetime], bool]
    open: set[_Connection] = field(default_factory=set)

    def connection(self) -> asyncio.Protocol:
        """The protocol for the next connection."""
        free = len(self.open) < CONNECTIONS
        return _Connection(self, self.open, self.office.mailbox.ids) if free else _Refusal()

    async def finish(self) -> None:
        """Wait for letters on their way in, then close all connections."""
        coming = [asyncio.ensure_future(connection.between.wait()) for connection in self.open]
        if coming:
            await asyncio.wait(coming, timeout=GRACE)
        for waiting in coming:
            waiting.cancel()
        for connection in tuple(self.open):
            connection.close()

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[bytes]:
        """Offer two more extensions (RFC 2033, section 5), and the desk's mark; bytes go out unchanged."""
        session.host_name = name
        mark = f"250-{MARK} {self.office.port_mark}"
        extensions = [*replies[:-1], mark, "250-PIPELINING", "250 ENHANCEDSTATUSCODES"]
        return [line.encode() for line in extensions]

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept the desk's own addresses with any tag: the tag is judged with the letter."""
        if not self.office.mailbox.owns(address):
            return "550 5.1.1 no such mailbox here"
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients for one letter"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store the letter for each recipient, with one reply for each."""
        raw = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")
        replies = [await self._store(raw, recipient, sender) for recipient in envelope.rcpt_tos]
        return "\r\n".join(replies)

    async def handle_exception(self, error: Exception) -> str:
        """After a fault of our own, the letter must come again."""
        LOG.error("lmtp: %s", reason(error))
        return _TRY_AGAIN

    async def _store(self, raw: bytes, recipient: str, sender: str) -> str:
        at = now()
        if not self.timely(at):
            return _NOT_NOW
        try:
            await asyncio.to_thread(receive, self.office, raw, at, recipient=recipient, sender=sender)
        except Exception as error:  # the mail server still has the letter
            return await self.handle_exception(error)
        self.arrived()
        return "250 2.0.0 the letter is stored"


class _Connection(LMTP):
    line_length_limit = SIZE

    def __init__(self, intake: _Intake, others: set[_Connection], hostname: str) -> None:
        super().__init__(
            intake,
            data_size_limit=SIZE,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="LMTP",
            timeout=IDLE,
            loop=asyncio.get_running_loop(),
        )
        self._others = others
        self._owed = 0
        self.between = asyncio.Event()
        """Set while no letter is on its way in."""
        self.between.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._others.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._others.discard(self)
        super().connection_lost(error)

    def close(self) -> None:
        """End the connection after the last reply."""
        if self.transport is not None:
            self.transport.close()

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Take a letter (RFC 2033, section 4.2)."""
        self.between.clear()
        try:
            await super().smtp_DATA(arg)
        finally:
            self._owed = 0
            self.between.set()

    async def push(self, status: AnyStr) -> None:
        """Send a reply; bytes go out unchanged."""
        await super().push(self._replies(status) if isinstance(status, str) else status)

    def _replies(self, status: str) -> str:
        """A reply with its enhanced code (RFC 2034); the reply to a letter once per recipient.

        aiosmtpd sends its own replies to a letter, such as that it is too large, only once.
        """
        lines = status.split("\r\n")
        if self._owed > 1 and len(lines) == 1:
            lines *= self._owed
        if status.startswith("354") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
        return "\r\n".join(_UNENHANCED.sub(r"\g<0>\1.0.0 ", line) for line in lines)


class _Refusal(asyncio.Protocol):
    """The reply to one connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(_BUSY)
        transport.close()
