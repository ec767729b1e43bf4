"""The README shows the example games as they are drawn now."""

from __future__ import annotations

import pytest

from referee import GAMES
from tests.pictures import ROOT, path, picture


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_shows_the_game_as_it_is_drawn(game: str) -> None:
    assert path(game).read_text(encoding="utf-8") == picture(game)
    assert f"(docs/pictures/{game}.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")
