"""Runs the browser's tests on the page of a try-out, which `referee desk try` really serves.

With the name of a folder in SCREENSHOTS, it keeps pictures of the page there, as a telephone and a desk show it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.servers import free_port

pytestmark = in_a_browser


@pytest.mark.slow(minutes=2)
def test_a_newcomer_tries_a_desk_in_chromium(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    words = (sys.executable, "-m", "referee", "desk", "try", "--no-browser", "--port", str(free_port()))
    here = {**os.environ, "TMPDIR": str(kept)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=here) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[3].rstrip(";")
        (tmp_path / "tryout.json").write_text(json.dumps({"address": address}), encoding="utf-8")
        try:
            run_in_chromium("tryout.test.js", tmp_path)
            assert [*kept.iterdir()] != []
        finally:
            process.send_signal(signal.SIGINT)
    assert process.returncode == 0
    assert [*kept.iterdir()] == [], "nothing is left behind"
