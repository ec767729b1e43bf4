"""`referee audit`: referee an exported game again, trusting nobody."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from referee.cli.desk.folder import desk_option, opened
from referee.desk.audit import Audit, audit_lines
from referee.desk.log import log_lines, read_lines
from referee.desk.seals import digits
from referee.terminal import counted


@click.command()
@desk_option
@click.argument("what", metavar="FILE|GAME")
@click.option("--head", metavar="DIGEST", help="The log head of a letter: the log must reach at least that far.")
@click.pass_context
def audit(context: click.Context, folder: Path, what: str, head: str | None) -> None:
    """Check a game's whole log: digests, commitments, every verdict.

    The log is the exported one in FILE, or that of GAME on a desk; `-` is the standard input. The audit computes
    digests and commitments anew, judges moves by the rules and times by the clock, and needs neither the desk nor
    its key.

    A log that was cut short is whole in itself. Compare it with a letter: give the "log head" at its foot as --head.
    """
    with _lines(folder, what) as log:
        report = audit_lines(log, _digest(head))
    for finding in report.findings:
        click.echo(finding.as_text(what))
    state = report.state
    if state is not None:
        how = (
            f"over: {state.outcome.winner or 'nobody'} won ({state.outcome.termination})"
            if state.outcome
            else "it runs"
        )
        plies = counted(len(state.plies), "ply", "plies")
        click.echo(f"{state.id}: {_held(report)}, {plies}; {how}; head {state.head}")
    if report.behind is not None:
        more = "no entry" if report.behind == 0 else "1 entry" if report.behind == 1 else f"{report.behind} entries"
        click.echo(f"the letter's log head is in the log, and {more} came later")
    context.exit(1 if report.findings else 0)


def _held(report: Audit) -> str:
    """How much of a log is in order; one with findings is not, however far its game could be followed."""
    if report.findings:
        first = report.findings[0].line
        return f"this log does NOT hold: line {first} is the first that is wrong"
    return "1 entry holds" if report.entries == 1 else f"{report.entries} entries hold"


def _digest(head: str | None) -> str | None:
    """A digest as a log has it; a usage error if it is none."""
    digest = head and digits(head)
    if head is not None and not digest:
        raise click.BadParameter("expected the 64 hexadecimal digits of a log head", param_hint="--head")
    return digest


@contextmanager
def _lines(folder: Path, what: str) -> Iterator[Iterable[str]]:
    """The lines of a file; or, if there is no such file, of the log of a game on the desk."""
    if what == "-":
        yield log_lines(sys.stdin.buffer, what)
    elif Path(what).exists() or "/" in what or "." in what:
        with read_lines(Path(what)) as found:
            yield found
    else:
        with opened(folder) as office:
            office.desk.state(what)
            yield (entry.as_line() for entry in office.store.log(what))
