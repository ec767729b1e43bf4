"""A desk with 1,000 games against engines: the waits of people's letters beside them, and the engines' answers."""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from bench.figures import Figure
from bench.letters import SENDER, free_port, letter, running
from bench.scale import send, waited_for
from referee.desk import events
from referee.game import GameFile
from referee.mail.host.host import open_game
from referee.mail.office import Office, create_office, now, office_in

GAMES, LEVEL = 1_000, 5
PEOPLE, PACE = 60, 2.0
"""Letters of people who play with each other, and how many of them come in a second."""

STEADY = 60
"""Moves against engines that come one a second."""

CORES = 1
_SETTINGS = "pictures: false\nanswers: {{an-hour: 10000}}\nengines: {{cores: {cores}}}\n"
_PORTS = "listen: {{port: {port}}}\nsend: {{port: {sink}}}\n"

Letters = list[tuple[str, str, bytes]]


def figures() -> Iterator[Figure]:
    """The waits of letters while engines owe 1,000 moves, beside a desk whose engines have nothing to do."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as serving:
        folder, port, sink = Path(name) / "desk", free_port(), free_port()
        path = create_office(folder, "desk@example.org", "desk.sqlite")
        settings = _SETTINGS.format(cores=CORES) + _PORTS.format(port=port, sink=sink)
        path.write_text(path.read_text(encoding="utf-8") + settings, encoding="utf-8")
        with office_in(folder) as office:
            against, among = _against_engines(office, GAMES + STEADY), _among_people(office, 2 * PEOPLE)
        answers = Path(name) / "answers"
        serving.enter_context(running([sys.executable, "-m", "bench.scale", "sink", str(sink), str(answers)], sink))
        desk = serving.enter_context(
            running([sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)], port)
        )
        send([port], against[:STEADY], 1.0)
        time.sleep(10)
        quiet = _waits(answers, port, among[:PEOPLE])
        send([port], against[STEADY:], None)
        waited_for(answers, {one for one, _, _ in against})
        begin, spent = time.monotonic(), _engine_seconds(desk)
        busy = _waits(answers, port, among[PEOPLE:])
        cores = (_engine_seconds(desk) - spent) / (time.monotonic() - begin)
        with office_in(folder) as office:
            while office.desk.engine_turns.owed(now()):
                time.sleep(1)
            soon, late = (_answer_times(office, some) for some in (against[:STEADY], against[STEADY:]))
    for what, how in (("median", statistics.median), ("99 of 100", _late)):
        ours, beside = how(busy), how(quiet)
        yield Figure(
            f"letters of people beside {GAMES:,} engines, {what}",
            f"{ours * 1000:.0f} ms",
            f"{beside * 1000:.0f} ms",
            ours / beside,
            "",
        )
    yield Figure("cores on which engines think", f"{cores:.2f}", f"{CORES}", cores / CORES, "<= 1.1")
    yield Figure("an engine's answer, a letter a second", f"{max(soon):.1f} s", "60 s", max(soon) / 60, "<= 1.0")
    each = max(late) / len(late)
    yield Figure(
        f"answers of level {LEVEL} to {GAMES:,} letters at once", f"{max(late):.0f} s", f"{each:.2f} s", 0, ""
    )


def _against_engines(office: Office, number: int) -> Letters:
    """First moves of people in games of Laser Chess with engines."""
    chance, position, found = random.Random(1), GameFile("laser-chess").start(), []
    for one in range(number):
        address = f"blue-{one}@example.org"
        file = GameFile("laser-chess")
        open_game(
            office, f"engine-{one}", file, now(), terms=None, addresses={"blue": address}, engines={"red": LEVEL}
        )
        found.append(
            _letter(office, f"engine-{one}", "blue", str(position.any_move("blue", chance.randrange)), address)
        )
    _empty_outbox(office)
    return found


def _among_people(office: Office, number: int) -> Letters:
    """First moves of people in games of Boundary with each other."""
    chance, position, found = random.Random(2), GameFile("boundary").start(), []
    (side,) = position.to_move
    for one in range(number):
        addresses = {each: f"{each}-p{one}@example.org" for each in position.sides}
        open_game(office, f"people-{one}", GameFile("boundary"), now(), terms=None, addresses=addresses)
        move = str(position.any_move(side, chance.randrange))
        found.append(_letter(office, f"people-{one}", side, move, addresses[side]))
    _empty_outbox(office)
    return found


def _letter(office: Office, game: str, side: str, text: str, sender: str) -> tuple[str, str, bytes]:
    to = office.seat_address(office.desk.state(game), side)
    raw = letter(to, text, game).replace(SENDER.encode(), sender.encode())
    return f"{game}@players.example", to, raw


def _empty_outbox(office: Office) -> None:
    """Count the invitations as sent, so that they are not in the way."""
    while waiting := office.desk.outbox.take(now(), 1000):
        for one in waiting:
            office.desk.outbox.sent([one], now())


def _waits(answers: Path, port: int, some: Letters) -> list[float]:
    """Seconds until each letter was answered."""
    sent, _ = send([port], some, PACE)
    came = waited_for(answers, {one.id for one in sent})
    return [came[one.id] - one.at for one in sent]


def _late(waits: list[float]) -> float:
    return statistics.quantiles(waits, n=100)[98]


def _answer_times(office: Office, some: Letters) -> list[float]:
    """Seconds from a person's move to the engine's in each game."""
    times = []
    for identity, _, _ in some:
        log = office.desk.log(identity.partition("@")[0])
        first, second = (entry.at for entry in log if isinstance(entry.event, events.Played))
        times.append((second - first).total_seconds())
    return times


def _engine_seconds(desk: int) -> float:
    """The processor time of a desk's engines so far."""
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == desk:
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total
