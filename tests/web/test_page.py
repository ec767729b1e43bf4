"""The page about the API is true: its commands print the output below them, and its client works."""

from __future__ import annotations

import doctest
import io
import shlex
import shutil
from email.message import Message
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.error import HTTPError

import pytest

from tests.support.api import client, served
from tests.support.page_blocks import blocks
from tests.support.page_commands import by_shell, matches, steps, tidy
from tests.web.curl import SERVER, curl

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the example games and logs in it."""
    for source, name in ((ROOT / "games", "games"), (ROOT / "spec" / "vectors", "logs")):
        shutil.copytree(source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_code(text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_requests_are_answered_as_the_page_says() -> None:
    asking = client()
    for step in steps(PAGE):
        words = shlex.split(step.command)
        printed = curl(asking, words[1:]) if words[0] == "curl" else by_shell(step.command)
        assert matches(step.output, tidy(printed)), f"$ {step.command}\n{printed}"


def test_the_client_of_the_page_works() -> None:
    asking = client()

    def urlopen(address: str, body: bytes | None) -> Any:  # noqa: ANN401 - as urllib's
        answer = asking.request("GET" if body is None else "POST", address.removeprefix(SERVER), content=body)
        if answer.is_error:
            raise HTTPError(address, answer.status_code, "", Message(), io.BytesIO(answer.content))
        return io.BytesIO(answer.content)

    with mock.patch("urllib.request.urlopen", urlopen):
        run_code("\n".join(blocks(PAGE, "python")))


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_real_server_answers_as_the_page_says() -> None:
    with served() as address:
        for step in steps(PAGE):
            printed = tidy(by_shell(step.command.replace(SERVER, address)))
            assert matches(step.output, printed), f"$ {step.command}\n{printed}"
        run_code("\n".join(blocks(PAGE, "python")).replace(SERVER, address))
