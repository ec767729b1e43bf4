"""The moves of a version of the engines never change: a change of any needs a new version.

`python -m tests.engine.test_kept_moves` writes the moves of a new version down.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from referee.engine import LEVELS, VERSION, choose
from referee.rules import movers
from tests.engine.positions import GAMES, opened
from tests.support.examples import sampled
from tests.support.tables import table

FILE = Path(__file__).with_name("kept-moves.yaml")
PLIES = (0, 5, 16, 27)
QUICK = 3
"""The highest level that needs only milliseconds."""

CASES = [(kind, plies) for kind in GAMES for plies in PLIES]


def moves(kind: str, plies: int, level: int) -> str:
    """The moves of all engines that are to move in a position."""
    position = opened(kind, plies)
    return ", ".join(str(choose(position, side, level, "kept")) for side in movers(position))


def kept(kind: str, plies: int) -> list[str]:
    """The moves of each level that were written down."""
    found: list[str] = table(FILE)[VERSION][kind][plies]
    return found


@pytest.mark.parametrize(("kind", "plies"), sampled(CASES, 3))
def test_low_levels_make_the_moves_of_their_version(kind: str, plies: int) -> None:
    assert [moves(kind, plies, level) for level in range(1, QUICK + 1)] == kept(kind, plies)[:QUICK]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "plies"), CASES)
def test_all_levels_do(kind: str, plies: int) -> None:
    assert [moves(kind, plies, level.number) for level in LEVELS] == kept(kind, plies)


def main() -> None:
    """Write down the moves of today's engines."""
    found = {
        kind: {plies: [moves(kind, plies, level.number) for level in LEVELS] for plies in PLIES} for kind in GAMES
    }
    FILE.write_text(yaml.safe_dump({VERSION: found}, sort_keys=False, width=110, allow_unicode=True))


if __name__ == "__main__":
    main()
