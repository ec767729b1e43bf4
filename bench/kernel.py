"""The rules of Beams in C (`kernel.c`): compiled where there is gcc, and its verdicts beside the referee's."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

from bench.ended import ended_games
from referee.archives.files.shards import Shard
from referee.archives.judge import CheckSettings, check_shard
from referee.game import to_json

GAMES = 1_000
"""Games whose verdicts are compared, each as it is and with one word changed."""

_WORD = re.compile(r"(?P<piece>[MR][123]\w?|S)\b|(?P<cell>[A-M]\d+)|(?<=\d )(?P<clock>\d+)|(?<= )(?P<turn>[LR])\b")


def compiled(folder: Path) -> Path | None:
    """The program, or None without gcc."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    program = folder / "kernel"
    source = Path(__file__).with_name("kernel.c")
    subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)
    return program


def compare_verdicts(program: Path, folder: Path) -> tuple[int, int]:
    """Judge good and spoilt games by both; return the number of games and of wrong ones.

    Raises:
        AssertionError: if a verdict differs.
    """
    chance = random.Random(3)
    lines = [to_json(game) for game in ended_games("beams", {"mode": "asynchronous"}, GAMES, "kernel")]
    lines += [_spoilt(line, chance) for line in lines]
    path = folder / "compared.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    said = subprocess.run([program, str(path)], check=True, capture_output=True, text=True).stdout
    (report,) = check_shard(Shard.of_lines(lines), CheckSettings(suggest=False))
    theirs, ours = set(map(int, said.split())), {verdict.line for verdict in report.verdicts}
    assert theirs == ours, (sorted(theirs ^ ours)[:10], path)
    return len(lines), len(ours)


def _spoilt(line: str, chance: random.Random) -> str:
    """A line in which one word of a move is another one of its kind, or the result has another number."""
    if chance.random() < 0.1:
        return re.sub(r'(?<="south": )\d+', lambda found: str(int(found[0]) + 1), line, count=1)
    words = list(_WORD.finditer(line, line.index('"moves"')))
    one = chance.choice(words)
    other = chance.choice([each for each in words if each.lastgroup == one.lastgroup])
    return f"{line[: one.start()]}{other[0]}{line[one.end() :]}"
