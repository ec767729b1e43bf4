"""`referee desk stamp`: prove the time of a day's root by OpenTimestamps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.shell.candidates import files
from referee.errors import Refusal
from referee.extras import extra
from referee.terminal import counted, join_words, visible

if TYPE_CHECKING:
    from referee.desk.proof.calendars import CalendarAnswer
    from referee.desk.proof.stamps import Stamp

_EXTRA = "stamps"
"""The extra with the library of OpenTimestamps."""


@click.command("stamp")
@click.argument(
    "roots", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path), shell_complete=files
)
@click.option(
    "--calendar",
    "named",
    multiple=True,
    metavar="URL",
    help="A calendar server for new stamps, instead of the public ones; as often as you like.",
)
@click.option("--offline", is_flag=True, help="Ask no server: only make FILE.ots where there is none.")
@click.option(
    "--timeout", type=click.FloatRange(0.1, 600), default=10.0, show_default=True, help="Seconds for the servers."
)
def stamp_command(roots: tuple[Path, ...], named: tuple[str, ...], offline: bool, timeout: float) -> int:
    """Stamp the roots of days with OpenTimestamps.

    FILE is the output of `root --output`. Its stamp, FILE.ots, is made without network, and then sent to calendar
    servers. Once it is in a Bitcoin block, a few hours later, the same command completes it. The servers see random
    digits only. `ots verify` checks the finished stamp against the block itself.

    Exit status: 0 all well; 1 a stamp is not finished, and no server had an answer to it.
    """
    for address in named:
        if not extra("referee.desk.proof.calendars", _EXTRA).is_calendar(address):
            raise click.BadParameter(f"expected an https address, not {visible(address)}", param_hint="--calendar")
    well = [_advance(root, named, 0 if offline else timeout) for root in roots]
    return 0 if all(well) else 1


def _advance(root: Path, named: tuple[str, ...], timeout: float) -> bool:
    """Advance the stamp of a root as far as possible, or only make it; False if no server had an answer."""
    from referee.desk.log.roots import read_root
    from referee.game import decode_utf8, read_bytes

    read_root(decode_utf8(content := read_bytes(root), str(root)))
    path = root.with_name(f"{root.name}.ots")
    stamp = _stamp_at(path, content, named)
    well = True
    if timeout and stamp.requests:
        stamp, well = _asked(path, stamp, named, timeout)
    click.echo(f"{visible(str(path))}: {_progress(stamp)}")
    return well or bool(stamp.blocks)


def _stamp_at(path: Path, stamped: bytes, named: tuple[str, ...]) -> Stamp:
    """The stamp in a file, made if missing; RefereeError `stamp` if the file is no stamp, or one of another file."""
    from referee.cli.shell.output import put
    from referee.game import read_bytes

    stamps = extra("referee.desk.proof.stamps", _EXTRA)
    if not path.exists():
        stamp: Stamp = stamps.new_stamp(stamped, named or extra("referee.desk.proof.calendars", _EXTRA).POOLS)
        put(path, stamp.content)
        return stamp
    try:
        stamp = stamps.Stamp(read_bytes(path))
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{visible(str(path))} {refusal.message}") from None
    if not stamp.covers(stamped):
        raise Refusal("stamp", f"{visible(str(path))} is the stamp of another file")
    return stamp


def _asked(path: Path, stamp: Stamp, named: tuple[str, ...], timeout: float) -> tuple[Stamp, bool]:
    """Ask the calendars, and print and store their answers; return the stamp, and True if one had an answer."""
    from referee.cli.shell.output import put

    calendars = extra("referee.desk.proof.calendars", _EXTRA)
    for one in stamp.requests:
        if not calendars.is_known(one.calendar, named):
            click.echo(f"{one.calendar}: not asked; --calendar names it, if you trust it")
    known = [one for one in stamp.requests if calendars.is_known(one.calendar, named)]
    before, well = stamp, False
    for answer in calendars.ask(known, timeout):
        said, after = _outcome(stamp, answer)
        click.echo(f"{answer.request.calendar}: {said}")
        well = well or after != stamp or bool(answer.waits)
        stamp = after
    if stamp != before:
        put(path, stamp.content)
    return stamp, well


def _outcome(stamp: Stamp, answer: CalendarAnswer) -> tuple[str, Stamp]:
    """The sentence for an answer, and the stamp after it."""
    if answer.trouble:
        return answer.trouble, stamp
    if answer.waits:
        return f"no block yet ({answer.waits})", stamp
    try:
        after = stamp.answered(answer.request, answer.content)
    except Refusal as refusal:
        return refusal.message, stamp
    return "shows the way to a block" if answer.request.taken else "has taken it", after


def _progress(stamp: Stamp) -> str:
    if stamp.blocks:
        heights = join_words(str(height) for height in stamp.blocks)
        return f"complete, by Bitcoin block {heights}; 'ots verify' checks the block"
    if taken := sum(request.taken for request in stamp.requests):
        return f"on its way to a block by {counted(taken, 'calendar', 'calendars')}; ask again in a few hours"
    return "no calendar has it yet"
