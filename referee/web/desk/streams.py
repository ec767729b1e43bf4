"""Server-sent events: spectators are told at once when a game goes on.

The store is asked once a second for the ends of all logs that somebody follows; it alone says where a game stands, so
that it does not matter which process has added an entry.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field

WEB_LOG = logging.getLogger("referee.web")
"""Where the pages say what they do."""

EVERY = 1.0
"""Seconds between two looks at the store."""

BEAT = 20.0
"""Seconds after which a silent stream says that it is still there."""

LONGEST = 1800.0
"""Seconds that a stream lasts; the browser begins another one."""

MOST = 400
"""Maximum streams of this process, which may often have no more than 1,024 files open."""

MOST_OF_ONE = 10
"""Maximum streams of one client."""

Numbers = Callable[[Collection[str]], Awaitable[Mapping[str, int]]]
"""Finds the number of the last entry of each of these games."""


@dataclass(eq=False, slots=True)
class _Follower:
    game: str
    number: int
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class Followers:
    """Everybody who follows a game now; all in one event loop."""

    def __init__(self, numbers: Numbers, every: float = EVERY) -> None:
        self._numbers, self._every = numbers, every
        self._followers: set[_Follower] = set()
        self._clients = Counter[str]()
        self._looking: asyncio.Task[None] | None = None
        self._ended = False

    def are_too_many(self, client: str) -> bool:
        """Whether a client can follow no further game now."""
        return self._ended or len(self._followers) >= MOST or self._clients[client] >= MOST_OF_ONE

    async def follow(self, client: str, game: str, number: int) -> AsyncGenerator[bytes, None]:
        """A stream: the number of a game's last entry, at once and whenever it changes."""
        follower = _Follower(game, number)
        self._followers.add(follower)
        self._clients[client] += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield b"retry: 5000\n\n" + _event(follower.number)
            end = asyncio.get_running_loop().time() + LONGEST
            while not self._ended and asyncio.get_running_loop().time() < end:
                try:
                    async with asyncio.timeout(BEAT):
                        await follower.woken.wait()
                except TimeoutError:
                    yield b":\n\n"
                    continue
                follower.woken.clear()
                if not self._ended:
                    yield _event(follower.number)
        finally:
            self._followers.discard(follower)
            self._clients[client] -= 1
            self._clients += Counter()  # forgets clients without streams

    def end(self) -> None:
        """End all streams; no further one begins."""
        self._ended = True
        for one in self._followers:
            one.woken.set()

    async def _look(self) -> None:
        """Look at the store as long as anybody follows a game."""
        while self._followers and not self._ended:
            try:
                found = await self._numbers({one.game for one in self._followers})
            except Exception as error:  # the store may be back at the next look
                WEB_LOG.error("pages: %s", type(error).__name__)
                found = {}
            for one in self._followers:
                number = found.get(one.game, one.number)
                if number != one.number:
                    one.number = number
                    one.woken.set()
            await asyncio.sleep(self._every)


def _event(number: int) -> bytes:
    return f"event: head\nid: {number}\ndata: {number}\n\n".encode()
