"""`referee desk receive`: take letters in, and lose none after any failure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from referee.cli.desk import desk_option, office_at, say_on_stderr, trust_clock_option
from referee.cli.shell.errors import told
from referee.errors import RefereeError
from referee.extras import extra

if TYPE_CHECKING:
    from referee.mail.office import Office

_TRY_AGAIN = 75
"""EX_TEMPFAIL of sysexits.h: the mail server keeps the letter, and hands it over again later."""


class _Receiving(click.Command):
    """A command that never makes a mail server return a letter, even after wrong usage."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **settings: object
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **settings)
        except click.UsageError as error:
            error.show()
            raise click.exceptions.Exit(_TRY_AGAIN) from None


@click.command("receive", cls=_Receiving)
@desk_option
@click.option("--recipient", metavar="ADDRESS", help="The envelope's recipient, an address of the desk.")
@click.option("--sender", metavar="ADDRESS", help="The envelope's sender; empty for a report.")
@click.option("--maildir", type=click.Path(path_type=Path), metavar="DIR", help="Take what is new in this Maildir.")
@click.option("--imap", is_flag=True, help="Take what is unseen in the mailbox of the settings.")
@trust_clock_option
def receive_command(
    folder: Path,
    recipient: str | None,
    sender: str | None,
    maildir: Path | None,
    imap: bool,
    trust_clock: bool,
) -> int:
    """Take letters in: one on the standard input, a Maildir, or by IMAP.

    The letters are stored, then handled. Exit status: 0 once they are stored, with any content; 75 if that was not
    possible, so that a mail server which hands one over by a pipe keeps it and tries again.
    """
    # These need no extra, so that nothing that is missing can send a letter back.
    from referee.mail.log import reason

    if (maildir is not None or imap) and (recipient is not None or sender is not None):
        raise click.UsageError("--recipient and --sender are for a letter on the standard input")
    say_on_stderr()
    try:
        with office_at(folder) as office:
            _take(office, recipient, sender, maildir, imap=imap, trust_clock=trust_clock)
    except RefereeError as error:
        click.echo(told(error), err=True)
        return _TRY_AGAIN
    except Exception as error:  # on any failure, leave the letter with the mail server
        click.echo(reason(error), err=True)
        return _TRY_AGAIN
    return 0


def _take(
    office: Office, recipient: str | None, sender: str | None, maildir: Path | None, *, imap: bool, trust_clock: bool
) -> None:
    """Store the letters, then handle them; a failure of the second step does not make the mail server try again."""
    # Imported once the office is open, so that nothing that is missing can send a letter back.
    from referee.game.file.document import standard_input
    from referee.mail.handlers import pipeline
    from referee.mail.host.outages import confirm
    from referee.mail.intake.message.limits import LIMITS
    from referee.mail.log import LOG, reason
    from referee.mail.office import now
    from referee.mail.transport.maildir import fetch_maildir
    from referee.mail.transport.receipt import receive

    confirm(office, now(), trusted=trust_clock)
    try:
        if maildir is not None:
            fetch_maildir(office, maildir, now())
        if imap:
            extra("referee.mail.transport.imap", "mail").fetch_imap(office, now())
        if maildir is None and not imap:
            receive(office, _read(standard_input(), LIMITS.size), now(), recipient=recipient, sender=sender)
    finally:
        try:
            pipeline.handle_waiting(office, now())
        except Exception as error:
            LOG.error("letters: %s", reason(error))


def _read(stream: BinaryIO, size: int) -> bytes:
    """The letter, up to one byte over its limit; the rest is read too, or the mail server would see a failure."""
    raw = stream.read(size + 1)
    while stream.read(1 << 20):
        pass
    return raw
