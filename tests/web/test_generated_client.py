"""A typed client that a generator makes from the API's description does what the API does."""

from __future__ import annotations

import importlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.api import client

OPENING = Path("games/beams/opening.yaml").read_bytes()
DOCS = Path("docs/api.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.slow


def test_a_generated_client_judges_draws_and_audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openapi_python_client", reason="needs pip install -e '.[dev-slow]'")
    api = client()
    (tmp_path / "api.json").write_text(json.dumps(api.get("/api/openapi.json").json()))
    (documented,) = re.findall(r"```yaml\n(content_type_overrides:.*?)```", DOCS, re.DOTALL)
    (tmp_path / "config.yaml").write_text(documented)
    made = [*("--path", tmp_path / "api.json"), *("--config", tmp_path / "config.yaml")]
    made += [*("--output-path", tmp_path / "made"), "--meta", "none"]
    command = [sys.executable, "-m", "openapi_python_client", "generate", *map(str, made)]
    said = subprocess.run(command, check=True, timeout=120, capture_output=True, text=True)
    assert "Cannot parse" not in said.stdout + said.stderr
    monkeypatch.syspath_prepend(tmp_path)
    made_client = importlib.import_module("made").Client("http://localhost").set_httpx_client(api)
    names = (
        "files.check",
        "files.report",
        "files.audit",
        "positions.svg",
        "positions.play",
        "positions.legal_of_line",
    )
    check, report, audit, svg, play, legal = (importlib.import_module(f"made.api.{name}") for name in names)

    def file(content: bytes) -> object:
        return importlib.import_module("made.types").File(io.BytesIO(content))

    assert check.sync(client=made_client, body=file(OPENING)).plies == 5
    wrong = check.sync(client=made_client, body=file(OPENING.replace(b"P S G6", b"P S G7")))
    assert [finding.code for finding in wrong.findings] == ["unknown-cell"]
    assert report.sync(client=made_client, body=file(OPENING))[-1].to_move == ["north", "south"]
    assert not audit.sync(client=made_client, body=file(b"{}\n")).ok
    assert svg.sync(client=made_client, body=file(OPENING)).startswith(b"<svg")
    played = play.sync(client=made_client, body=file(OPENING), move=["south P S A4", "north P S B3"])
    assert "6. P S A4" in played.file
    assert legal.sync(client=made_client, game="chess").code == "unknown-game"
