"""The API's answers are the command's output for any input: here, for randomly changed example files."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.api import client
from tests.support.command_line import referee

if TYPE_CHECKING:
    from starlette.testclient import TestClient

ROOT = Path(__file__).resolve().parents[2]
GAMES = [file.read_bytes() for file in sorted((ROOT / "games").glob("*/*.yaml"))]
LOGS = [file.read_bytes() for file in sorted((ROOT / "spec" / "vectors").glob("*.jsonl"))]
SIGNS = b"PRMS AB123|:{}[]\"'\n\t!&*\xc3\xff\x00"
LISTS = 1000
AUDITS = 200

pytestmark = pytest.mark.slow(minutes=2)


@pytest.fixture(scope="module")
def api() -> TestClient:
    from referee.web.api import RequestLimits

    return client(RequestLimits(rate=0))


def changed(content: bytes, chance: random.Random) -> bytes:
    """A file with a few bytes or lines changed, exchanged, doubled or taken out."""
    for _ in range(chance.randint(0, 3)):
        if chance.random() < 0.4:
            lines = content.splitlines(keepends=True) or [b""]
            one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[one], lines[two] = lines[two], lines[one] * chance.randint(0, 2)
            content = b"".join(lines)
        else:
            at, length = chance.randrange(len(content) + 1), chance.randint(0, 3)
            some = bytes(
                chance.choice(b"PRMS AB123|:{}[]\"'\n\t!&*\xc3\xff\x00") for _ in range(chance.randint(0, 3))
            )
            content = content[:at] + some + content[at + length :]
    return content


def test_a_thousand_changed_files_are_judged_as_by_the_command(api: TestClient, tmp_path: Path) -> None:
    chance = random.Random(15)
    wrong = 0
    for number in range(LISTS):
        content = changed(chance.choice(GAMES), chance)
        file = tmp_path / f"{number}.yaml"
        file.write_bytes(content)
        (said,) = referee("check", "--format", "jsonl", file).objects
        found = api.post("/api/v1/check", params={"file": str(file)[-100:]}, content=content)
        assert found.status_code == 200, content
        assert found.json() == {**said, "file": str(file)[-100:]}, content
        wrong += not said["ok"]
    assert LISTS // 4 < wrong < LISTS


def test_changed_files_are_reported_as_by_the_command(api: TestClient, tmp_path: Path) -> None:
    chance = random.Random(16)
    for number in range(LISTS // 5):
        content = changed(chance.choice(GAMES), chance)
        file = tmp_path / f"{number}.yaml"
        file.write_bytes(content)
        run = referee("report", "--every", "--format", "json", file)
        found = api.post("/api/v1/report", content=content)
        if run.status == 0:
            assert found.json() == json.loads(run.out), content
        else:
            assert found.status_code == 422, content
            for one in found.json()["findings"]:
                assert f":{one['line']}:{one['column']}: {one['code']}: " in run.err


def test_changed_logs_are_audited_as_by_the_command(api: TestClient, tmp_path: Path) -> None:
    chance = random.Random(17)
    for number in range(AUDITS):
        content = changed(chance.choice(LOGS), chance)
        file = tmp_path / f"{number}.jsonl"
        file.write_bytes(content)
        run = referee("audit", file)
        found = api.post("/api/v1/audit", content=content)
        if found.status_code != 200:
            assert run.status != 0
            assert f"{found.json()['code']}: " in run.err
            continue
        told = found.json()
        assert told["ok"] == (run.status == 0), content
        said = [line for line in run.lines if line.startswith(f"{file}:")]
        assert len(said) == len(told["findings"])
        for line, one in zip(said, told["findings"], strict=True):
            assert line.startswith(f"{file}:{one['line']}:{one['column']}: {one['code']}: ")
