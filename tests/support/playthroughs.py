"""Golden playthroughs: the course of every example game, ply by ply, kept next to the tests as text.

`python -m tests.support.playthroughs` rewrites them all; the difference shows what changed.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import referee
from referee.game import GameFile
from referee.rules import Facts, Outcome, Position
from tests.support.strategies import facts_of

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests" / "playthroughs"
_GAME = re.compile(r"^game:", re.MULTILINE)


def examples(game: str) -> list[Path]:
    """The example game files of a game; other data of the game may be in the same folder."""
    files = sorted((ROOT / "games" / game).glob("*.yaml"))
    return [file for file in files if _GAME.search(file.read_text(encoding="utf-8"))]


def sampled_examples(quick: Collection[str] = referee.GAMES) -> list[ParameterSet]:
    """Every example as a test's parameter: the shortest file of each of some games quick, the others slow."""
    games = {game: sorted(examples(game), key=lambda file: (file.stat().st_size, file)) for game in referee.GAMES}
    return [
        pytest.param(
            file,
            marks=[] if game in quick and file == files[0] else [pytest.mark.slow],
            id="/".join(file.with_suffix("").parts[-2:]),
        )
        for game, files in games.items()
        for file in files
    ]


def kept(game: str, example: Path) -> Path:
    """The file with the playthrough of an example."""
    return KEPT / game / f"{example.stem}.txt"


def played(game: GameFile) -> str:
    """The playthrough of a game: for each ply its moves, the score, the counters, and a sum over all facts."""
    outcome = game.outcome_at(game.start())
    lines = ["start", f"    {_standing(game.start())}"]
    for ply in game.replay():
        outcome = ply.outcome
        moves = " | ".join(f"{side} {move}" for side, move in ply.moves.items())
        lines += [f"{ply.number}. {moves}", f"    {_standing(ply.position)}"]
    return "\n".join([*lines, _ending(outcome)]) + "\n"


def _standing(position: Position) -> str:
    facts = facts_of(position)
    score = ", ".join(f"{side} {points}" for side, points in position.score.items())
    return "; ".join([f"score {score}", *_counters(facts), f"facts {_sum(facts)}"])


def _counters(facts: Facts) -> Iterator[str]:
    """The counters behind each boundary as column:number, where a game has them."""
    counters: Any = facts.get("counters", {})
    for side, row in counters.items():
        yield f"behind {side} {' '.join(f'{column}:{number}' for column, number in row.items()) or 'none'}"


def _sum(facts: Facts) -> str:
    return f"{zlib.crc32(json.dumps(facts, sort_keys=True).encode()):08x}"


def _ending(outcome: Outcome | None) -> str:
    return "not over" if outcome is None else f"outcome {json.dumps(outcome.as_json())}"


def write() -> None:
    """Rewrite every playthrough."""
    for game in referee.GAMES:
        for example in examples(game):
            file = kept(game, example)
            file.parent.mkdir(exist_ok=True)
            file.write_text(played(referee.read(example)), encoding="utf-8")


if __name__ == "__main__":
    write()
