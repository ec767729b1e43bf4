"""`referee audit`: referee an exported game again, trusting nobody."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli.desk.folder import desk_option, opened


@click.command(short_help="Check a game's whole log: digests, commitments, every verdict.")
@desk_option
@click.argument("what", metavar="FILE|GAME")
@click.pass_context
def audit(context: click.Context, folder: Path, what: str) -> None:
    """Check the exported log in FILE, or that of GAME on a desk, from its first entry to its last.

    Digests and commitments are made anew, moves judged by the rules, times by the clock; neither the desk nor its
    key is needed for that. `-` is the standard input.
    """
    from referee.desk.audit import audit as audited

    report = audited(_exported(folder, what))
    for finding in report.findings:
        click.echo(finding.as_text(what))
    state = report.state
    if state is not None:
        how = f"over: {state.outcome.winner or 'nobody'} won ({state.outcome.how})" if state.outcome else "it runs"
        held = "1 entry holds" if report.entries == 1 else f"{report.entries} entries hold"
        click.echo(f"{state.id}: {held}, {len(state.plies)} plies; {how}; head {state.head}")
    context.exit(1 if report.findings else 0)


def _exported(folder: Path, what: str) -> str:
    """The log in a file; or, if there is no such file, that of a game on the desk."""
    from referee.game.document import decode, limited, read_bytes

    if what == "-":
        return decode(limited(sys.stdin.buffer, what), what)
    if Path(what).exists() or "/" in what or "." in what:
        return decode(read_bytes(Path(what)), what)
    with opened(folder) as desk:
        from referee.mail.office import state_of

        state_of(desk, what)
        return "".join(f"{entry.as_line()}\n" for entry in desk.store.log(what))
