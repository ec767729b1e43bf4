"""Tests in a real browser; `npm ci --prefix tests/browser` installs their needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

PYODIDE = HERE / "node_modules" / "pyodide"
"""The npm package, of which the page is made."""

in_a_browser = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}: apt-get install chromium"),
    pytest.mark.skipif(not (HERE / "node_modules").exists(), reason="not installed: npm ci --prefix tests/browser"),
]


MINIBROWSER = next((str(one) for one in Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")), "")
BROWSERS = {
    "chromium": Path(CHROMIUM).exists(),
    "firefox": shutil.which("firefox-esr") is not None,
    "webkit": bool(MINIBROWSER) and all(map(shutil.which, ("WebKitWebDriver", "Xvfb"))),
}
"""The browsers of the main ways, and whether each is installed: Debian's firefox-esr, webkit2gtk-driver and xvfb."""


def run_in_chromium(test: str, pages: Path) -> None:
    """Run a file of tests in Chromium on the pages of a folder."""
    run_in_browser(test, pages, "chromium")


def run_in_browser(test: str, pages: Path, browser: str) -> None:
    """Run a file of tests on the pages of a folder, which it finds as RECORDS; PYTHON runs our commands."""
    found = {"CHROMIUM": CHROMIUM, "MINIBROWSER": MINIBROWSER, "BROWSER": browser}
    environment = {**os.environ, **found, "PYTHON": sys.executable, "RECORDS": str(pages)}
    run = subprocess.run(
        ["node", "--test", "--test-reporter=spec", test],
        cwd=HERE,
        env=environment,
        capture_output=True,
        text=True,
    )
    print(run.stdout, run.stderr, sep="\n")
    assert run.returncode == 0, run.stdout
