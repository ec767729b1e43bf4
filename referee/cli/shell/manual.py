"""`referee man`: manual pages, made of the texts of the help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from referee import __version__
from referee.cli.shell.groups import LazyGroup
from referee.cli.shell.output import create


@click.command("man")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    help="A folder, which gets the pages of all commands.",
)
@click.pass_context
def man_command(context: click.Context, names: tuple[str, ...], folder: Path | None) -> None:
    """Print a manual page, or write all of them.

    The page is that of COMMAND, such as 'desk open', or that of referee itself. To read it, pass it to man:
    referee man check | man -l -
    """
    top = click.Context(context.find_root().command, info_name="referee")
    if folder is None:
        click.echo("\n".join(_page(_named(top, names))))
        return
    if names:
        raise click.UsageError("--output writes the pages of all commands: name none")
    folder.mkdir(parents=True, exist_ok=True)
    for one in _all(top):
        create(folder / f"{_name(one)}.1", "".join(f"{line}\n" for line in _page(one)))


def _named(context: click.Context, names: tuple[str, ...]) -> click.Context:
    for name in names:
        below = {one.info_name: one for one in _below(context)}
        if name not in below:
            raise click.UsageError(f"there is no command {' '.join(names)!r}")
        context = below[name]
    return context


def _all(context: click.Context) -> Iterator[click.Context]:
    yield context
    for below in _below(context):
        yield from _all(below)


def _below(context: click.Context) -> Iterator[click.Context]:
    if isinstance(group := context.command, click.Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is not None and not command.hidden:
                yield click.Context(command, info_name=name, parent=context)


def _name(context: click.Context) -> str:
    """The name of a page: the command's, after those of its groups."""
    own = context.info_name or ""
    return own if context.parent is None else f"{_name(context.parent)}-{own}"


def _page(context: click.Context) -> Iterator[str]:
    command = context.command
    first, _, rest = cleandoc(command.help or "").partition("\n\n")
    yield f'.TH {_escaped(_name(context).upper())} 1 "" "referee {__version__}" "referee"'
    yield ".SH NAME"
    yield f"{_escaped(_name(context))} \\- {_escaped(' '.join(first.split()).rstrip('.') or command.name or '')}"
    yield ".SH SYNOPSIS"
    yield f".B {_escaped(context.command_path)}"
    yield _escaped(" ".join(command.collect_usage_pieces(context)))
    if rest:
        yield ".SH DESCRIPTION"
        yield from _paragraphs(rest)
    yield ".SH OPTIONS"
    for parameter in command.get_params(context):
        said = parameter.get_help_record(context)
        if said is not None and said[1]:
            yield from (".TP", f"\\fB{_escaped(said[0])}\\fR", _escaped(" ".join(said[1].split())))
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for name, says in _short_helps(command, context):
            yield from (".TP", f"\\fB{_escaped(f'{_name(context)}-{name}')}\\fR(1)", _escaped(says))
    if context.parent is not None:
        yield ".SH SEE ALSO"
        yield f"\\fB{_escaped(_name(context.parent))}\\fR(1)"


def _short_helps(group: click.Group, context: click.Context) -> Iterator[tuple[str, str]]:
    """The commands of a group, each with its short help."""
    if isinstance(group, LazyGroup):
        yield from ((name, group.table[name].short_help) for name in group.list_commands(context))
    else:
        yield from ((one.info_name or "", one.command.get_short_help_str(limit=200)) for one in _below(context))


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text; one that begins with a backspace keeps its lines, as in click."""
    for paragraph in text.split("\n\n"):
        yield ".PP"
        if paragraph.startswith("\b"):
            yield from (".nf", *map(_escaped, paragraph.splitlines()[1:]), ".fi")
        else:
            yield _escaped(" ".join(paragraph.split()))


def _escaped(text: str) -> str:
    """A text without troff commands: at the start of a line, after a backslash, or for a hyphen."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=['.])", r"\\&", text)
