"""Runs the browser's tests on the first screen of a desk, its lessons, and the pages for a new game."""

from __future__ import annotations

import json
from pathlib import Path

from referee.rules import all_games
from referee.web.site import EngineOffer
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.sites import MAILBOX, served_club

pytestmark = in_a_browser


def test_a_newcomer_looks_around_in_chromium(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    engines = EngineOffer(MAILBOX, 8, "vouched")
    with served_club(tmp_path / "desk", engines, MAILBOX, "hanna@example.org") as (here, url):
        for name in all_games():
            here.open(name, name, title="x" * 90)
            for _ in here.play(name, 6):
                pass
        told = {"url": url, "games": [*all_games()], "mailbox": MAILBOX}
        (tmp_path / "club.json").write_text(json.dumps(told), encoding="utf-8")
        run_in_chromium("first.test.js", tmp_path)
