"""Every text board of every example fits into a letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.draw import report
from referee.game import read

GAMES = Path(__file__).resolve().parents[2] / "games"
EXAMPLES = sorted(path for path in GAMES.glob("*/*.yaml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
@pytest.mark.parametrize("unicode", [False, True])
def test_no_line_is_longer_than_78_columns(file: Path, unicode: bool) -> None:
    game = read(file)
    for ply in [None, *game.replay()]:
        for view in game.description.sides:
            shown = report(game, ply, view=view, unicode=unicode)
            assert max(map(len, shown.splitlines())) <= 78
            assert unicode or shown.isascii()
