"""Servers that run in a thread during a test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from threading import Event, Thread


@contextmanager
def in_background(server: AbstractAsyncContextManager[None]) -> Iterator[None]:
    """Run a server until the context ends."""
    begun, end = Event(), Event()

    async def run() -> None:
        async with server:
            begun.set()
            await asyncio.to_thread(end.wait)

    thread = Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        assert begun.wait(30)
        yield
    finally:
        end.set()
        thread.join()
