"""The desk as one process: it takes letters in, deals with them, watches the clocks, and sends letters out.

The parts run side by side, and none stops another. Every acknowledged letter is in the store, so the process may end
at any moment; on a signal, it finishes the work in hand, if that does not take long.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from referee.mail.evidence.domain_keys import look_up
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.checks.concerns import write_to_host
from referee.mail.host.engine_room import EngineRoom
from referee.mail.host.host import tick_games
from referee.mail.host.metrics import TYPE, Meter, exposition
from referee.mail.host.outages import confirm, wake
from referee.mail.host.shutdown import Shutdown, desk_doors, page_doors
from referee.mail.log import LOG, reason
from referee.mail.office import Office, now
from referee.mail.transport.http import LOOPBACK, PATH, publish
from referee.mail.transport.imap import fetch_imap
from referee.mail.transport.lmtp import listen
from referee.mail.transport.smtp import deliver
from referee.mail.watch import Watch, steady

LETTERS, CLOCK, OUTBOX, HOST, KEYS, ENGINES = 5, 60, 5, 600, 60, 5
"""Seconds after which each part looks for work: another process may have left some."""

CLOSE = 0.02
"""Letters with fewer seconds than this between them come in quick succession."""

LONGEST_PRECEDENCE = 0.25
"""Maximum seconds that judging waits: even if letters never cease to come, some are judged."""

_LOOK = 0.005

_PATIENCE, _MAILBOX_PATIENCE = 60, 900
"""The longest pause of a part that keeps failing, in seconds; a mailbox gets locked after too many wrong logins."""


@dataclass(frozen=True, slots=True)
class Routine:
    """Work to do when `wake` is set, and after `every` number of seconds; `done` is the log line of its result.

    `patience` is the longest pause in seconds while it keeps failing.
    """

    name: str
    work: Callable[[Office, datetime], int]
    every: float
    done: str
    patience: float = _PATIENCE
    wake: asyncio.Event = field(default_factory=asyncio.Event)


Beside = Callable[[Office, Callable[[], None]], AbstractAsyncContextManager[None] | None]
"""Another service of a desk, such as web pages, if the settings want it; it reports acts, from any thread."""


def serve(office: Office, *, trust_clock: bool = False, beside: Beside = lambda *_: None) -> bool:
    """Run a desk until SIGTERM or SIGINT; or until SIGHUP, and return True, to begin again with new settings.

    RefereeError `listen` if the address of the settings is not free; `clock-jump` unless the clock is trusted.
    """
    confirm(office, now(), trusted=trust_clock)
    office.desk.games.follow_zones()
    with EngineRoom(office.settings.engines.cores) as room:
        return asyncio.run(_serve(office, Watch(now(), steady()), room, beside))


def serve_pages(office: Office, pages: Callable[[Office], AbstractAsyncContextManager[None]]) -> bool:
    """Serve only the pages of a desk until SIGTERM, SIGINT or SIGHUP, as `serve` does; RefereeError `listen`."""

    async def served() -> bool:
        ending = Shutdown(office, pages, page_doors)
        async with pages(office):
            await ending.signalled.wait()
        LOG.info("ended")
        return ending.again

    return asyncio.run(served())


async def _serve(office: Office, watch: Watch, room: EngineRoom, beside: Beside) -> bool:
    ending, end = Shutdown(office, lambda new: beside(new, acted), desk_doors), asyncio.Event()
    outbox = Routine("outbox", while_right(partial(deliver, ended=end.is_set), watch), OUTBOX, "{} sent")
    precedence = Precedence()
    judge = partial(handle_waiting, before=precedence.give_way, ended=end.is_set)
    letters = Routine("letters", while_right(judge, watch), LETTERS, "{} dealt with")

    def arrived() -> None:
        precedence.arrived()
        letters.wake.set()

    def acted() -> None:
        for part in (outbox, engines):
            loop.call_soon_threadsafe(part.wake.set)

    loop = asyncio.get_running_loop()
    clock = Routine("clock", while_right(_pass_time, watch), CLOCK, "{} entries")
    host = Routine("host", while_right(write_to_host, watch), HOST, "{} to the host")
    keys = Routine("keys", look_up, KEYS, "{} looked up")
    engines = Routine("engines", while_right(play(room), watch), ENGINES, "{} moves")
    parts: list[tuple[Routine, tuple[asyncio.Event, ...]]]
    parts = [(part, (outbox.wake,)) for part in (outbox, clock, host, keys)]
    parts.append((letters, (outbox.wake, engines.wake)))
    if office.settings.engines.cores:
        parts.append((engines, (letters.wake, outbox.wake)))
    if office.settings.imap is not None:
        every = office.settings.imap.every
        fetch, pause = while_right(fetch_imap, watch), max(every, _MAILBOX_PATIENCE)
        parts.append((Routine("mailbox", fetch, every, "{} fetched", pause), (letters.wake,)))
    meter = Meter()
    at_the_port = listen(office, arrived, lambda at: watch.agrees(at, steady()))
    async with at_the_port, _numbers(office, meter), beside(office, acted) or nullcontext():
        address = office.settings.listen
        LOG.info("listening at %s:%d for %s", address.host, address.port, office.settings.address)
        running = [asyncio.create_task(run(_measured(part, meter), office, then, end)) for part, then in parts]
        if office.settings.metrics is not None:
            LOG.info("numbers at http://%s:%d%s", LOOPBACK, office.settings.metrics.port, PATH)
        tell_systemd("READY=1")
        await ending.signalled.wait()
        tell_systemd("RELOADING=1" if ending.again else "STOPPING=1")
        end.set()
        room.close()
        for part, _ in parts:
            part.wake.set()
    await asyncio.gather(*running)
    LOG.info("ended")
    return ending.again


def while_right(work: Callable[[Office, datetime], int], watch: Watch) -> Callable[[Office, datetime], int]:
    """The same work, but none while the clock is in doubt; after the machine has slept, games first get that back."""

    def done(office: Office, at: datetime) -> int:
        if not watch.agrees(at, steady()):
            return 0
        if not watch.has_looked(at):
            wake(office, at)
            watch.looked = at
        return work(office, at)

    return done


def _pass_time(office: Office, at: datetime) -> int:
    office.desk.upkeep.see(at)
    return tick_games(office, at)


def play(room: EngineRoom) -> Callable[[Office, datetime], int]:
    """The work of engines; they take the time when they have found a move, not when they began to think.

    It passes by the steady clock since the watch has agreed, even if the machine's clock is set meanwhile.
    """

    def work(office: Office, at: datetime) -> int:
        begun = steady()
        return room.play(office, lambda: at + timedelta(seconds=steady() - begun))

    return work


def _numbers(office: Office, meter: Meter) -> AbstractAsyncContextManager[None]:
    """The numbers of the desk over HTTP, if its settings name a port for them."""
    if office.settings.metrics is None:
        return nullcontext()
    return publish(office.settings.metrics.port, lambda: exposition(office, now(), meter), TYPE, office.port_mark)


def _measured(part: Routine, meter: Meter) -> Routine:

    def work(office: Office, at: datetime) -> int:
        begun, done = time.perf_counter(), None
        try:
            done = part.work(office, at)
        finally:
            meter.count(part.name, time.perf_counter() - begun, done)
        return done

    return replace(part, work=work)


async def run(part: Routine, office: Office, then: Iterable[asyncio.Event], end: asyncio.Event) -> None:
    """Do a part's work again and again, and wake those of `then` after some; after a fault, with growing pauses."""
    failed = 0
    while not end.is_set():
        part.wake.clear()
        try:
            done = await asyncio.to_thread(part.work, office, now())
        except Exception as error:  # a fault of one part must not end the others
            failed += 1
            LOG.error("%s: %s", part.name, reason(error))
            await _wait(end, min(part.every * 2 ** min(failed, 10), part.patience))
            continue
        failed = 0
        if done:
            LOG.info("%s: %s", part.name, part.done.format(done))
            for following in then:
                following.set()
        await _wait(part.wake, part.every)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def tell_systemd(state: str) -> None:
    """Tell systemd the state of the service, if systemd asks for it (sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.sendto(state.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)


class Precedence:
    """When the last two letters came: while they come in quick succession, those already stored wait.

    A mail server with a lot to hand over is rid of it sooner that way, and everything is judged in the same time: one
    process does one thing after another.
    """

    def __init__(self) -> None:
        """No letter has come so far."""
        self._before = self._last = float("-inf")

    def arrived(self) -> None:
        """Note that a letter has come now."""
        self._before, self._last = self._last, time.monotonic()

    def give_way(self) -> None:
        """Wait while letters come in quick succession."""
        longest = time.monotonic() + LONGEST_PRECEDENCE
        while self._last - self._before < CLOSE and self._last + CLOSE > time.monotonic() < longest:
            time.sleep(_LOOK)
