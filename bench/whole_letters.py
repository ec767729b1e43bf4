"""Whole letters, by processor time: taken in, judged, composed, and handed over to a mail server that drops them.

Players of different games, in different positions, send their moves; the mail server is another process, and its time
does not count. Beside it is what no desk can save: reading the same letters, and handing over their answers when they
are ready-made.
"""

from __future__ import annotations

import random
import smtplib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from email import message_from_bytes, policy
from itertools import product
from operator import sub
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure
from bench.games import random_game
from bench.letters import SENDER, free_port, letter, running
from bench.scale import processor
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game
from referee.mail.letters.render import render
from referee.mail.office import Office, create_office, now, office_in
from referee.mail.transport.receipt import receive
from referee.mail.transport.smtp import connection, deliver

GAMES = ("beams", "boundary", "laser-chess")
EACH, TURNS = 6, 2
"""Games of each kind, and turns that are measured in each, after one that is not."""

EARLIEST, LATEST = 2, 14
"""Turns that have been played in a game before the first letter."""

RUNS = 3


class Letter(NamedTuple):
    """A move by mail: who sends it, to which address, and the letter."""

    sender: str
    to: str
    raw: bytes


class Cost(NamedTuple):
    """Milliseconds of the processor for a letter in, part by part, and what went out for it."""

    taken: float
    judged: float
    composed: float
    handed_over: float
    ready_made: float
    letters: float
    pictures: float


def figures() -> Iterator[Figure]:
    """Whole letters by `serve`, and their parts in one process, with text only and with pictures."""
    for how, pictures in (("text", False), ("pictures", True)):
        parts = [cost(seed, pictures=pictures) for seed in range(RUNS)]
        whole = [served(seed, pictures=pictures) for seed in range(RUNS)]
        each = Cost(*(statistics.median(found) for found in zip(*parts, strict=True)))
        ratio = statistics.median(one / other.ready_made for one, other in zip(whole, parts, strict=True))
        name = f"a whole letter, {how}, {each.letters:.1f} out with {each.pictures:.1f} pictures"
        took = statistics.median(whole)
        yield Figure(name, _ms(took), _ms(each.ready_made), ratio, "none of its own")
        for part in ("taken", "judged", "composed", "handed_over"):
            spent = getattr(each, part)
            yield Figure(f"  of it {part.replace('_', ' ')}", _ms(spent), _ms(took), spent / took, "none of its own")


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms"


def cost(seed: int, *, pictures: bool) -> Cost:
    """The parts of the work, one after another in this process."""
    spent, answers, letters = [0.0] * 4, list[tuple[str, bytes]](), list[Letter]()
    with desk(seed, pictures=pictures) as (folder, _), office_in(folder) as office:
        deliver(office, now())
        with connection(office) as server:
            for turn in range(TURNS + 1):
                if turn == 1:
                    spent, answers, letters = [0.0] * 4, [], []
                for one in moves(office, seed + turn):
                    letters.append(one)
                    times = [time.process_time()]
                    receive(office, one.raw, now(), recipient=one.to, sender=one.sender)
                    times.append(time.process_time())
                    handle_waiting(office, now())
                    times.append(time.process_time())
                    waiting = office.desk.outbox.take(now(), 100)
                    written = [(each.recipient, render(office, each)) for each in waiting]
                    times.append(time.process_time())
                    for each, (recipient, raw) in zip(waiting, written, strict=True):
                        server.sendmail(office.mailbox.return_address(each.id), [recipient], raw)
                    office.desk.outbox.sent(waiting, now())
                    times.append(time.process_time())
                    spent = [sum(pair) for pair in zip(spent, map(sub, times[1:], times), strict=True)]
                    answers += written
            assert not any(office.desk.upkeep.counts().values())
            begin = time.process_time()
            for one in letters:
                message_from_bytes(one.raw, policy=policy.default).get_body(("plain",))
            for recipient, raw in answers:
                server.sendmail(office.settings.address, [recipient], raw)
            spent.append(time.process_time() - begin)
    pictured = sum(raw.count(b"Content-Type: image/png") for _, raw in answers)
    number = len(letters)
    taken, judged, composed, handed_over, ready_made = (1000 * one / number for one in spent)
    return Cost(taken, judged, composed, handed_over, ready_made, len(answers) / number, pictured / number)


def served(seed: int, *, pictures: bool) -> float:
    """Milliseconds of the processor for a letter in, by a desk that serves: all its processes and threads."""
    with ExitStack() as stack:
        folder, port = stack.enter_context(desk(seed, pictures=pictures))
        command = [sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)]
        process = stack.enter_context(running(command, port))
        office = stack.enter_context(office_in(folder))
        before = number = 0.0
        for turn in range(TURNS + 1):
            if turn == 1:
                before, number = sum(map(processor, _family(process))), 0
            with smtplib.LMTP("127.0.0.1", port) as client:
                for one in moves(office, seed + turn):
                    client.sendmail(one.sender, [one.to], one.raw)
                    number += 1
            _wait(office)
        return 1000 * (sum(map(processor, _family(process))) - before) / number


@contextmanager
def desk(seed: int, *, pictures: bool) -> Iterator[tuple[Path, int]]:
    """The folder of a desk with games in different positions, a mail server for it, and the port where it listens."""
    chance, port, sink = random.Random(seed), free_port(), free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        path = create_office(folder / "desk", "desk@example.org", "desk.sqlite")
        settings = f"pictures: {str(pictures).lower()}\nsend: {{port: {sink}}}\nlisten: {{port: {port}}}\n"
        path.write_text(
            f"{path.read_text(encoding='utf-8')}{settings}answers: {{an-hour: 10000}}\n", encoding="utf-8"
        )
        with office_in(path.parent) as office:
            for name, number in product(GAMES, range(EACH)):
                file = random_game(name, chance, chance.randrange(EARLIEST, LATEST, 2))
                addresses = {side: f"{side}-{name}-{number}@players.example" for side in file.description.sides}
                open_game(office, f"{name}-{number}", file, now(), terms=None, addresses=addresses)
        command = [sys.executable, "-m", "bench.scale", "sink", str(sink), str(folder / "answers")]
        stack.enter_context(running(command, sink))
        yield path.parent, port


def moves(office: Office, seed: int) -> Iterator[Letter]:
    """A letter from each side that owes a move, with one that chance makes."""
    chance = random.Random(seed)
    for name in office.desk.catalogue.ids():
        state = office.desk.state(name)
        for side in sorted(state.owing):
            to = office.seat_address(state, side)
            sender = f"{side}-{name}@players.example"
            raw = letter(to, str(state.position.any_move(side, chance.randrange)), f"{name}.{state.turn}.{side}")
            yield Letter(sender, to, raw.replace(SENDER.encode(), sender.encode()))


def _wait(office: Office) -> None:
    """Wait until a desk has dealt with every letter and handed over every answer."""
    while (counts := office.desk.upkeep.counts())["waiting"] or counts["to-send"]:
        assert not counts["aside"] + counts["unsent"], counts
        time.sleep(0.2)


def _family(process: int) -> Iterator[int]:
    """A process and those that it has started."""
    yield process
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))
