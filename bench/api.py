"""The HTTP API: requests a second, beside the same by commands and beside an application that does nothing."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

from bench.figures import Figure, rate
from bench.games import random_game
from referee.game import dumps

AT_ONCE = 4
SECONDS = 4.0
COMMANDS = 5
PREFIX = "/api/v1"
REFEREE = [sys.executable, "-m", "referee"]
BARE = """
import socket
import uvicorn
from fastapi import FastAPI, Request, Response
app = FastAPI()
@app.post("/")
async def nothing(request: Request) -> Response:
    return Response(b"%d" % len(await request.body()))
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind(("127.0.0.1", 0))
listener.listen()
print(f"listening at http://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False)).run([listener])
"""


def figures() -> Iterator[Figure]:
    """A verdict, legal moves and a picture of a whole game."""
    game = random_game("beams", random.Random(1), plies=40, mode="synchronous")
    content = dumps(game).encode()
    running = dumps(replace(game, rounds=game.rounds[:-1])).encode()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.yaml"
        with _server([sys.executable, "-c", BARE]) as port:
            bare = _requests(port, "/", content)
        with _server([*REFEREE, "serve", "--port", "0", "--rate", "0"]) as port:
            for name, path, body, command in (
                ("check of a game", "/check", content, ["check", str(file)]),
                ("legal moves", "/legal", running, ["legal", str(file)]),
                ("SVG of the last position", "/board.svg", content, ["report", str(file), "--format", "svg"]),
            ):
                file.write_bytes(body)
                ours = _requests(port, PREFIX + path, body)
                theirs = _commands(command)
                yield Figure(f"API: {name}, beside the command", rate(ours), rate(theirs), ours / theirs, ">= 10")
                yield Figure(f"API: {name}, beside doing nothing", rate(ours), rate(bare), ours / bare, "-")
            ours = _requests(port, f"{PREFIX}/legal?game=boundary&prefix=P+a1", b"")
            yield Figure("API: three legal moves, beside doing nothing", rate(ours), rate(bare), ours / bare, "-")


@contextmanager
def _server(command: list[str]) -> Iterator[int]:
    """The port of a server, while it runs."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found is not None
        try:
            yield int(found[1])
        finally:
            process.terminate()


def _requests(port: int, path: str, content: bytes) -> float:
    """Requests a second, some at the same time."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for seconds in (SECONDS / 4, SECONDS):
            asked = [threads.submit(_ask, port, path, content, seconds) for _ in range(AT_ONCE)]
            number = sum(one.result() for one in asked)
    return number / SECONDS


def _ask(port: int, path: str, content: bytes, seconds: float) -> int:
    connection = HTTPConnection("127.0.0.1", port)
    number, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        connection.request("POST", path, content)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        number += 1
    connection.close()
    return number


def _commands(arguments: list[str]) -> float:
    """Commands a second, one after another."""
    begin = time.monotonic()
    for _ in range(COMMANDS):
        subprocess.run([*REFEREE, *arguments], check=True, stdout=subprocess.DEVNULL)
    return COMMANDS / (time.monotonic() - begin)
