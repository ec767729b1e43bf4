"""The opening explorer beside `check`, on an archive of which half the games differ and half are well known."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from bench.figures import Figure, rate
from bench.peers import Job, compared
from referee.archives.executors.executors import processes
from referee.archives.files.compression import writer
from referee.archives.generate import Generation, generate_batch

GAMES = 100_000
KNOWN = 45
"""Well-known games, played again and again."""

PAIRS = 3
LARGEST = 2_500_000
"""Maximum bytes of a page."""


def figures() -> Iterator[Figure]:
    """The time of both commands with as many processes, and the size of the page."""
    with tempfile.TemporaryDirectory() as folder:
        archive, page = Path(folder) / "games.jsonl", Path(folder) / "explorer.html"
        _write(archive)
        explore = Job("explore", GAMES, partial(_run, "explore", archive, "-o", page))
        check = Job("check", GAMES, partial(_run, "check", archive, "--no-summary"))
        mine, theirs, ratio = compared(explore, check, PAIRS)
        yield Figure(f"explore {GAMES:,} games, beside check", rate(mine), rate(theirs), 1 / ratio, "<= 3")
        size = page.stat().st_size
        yield Figure("size of the page", f"{size / 1e6:.2f} MB", f"{LARGEST / 1e6} MB", size / LARGEST, "<= 1.0")


def _write(archive: Path) -> None:
    """The archive; making it is not measured."""
    different, known = Generation("beams", "different"), Generation("beams", "known")
    with writer(str(archive)) as file:
        for _, text in processes(partial(generate_batch, different), different.batches(GAMES // 2), 2):
            file.write(text.encode())
        lines = generate_batch(known, (1, KNOWN + 1)).encode().splitlines(keepends=True)
        file.writelines(islice(cycle(lines), GAMES - GAMES // 2))


def _run(*arguments: object) -> None:
    command = [sys.executable, "-m", "referee", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
