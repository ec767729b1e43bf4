"""`referee convert`: the same games in another form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from referee.cli.options import chosen, game_option
from referee.cli.output import created, not_there
from referee.cli.working import engine_of, progress_of_bytes, work_options

WRONG, UNUSABLE = 1, 2


@click.command(short_help="Write games in another form.")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.argument("target")
@click.option(
    "--to",
    "form",
    type=click.Choice(["yaml", "json", "moves"]),
    help="What files in a folder are written as.  [default: yaml]",
)
@click.option("--game", callback=game_option, help="Bare move lists are of this game.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of that game.")
@work_options
@click.pass_context
def convert(
    context: click.Context,
    /,
    sources: tuple[str, ...],
    target: str,
    form: str | None,
    game: str | None,
    options: tuple[str, ...],
    **where: Any,  # noqa: ANN401 - the options of the engine
) -> None:
    """Write the games of SOURCE... into TARGET, in their order, with all that is in them.

    A SOURCE is a game file, an archive, a move list, or a folder of them. TARGET is an archive if its name ends in
    .jsonl (.gz and .zst may follow) or is -, a single game if it ends in .yaml, .json or .moves, else a folder.
    """
    from referee.archive import files as named
    from referee.archive.compression import writing
    from referee.archive.convert import Conversion, convert_shard
    from referee.archive.names import shown
    from referee.archive.omissions import LeftOut
    from referee.archive.shards import shards

    if options and game is None:
        raise click.UsageError("--option belongs to a bare move list: say --game too")
    if not target:
        raise click.UsageError("the TARGET has no name")
    archive, single = _kind(target)
    made = "json" if archive else single or form or "yaml"
    if form is not None and form != made:
        raise click.UsageError(f"{shown(target)} gets {made}: leave --to {form} out, or name a folder")
    if archive:
        not_there(target)
    left = LeftOut()
    files = list(named.found(sources, lists=game is not None, leave=left.add))
    status = 0

    def texts() -> Iterator[str]:
        nonlocal status
        work = engine_of(**where)
        conversion = Conversion(made, game, chosen(options))
        with progress_of_bytes(named.size(files), "converting") as bar:
            for shard, games in work(
                partial(convert_shard, conversion=conversion), shards(files, lists=game is not None)
            ):
                for one in games:
                    if one.fault:
                        click.echo(one.fault, err=True)
                        status = max(status, UNUSABLE if one.unreadable else WRONG)
                    else:
                        yield one.text
                bar.update(shard.read)

    if archive:
        with writing(target) as file:
            for text in texts():
                file.write(text.encode())
    elif single:
        _one(Path(target), texts())
    else:
        _each(Path(target), made, texts())
    if left:
        click.echo(left.as_text(), err=True)
    context.exit(status)


def _kind(target: str) -> tuple[bool, str]:
    """Whether a target is an archive, and the form of a single game; a folder is neither."""
    from referee.archive.compression import STANDARD, suffix
    from referee.archive.convert import FORMS
    from referee.archive.names import shown

    if target == STANDARD or suffix(target) == ".jsonl":
        return True, ""
    single = Path(target).suffix.removeprefix(".").replace("yml", "yaml")
    if not single or Path(target).is_dir():
        return False, ""
    if single not in FORMS:
        raise click.UsageError(
            f"{shown(target)}: no form has the suffix .{single}; "
            "expected .jsonl, .yaml, .json or .moves, or a folder, which has none"
        )
    return False, single


def _one(target: Path, texts: Iterator[str]) -> None:
    """The only game, as a file."""
    text = next(texts, None)
    if text is None:
        return
    if next(texts, None) is not None:
        raise click.UsageError(f"{target} holds one game, and there are more: name a folder, or an archive (.jsonl)")
    created(target, text)


def _each(folder: Path, form: str, texts: Iterator[str]) -> None:
    """Each game as a file of a folder, named by its number."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be made: {(error.strerror or '').lower()}") from None
    for number, text in enumerate(texts, 1):
        created(folder / f"{number:06}.{form}", text)
