"""Runs the browser's tests on games against engines in the one page, offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts
from tests.browser.browser import PYODIDE, in_a_browser, run_in_chromium

LARGEST = 15_000_000
"""Maximum bytes of the page, with all engines in it."""

pytestmark = in_a_browser


@pytest.mark.slow(minutes=4)
def test_engines_on_the_page_in_chromium(tmp_path: Path) -> None:
    page = one_page(page_parts(PYODIDE)).encode()
    assert len(page) < LARGEST
    (tmp_path / "referee.html").write_bytes(page)
    run_in_chromium("onepage.engine.test.js", tmp_path)
