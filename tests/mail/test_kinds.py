"""Every kind of letter of every game, word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.examples import sampled
from tests.support.letter_kinds import FOLDER, KINDS, golden


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(KINDS, 4))
def test_letters_word_by_word(kind: str, tmp_path: Path) -> None:
    """`python -m tests.support.letter_kinds` rewrites them; read every change."""
    assert golden(kind, tmp_path) == (FOLDER / f"{kind}.txt").read_text(encoding="utf-8")
