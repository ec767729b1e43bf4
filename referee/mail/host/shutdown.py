"""The end of a desk's process by a signal: for good, or to begin again with new settings."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Set
from threading import Timer
from typing import NoReturn

from referee.errors import RefereeError
from referee.mail.log import LOG, reason
from referee.mail.office import Office, office_in
from referee.mail.settings import Settings
from referee.mail.transport.http import LOOPBACK

GRACE_SECONDS = 5.0
"""Seconds that the current work may take; then the process ends, because every letter is in the store."""

Doors = Set[tuple[str, int]]
"""Hosts and ports at which a process listens."""


class Shutdown:
    """Waits for SIGTERM or SIGINT, which end the process, and for SIGHUP, after which it begins again.

    It keeps its settings if the new ones cannot be used; `beside` fails then, too.
    """

    def __init__(
        self, office: Office, beside: Callable[[Office], object], doors: Callable[[Settings], Doors]
    ) -> None:
        """Listen to signals, in a running event loop of the main thread; `doors` are where the process listens."""
        self.signalled = asyncio.Event()
        self.again = False
        """True if the process begins again; that may still change after the signal."""
        self._office, self._beside, self._doors = office, beside, doors
        self._loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, self._end, False)
        self._loop.add_signal_handler(signal.SIGHUP, self._reload)

    def _end(self, again: bool) -> None:
        self.again = again
        if not self.signalled.is_set():
            self.signalled.set()
            timer = Timer(GRACE_SECONDS, self._give_up)
            timer.daemon = True
            timer.start()

    def _reload(self) -> None:
        if self.signalled.is_set():
            return
        try:
            with office_in(self._office.folder) as new:
                self._beside(new)
                for door in self._doors(new.settings) - self._doors(self._office.settings):
                    _expect_free(*door)
        except RefereeError as error:
            LOG.error("settings: these cannot be used, and the old ones go on: %s", reason(error))
            return
        LOG.info("settings: read again")
        self._loop.remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the new process listens to it
        self._end(again=True)

    def _give_up(self) -> None:
        LOG.warning("ended in the midst of its work, which the next start takes up")
        if self.again:
            begin_again()
        os._exit(0)


def begin_again() -> NoReturn:
    """Replace this process by a new one of the same command, with the same id."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def desk_doors(settings: Settings) -> Doors:
    """The addresses at which a desk with these settings listens."""
    numbers = set() if settings.metrics is None else {(LOOPBACK, settings.metrics.port)}
    return {(settings.listen.host, settings.listen.port)} | numbers | page_doors(settings)


def page_doors(settings: Settings) -> Doors:
    """The address at which the pages of a desk with these settings are served, if they are."""
    return set() if settings.pages is None else {(settings.web.host, settings.web.port)}


def _expect_free(host: str, port: int) -> None:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise RefereeError("listen", f"cannot listen at {host}:{port}: {said}") from None
