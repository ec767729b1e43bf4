"""Runs the browser's tests on the page of every kind of letter."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from referee.rules import GAMES
from tests.support.browser import in_a_browser, run_in_chromium
from tests.support.letter_kinds import every_kind

pytestmark = in_a_browser


@pytest.mark.parametrize("game", GAMES)
def test_letters_in_chromium(game: str, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    kinds = {str(letter["Subject"]): letter for _, letter in every_kind(game, tmp_path / "desk", "pictures: true")}
    for number, letter in enumerate(kinds.values()):
        page = letter.get_body(("html",))
        if page is None:
            continue
        (picture,) = (part.get_content() for part in letter.walk() if part.get_content_type() == "image/png")
        shown = page.get_content().replace("cid:board", f"data:image/png;base64,{b64encode(picture).decode()}")
        (pages / f"{number:02d}.html").write_text(shown, encoding="utf-8")
    run_in_chromium("letter.test.js", pages)
