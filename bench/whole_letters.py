"""Whole letters, by processor time: taken in, judged, composed, and handed over to a mail server that drops them.

Players of each game, in different positions, send their moves; the mail server is another process, and its time does
not count. Beside it is a program that judges and draws nothing: it takes the same letters with aiosmtpd, reads them
with `email`, composes the same answers, and hands them over with smtplib.
"""

from __future__ import annotations

import asyncio
import pickle
import random
import smtplib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import islice
from operator import sub
from pathlib import Path
from typing import NamedTuple

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.figures import Figure
from bench.games import random_game
from bench.letters import SENDER, free_port, letter, running
from bench.scale import processor
from referee.desk import Terms
from referee.game import GameFile, Player
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game
from referee.mail.letters.render import render
from referee.mail.office import Office, create_office, now, office_in
from referee.mail.transport.receipt import receive
from referee.mail.transport.smtp import connection, deliver

GAMES = ("beams", "boundary", "the-beam", "laser-chess")
EACH, TURNS = 4, 2
"""Games of each kind, and turns that are measured in each, after one that is not."""

EARLIEST, LATEST = 2, 14
"""Turns that have been played in a game before the first letter."""

RUNS = 3

LINES, BYTES = 45, 60_000
"""Maximum lines of a letter's text, and bytes of a whole letter with page and picture, as medians of whole games."""

NAMES, LONGEST = ("Ada Brook", "Ben Carter", "Cleo Diaz", "Dan Evans"), 80
"""The players of these games, and maximum plies: random moves may never end one."""


class Letter(NamedTuple):
    """A move by mail: sender, address, and the letter."""

    sender: str
    to: str
    raw: bytes


class Cost(NamedTuple):
    """Milliseconds of the processor for a letter in, part by part, and the letters out for it."""

    taken: float
    judged: float
    composed: float
    handed_over: float
    peer: float
    letters: float
    pictures: float


def figures() -> Iterator[Figure]:
    """Whole letters of each game by `serve`, and their parts in one process, with text only and with pictures."""
    for how, pictures, most in (("text", False, 9), ("pictures", True, 50)):
        wholes = []
        for game in GAMES:
            parts = [cost(game, seed, pictures=pictures) for seed in range(RUNS)]
            whole = [served(game, seed, pictures=pictures) for seed in range(RUNS)]
            each = Cost(*(statistics.median(found) for found in zip(*parts, strict=True)))
            ratio = statistics.median(one / other.peer for one, other in zip(whole, parts, strict=True))
            wholes.append(took := statistics.median(whole))
            name = f"a whole letter of {game}, {how}, {each.letters:.1f} out with {each.pictures:.1f} pictures"
            yield Figure(name, _ms(took), _ms(each.peer), ratio, "none of its own")
            for part in ("taken", "judged", "composed", "handed_over"):
                spent = getattr(each, part)
                yield Figure(
                    f"  of it {part.replace('_', ' ')}", _ms(spent), _ms(took), spent / took, "none of its own"
                )
        took = statistics.median(wholes)
        yield Figure(f"a whole letter, {how}, median of the games", _ms(took), _ms(most), took / most, "<= 1.0")
    for game in GAMES:
        lines, size = (statistics.median(found) for found in zip(*sizes(game), strict=True))
        yield Figure(f"lines of a letter in a game of {game}", f"{lines:.0f}", f"{LINES}", lines / LINES, "<= 1.0")
        what = "  the whole letter with page and picture"
        yield Figure(what, f"{size / 1000:.1f} kB", f"{BYTES // 1000} kB", size / BYTES, "<= 1.0")


def sizes(game: str) -> Iterator[tuple[int, int]]:
    """Lines of the text and bytes of each letter of a whole game by random moves, on a desk with pages."""
    sides = GameFile(game).description.sides
    file = GameFile(game, players=dict(zip(sides, map(Player, NAMES), strict=False)))
    with tempfile.TemporaryDirectory() as folder:
        path = create_office(Path(folder), "desk@example.org", "desk.sqlite")
        web = "host: hanna@example.org\nattach: []\npages: https://desk.example.org\nweb: {moves: submit}\n"
        path.write_text(f"{path.read_text(encoding='utf-8')}{web}answers: {{an-hour: 10000}}\n", encoding="utf-8")
        addresses = {side: f"{side}-{game}-1@players.example" for side in sides}
        with office_in(path.parent) as office:
            open_game(office, f"{game}-1", file, now(), terms=Terms(7), addresses=addresses)
            while not (state := office.desk.state(f"{game}-1")).closed and len(state.plies) < LONGEST:
                for one in moves(office, len(state.plies)):
                    receive(office, one.raw, now(), recipient=one.to, sender=one.sender)
                    handle_waiting(office, now())
                    for due in office.desk.outbox.take(now(), 100):
                        raw = render(office, due)
                        office.desk.outbox.sent([due], now())
                        text = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
                        assert isinstance(text, EmailMessage)
                        yield len(text.get_content().splitlines()), len(raw)


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms"


def cost(game: str, seed: int, *, pictures: bool) -> Cost:
    """The parts of the work, one after another in this process."""
    spent, answers, letters = [0.0] * 4, list[tuple[str, bytes]](), list[Letter]()
    with desk(game, seed, pictures=pictures) as (folder, _), office_in(folder) as office:
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
            spent.append(peer(letters, [raw for _, raw in answers], office.settings.send.port))
    pictured = sum(raw.count(b"Content-Type: image/png") for _, raw in answers)
    number = len(letters)
    taken, judged, composed, handed_over, beside = (1000 * one / number for one in spent)
    return Cost(taken, judged, composed, handed_over, beside, len(answers) / number, pictured / number)


