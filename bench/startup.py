"""The processor time of whole commands, beside their goals, bare Python, and the libraries that they import.

Everything is compiled beforehand, as pip leaves an installed package.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure
from bench.games import random_game
from referee.game import dumps

RUNS = 15
# With interegular, which only developers have, lark searches for colliding terminals each time it makes a parser.
AS_INSTALLED = "import sys; sys.modules['interegular'] = None; from referee.cli import main; main()"
REFEREE = [sys.executable, "-c", AS_INSTALLED]
STORE = [sys.executable, "-c", "import sqlalchemy, click, yaml"]
PYTHON = [sys.executable, "-c", ""]
LIBRARIES = [sys.executable, "-c", "import sys; sys.modules['interegular'] = None; import click, yaml, lark"]

_LOADED = """import atexit, sys
found = lambda: [name for name, one in sys.modules.items() if getattr(one, '__spec__', None)]
atexit.register(lambda: print('modules:', *found(), file=sys.stderr))
"""


def figures() -> Iterator[Figure]:
    """`check`, `report` and `legal` of a file of 40 plies, `--help`, and commands of a desk."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.yaml"
        file.write_text(dumps(random_game("beams", random.Random(1), plies=40, mode="synchronous")))
        yield from _figures("referee check, one file of 40 plies", ["check", str(file)])
        yield from _figures("referee report, of the same", ["report", str(file)])
        file.write_text(dumps(random_game("beams", random.Random(1), plies=20, mode="synchronous")))
        yield from _figures("referee legal, after 20 plies", ["legal", str(file)])
        yield from _figures("referee --help", ["--help"])
        yield _wait("referee explain, of one code", ["explain", "not-your-turn"], 100)
        moves = random_game("beams", random.Random(1), plies=46, mode="asynchronous")
        file.write_text(dumps(moves))
        yield _wait("referee record, a page of 46 plies", ["record", str(file), "--format", "html", "-o", "-"], 150)
        notes = Path(folder) / "notes.txt"
        notes.write_text("\n".join(str(one.move) for turn in moves.rounds for one in turn.moves))
        yield _wait(
            "referee import, notes of 46 plies",
            ["import", "--game", "beams", "--option", "mode=asynchronous", str(notes)],
            150,
        )
        yield from _of_a_desk(Path(folder) / "desk")


def _wait(name: str, words: list[str], most: int) -> Figure:
    """A command beside the milliseconds that it may take."""
    command = [*REFEREE, *words]
    processor_seconds(command)
    took = statistics.median(processor_seconds(command) for _ in range(RUNS)) * 1000
    return Figure(name, f"{took:.0f} ms", f"{most} ms", took / most, "<= 1.0")


def _of_a_desk(folder: Path) -> Iterator[Figure]:
    """Commands of a desk with one game."""
    seats = ("--player", "south=Ada <ada@example.org>", "--player", "north=Ben <ben@example.org>")
    for words in (["init", str(folder), "--address", "desk@example.org"], ["open", "beams", "--id", "a", *seats]):
        where = [] if words[0] == "init" else ["--desk", str(folder)]
        processor_seconds([*REFEREE, "desk", *words, *where])
    processor_seconds(STORE)
    for words in (["status"], ["log", "a"], ["clock", "a"], ["letters"], ["metrics"]):
        command = [*REFEREE, "desk", *words, "--desk", str(folder)]
        times = [(processor_seconds(command), processor_seconds(STORE)) for _ in range(RUNS)]
        ours, other = (statistics.median(each) for each in zip(*times, strict=True))
        ratio = statistics.median(one / beside for one, beside in times)
        name = f"referee desk {words[0]}"
        yield Figure(name, f"{ours * 1000:.0f} ms", "250 ms", ours / 0.25, "<= 1.0")
        beside = f"{name}; SQLAlchemy, click and PyYAML"
        yield Figure(beside, f"{ours * 1000:.0f} ms", f"{other * 1000:.0f} ms", ratio, "none of its own")


def _figures(name: str, words: list[str]) -> Iterator[Figure]:
    modules = imported(words)
    peers = (
        ("click, PyYAML and lark", LIBRARIES, "<= 1.5"),
        ("its imports", [sys.executable, "-c", f"import {', '.join(modules)}"], "none of its own"),
        ("Python", PYTHON, "none of its own"),
    )
    commands = [[*REFEREE, *words], *(command for _, command, _ in peers)]
    for command in commands:
        processor_seconds(command)
    times = [[processor_seconds(command) for command in commands] for _ in range(RUNS)]
    for place, (peer, _, goal) in enumerate(peers, 1):
        ours, other = (statistics.median(each[at] for each in times) for at in (0, place))
        ratio = statistics.median(each[0] / each[place] for each in times)
        yield Figure(f"{name}; {peer}", f"{ours * 1000:.0f} ms", f"{other * 1000:.0f} ms", ratio, goal)


def imported(words: list[str], raw: bytes = b"") -> list[str]:
    """The modules that a command imports beyond bare Python, without those of the referee, in their order."""
    ours, bare = (_loaded([sys.executable, "-c", f"{_LOADED}{rest}", *words], raw) for rest in (AS_INSTALLED, ""))
    return [name for name in ours if name not in bare and _is_of_others(name)]


def _is_of_others(module: str) -> bool:
    """True for what an import statement can name, and the referee does not bring."""
    return module.replace(".", "").isidentifier() and module.partition(".")[0] not in ("referee", "__main__")


def _loaded(command: list[str], raw: bytes) -> list[str]:
    done = subprocess.run(command, input=raw, check=True, capture_output=True, env=compiling())
    return done.stderr.decode().rpartition("modules:")[2].split()


def processor_seconds(command: list[str], raw: bytes = b"") -> float:
    """The processor time of a whole command that reads some bytes, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    quiet = subprocess.DEVNULL
    subprocess.run(command, input=raw, check=True, stdout=quiet, stderr=quiet, env=compiling())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compiling() -> dict[str, str]:
    """The environment of a process that keeps its compiled code for the next one."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
