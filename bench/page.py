"""The referee in one page: its start beside bare Pyodide, a judged game beside the same outside, memory and size.

It needs Chromium, and the packages of tests/browser.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.figures import Figure
from referee.web.onepage.bridge import answer_page
from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts

TIMES = 5
MOST_MEMORY = 300_000_000
LARGEST = 15_000_000
BROWSER = Path(__file__).parents[1] / "tests" / "browser"
GAME = Path(__file__).parents[1] / "games" / "beams" / "asynchronous.yaml"
PYODIDE = BROWSER / "node_modules" / "pyodide"


def figures() -> Iterator[Figure]:
    """Size of the page, time until it is ready, and memory of its process with a game on the board."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "referee.html"
        page.write_text(one_page(page_parts(PYODIDE)), encoding="utf-8")
        size = page.stat().st_size
        command = ["node", "start.js", str(page), str(PYODIDE), str(GAME), str(TIMES)]
        run = subprocess.run(command, cwd=BROWSER, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    ours, bare, memory, judged = (median(found[name]) for name in ("ours", "bare", "memory", "judged"))
    beside = ours / bare
    yield Figure(
        "start of the page, beside bare Pyodide", f"{ours / 1000:.2f} s", f"{bare / 1000:.2f} s", beside, "<= 2.5"
    )
    outside = _judged()
    beside = judged / outside
    yield Figure(
        "a game judged in the page, beside outside", f"{judged:.1f} ms", f"{outside:.1f} ms", beside, "<= 10"
    )
    yield Figure("memory of the page", _megabytes(memory), _megabytes(MOST_MEMORY), memory / MOST_MEMORY, "<= 1.0")
    yield Figure("size of the page", _megabytes(size), _megabytes(LARGEST), size / LARGEST, "<= 1.0")


def _judged() -> float:
    """The milliseconds in which the page's own code judges the same game here."""
    request = json.dumps({"call": "judge", "with": {"text": GAME.read_text(encoding="utf-8")}})
    times = []
    for _ in range(20):
        before = time.perf_counter()
        answer_page(request)
        times.append(1000 * (time.perf_counter() - before))
    return median(times)


def _megabytes(number: float) -> str:
    return f"{number / 1e6:.1f} MB"
