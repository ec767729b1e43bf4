"""Every kind of letter of every game, word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rules import GAMES
from tests.support.examples import sampled
from tests.support.letter_kinds import FOLDER, as_golden


@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_letters_word_by_word(game: str, tmp_path: Path) -> None:
    """`python -m tests.support.letter_kinds` writes them anew; read every change."""
    assert as_golden(game, tmp_path / "desk") == (FOLDER / f"{game}.txt").read_text(encoding="utf-8")
