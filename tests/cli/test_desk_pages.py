"""`referee desk pages`: what it says when there is nothing to serve, or nothing to serve it with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import referee
from tests.support.servers import folder_of

WITHOUT = """\
import sys
sys.modules["uvicorn"] = None
from referee.cli import main
main()
"""


def test_pages_need_an_address_in_the_settings(tmp_path: Path) -> None:
    run = referee("desk", "pages", "--desk", folder_of(tmp_path / "desk"))
    assert run.status == 2
    assert "desk.yaml names no address for web pages under 'pages'" in run.err


@pytest.mark.slow
@pytest.mark.parametrize("command", ["pages", "serve"])
def test_a_missing_extra_is_told(command: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk")
    with (folder / "desk.yaml").open("a") as file:
        file.write("pages: https://desk.example.org\n")
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, "desk", command, "--desk", str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("missing-extra: this needs uvicorn")
    assert "pip install 'referee[web]'" in run.stderr
