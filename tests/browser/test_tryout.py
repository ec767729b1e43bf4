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
    here, both = {**os.environ, "TMPDIR": str(kept)}, subprocess.STDOUT
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=both, text=True, env=here, start_new_session=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[3].rstrip(";")
        (tmp_path / "tryout.json").write_text(json.dumps({"address": address}), encoding="utf-8")
        try:
            run_in_chromium("tryout.test.js", tmp_path)
            assert [*kept.iterdir()] != []
        finally:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does for Ctrl-C, with engines in the group
        assert process.stdout.read() == ""
    assert process.returncode == 0
    assert [*kept.iterdir()] == [], "nothing is left behind"
