"""The commands on pages: run by a real shell, or in this process as far as they are `referee`'s own.

A process takes a second to load the modules of a command, and there are more than a hundred commands. In this process
`referee` is called, and the shell runs the other parts of a pipe; archives are worked on by this process alone, as on
a machine with one core. Every page is run both ways.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from tests.support.command_line import referee
from tests.support.page_blocks import blocks

ENVIRONMENT = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
}
TOLD = ' || echo "exit status $?"'
"""The comment after a command that must fail."""

_ELLIPSIS = r"(?:.*\n)*?"


class Step(NamedTuple):
    """A command of a page, and its output on the page."""

    command: str
    output: list[str]


def steps(page: Path) -> Iterator[Step]:
    for block in blocks(page, "console"):
        for said in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = said.rstrip("\n").split("\n")
            yield Step(command, output)


def tidy(printed: str) -> str:
    """The output of a command, without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def matches(output: list[str], printed: str) -> bool:
    pattern = "".join(_ELLIPSIS if line == "..." else re.escape(line) + r"\n" for line in output)
    return re.fullmatch(pattern, printed) is not None


def by_shell(command: str, stdin: bytes = b"") -> str:
    """All output of a command, run by a shell in the working directory."""
    done = subprocess.run(
        ["sh", "-c", command],
        env=ENVIRONMENT,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


def here(command: str) -> str:
    """All output of a command, with `referee` called in this process, in the caller's environment."""
    stages = list(_pipe(command.removesuffix(TOLD)))
    if ["referee"] not in [stage[:1] for stage in stages]:
        return by_shell(command)
    said, out, status = "", "", 0
    for stage in stages:
        words, _, file = _divided(stage, ">")
        if words[0] == "referee":
            last = stage is stages[-1] and not file
            with mock.patch("referee.cli.shell.options.cores", return_value=1):
                run = referee(*_expanded(words[1:]), stdin=out.encode(), together=last)
            said, out, status = said + run.err, run.out, run.status
        else:
            out, status = by_shell(shlex.join(words), out.encode()), 0
        if file:
            Path(file[0]).write_text(out, encoding="utf-8")
            out = ""
    if status and command.endswith(TOLD):
        out += f"exit status {status}\n"
    return said + out


def _pipe(command: str) -> Iterator[list[str]]:
    """The words of each command of a pipe."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|;&<>()")
    lexer.whitespace_split = True
    rest = list(lexer)
    while rest:
        stage, _, rest = _divided(rest, "|")
        yield stage


def _divided(words: list[str], at: str) -> tuple[list[str], list[str], list[str]]:
    """The words before the first of these, it, and those behind it."""
    place = words.index(at) if at in words else len(words)
    return words[:place], words[place : place + 1], words[place + 1 :]


def _expanded(words: list[str]) -> Iterator[str]:
    """The words with patterns of file names replaced by the files."""
    for word in words:
        yield from sorted(map(str, Path().glob(word))) if "*" in word else [word]
