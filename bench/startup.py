"""How long whole commands take, beside a bare interpreter that imports the same libraries.

Everything is compiled beforehand, as pip leaves an installed package.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure
from bench.games import random_game
from referee.game.dumper import dumps

RUNS = 15
# With interegular, which only developers have, lark looks for colliding terminals each time it makes a parser.
AS_INSTALLED = "import sys; sys.modules['interegular'] = None; from referee.cli import main; main()"
BARE = [sys.executable, "-c", "import click, yaml, lark"]


def figures() -> Iterator[Figure]:
    """`check`, `report` and `legal` of a file of 40 plies, and `--help`."""
    referee = [sys.executable, "-c", AS_INSTALLED]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.yaml"
        file.write_text(dumps(random_game("beams", random.Random(1), plies=40, mode="synchronous")))
        yield _figure("referee check, one file of 40 plies", [*referee, "check", str(file)], "<= 1.2, stretch 1.0")
        yield _figure("referee report, of the same", [*referee, "report", str(file)], "<= 1.2")
        file.write_text(dumps(random_game("beams", random.Random(1), plies=20, mode="synchronous")))
        yield _figure("referee legal, after 20 plies", [*referee, "legal", str(file)], "<= 1.2")
        yield _figure("referee --help", [*referee, "--help"], "<= 1.0")


def _figure(name: str, command: list[str], goal: str) -> Figure:
    _seconds(command), _seconds(BARE)
    pairs = [(_seconds(command), _seconds(BARE)) for _ in range(RUNS)]
    ours, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    return Figure(name, f"{ours * 1000:.0f} ms", f"{bare * 1000:.0f} ms", ratio, goal)


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=compiling())
    return time.perf_counter() - start


def compiling() -> dict[str, str]:
    """The environment of a process that keeps what it compiles, so that the next one need not."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
