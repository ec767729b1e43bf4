"""Server-sent events, which notify spectators at once of new entries of a game.

The store is asked once a second for the last entries of all followed logs, so that any process may add an entry.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

WEB_LOG = logging.getLogger("referee.web")
MEDIA = "text/event-stream"

EVERY = 1.0
"""Seconds between two looks at the store."""

BEAT = 20.0
"""Seconds after which a silent stream sends a sign of life."""

LONGEST = 1800.0
"""Maximum seconds of a stream; the browser then begins another one."""

MOST = 400
"""Maximum streams of this process, whose usual limit is 1,024 open files."""

MOST_OF_ONE = 10
"""Maximum streams of one client."""

Numbers = Callable[[Collection[str]], Awaitable[Mapping[str, int]]]
"""Finds the number of the last entry of each of these games."""


@dataclass(eq=False, slots=True)
class Follower:
    """A follower of a game; `number` is that of the last entry that they know, or that is about to be sent."""

    client: str
    game: str
    number: int
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class Followers:
    """All followers of games, in one event loop."""

    def __init__(self, numbers: Numbers, every: float = EVERY) -> None:
        self._numbers, self._every = numbers, every
        self._followers: set[Follower] = set()
        self._clients = Counter[str]()
        self._looking: asyncio.Task[None] | None = None
        self._ended = False

    def enter(self, client: str, game: str, number: int) -> Follower | None:
        """Let a client follow a game until they `leave`; None if it can follow no further game now."""
        if self._ended or len(self._followers) >= MOST or self._clients[client] >= MOST_OF_ONE:
            return None
        follower = Follower(client, game, number)
        self._followers.add(follower)
        self._clients[client] += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return follower

    def leave(self, follower: Follower) -> None:
        """Remove a follower; each leaves once."""
        self._followers.remove(follower)
        self._clients -= Counter((follower.client,))  # forgets clients without streams

    async def tell(self, follower: Follower) -> AsyncGenerator[bytes, None]:
        """A stream: the number of a game's last entry, at once and whenever it changes."""
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

    def end(self) -> None:
        """End all streams, and begin no more."""
        self._ended = True
        for one in self._followers:
            one.woken.set()

    async def _look(self) -> None:
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


class FollowerResponse(StreamingResponse):
    """The stream of a follower, who leaves at its end, even if it never began."""

    def __init__(self, followers: Followers, follower: Follower, headers: Mapping[str, str]) -> None:
        super().__init__(followers.tell(follower), headers=headers, media_type=MEDIA)
        self._followers, self._follower = followers, follower

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream (ASGI)."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._followers.leave(self._follower)


def _event(number: int) -> bytes:
    return f"event: head\nid: {number}\ndata: {number}\n\n".encode()
