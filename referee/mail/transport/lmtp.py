"""Letters in by LMTP (RFC 2033): the mail server is told that one is taken only after it was stored.

LMTP is SMTP with another greeting, and with one reply for each recipient after the letter. Whatever goes wrong
here is answered with 451: the mail server keeps the letter and tries again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.errors import RefereeError
from referee.mail.intake import LIMITS
from referee.mail.log import LOG, one_line, reason
from referee.mail.office import Office, now
from referee.mail.pipeline import receive

SIZE = LIMITS.size + 100_000
"""Bytes of a letter that are taken: a little more than are read, so that who wrote too much is told so kindly."""

RECIPIENTS = 20
"""So many of the desk's addresses can stand in one envelope."""

CONNECTIONS = 50
"""So many mail servers are listened to at the same time."""

IDLE = 60
"""Seconds after which a connection that says nothing, or does not end its letter, is closed."""

GRACE = 10
"""Seconds that letters which are just coming in have got to the end, once no new ones are taken."""

QUIET = 60
"""Seconds in which the same trouble is not told again."""

_TRY_AGAIN = "451 4.3.0 the letter could not be stored; try again later"
_NOT_NOW = "451 4.3.0 the clock of this desk is in doubt; try again later"
_BUSY = b"421 4.3.2 too many connections; try again later\r\n"
_UNENHANCED = re.compile(r"^(?!220 )([245])\d\d (?!\1\.\d)")


@asynccontextmanager
async def listening(
    office: Office, arrived: Callable[[], None], timely: Callable[[datetime], bool] = lambda _: True
) -> AsyncIterator[None]:
    """Take letters in where the settings say, and call `arrived` whenever one was stored.

    While the time is not `timely`, the mail server is asked to keep its letters.

    At the end, those that are just coming in are still taken.

    Raises:
        RefereeError: `listen`, if the port is taken or is not ours to take.
    """
    intake = _Intake(office, arrived, timely)
    asyncio.get_running_loop().set_exception_handler(_teller())
    listen = office.settings.listen
    try:
        server = await asyncio.get_running_loop().create_server(intake.connection, listen.host, listen.port)
    except OSError as error:
        message = f"letters cannot be taken at {listen.host}:{listen.port}: {(error.strerror or '').lower()}"
        raise RefereeError("listen", message) from None
    try:
        yield
    finally:
        server.close()
        await intake.finish()
        await server.wait_closed()


def _teller() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """What says a line about asyncio's own troubles, such as that no more connections can be opened.

    asyncio tries such a thing again and again by itself, and would show where it failed each time.
    """
    last, until = "", 0.0

    def tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal last, until
        error = context.get("exception")
        said = one_line(context["message"]) if error is None else reason(error)
        if said != last or loop.time() > until:
            LOG.error("lmtp: %s", said)
            last, until = said, loop.time() + QUIET

    return tell


class _Intake:
    """What all connections share: who may be written to, and where letters go. The names are aiosmtpd's."""

    def __init__(self, office: Office, arrived: Callable[[], None], timely: Callable[[datetime], bool]) -> None:
        self._office = office
        self._arrived = arrived
        self._timely = timely
        self._open: set[_Connection] = set()

    def connection(self) -> asyncio.Protocol:
        """What speaks to the next mail server."""
        return (
            _Connection(self, self._open, self._office.mailbox.ids) if len(self._open) < CONNECTIONS else _Refusal()
        )

    async def finish(self) -> None:
        """Wait for the letters that are coming in, then close what is open."""
        coming = [asyncio.ensure_future(connection.between.wait()) for connection in self._open]
        if coming:
            await asyncio.wait(coming, timeout=GRACE)
        for waiting in coming:
            waiting.cancel()
        for connection in tuple(self._open):
            connection.close()

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[bytes]:
        """RFC 2033, section 5, asks for two more extensions; as bytes, these lines go out as they are."""
        session.host_name = name
        extensions = [*replies[:-1], "250-PIPELINING", "250 ENHANCEDSTATUSCODES"]
        return [line.encode() for line in extensions]

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take the desk's own addresses, with any tag: what a tag is worth is judged when the letter is."""
        if not self._office.mailbox.owns(address):
            return "550 5.1.1 no such mailbox here"
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 too many recipients for one letter"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store the letter for each of its recipients, one reply for each."""
        raw = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")
        replies = [await self._stored(raw, recipient, sender) for recipient in envelope.rcpt_tos]
        return "\r\n".join(replies)

    async def handle_exception(self, error: Exception) -> str:
        """Whatever our own fault is, the letter must come again."""
        LOG.error("lmtp: %s", reason(error))
        return _TRY_AGAIN

    async def _stored(self, raw: bytes, recipient: str, sender: str) -> str:
        at = now()
        if not self._timely(at):
            return _NOT_NOW
        try:
            await asyncio.to_thread(receive, self._office, raw, at, recipient=recipient, sender=sender)
        except Exception as error:  # the letter is not lost: the mail server has it
            return await self.handle_exception(error)
        self._arrived()
        return "250 2.0.0 the letter is stored"


class _Connection(LMTP):
    """One mail server that hands letters over."""

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
        """Set while no letter is coming in."""
        self.between.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._others.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._others.discard(self)
        super().connection_lost(error)

    def close(self) -> None:
        """End the connection after what was said last."""
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
        """Say something; bytes go out as they are."""
        await super().push(self._said(status) if isinstance(status, str) else status)

    def _said(self, status: str) -> str:
        """A reply with its enhanced code (RFC 2034), and that to a letter as often as this has recipients.

        What aiosmtpd says of a letter by itself, such as that it is too large, it says once.
        """
        lines = status.split("\r\n")
        if self._owed > 1 and len(lines) == 1:
            lines *= self._owed
        if status.startswith("354") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
        return "\r\n".join(_UNENHANCED.sub(r"\g<0>\1.0.0 ", line) for line in lines)


class _Refusal(asyncio.Protocol):
    """What is said to one mail server too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(_BUSY)
        transport.close()
