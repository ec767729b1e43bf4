"""`referee desk receive`, `serve`, `tick`, `deliver`: letters in, letters out, and the time between."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from referee.cli.desk.folder import desk_option, opened, say_on_stderr, trust_clock_option

if TYPE_CHECKING:
    from referee.mail.office import Office

TRY_AGAIN = 75
"""EX_TEMPFAIL of sysexits.h: the mail server keeps the letter, and hands it over again later."""


class _Receiving(click.Command):
    """A command to which a mail server gives letters: whatever is wrong, none of them is sent back."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            error.show()
            raise click.exceptions.Exit(TRY_AGAIN) from None


@click.command(cls=_Receiving, short_help="Take letters in: one on the standard input, a Maildir, or by IMAP.")
@desk_option
@click.option("--recipient", metavar="ADDRESS", help="Whom the envelope names: an address of the desk.")
@click.option("--sender", metavar="ADDRESS", help="Who sent it by the envelope; empty for a report.")
@click.option("--maildir", type=click.Path(path_type=Path), metavar="DIR", help="Take what is new in this Maildir.")
@click.option("--imap", is_flag=True, help="Take what is unseen in the mailbox of the settings.")
@trust_clock_option
@click.pass_context
def receive(
    context: click.Context,
    folder: Path,
    recipient: str | None,
    sender: str | None,
    maildir: Path | None,
    imap: bool,
    trust_clock: bool,
) -> None:
    """Store letters, then deal with them.

    Exit status: 0 once they are stored, whatever is in them; 75 if that was not possible, so that a mail
    server which hands one over by a pipe keeps it and tries again.
    """
    from referee.cli import told
    from referee.errors import RefereeError
    from referee.mail.log import reason
    from referee.mail.office import now
    from referee.mail.watch import confirm

    if (maildir is not None or imap) and (recipient is not None or sender is not None):
        raise click.UsageError("--recipient and --sender belong to a letter on the standard input")
    say_on_stderr()
    try:
        with opened(folder) as office:
            confirm(office.store, now(), trusted=trust_clock)
            _stored(office, recipient, sender, maildir, imap=imap)
    except RefereeError as error:
        click.echo(told(error), err=True)
        context.exit(TRY_AGAIN)
    except Exception as error:  # whatever it is, the letter is safe only where it came from
        click.echo(reason(error), err=True)
        context.exit(TRY_AGAIN)


def _stored(office: Office, recipient: str | None, sender: str | None, maildir: Path | None, *, imap: bool) -> None:
    """Store the letters, then deal with what is stored: its own failures do not make the mail server try again."""
    from referee.extras import extra
    from referee.mail import pipeline
    from referee.mail.log import LOG, reason
    from referee.mail.office import now

    try:
        if maildir is not None:
            from referee.mail.transport.maildir import fetch_maildir

            fetch_maildir(office, maildir, now())
        if imap:
            extra("imap_tools", "mail")
            from referee.mail.transport.imap import fetch_imap

            fetch_imap(office, now())
        if maildir is None and not imap:
            pipeline.receive(office, _read(sys.stdin.buffer), now(), recipient=recipient, sender=sender)
    finally:
        try:
            pipeline.handle_waiting(office, now())
        except Exception as error:
            LOG.error("letters: %s", reason(error))


def _read(stream: BinaryIO) -> bytes:
    """The letter, as far as it is read; the rest of it is taken too, or the mail server thinks that we failed."""
    from referee.mail.intake import LIMITS

    raw = stream.read(LIMITS.size + 1)
    while stream.read(1 << 20):
        pass
    return raw


@click.command(short_help="Run the desk: take letters by LMTP, answer them, watch the clock.")
@desk_option
@trust_clock_option
def serve(folder: Path, trust_clock: bool) -> None:
    """Run the desk until it is ended by SIGTERM or SIGINT; the settings say where it listens."""
    say_on_stderr()
    with opened(folder) as office:
        from referee.extras import extra

        extra("aiosmtpd", "mail")

        from referee.mail import daemon

        daemon.serve(office, trust_clock=trust_clock)


@click.command(short_help="Let time pass: reminders, and losses by time. For cron.")
@desk_option
@trust_clock_option
def tick(folder: Path, trust_clock: bool) -> None:
    """Send reminders, and end the games whose time is over; `serve` does this by itself."""
    say_on_stderr()
    with opened(folder) as office:
        from referee.mail import host
        from referee.mail.office import now
        from referee.mail.watch import confirm

        confirm(office.store, now(), trusted=trust_clock)
        click.echo(_counted(host.tick(office, now()), "entry", "entries"))


@click.command(short_help="Hand the letters that wait to the mail server. For cron.")
@desk_option
def deliver(folder: Path) -> None:
    """Hand over the letters that wait; `serve` does this by itself."""
    say_on_stderr()
    with opened(folder) as office:
        from referee.mail.office import now
        from referee.mail.transport import smtp

        click.echo(_counted(smtp.deliver(office, now()), "letter", "letters"))


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
