"""Lines that a person types at a terminal, with completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

Complete = Callable[[str], Sequence[str]]


@contextmanager
def completing(complete: Complete) -> Iterator[None]:
    """Let the Tab key complete whole lines meanwhile, if there is a terminal."""
    try:
        import readline
    except ImportError:
        yield
        return
    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(_one_by_one(complete))
    readline.set_completer_delims("")
    # The library of macOS has its own words for it.
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    readline.parse_and_bind("set show-all-if-ambiguous on")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)


def typed_line(prompt: str) -> str | None:
    """The next line of the standard input, stripped; None at its end, and empty if it is dropped."""
    try:
        line = input(prompt if sys.stdin.isatty() else "")
    except EOFError:
        if sys.stdin.isatty():
            click.echo()
        return None
    except KeyboardInterrupt:
        if not sys.stdin.isatty():
            raise
        click.echo("\nCtrl-D or quit leaves")
        return ""
    except UnicodeDecodeError:
        click.echo("expected text in UTF-8")
        return ""
    return line.strip()


def _one_by_one(complete: Complete) -> Callable[[str, int], str | None]:
    """The completions of a line in the form for readline: one for each number, from 0."""
    found: list[str] = []

    def completion(line: str, number: int) -> str | None:
        if number == 0:
            found[:] = complete(line)
        return found[number] if number < len(found) else None

    return completion