def served(game: str, seed: int, *, pictures: bool) -> float:
    """Milliseconds of the processor for a letter in, by a desk that serves: all its processes and threads."""
    with ExitStack() as stack:
        folder, port = stack.enter_context(desk(game, seed, pictures=pictures))
        command = [sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)]
        process = stack.enter_context(running(command, port))
        office = stack.enter_context(office_in(folder))
        before = number = 0.0
        for turn in range(TURNS + 1):
            if turn == 1:
                before, number = spent_by(process), 0
            with smtplib.LMTP("127.0.0.1", port) as client:
                for one in moves(office, seed + turn):
                    client.sendmail(one.sender, [one.to], one.raw)
                    number += 1
            _wait(office)
        return 1000 * (spent_by(process) - before) / number


@contextmanager
def desk(game: str, seed: int, *, pictures: bool) -> Iterator[tuple[Path, int]]:
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
            for number in range(EACH):
                file = _running(game, chance)
                addresses = {side: f"{side}-{game}-{number}@players.example" for side in file.description.sides}
                open_game(office, f"{game}-{number}", file, now(), terms=None, addresses=addresses)
        command = [sys.executable, "-m", "bench.scale", "sink", str(sink), str(folder / "answers")]
        stack.enter_context(running(command, sink))
        yield path.parent, port


def moves(office: Office, seed: int) -> Iterator[Letter]:
    """A letter from each side to move, with a random move."""
    chance = random.Random(seed)
    for name in office.desk.catalogue.ids():
        state = office.desk.state(name)
        for side in sorted(state.owing):
            to = office.seat_address(state, side)
            sender = f"{side}-{name}@players.example"
            raw = letter(to, str(state.position.any_move(side, chance.randrange)), f"{name}.{state.turn}.{side}")
            yield Letter(sender, to, raw.replace(SENDER.encode(), sender.encode()))


def _running(game: str, chance: random.Random) -> GameFile:
    """A game of random moves that is not over."""
    while True:
        file = random_game(game, chance, chance.randrange(EARLIEST, LATEST, 2))
        if [*file.replay()][-1].outcome is None:
            return file


def peer(letters: list[Letter], answers: list[bytes], sink: int) -> float:
    """Seconds of the processor for the same letters and answers, by a program that only takes, reads and writes."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "answers"
        given.write_bytes(pickle.dumps([_content(raw) for raw in answers]))
        each = str(len(answers) // len(letters))
        command = [sys.executable, "-m", "bench.whole_letters", str(port), str(sink), str(given), each]
        with running(command, port) as process, smtplib.LMTP("127.0.0.1", port) as client:
            client.ehlo()
            before = processor(process)
            for one in letters:
                client.sendmail(one.sender, [one.to], one.raw)
            return processor(process) - before


def _content(raw: bytes) -> tuple[dict[str, str], str, str, list[bytes]]:
    """The content of an answer: its fields, its text, its page, and its pictures."""
    message = message_from_bytes(raw, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    fields = {name: value for name, value in message.items() if not name.lower().startswith(("content-", "mime-"))}
    parts = [part for part in message.walk() if not part.is_multipart()]
    texts = {
        part.get_content_subtype(): str(part.get_content()) for part in parts if part.get_content_maintype() == "text"
    }
    pictures = [part.get_content() for part in parts if part.get_content_maintype() == "image"]
    return fields, texts["plain"], texts.get("html", ""), pictures


class _Peer:
    """The peer's handler: it reads each letter, and composes and hands over the answers that come next."""

    def __init__(self, sink: int, answers: list[tuple[dict[str, str], str, str, list[bytes]]], each: int) -> None:
        self._server, self._answers, self._each = smtplib.SMTP("127.0.0.1", sink), iter(answers), each

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - of aiosmtpd
        message_from_bytes(envelope.original_content or b"", policy=policy.default).get_body(("plain",))
        for fields, text, page, pictures in islice(self._answers, self._each):
            message = EmailMessage(policy=policy.SMTP)
            for name, value in fields.items():
                message[name] = value
            message.set_content(text)
            if page:
                message.add_alternative(page, subtype="html")
                html = list(message.iter_parts())[-1]
                assert isinstance(html, EmailMessage)
                for picture in pictures:
                    html.add_related(picture, "image", "png")
            self._server.sendmail("desk@example.org", ["player@players.example"], message.as_bytes())
        return "250 OK"


async def _serve(port: int, sink: int, answers: Path, each: int) -> None:
    given, loop = pickle.loads(answers.read_bytes()), asyncio.get_running_loop()
    handler = _Peer(sink, given, each)
    server = await loop.create_server(lambda: LMTP(handler, loop=loop), "127.0.0.1", port)
    await server.serve_forever()


def _wait(office: Office) -> None:
    """Wait until a desk has handled every letter and handed over every answer."""
    while (counts := office.desk.upkeep.counts())["waiting"] or counts["to-send"]:
        assert not counts["aside"] + counts["unsent"], counts
        time.sleep(0.2)


def spent_by(process: int) -> float:
    """Seconds of the processor that a process and those that it has started have taken; none if it has ended."""
    taken, children = 0.0, list[int]()
    with suppress(FileNotFoundError, ProcessLookupError):
        taken = processor(process)
        for task in [*Path(f"/proc/{process}/task").iterdir()]:
            with suppress(FileNotFoundError, ProcessLookupError):
                children += map(int, (task / "children").read_text().split())
    return taken + sum(map(spent_by, children))


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
