"""Letters out by SMTP (RFC 5321): a letter counts as sent only after the server has accepted it.

The accepted letters of a connection are marked together. If the desk stops before that, it hands them over twice, but
no letter is lost. Both copies have the same Message-ID.
"""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Thread

from referee.desk import LEASE, BrokenGameError, Outgoing, StoreError
from referee.errors import RefereeError
from referee.game import is_address
from referee.mail.letters.render import render
from referee.mail.log import LOG, log_line, reason
from referee.mail.office import PACKAGE_PAUSE, Office
from referee.mail.transport.tls import connection_failure, tls_context, unencrypted

HANDOVERS = 32
"""Maximum attempts at a letter that the server refuses for now: about four days, with the pauses below."""

LONGEST_PAUSE = timedelta(hours=4)
"""Maximum pause between two attempts."""

_BATCH = 10
"""Letters to take from the store at a time."""

_UNMARKED = 2
"""Seconds for which accepted letters are not marked yet: the desk would hand them over again if it stopped."""

_PATIENCE = 60
"""Seconds to wait for a server's answer."""

TURN = 60
"""Seconds after which `deliver` returns although more letters wait."""

GOING, TOO_LARGE = 421, 552
"""Replies of a server: it closes the connection; the letter is too large for it."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A letter that the server did not accept: the reason, whether it is final, or waits for a game's package."""

    said: str
    for_good: bool
    waits: bool = False


def pause_after(attempts: int) -> timedelta | None:
    """The pause after a number of attempts: 1, 2, 4 ... minutes, at most four hours; None gives the letter up."""
    if attempts >= HANDOVERS:
        return None
    return min(timedelta(minutes=2 ** min(attempts - 1, 10)), LONGEST_PAUSE)


def deliver(office: Office, at: datetime, *, ended: Callable[[], bool] = lambda: False) -> int:
    """Hand over the waiting letters in one connection; return the number that the server accepted.

    It connects before it takes a letter from the store, so an absent server does not count as an attempt. Once it is
    `ended`, the letter in hand is the last one. RefereeError `send` if the server of the settings cannot be used or
    trusted; `password`; `ca-file`.
    """
    if not office.desk.outbox.due(at):
        return 0
    sent, begun = 0, time.monotonic()

    def moment() -> datetime:
        return at + timedelta(seconds=time.monotonic() - begun)

    try:
        with connection(office) as server:
            while time.monotonic() < begun + TURN and not ended():
                if not (letters := office.desk.outbox.take(moment(), _BATCH)):
                    break
                with _kept(office, letters, moment):
                    sent += _hand_over(office, server, letters, at, ended)
    except (OSError, smtplib.SMTPException) as error:
        send = office.settings.send
        raise RefereeError("send", f"{send.host}:{send.port} accepts no letters now: {failure(error)}") from None
    return sent


@contextmanager
def _kept(office: Office, letters: list[Outgoing], clock: Callable[[], datetime]) -> Iterator[None]:
    """Keep letters for this worker while it hands them over to a slow server."""
    done = Event()

    def keep() -> None:
        while not done.wait(LEASE.total_seconds() / 3):
            with suppress(StoreError):  # the worker itself meets this fault
                office.desk.outbox.keep(letters, clock())

    thread = Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def connection(office: Office) -> Iterator[smtplib.SMTP]:
    """A connection to the server of the settings, after the login; it ends politely if that is still possible."""
    send, name = office.settings.send, office.mailbox.ids
    password = office.password(send.password_file) if send.password_file else ""
    context = None if send.security == "none" else tls_context(office, send)
    if send.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(send.host, send.port, name, timeout=_PATIENCE, context=context)
    else:
        server = smtplib.SMTP(send.host, send.port, name, timeout=_PATIENCE)
    try:
        if send.security == "starttls":
            try:
                server.starttls(context=context)
            except smtplib.SMTPNotSupportedError:
                raise unencrypted("send", send) from None
        if send.user:
            server.login(send.user, password)
        server.ehlo_or_helo_if_needed()
        yield server
        with suppress(OSError, smtplib.SMTPException):
            server.quit()
    finally:
        server.close()


