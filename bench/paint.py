"""The first paint of a page: the page of a game at a desk, and the referee in one page.

It needs Chromium, and the packages of tests/browser.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bench.figures import Figure
from bench.page import BROWSER, PYODIDE
from bench.pages import served
from referee.desk import Desk, Terms
from referee.desk.store.store import Store
from referee.game import GameFile
from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts

TIMES = 7
LONGEST = 1_000
"""Milliseconds after which people begin to feel that they wait."""


def figures() -> Iterator[Figure]:
    """Medians of the first paint, each in a new browser: of a page that is served on this machine, and of a file."""
    with tempfile.TemporaryDirectory() as name, Store.create(Path(name) / "desk.sqlite") as store:
        page = Path(name) / "referee.html"
        page.write_text(one_page(page_parts(PYODIDE)), encoding="utf-8")
        desk = Desk(store)
        desk.open("game-1", GameFile("beams"), datetime.now(UTC), terms=Terms(days=5))
        found = asyncio.run(_painted(desk, page))
    for name, times in zip(("a game's page", "the referee in one page"), found, strict=True):
        taken = median(times)
        yield Figure(f"first paint, {name}", f"{taken:.0f} ms", f"{LONGEST} ms", taken / LONGEST, "<= 1.0")


async def _painted(desk: Desk, page: Path) -> list[list[float]]:
    async with served(desk) as port:
        command = ["node", "paint.js", str(TIMES), f"http://127.0.0.1:{port}/g/game-1", page.as_uri()]
        run = await asyncio.to_thread(
            subprocess.run, command, cwd=BROWSER, capture_output=True, text=True, check=True
        )
    found: list[list[float]] = json.loads(run.stdout)
    return found
