"""A club on one machine, its year compressed into minutes: letters a second, and the time until the answer.

The desk is in PostgreSQL, on this machine too; its workers, the mail server that gets the answers, and the players'
program are processes beside it, so all share a few cores. The games are filled in first, each with the messages of a
year. Then letters come: as fast as they are taken, and at a compressed hourly pace. `python -m bench.scale --help`
explains the options.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import smtplib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from email.parser import BytesHeaderParser
from itertools import count, cycle, islice, product
from pathlib import Path
from typing import NamedTuple

from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.letters import SENDER, free_port, letter, resident, running
from bench.size import fill
from referee.game import GameFile
from referee.mail.office import Office, create_office, office_in
from tests.support.postgres import server

GAMES = ("beams", "boundary", "laser-chess")
"""The games that the club plays, in turn."""

ASKING = 10
"""One letter in this number asks for the board instead of moving."""

HOUR = 2_000
"""Letters that come in an hour of the club."""

CONNECTIONS = 16
PATIENCE = 600
"""Seconds without any answer after which a run ends."""


class Sent(NamedTuple):
    """A letter's message id, and when it was handed over, in seconds since the epoch."""

    id: str
    at: float


class Course(NamedTuple):
    """The results of a run: letters taken in and answered in a second, and seconds until answers.

    `memory` is the megabytes of a worker, `work` and `stored` are the milliseconds of the processor that workers and
    PostgreSQL took for a letter: these hardly depend on what else the machine does.
    """

    taken: float
    answered: float
    waits: list[float]
    missing: int
    memory: float
    work: float
    stored: float

    def __str__(self) -> str:
        if not self.waits:
            return "no answers"
        late = statistics.quantiles(self.waits, n=100)[98]
        return (
            f"{self.taken:7.1f}/s taken in  {self.answered:7.1f}/s answered  answers after "
            f"{statistics.median(self.waits):.2f} s (median), {late:.2f} s (99 %)  {self.missing} missing  "
            f"{self.memory:.0f} MB each  {self.work:.1f} and {self.stored:.1f} ms of the processor a letter"
        )


def main(arguments: Sequence[str]) -> None:
    """Fill a desk, and let letters come to one, two and four workers."""
    parser = argparse.ArgumentParser("python -m bench.scale", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000, help="running games")
    parser.add_argument("--messages", type=int, default=10, help="letters that each game has seen before")
    parser.add_argument("--letters", type=int, default=300, help="letters of each run")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--pressed", type=int, nargs="*", default=[5, 25], help="hours of the club in one hour")
    wanted = parser.parse_args(arguments)
    with server("-c fsync=on -c max_connections=200") as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "desk"
        path = create_office(folder, "desk@example.org", url)
        text = "answers: {an-hour: 10000}\nmegabytes-a-day: 10000\n"
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
        with office_in(folder) as office:
            begin, empty = time.perf_counter(), size_of(url)
            fill(office.desk, wanted.games, wanted.games * wanted.messages, GAMES)
            filled = size_of(url)
            print(
                f"{wanted.games:,} games with {wanted.games * wanted.messages:,} letters filled in "
                f"{time.perf_counter() - begin:.0f} s: {filled / 1e9:.2f} GB, "
                f"{(filled - empty) / wanted.games / 1000:.1f} kB a game",
                flush=True,
            )
            moves = letters(office, wanted.games)
            paces = (None, *(HOUR * pressed for pressed in wanted.pressed))
            for pictures, workers, an_hour in product((False, True), wanted.workers, paces):
                before, some = size_of(url), list(islice(moves, wanted.letters))
                course = run(folder, url, some, workers, an_hour, pictures=pictures)
                how = f"{an_hour:,} an hour" if an_hour else "as fast as possible"
                grown = (size_of(url) - before) / max(1, len(some)) / 1000
                print(
                    f"{'with' if pictures else 'without'} pictures, {workers} workers, {how:>19}: {course}  "
                    f"{grown:.1f} kB a letter",
                    flush=True,
                )


