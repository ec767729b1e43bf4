"""Runs the browser's tests on records made now; `npm ci --prefix tests/browser` installs what they need."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import referee
from referee.draw.page import page
from tests.support.records import HOSTILE, hostile, long_game

HERE = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}: apt-get install chromium"),
    pytest.mark.skipif(not (HERE / "node_modules").exists(), reason="not installed: npm ci --prefix tests/browser"),
]


def test_records_in_chromium(tmp_path: Path) -> None:
    games = {f"{path.parent.name}-{path.stem}": referee.read(path) for path in sorted(Path("games").glob("*/*.yaml"))}
    games |= {"long": long_game(46), "hostile": hostile("\n".join(HOSTILE))}
    for name, game in games.items():
        (tmp_path / f"{name}.html").write_text(page(game), encoding="utf-8")
    environment = {**os.environ, "CHROMIUM": CHROMIUM, "RECORDS": str(tmp_path)}
    run = subprocess.run(
        ["node", "--test", "--test-reporter=spec", "record.test.js"],
        cwd=HERE,
        env=environment,
        capture_output=True,
        text=True,
    )
    print(run.stdout, run.stderr, sep="\n")
    assert run.returncode == 0, run.stdout
