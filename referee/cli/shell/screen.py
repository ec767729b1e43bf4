"""The terminal of a command: its colours, its width and its pager, with the options for them."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TextIO

import click

from referee.errors import PackageFault, RefereeError
from referee.terminal import Pen, colour_pen, plain_pen

_LESS = "-FRX"
"""Default options of less: leave at the end of a short text, and show colours."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def asked(what: str) -> str:
    """The line that a person types when asked; UsageError if the standard input has no more."""
    try:
        line: str = click.prompt(what, err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise click.UsageError("the input has ended, and no such line came") from None
    return line


@dataclass
class Screen:
    """The choices of `--color` and `--no-pager`, applied to the terminal."""

    color: str = "auto"
    pager: bool = True

    def pen(self, stream: TextIO | None) -> Pen:
        """The pen for text on a stream: in colour on a terminal, unless the person has chosen otherwise."""
        if self.color == "auto":
            plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
            return colour_pen if _is_terminal(stream) and not plain else plain_pen
        return colour_pen if self.color == "always" else plain_pen

    def page(self, texts: Iterable[str]) -> None:
        """Print texts, each with a line end, through the pager if they are longer than the terminal.

        An error among them is raised after the texts before it have been shown.
        """
        waiting = iter(texts)
        has_pager = self.pager and _names_a_program(os.environ.get("PAGER", "less"))
        if not (has_pager and _is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
            for text in waiting:
                click.echo(text)
            return
        os.environ.setdefault("LESS", _LESS)
        failures: list[RefereeError | PackageFault] = []
        rest = _until_failure(waiting, failures)
        first, free = list[str](), _size().lines
        for text in rest:
            first.append(text)
            free -= text.count("\n") + 1
            if free <= 0:
                click.echo_via_pager("\n" * (place > 0) + one for place, one in enumerate(chain(first, rest)))
                break
        else:
            for text in first:
                click.echo(text)
        if failures:
            raise failures[0]


def screen() -> Screen:
    """The screen of the command that runs."""
    return click.get_current_context().ensure_object(Screen)


def terminal_width(most: int) -> int:
    """The columns of the output's terminal, at most `most`; `most` if it is no terminal."""
    return min(most, _size().columns) if _is_terminal(sys.stdout) else most


def terminal_height() -> int:
    """The lines of the output's terminal; 0 if it is no terminal."""
    return _size().lines if _is_terminal(sys.stdout) else 0


def fitted(text: str, stream: TextIO | None) -> str:
    """The text for a stream; on a terminal, wide lines are wrapped between words, and indented."""
    if not _is_terminal(stream):
        return text
    width = _size().columns
    return "\n".join(piece for line in text.split("\n") for piece in _broken(line, width))


def _broken(line: str, width: int) -> Iterator[str]:
    """A line in pieces that fit, except for longer words."""
    if _seen(line) <= width:
        yield line
        return
    margin = line[: len(line) - len(line.lstrip(" "))]
    first, *words = line.split()
    piece = margin + first
    for word in words:
        if _seen(piece) + 1 + _seen(word) > width:
            yield piece
            piece = f"{margin[: width // 3]}  {word}"
        else:
            piece += f" {word}"
    yield piece


def _seen(text: str) -> int:
    """The columns of a text, without the codes of colours."""
    return len(_COLOUR.sub("", text))


def _size() -> os.terminal_size:
    import shutil

    return shutil.get_terminal_size()


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _names_a_program(pager: str) -> bool:
    """True unless PAGER turns paging off, or cannot be read."""
    try:
        return shlex.split(pager) not in ([], ["cat"])
    except ValueError:
        return False


def _until_failure(texts: Iterator[str], failures: list[RefereeError | PackageFault]) -> Iterator[str]:
    """Texts up to an error, which goes to `failures`."""
    try:
        yield from texts
    except (RefereeError, PackageFault) as error:
        failures.append(error)


def _choose_color(context: click.Context, _parameter: click.Parameter, color: str | None) -> None:
    if color is not None:
        context.ensure_object(Screen).color = color
        context.color = context.find_root().color = {"always": True, "never": False}.get(color)


def _leave_pager(context: click.Context, _parameter: click.Parameter, left: bool) -> None:
    if left:
        context.ensure_object(Screen).pager = False


def _show_help(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        context.ensure_object(Screen).page(context.get_help().splitlines())
        context.exit()


def terminal_options(*, hidden: bool) -> list[click.Parameter]:
    """The options of every command; only the help of `referee` shows those for colour and pager."""
    option = partial(click.Option, expose_value=False, is_eager=True)
    return [
        option(
            ["--color"],
            type=click.Choice(["auto", "always", "never"]),
            hidden=hidden,
            callback=_choose_color,
            help="Colours: on a terminal (auto, unless NO_COLOR is set), always, or never. Goes with every command.",
        ),
        option(
            ["--no-pager"],
            is_flag=True,
            hidden=hidden,
            callback=_leave_pager,
            help="Never open PAGER for long output. Goes with every command.",
        ),
        option(["-h", "--help"], is_flag=True, callback=_show_help, help="Show this message and exit."),
    ]
