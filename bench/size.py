"""A large desk: the waits of its host, a player and a worker among many games and letters."""

from __future__ import annotations

import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path

from sqlalchemy import insert

from bench.figures import Figure
from bench.letters import (
    PROCESSES,
    SENDER,
    free_port,
    opened_games,
    process_seconds,
    receive_command,
    resident,
    running,
)
from bench.startup import AS_INSTALLED, compiling
from referee.desk import Came, Desk, Entry, MessageSent, Terms, new_entry, set_up, write_time
from referee.desk.state.fold import fold
from referee.desk.store.projections.projections import projections_of
from referee.desk.store.projections.snapshots import zone_rules
from referee.desk.store.tables.rows import append
from referee.desk.store.tables.schema import LETTER_IN, SECRET
from referee.game import GameFile
from referee.mail.host.checks.concerns import concern_diagnoses
from referee.mail.letters.agenda import waiting_games
from referee.mail.office import create_office, now, office_in

GAMES = 10_000
LETTERS = 1_000_000
"""Letters in the store; each has acted, so the logs have as many events."""

RUNS = 5
BEGIN = datetime(2027, 3, 1, tzinfo=UTC)
TERMS = Terms.read({"days": 5, "zone": "Europe/Vienna"})
_AT_ONCE = 100
_RAW = b"Delivered-To: <desk@example.org>\n" + b"x" * 400


def figures() -> Iterator[Figure]:
    """Times on a desk with GAMES running games and LETTERS letters."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as new:
        folder = Path(name)
        create_office(folder, "desk@example.org", "desk.sqlite")
        with office_in(folder) as office:
            fill(office.desk, GAMES, LETTERS)
            once: dict[str, Callable[[], object]] = {
                "found in the logs": office.desk.games.rebuild,
                "looked at": office.desk.games.glances,
            }
            for what, work in once.items():
                yield Figure(f"where {GAMES:,} games stand, {what}", f"{_seconds(work):.1f} s", "", 0, "once")
        yield _figure("referee desk status", statistics.median(_status(folder) for _ in range(RUNS)), 1)
        with office_in(folder) as office:
            work_by_name: dict[str, Callable[[], object]] = {
                "what needs the host": lambda: concern_diagnoses(office, BEGIN + timedelta(days=1)),
                "the games with an open seat": lambda: waiting_games(office),
                "the running games of an address": lambda: office.desk.catalogue.games_of("south-7@example.org"),
                "the standing of every game": office.desk.catalogue.standings,
            }
            for what, work in work_by_name.items():
                yield _figure(what, statistics.median(_seconds(work) for _ in range(RUNS)), 0.1)
        yield from _beside_new(folder, Path(new))


def _beside_new(folder: Path, new: Path) -> Iterator[Figure]:
    """The cost of a letter and a worker on the large desk, beside a new one with a few games."""
    create_office(new, "desk@example.org", "desk.sqlite")
    letters = []
    for one in (folder, new):
        with office_in(one) as office:
            letters.append([raw for *_, raw in opened_games(office, 1)])
    commands = [receive_command(one) for one in (folder, new)]
    times = [
        [process_seconds(command, raw) for command, raw in zip(commands, pair, strict=True)]
        for pair in zip(*(some[: PROCESSES + 1] for some in letters), strict=True)
    ][1:]
    ours, theirs = (statistics.median(one) * 1000 for one in zip(*times, strict=True))
    ratio = statistics.median(one / other for one, other in times)
    yield Figure("referee desk receive, beside a new desk", f"{ours:.0f} ms", f"{theirs:.0f} ms", ratio, "<= 1.1")
    large, small = (_worker(one, some[PROCESSES + 1 :]) for one, some in zip((folder, new), letters, strict=True))
    yield Figure("serve's memory, beside a new desk", f"{large:.0f} MB", f"{small:.0f} MB", large / small, "<= 1.1")


def _worker(folder: Path, letters: Sequence[bytes]) -> float:
    """The megabytes of a worker that has handled letters."""
    port, path = free_port(), folder / "desk.yaml"
    settings = f"pictures: false\nlisten: {{port: {port}}}\nsend: {{port: {free_port()}}}\n"
    path.write_text(path.read_text(encoding="utf-8") + settings, encoding="utf-8")
    command = [sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)]
    with running(command, port) as process, smtplib.LMTP("127.0.0.1", port) as client, office_in(folder) as office:
        for raw in letters:
            client.sendmail(SENDER, [message_from_bytes(raw)["To"]], raw)
        while office.desk.inbox.waiting(now(), 1):
            time.sleep(0.05)
        return resident(process)


def _figure(what: str, seconds: float, most: float) -> Figure:
    return Figure(what, f"{seconds * 1000:.1f} ms", f"{most * 1000:.0f} ms", seconds / most, "<= 1.0")


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _status(folder: Path) -> float:
    """Seconds of the command, which prints each running game."""
    command = [sys.executable, "-c", AS_INSTALLED, "desk", "status", "--desk", str(folder)]
    begin = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=compiling())
    taken = time.perf_counter() - begin
    assert done.stdout.count("boundary-") == GAMES
    return taken


def fill(desk: Desk, games: int, letters: int, rules: Sequence[str] = ("boundary",)) -> None:
    """Open games by these rules in turn, and have their players write `letters` letters, each with a message.

    In the end the desk has looked at all of them.
    """
    desk.games.projections.expect_rules({zone: zone_rules(zone) for zone in (TERMS.zone, "UTC")})
    for first in range(0, games, _AT_ONCE):
        with desk.games.database.transaction() as connection:
            for number in range(first, min(games, first + _AT_ONCE)):
                game = GameFile(rules[number % len(rules)])
                addresses = {side: f"{side}-{number}@example.org" for side in game.description.sides}
                begun = set_up(f"{game.game}-{number}", game, BEGIN, terms=TERMS, addresses=addresses)
                log = [*begun.entries, *_said(begun.entries[-1], game.description.sides, number, letters // games)]
                append(connection, log[0].game, None, log)
                state = fold(log)
                assert state is not None
                desk.games.projections.write(connection, projections_of(None, state))
                secrets = [
                    {"game": begun.state.id, "name": name, "value": said} for name, said in begun.secrets.items()
                ]
                connection.execute(insert(SECRET), secrets)
                if came := [_letter(entry.came) for entry in log if entry.came]:
                    connection.execute(insert(LETTER_IN), came)


def _said(last: Entry, sides: Sequence[str], number: int, letters: int) -> Iterator[Entry]:
    """The messages of a game's players, as entries of its log."""
    for letter in range(letters):
        at = last.at + timedelta(hours=1)
        came = Came(sha256(f"{number} {letter}".encode()).hexdigest(), write_time(at))
        said = MessageSent(sides[letter % len(sides)], "Good luck!")
        last = new_entry(last.game, last.number + 1, at, said, last.digest, came=came)
        yield last


def _letter(came: Came) -> dict[str, object]:
    """A handled letter, as the store has it; every thousandth is from a mailing list."""
    note = "list: it came through a mailing list" if came.letter < "004" else "message"
    times = {"received": came.server, "done": came.server}
    kept = {"raw": _RAW, "content": came.letter, "size": len(_RAW), "cut": False}
    return {"digest": came.letter, "attempts": 1, "note": note, **kept, **times}
