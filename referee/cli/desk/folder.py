"""The desk that a command works on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.extras import extra

if TYPE_CHECKING:
    from referee.mail.office import Office

F = TypeVar("F", bound=Callable[..., Any])


def desk_option(command: F) -> F:
    """Give a command the option `--desk DIR`, as its argument `folder`."""
    return click.option(
        "--desk",
        "folder",
        envvar="REFEREE_DESK",
        default=".",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The desk's folder; by default REFEREE_DESK, or the current one.",
    )(command)


def trust_clock_option(command: F) -> F:
    """Give a command the option `--trust-clock`."""
    return click.option(
        "--trust-clock",
        is_flag=True,
        help="The machine's clock is right, though it has jumped or the desk has rested for more than a day.",
    )(command)


@contextmanager
def opened(folder: Path) -> Iterator[Office]:
    """The desk in a folder.

    Raises:
        FileError: its settings cannot be read, or do not hold.
        RefereeError: `missing-extra`, or its store cannot be opened.
    """
    # Imported here, as `audit` of a file needs no extra, and `receive` must answer for a missing one.
    with extra("referee.mail.office", "mail").office_in(folder) as office:
        yield office


def say_on_stderr() -> None:
    """Have the desk's parts say what they do on the error output, a line each."""
    logging.basicConfig(format="referee: %(message)s", level=logging.WARNING)
    logging.getLogger("referee").setLevel(logging.INFO)
    # Of what aiosmtpd says, some is what a mail server sent.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
