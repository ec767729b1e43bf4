"""What the commands over archives have in common: where the work is done, a bar of progress, where lines go."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

A_CORE = 4
"""So many processes a core are the most: more of them take memory and make nothing faster."""

_WORTH_A_BAR = 1 << 20
_MUCH = 1 << 20


def work_options(command: Command) -> Command:
    """The options that say where the work is done."""
    for option in (
        click.option("--scheduler", metavar="ADDRESS", help="The Dask scheduler; without it a cluster starts here."),
        click.option(
            "--engine",
            type=click.Choice(["processes", "dask"]),
            default="processes",
            show_default=True,
            help="Work in processes of this machine, or on a Dask cluster.",
        ),
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(min=1),
            help=f"How many processes, of which {A_CORE} a core are the most.  [default: the cores]",
        ),
    ):
        command = option(command)
    return command


def engine_of(jobs: int | None, engine: str, scheduler: str | None) -> Any:  # noqa: ANN401 - (function, items) -> pairs
    """The function that gives out the work."""
    from referee.archive.executors import cores, processes

    if engine == "processes" and scheduler is not None:
        raise click.UsageError("--scheduler belongs to --engine dask")
    _stop_when_told()
    jobs = min(jobs or cores(), A_CORE * cores())
    if engine == "dask":
        from referee.archive.cluster import on_dask

        return partial(on_dask, scheduler=scheduler, jobs=jobs)
    return partial(processes, jobs=jobs)


def _stop_when_told() -> None:
    """Let SIGTERM end the work as Ctrl-C does, so that no process is left behind."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def progress(length: int, label: str) -> AbstractContextManager[Any]:
    """A bar on a terminal, of so many units if they are worth it; it has `update(units)`."""
    if not length or not sys.stderr.isatty():
        return nullcontext(_Silent())
    return click.progressbar(length=length, label=label, file=sys.stderr, update_min_steps=max(1, length // 500))


def progress_of_bytes(length: int, label: str) -> AbstractContextManager[Any]:
    """The same for so many bytes, where a megabyte is worth it."""
    return progress(length if length >= _WORTH_A_BAR else 0, label)


class _Silent:
    def update(self, _: int) -> None:
        """Tell nobody."""


class Text:
    """Text on its way to the standard output or into a file, put out when `flush` is called, or there is much."""

    def __init__(self, path: Path | None, start: int = 0) -> None:
        """Write into a file from a place on, whatever was behind it before; without a file, to the output."""
        self._waiting: list[str] = []
        self._length = 0
        self._written = start
        self._file: BinaryIO | None = None
        if path is not None:
            try:
                self._file = path.open("r+b" if path.is_file() else "wb")
                if path.is_file():
                    self._file.truncate(start)
                    self._file.seek(start)
            except OSError as error:
                raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None

    def put(self, text: str) -> None:
        """Take more text."""
        self._waiting.append(text)
        self._length += len(text)
        if self._length > _MUCH:
            self.flush()

    def flush(self) -> int:
        """Put out all text; how many bytes a file has now."""
        text = "".join(self._waiting)
        self._waiting.clear()
        self._length = 0
        if self._file is None:
            if text:
                if sys.stdout.isatty() and sys.stderr.isatty():
                    click.echo("\r\x1b[K", err=True, nl=False)  # the bar's line is drawn again below
                click.echo(text, nl=False)
        else:
            self._written += self._file.write(text.encode("utf-8", "backslashreplace"))
            self._file.flush()
        return self._written

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
