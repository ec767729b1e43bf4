"""Parts of a letter's way through LMTP: stored with full sync, and judged; beside a server that only stores letters.

Nothing is composed and nothing is sent here: answers stay drafts in the store. `bench.whole_letters` measures the
whole way.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import smtplib
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from email.utils import format_datetime
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.figures import Figure, rate
from bench.startup import AS_INSTALLED, compiling, imported, processor_seconds
from referee.desk import seat_token
from referee.game import GameFile
from referee.mail.addresses import Tag
from referee.mail.host.host import open_game
from referee.mail.office import Office, create_office, now, office_in
from tests.support.postgres import missing, server

GAMES, PLIES, PAIRS, PROCESSES = 50, 6, 5, 15
ONE, MANY = 1, 16
"""Connections: of a mail server that hands over one letter after another, and of one with much to do."""

SENDER = "player@players.example"
WEIGHT = 1_000
"""The bytes of the letters that are only stored."""


class Rates(NamedTuple):
    """Letters a second: taken in and acknowledged, and judged with drafts of their answers stored."""

    taken: float
    judged: float


def figures() -> Iterator[Figure]:
    """Letters a second, against letters written to files with fsync by the same server library; memory after many."""
    for connections, goal in ((ONE, ">= 0.25"), (MANY, ">= 0.5")):
        yield from _beside_files("SQLite", connections, goal=goal)
    if not missing():
        for connections, workers in ((ONE, 1), (MANY, 1), (MANY, 2)):
            yield from _beside_files("PostgreSQL", connections, workers)
    yield from receiving()
    yield growth()


def _beside_files(where: str, connections: int, workers: int = 1, goal: str = "none of its own") -> Iterator[Figure]:
    """Letters taken in, and judged, in pairs with letters that are only written to files."""
    ours, theirs = [], []
    for seed in range(PAIRS):
        with ExitStack() as stack:
            url = stack.enter_context(server("-c fsync=on")) if where == "PostgreSQL" else ""
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            ours.append(judged(folder / "desk", seed, connections, url, workers))
            theirs.append(stored(folder / "files", len_letters(), connections))
    how = f"{connections} connections, {workers} worker{'s' if workers > 1 else ''}"
    yield from _rates(where, how, ours, theirs, goal)


def _rates(where: str, how: str, ours: list[Rates], theirs: list[float], goal: str) -> Iterator[Figure]:
    parts = (
        ("acknowledged", [one.taken for one in ours], goal),
        ("judged, answers as drafts", [one.judged for one in ours], "none of its own"),
    )
    for name, mine, wanted in parts:
        ratio = statistics.median(one / other for one, other in zip(mine, theirs, strict=True))
        rates = rate(statistics.median(mine)), rate(statistics.median(theirs))
        yield Figure(f"letters {name}, {where}, {how}", *rates, ratio, wanted)


def growth() -> Figure:
    """The megabytes of `serve` after 20,000 letters, beside those after 2,000."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        _settings(folder, port)
        with office_in(folder) as office, running(serve_command(folder), port) as process:
            sizes = []
            for batch in range(-(-20_000 // len_letters())):
                send([port], opened_games(office, batch, f"{batch}-"), MANY)
                _wait(office)
                if (batch + 1) * len_letters() >= 2_000:
                    sizes.append(resident(process))
    most, first = sizes[-1], sizes[0]
    return Figure(
        "memory of serve, after 20,000 letters; 2,000", f"{most:.0f} MB", f"{first:.0f} MB", most / first, "<= 1.1"
    )


def receiving() -> Iterator[Figure]:
    """`receive` as a process, for a letter with a move, beside an interpreter that imports the same and ends."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        create_office(folder, "desk@example.org", "desk.sqlite")
        with office_in(folder) as office:
            first, *letters = [raw for _, _, raw in opened_games(office, 1)[: PROCESSES + 1]]
        command = receive_command(folder)
        modules = imported(["desk", "receive", "--desk", name], first)
        bare = [sys.executable, "-c", f"import {', '.join(modules)}"]
        processor_seconds(bare)
        times = [(processor_seconds(command, raw), processor_seconds(bare)) for raw in letters]
        with office_in(folder) as office:
            assert not office.desk.upkeep.counts()["waiting"]
            assert sum(len(office.desk.log(game)) for game in office.desk.catalogue.ids()) == GAMES + PROCESSES + 1
    ours, theirs = (statistics.median(each) * 1000 for each in zip(*times, strict=True))
    ratio = statistics.median(one / other for one, other in times)
    name = "referee desk receive, one letter; its imports"
    yield Figure(name, f"{ours:.0f} ms", f"{theirs:.0f} ms", ratio, "none of its own")


def receive_command(folder: Path) -> list[str]:
    """The command that takes in one letter."""
    return [sys.executable, "-c", AS_INSTALLED, "desk", "receive", "--desk", str(folder)]


def process_seconds(command: list[str], raw: bytes) -> float:
    """The time of a command that reads a letter."""
    start = time.perf_counter()
    quiet = subprocess.DEVNULL
    subprocess.run(command, input=raw, check=True, stdout=quiet, stderr=quiet, env=compiling())
    return time.perf_counter() - start


def len_letters() -> int:
    """The number of letters in one run."""
    return GAMES * PLIES * 2


def judged(folder: Path, seed: int, connections: int, store: str = "", workers: int = 1) -> Rates:
    """Letters a second from the first one sent, by a desk whose workers are processes of their own."""
    ports = [free_port() for _ in range(workers)]
    path = _settings(folder, None, store)
    with office_in(folder) as office, ExitStack() as serving:
        letters = opened_games(office, seed)
        for port in ports:
            one = folder.with_name(f"worker-{port}")
            shutil.copytree(folder, one, ignore=shutil.ignore_patterns("*.sqlite*"))
            settings = path.read_text(encoding="utf-8") + f"listen: {{port: {port}}}\n"
            (one / path.name).write_text(settings, encoding="utf-8")
            serving.enter_context(running(serve_command(one), port))
        begin = time.perf_counter()
        send(ports, letters, connections)
        taken = time.perf_counter() - begin
        _wait(office)
        seconds = time.perf_counter() - begin
        plies = {
            len(state.plies) for name in office.desk.catalogue.ids() if (state := office.desk.games.held(name).state)
        }
        assert plies == {PLIES}, plies
    return Rates(len(letters) / taken, len(letters) / seconds)


def _settings(folder: Path, port: int | None, store: str = "") -> Path:
    """The settings of a new desk for text letters, which it can send to no server; it listens at a port, if any."""
    path = create_office(folder, "desk@example.org", store or str(folder / "desk.sqlite"))
    text = f"pictures: false\nsend: {{port: {free_port()}}}\nanswers: {{an-hour: 10000}}\n"
    listen = "" if port is None else f"listen: {{port: {port}}}\n"
    path.write_text(path.read_text(encoding="utf-8") + text + listen, encoding="utf-8")
    return path


def _wait(office: Office) -> None:
    """Wait until every letter is judged."""
    while office.desk.inbox.waiting(now(), 1):
        time.sleep(0.02)


def serve_command(folder: Path) -> list[str]:
    """The command of a worker."""
    return [sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)]


def stored(folder: Path, number: int, connections: int) -> float:
    """Letters a second that are only written to files."""
    folder.mkdir()
    port = free_port()
    letter = (SENDER, "desk@example.org", b"From: a@b.example\r\nSubject: x\r\n\r\nP M1 A2 12\r\n" + b"x" * 400)
    with running([sys.executable, "-m", "bench.letters", str(folder), str(port)], port):
        begin = time.perf_counter()
        send([port], [letter] * number, connections)
        seconds = time.perf_counter() - begin
    assert len(list(folder.iterdir())) == number
    return number / seconds


def opened_games(office: Office, seed: int, prefix: str = "") -> list[tuple[str, str, bytes]]:
    """Games that are all alike, and the letters of both sides of all of them, ply by ply; ids begin with `prefix`."""
    chance, file = random.Random(seed), GameFile("beams")
    names = [f"{prefix}game-{number}" for number in range(GAMES)]
    for name in names:
        addresses = dict.fromkeys(file.description.sides, SENDER)
        open_game(office, name, file, now(), terms=None, addresses=addresses)
    letters, position = [], file.start()
    for ply in range(1, PLIES + 1):
        moves = {side: position.any_move(side, chance.randrange) for side in position.sides}
        for side, move in moves.items():
            for name in names:
                to = office.mailbox.address_for(
                    Tag(name, seat_token(office.desk.key, office.desk.state(name), side, ply))
                )
                letters.append((SENDER, to, letter(to, str(move), f"{name}.{ply}.{side}")))
        position = position.play(moves)
    return letters


def letter(to: str, move: str, identity: str) -> bytes:
    """A letter as a mail program writes it, with a move above a quotation."""
    head = f"From: A Player <{SENDER}>\r\nTo: {to}\r\nSubject: Re: my move\r\n"
    head += f"Message-ID: <{identity}@players.example>\r\n"
    date = f"Date: {format_datetime(now())}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    quoted = "".join(f"> line {number} of what was quoted\r\n" for number in range(12))
    return f"{head}{date}{move}\r\n\r\nBest wishes\r\n\r\n{quoted}".encode()


def send(ports: list[int], letters: list[tuple[str, str, bytes]], connections: int) -> None:
    """Hand letters over, in their order, on some connections at once, which the ports share."""

    def hand_over(port: int, mine: list[tuple[str, str, bytes]]) -> None:
        with smtplib.LMTP("127.0.0.1", port) as client:
            for sender, to, raw in mine:
                client.sendmail(sender, [to], raw)

    half = len(letters) // PLIES // 2
    shared = list(islice(cycle(ports), connections))
    with ThreadPoolExecutor(connections) as pool:
        for start in range(0, len(letters), half):
            some = letters[start : start + half]
            list(pool.map(hand_over, shared, [some[first::connections] for first in range(connections)]))


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def running(command: list[str], port: int) -> Iterator[int]:
    """The process of a server while it runs, once its port answers."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.02)
            yield server.pid
        finally:
            server.terminate()


def resident(process: int) -> float:
    """The megabytes of memory that a process has now."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000


class _Files:
    """The peer: each letter into a file of its own, safely, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - of aiosmtpd
        self._count += 1
        await asyncio.to_thread(self._write, self._folder / str(self._count), envelope.original_content or b"")
        return "250 OK"

    def _write(self, path: Path, raw: bytes) -> None:
        with path.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())


async def _serve(folder: Path, port: int) -> None:
    loop, files = asyncio.get_running_loop(), _Files(folder)
    server = await loop.create_server(lambda: LMTP(files, loop=loop), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
