"""Lines that a person types at a terminal, completed as far as they can go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

_MOST = 50
"""Maximum completions that are offered at once."""

Complete = Callable[[str], Sequence[str]]


@contextmanager
def completing(complete: Complete) -> Iterator[None]:
    """Let the tabulator key complete whole lines meanwhile; nothing happens where there is no terminal."""
    try:
        import readline
    except ImportError:
        yield
        return
    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(_one_by_one(complete))
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)


def typed_line(prompt: str) -> str | None:
    """The next line of the standard input without blanks around it; None at its end."""
    if sys.stdin.isatty():
        try:
            return input(prompt).strip()
        except EOFError:
            click.echo()
            return None
    line = sys.stdin.readline()
    return line.strip() if line else None


def _one_by_one(complete: Complete) -> Callable[[str, int], str | None]:
    """The completions of a line as readline asks for them: one for each number, from 0."""
    found: list[str] = []

    def completion(line: str, number: int) -> str | None:
        if number == 0:
            found[:] = complete(line)[:_MOST]
        return found[number] if number < len(found) else None

    return completion
