"""`referee audit`: referee an exported game again, trusting nobody."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk.folder import desk_option, opened

if TYPE_CHECKING:
    from referee.desk import Report


@click.command(short_help="Check a game's whole log: digests, commitments, every verdict.")
@desk_option
@click.argument("what", metavar="FILE|GAME")
@click.option("--head", metavar="DIGEST", help="The log head of a letter: the log must reach at least that far.")
@click.pass_context
def audit(context: click.Context, folder: Path, what: str, head: str | None) -> None:
    """Check the exported log in FILE, or that of GAME on a desk, from its first entry to its last.

    Digests and commitments are made anew, moves judged by the rules, times by the clock; neither the desk nor its
    key is needed for that. `-` is the standard input.

    A log that was cut short is whole in itself. Compare it with a letter: give the "log head" at its foot as --head.
    """
    from referee.desk.audit import audit_lines

    with _lines(folder, what) as lines:
        report = audit_lines(lines, _digest(head))
    for finding in report.findings:
        click.echo(finding.as_text(what))
    state = report.state
    if state is not None:
        how = (
            f"over: {state.outcome.winner or 'nobody'} won ({state.outcome.termination})"
            if state.outcome
            else "it runs"
        )
        plies = f"{len(state.plies)} {'ply' if len(state.plies) == 1 else 'plies'}"
        click.echo(f"{state.id}: {_held(report)}, {plies}; {how}; head {state.head}")
    if report.behind is not None:
        more = "no entry" if report.behind == 0 else "1 entry" if report.behind == 1 else f"{report.behind} entries"
        click.echo(f"the letter's log head is in the log, and {more} came later")
    context.exit(1 if report.findings else 0)


def _held(report: Report) -> str:
    """How much of a log is in order; one with findings is not, however far its game could be followed."""
    if report.findings:
        first = report.findings[0].line
        return f"this log does NOT hold: line {first} is the first that is wrong"
    return "1 entry holds" if report.entries == 1 else f"{report.entries} entries hold"


def _digest(head: str | None) -> str | None:
    """A digest as a log has it; a usage error if it is none."""
    from referee.desk.seals import digits

    digest = head and digits(head)
    if head is not None and not digest:
        raise click.BadParameter("expected the 64 hexadecimal digits of a log head", param_hint="--head")
    return digest


@contextmanager
def _lines(folder: Path, what: str) -> Iterator[Iterable[str]]:
    """The lines of a file; or, if there is no such file, of the log of a game on the desk."""
    from referee.desk.exports import lines, read_lines

    if what == "-":
        yield lines(sys.stdin.buffer, what)
    elif Path(what).exists() or "/" in what or "." in what:
        with read_lines(Path(what)) as found:
            yield found
    else:
        with opened(folder) as office:
            office.desk.state(what)
            yield (entry.as_line() for entry in office.store.log(what))
