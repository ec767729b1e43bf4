"""The command `curl` as pages show it, with requests that go to an application in this process."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.testclient import TestClient

SERVER = "http://127.0.0.1:8080"
"""The server that pages ask."""

_OPTIONS = argparse.ArgumentParser(exit_on_error=False)
_OPTIONS.add_argument("-s", action="store_true")
_OPTIONS.add_argument("-X", dest="method")
_OPTIONS.add_argument("-o", dest="output")
_OPTIONS.add_argument("--data-binary", dest="data")
_OPTIONS.add_argument("url")


def curl(client: TestClient, words: list[str]) -> str:
    """The output of `curl` with these arguments."""
    asked = _OPTIONS.parse_args(words)
    content = None if asked.data is None else _content(asked.data)
    method = asked.method or ("GET" if content is None else "POST")
    answer = client.request(method, asked.url.removeprefix(SERVER), content=content)
    if asked.output is None:
        return answer.text
    Path(asked.output).write_bytes(answer.content)
    return ""


def _content(data: str) -> bytes:
    return Path(data[1:]).read_bytes() if data.startswith("@") else data.encode()