def size_of(url: str) -> int:
    """The bytes of a database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("select pg_database_size(current_database())").fetchone()
    assert found is not None
    return int(found[0])


def letters(office: Office, games: int) -> Iterator[tuple[str, str, bytes]]:
    """First moves in all games, from any player who may move, and now and then a question; each with its own id."""
    chance, number = random.Random(1), count()
    starts = {game: GameFile(game).start() for game in GAMES}
    order = list(range(games))
    chance.shuffle(order)
    for game in order:
        rules = GAMES[game % len(GAMES)]
        position, name = starts[rules], f"{rules}-{game}"
        for side in sorted(position.to_move):
            one = next(number)
            text = "board" if one % ASKING == 0 else str(position.any_move(side, chance.randrange))
            to = office.seat_address(office.desk.state(name), side)
            raw = letter(to, text, str(one)).replace(SENDER.encode(), f"{side}-{game}@example.org".encode())
            yield f"{one}@players.example", to, raw


def command_of(*words: str) -> list[str]:
    """The command that runs these words of `referee`."""
    return [sys.executable, "-m", "referee", *words]


def run(
    folder: Path,
    url: str,
    some: list[tuple[str, str, bytes]],
    workers: int,
    an_hour: float | None,
    *,
    pictures: bool,
    command: Callable[..., list[str]] = command_of,
) -> Course:
    """Send letters to some workers of the desk at a URL, `an_hour` letters an hour or as fast as they are taken.

    `command` gives the command of a worker from the words that `referee` gets.
    """
    ports, sink = [free_port() for _ in range(workers)], free_port()
    answers = folder.with_name(f"answers-{sink}")
    with ExitStack() as serving:
        serving.enter_context(running([sys.executable, "-m", "bench.scale", "sink", str(sink), str(answers)], sink))
        processes = []
        for port in ports:
            one = folder.with_name(f"worker-{port}")
            shutil.copytree(folder, one)
            settings = (one / "desk.yaml").read_text(encoding="utf-8")
            (one / "desk.yaml").write_text(
                f"{settings}listen: {{port: {port}}}\nsend: {{port: {sink}}}\npictures: {str(pictures).lower()}\n"
            )
            serve = command("desk", "serve", "--trust-clock", "--desk", str(one))
            processes.append(serving.enter_context(running(serve, port)))
        before, stored = sum(map(processor, processes)), backends(url)
        sent, seconds = send(ports, some, an_hour and an_hour / 3600)
        came = waited_for(answers, {one.id for one in sent})
        memory, worked = statistics.mean(map(resident, processes)), sum(map(processor, processes)) - before
        taken = sum(now - stored.get(one, 0) for one, now in backends(url).items())
    waits = [came[one.id] - one.at for one in sent if one.id in came]
    whole = max(came.values(), default=time.time()) - sent[0].at
    each = 1000 / len(sent)
    missing = len(sent) - len(waits)
    return Course(len(sent) / seconds, len(waits) / whole, waits, missing, memory, worked * each, taken * each)


def processor(process: int) -> float:
    """The seconds of the processor that a process has taken so far."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def backends(url: str) -> dict[int, float]:
    """The seconds of the processor that each process of a PostgreSQL on this machine has taken so far."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("select pid from pg_stat_activity where pid <> pg_backend_pid()").fetchall()
    return {pid: processor(pid) for (pid,) in found if Path(f"/proc/{pid}").exists()}


def send(ports: list[int], some: list[tuple[str, str, bytes]], pace: float | None) -> tuple[list[Sent], float]:
    """Hand letters over on some connections; return the time of each, and the seconds in all."""
    begin = time.time()

    def hand_over(port: int, first: int) -> list[Sent]:
        sent = []
        with smtplib.LMTP("127.0.0.1", port) as client:
            for number in range(first, len(some), CONNECTIONS):
                if pace is not None:
                    time.sleep(max(0.0, begin + number / pace - time.time()))
                identity, to, raw = some[number]
                sent.append(Sent(identity, time.time()))
                client.sendmail(SENDER, [to], raw)
        return sent

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        found = list(pool.map(hand_over, islice(cycle(ports), CONNECTIONS), range(CONNECTIONS)))
    return sorted((one for sent in found for one in sent), key=lambda one: one.at), time.time() - begin


def waited_for(answers: Path, wanted: set[str]) -> dict[str, float]:
    """The time of each letter's answer, once all have come, or none has come for long."""
    came: dict[str, float] = {}
    seen, last = 0, time.monotonic()
    while not wanted <= came.keys() and time.monotonic() < last + PATIENCE:
        time.sleep(0.2)
        lines = answers.read_text(encoding="utf-8").splitlines() if answers.exists() else []
        if len(lines) > seen:
            seen, last = len(lines), time.monotonic()
            for line in lines:
                identity, _, at = line.partition(" ")
                came.setdefault(identity, float(at))
    return came


class _Sink:
    """A mail server that notes when an answer to each letter came, and drops it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._parser = BytesHeaderParser()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - of aiosmtpd
        headers = self._parser.parsebytes(envelope.original_content or b"")
        answered = (headers.get("In-Reply-To") or "").strip().strip("<>")
        if answered.endswith("@players.example"):
            self._file.write(f"{answered} {time.time()}\n")
        return "250 OK"


async def _sink(port: int, path: Path) -> None:
    loop, sink = asyncio.get_running_loop(), _Sink(path)
    listening = await loop.create_server(lambda: SMTP(sink, loop=loop), "127.0.0.1", port)
    await listening.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:2] == ["sink"]:
        asyncio.run(_sink(int(sys.argv[2]), Path(sys.argv[3])))
    else:
        main(sys.argv[1:])
