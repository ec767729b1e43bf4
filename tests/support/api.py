"""The HTTP API in this process, and as a server in one of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from referee.desk import State
    from referee.web.api import RequestLimits
    from referee.web.api.tasks import Task


class Inline:
    """Workers that do the work themselves, at once and without any limit."""

    def do(self, task: Task, _client: str) -> bytes:
        return task()

    def close(self) -> None:
        pass


def client(
    limits: RequestLimits | None = None,
    state_of: Callable[[str], State] | None = None,
    *,
    workers: object = None,
    origins: Collection[str] = (),
) -> TestClient:
    """A client of an application of its own; without workers the work is done in this process."""
    from starlette.testclient import TestClient

    from referee.web.api import RequestLimits, Workers, api

    doing = cast(Workers, workers or Inline())
    made = api(doing, limits or RequestLimits(), state_of, names=["api.club.example"], origins=origins)
    return TestClient(made, "http://localhost", raise_server_exceptions=False)


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a running `referee serve` with these options."""
    command = [sys.executable, "-m", "referee", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.fullmatch("listening at (http://.*)/api\n", said)
            assert found is not None, said or (process.stderr and process.stderr.read())
            yield found[1]
        finally:
            process.terminate()
            assert process.wait(30) == 0
