"""The server of a try-out, on this machine alone, until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from referee.mail.browsers.browsers import Browsers
from referee.mail.host.engine_room import EngineRoom
from referee.mail.transport.http import LOOPBACK
from referee.tryout.desk import TryOut, opened
from referee.tryout.pages import TryPages
from referee.web.site import Door, EngineOffer, Site, open_pages

_EVERY = 1.0
"""Seconds between two looks for what players did on the pages of their games."""


def site_of(tryout: TryOut) -> Site:
    """The pages of the desk, with the clock of the try-out."""
    settings = tryout.office.settings
    offer = EngineOffer(settings.address, settings.engines.level, settings.open)
    url = settings.pages or ""
    return Site(
        tryout.office.desk,
        url,
        settings.name,
        tryout.now,
        mailbox=settings.address,
        engines=offer,
        invites=settings.address,
    )


def serve(port: int, ready: Callable[[str], None]) -> None:
    """Serve a new try-out until KeyboardInterrupt; `ready` gets its address. Refusal `listen` if the port is used."""
    url = f"http://{LOOPBACK}:{port}"
    with EngineRoom(1) as room, opened(url, room) as tryout:
        asyncio.run(_serve(tryout, port, lambda: ready(f"{url}/try")))


async def _serve(tryout: TryOut, port: int, ready: Callable[[], None]) -> None:
    site, intake = site_of(tryout), Browsers(tryout.office, tryout.now)
    async with open_pages(site, Door(LOOPBACK, port), intake=intake, beside=TryPages(tryout, site).routes()):
        ready()
        while True:
            await asyncio.to_thread(tryout.settle)
            await asyncio.sleep(_EVERY)
