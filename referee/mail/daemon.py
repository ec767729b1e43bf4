"""The desk as one process: it listens, deals with letters, watches the clock, and hands letters over.

Each part goes on by itself, and none stops another. Whatever was acknowledged is in the store, so the process may
be ended at any moment; when it is asked to end, it finishes what is in work.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from referee.mail.host import tick
from referee.mail.log import LOG, reason
from referee.mail.office import Office, now
from referee.mail.pipeline import handle_waiting
from referee.mail.transport.lmtp import listening
from referee.mail.transport.smtp import deliver
from referee.mail.watch import Watch, confirm, steady

LETTERS, CLOCK, OUTBOX = 5, 60, 5
"""Seconds after which each part looks by itself: other processes may have put something in."""


PATIENCE = 60
"""Seconds that a part rests at most after it has failed again and again."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is done whenever `wake` is set, and every so many seconds; `done` says how many things that were."""

    name: str
    work: Callable[[Office, datetime], int]
    every: float
    done: str
    wake: asyncio.Event = field(default_factory=asyncio.Event)


def serve(office: Office, *, trust_clock: bool = False) -> None:
    """Run a desk until SIGTERM or SIGINT.

    Raises:
        RefereeError: `listen`, if letters cannot be taken where the settings say; `clock-jump`, unless the clock
            is trusted.
    """
    confirm(office.store, now(), trusted=trust_clock)
    asyncio.run(_serving(office, Watch(now(), steady())))


async def _serving(office: Office, watch: Watch) -> None:
    outbox = Part("outbox", _watched(deliver, watch), OUTBOX, "{} sent")
    letters = Part("letters", _watched(handle_waiting, watch), LETTERS, "{} dealt with")
    clock = Part("clock", _watched(_pass_time, watch), CLOCK, "{} entries")
    parts = (outbox, letters, clock)
    asked_to_end, ended = asyncio.Event(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked_to_end.set)
    async with listening(office, letters.wake.set, lambda at: watch.agrees(at, steady())):
        listen = office.settings.listen
        LOG.info("listening at %s:%d for %s", listen.host, listen.port, office.settings.address)
        running = [asyncio.create_task(_kept_up(part, office, outbox.wake, ended)) for part in parts]
        tell_systemd("READY=1")
        await asked_to_end.wait()
        tell_systemd("STOPPING=1")
    ended.set()
    for part in parts:
        part.wake.set()
    await asyncio.gather(*running)
    LOG.info("ended")


def _watched(work: Callable[[Office, datetime], int], watch: Watch) -> Callable[[Office, datetime], int]:
    """Some work that rests while the clock is in doubt."""
    return lambda office, at: work(office, at) if watch.agrees(at, steady()) else 0


def _pass_time(office: Office, at: datetime) -> int:
    office.store.see(at)
    return tick(office, at)


async def _kept_up(part: Part, office: Office, outbox: asyncio.Event, ended: asyncio.Event) -> None:
    """Do a part's work again and again; what goes wrong is told, and tried again after growing pauses."""
    failed = 0
    while not ended.is_set():
        part.wake.clear()
        try:
            done = await asyncio.to_thread(part.work, office, now())
        except Exception as error:  # one part's trouble must not end the others
            failed += 1
            LOG.error("%s: %s", part.name, reason(error))
            await _set(ended, min(part.every * 2 ** min(failed, 10), PATIENCE))
            continue
        failed = 0
        if done:
            LOG.info("%s: %s", part.name, part.done.format(done))
            outbox.set()
        await _set(part.wake, part.every)


async def _set(event: asyncio.Event, seconds: float) -> None:
    """Wait until an event is set, but not longer than this."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def tell_systemd(state: str) -> None:
    """Tell systemd how far the service is, if it asks for that (sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.sendto(state.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
