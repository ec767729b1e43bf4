"""Values of options that several commands share: games, their options, and executors."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypedDict

import click

from referee.archives.executors.executors import Executor, cores, processes
from referee.archives.files.compression import STANDARD
from referee.cli.shell.parameters import Command, jobs_option
from referee.game import GameFile, decode_utf8, loads, read, read_input
from referee.game.file.syntax import option_value, option_values

_PER_CORE = 4
"""Maximum worker processes per core: more of them take memory and make nothing faster."""

_USUAL_COLLECTIONS = 700, 10, 10
"""New objects before a garbage collection, and collections before one of older objects."""


def game_of(name: str) -> GameFile:
    """The game in a game file, or in the standard input as -; it raises as `referee.read`."""
    return loads(decode_utf8(read_input(name), name), name) if name == STANDARD else read(name)


def game_options(options: tuple[str, ...]) -> dict[str, Any]:
    """The options given as KEY=VALUE, each value read as in a game file."""
    try:
        return option_values(options)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--option") from None


def value_of(key: str, text: str) -> Any:  # noqa: ANN401 - plain data of any shape
    """The value of a text in a game file."""
    try:
        return option_value(key, text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


class Where(TypedDict):
    """The values of `work_options`."""

    jobs: int | None
    executor: str
    scheduler: str | None


def work_options(command: Command) -> Command:
    """Give a command the options of its executor."""
    for option in (
        click.option("--scheduler", metavar="ADDRESS", help="The Dask scheduler; without it a cluster starts here."),
        click.option(
            "--executor",
            type=click.Choice(["processes", "dask"]),
            default="processes",
            show_default=True,
            help="Work in processes of this machine, or on a Dask cluster.",
        ),
        jobs_option(f"Number of processes, at most {_PER_CORE} per core.  [default: the cores]"),
    ):
        command = option(command)
    return command


def executor_of(jobs: int | None, executor: str, scheduler: str | None) -> Executor:
    """The executor that these options ask for."""
    if executor == "processes" and scheduler is not None:
        raise click.UsageError("--scheduler needs --executor dask")
    stop_when_told()
    jobs = min(jobs or cores(), _PER_CORE * cores())
    if executor == "dask":
        # Multiprocessing takes longer to load than a game to check.
        from referee.archives.executors.cluster import on_dask

        return partial(on_dask, scheduler=scheduler, jobs=jobs)
    return partial(processes, jobs=jobs)


@contextmanager
def running_long() -> Iterator[None]:
    """Collect garbage as often as Python does by itself: other commands end before that saves memory."""
    before = gc.get_threshold()
    gc.freeze()  # what is loaded stays, and is not searched
    gc.set_threshold(*_USUAL_COLLECTIONS)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def stop_when_told() -> None:
    """Let SIGTERM end the work as Ctrl-C does, so that no process is left behind."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
