"""Runs the browser's tests on records made now."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.draw.page import page
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.records import HOSTILE, VARIED, hostile, long_game

pytestmark = in_a_browser


@pytest.mark.slow(minutes=1)
def test_records_in_chromium(tmp_path: Path) -> None:
    games = {f"{path.parent.name}-{path.stem}": referee.read(path) for path in sorted(Path("games").glob("*/*.yaml"))}
    games |= {"long": long_game(46), "hostile": hostile("\n".join(HOSTILE))}
    games["varied"] = referee.loads(VARIED)
    for name, game in games.items():
        (tmp_path / f"{name}.html").write_text(page(game), encoding="utf-8")
    run_in_chromium("record.test.js", tmp_path)


@pytest.mark.timing
def test_a_long_record_is_shown_soon(tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text(page(long_game(46)), encoding="utf-8")
    run_in_chromium("record.timing.test.js", tmp_path)