def _hand_over(
    office: Office, server: smtplib.SMTP, letters: list[Outgoing], at: datetime, ended: Callable[[], bool]
) -> int:
    """Hand over these letters, for `_UNMARKED` seconds; mark those that the server accepts, and return how many.

    If it goes away, the rest wait a minute; if the store fails, they are given back to it, as soon as it works again.
    """
    outbox, accepted, begun = office.desk.outbox, list[Outgoing](), time.monotonic()
    try:
        for done, letter in enumerate(letters):
            if ended() or (accepted and time.monotonic() > begun + _UNMARKED):
                outbox.give_back(letters[done:], at)
                break
            try:
                refusal = _refusal(office, server, letter)
            except (OSError, smtplib.SMTPException) as error:
                for left in letters[done:]:
                    outbox.unsent(left, at + timedelta(minutes=1), failure(error))
                raise
            if refusal is None:
                accepted.append(letter)
                continue
            try:
                _keep(office, letter, refusal, at)
            except StoreError:
                outbox.give_back(letters[done + 1 :], at)
                raise
    finally:
        if accepted:
            outbox.sent(accepted, at)
    return len(accepted)


def _keep(office: Office, letter: Outgoing, refusal: Rejection, at: datetime) -> None:
    """Postpone a letter that was refused, or give it up; the log has the result."""
    rest = PACKAGE_PAUSE if refusal.waits else None if refusal.for_good else pause_after(letter.attempts)
    office.desk.outbox.unsent(letter, None if rest is None else at + rest, refusal.said)
    if refusal.waits:  # doctor and status say so, once
        return
    then = "given up" if rest is None else f"again in {rest.total_seconds() / 60:.0f} min"
    LOG.warning("outbox: %s was not taken: %s; %s", letter.id, refusal.said, then)


def _refusal(office: Office, server: smtplib.SMTP, letter: Outgoing) -> Rejection | None:
    """Hand over one letter; None if the server accepts it.

    A refused sender is a fault of the desk that its host can mend, so the letter waits; any other 5xx is final.
    """
    if not is_address(letter.recipient):
        return Rejection("this is not an e-mail address", for_good=True)
    abroad = not letter.recipient.isascii()
    if abroad and not server.has_extn("smtputf8"):
        return Rejection("the server accepts only ASCII addresses (RFC 6531)", for_good=True)
    try:
        catalogue = office.desk.catalogue
        with office.desk.reading(), catalogue.waiting_if_broken(letter.game or None):
            if letter.game:
                catalogue.expect_playable(letter.game)
            raw, sender = render(office, letter), office.mailbox.return_address(letter.id)
    except BrokenGameError as error:
        return Rejection(error.message, for_good=False, waits=True)
    except Exception as error:  # one broken letter must not hold up the others
        return Rejection(f"our own fault: {reason(error)}", for_good=False)
    options = ["BODY=8BITMIME"] if not raw.isascii() and server.has_extn("8bitmime") else []
    try:
        server.sendmail(sender, [letter.recipient], raw, [*options, "SMTPUTF8"] if abroad else options)
    except smtplib.SMTPSenderRefused as error:
        return _refusal_of(error.smtp_code, error.smtp_error, lasting=(TOO_LARGE,))
    except smtplib.SMTPRecipientsRefused as error:
        ((code, said),) = error.recipients.values()
        return _refusal_of(code, said)
    except smtplib.SMTPDataError as error:
        return _refusal_of(error.smtp_code, error.smtp_error)
    return None


def _refusal_of(code: int, said: str | bytes, lasting: Container[int] = range(500, 600)) -> Rejection:
    """The rejection in a reply; SMTPResponseException if it ends the connection."""
    if code == GOING:
        raise smtplib.SMTPResponseException(code, said)
    return Rejection(reply_words(code, said), for_good=code in lasting)


def failure(error: Exception) -> str:
    """The reason why the server accepts nothing now, in its own words if it gave any."""
    if isinstance(error, smtplib.SMTPResponseException):
        return reply_words(error.smtp_code, error.smtp_error)
    return connection_failure(error)


def reply_words(code: int, said: str | bytes) -> str:
    """A reply of a server in one line."""
    return f"{code} {log_line(said.decode(errors='replace') if isinstance(said, bytes) else said)}"
