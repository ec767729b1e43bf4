"""Runs the browser's tests on the one page's storage, with another file opened from disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts
from tests.browser.browser import PYODIDE, in_a_browser, run_in_chromium
from tests.support.letter_commands import letter_commands

OTHER = """<!doctype html><html lang="en"><title>Another file</title><pre></pre>
<script>document.querySelector("pre").textContent = JSON.stringify({ ...localStorage });</script></html>
"""

pytestmark = in_a_browser


@pytest.mark.slow(minutes=2)
def test_the_page_s_storage_in_chromium(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    (tmp_path / "commands.json").write_text(json.dumps(letter_commands(tmp_path / "desk")), encoding="utf-8")
    (tmp_path / "referee.html").write_text(one_page(page_parts(PYODIDE)), encoding="utf-8")
    (tmp_path / "other.html").write_text(OTHER, encoding="utf-8")
    run_in_chromium("onepage.memory.test.js", tmp_path)
