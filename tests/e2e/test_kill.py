"""`kill -9` of the desk, again and again: no acknowledged letter is lost, and nothing is done twice.

The same games are played on two copies of one desk. One runs undisturbed. The other is killed at random moments, half
of them while a letter comes in; letters come late, twice, altered on the way, or are cut off. A letter whose handling
is killed five times is set aside, because it may be to blame; the host brings it back. In the end the logs of both
have the same heads.
"""

from __future__ import annotations

import re
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import parseaddr
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import create_engine, select

from referee.desk import Terms
from referee.desk.store.tables.rows import LETTERS
from referee.desk.store.tables.schema import OUTBOX
from referee.mail.host.host import open_game
from referee.mail.office import Office, now, office_in
from tests.e2e.carrier import Carrier
from tests.e2e.desk_process import Killer, Served
from tests.e2e.scripts import RECEIVER, Script, script
from tests.support.logs import audit_text
from tests.support.real_servers import free_port
from tests.support.servers import Sink, eventually, folder_of, sink

pytestmark = pytest.mark.slow(minutes=3)

_MARK = re.compile(r"\.[0-9a-f]{20}(?=\.referee@)")

KILLS = 200
PLIES = 12
SETTINGS = f"trust: {{received-by: {RECEIVER}}}\nanswers: {{an-hour: 10000, unasked-a-day: 100}}\n"


def games() -> list[Script]:
    """Thirty short games."""
    return [
        *(script(f"in-turn-{number}", "beams", PLIES, mode="synchronous") for number in range(12)),
        *(script(f"at-once-{number}", "beams", PLIES // 2) for number in range(8)),
        *(script(f"boundary-{number}", "boundary", PLIES) for number in range(5)),
        *(script(f"laser-{number}", "laser-chess", PLIES) for number in range(5)),
    ]


@dataclass
class Post:
    """The letters from a desk, by message id: their number, their bytes, and the address for answers."""

    sink: Sink
    counts: Counter[str] = field(default_factory=Counter)
    letters: dict[str, set[bytes]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def look(self) -> None:
        """Read new letters."""
        for _, _, raw in self.sink.taken[self.counts.total() :]:
            head = BytesHeaderParser().parsebytes(raw)
            name = str(head["Message-ID"])
            self.counts[name] += 1
            self.letters.setdefault(name, set()).add(raw)
            self.answers[_MARK.sub("", name)] = parseaddr(str(head["Reply-To"]))[1]


@dataclass
class Played:
    """The results of all games on one desk."""

    heads: dict[str, str]
    post: Post
    carrier: Carrier
    kills: int
    seconds: float


def test_a_desk_that_is_killed_ends_like_one_left_in_peace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts, begin = games(), (now() - timedelta(days=1)).replace(microsecond=0)
    opened(tmp_path / "opened", scripts, begin)
    peace = played(tmp_path, "peace", scripts, begin, kills=0)
    war = played(tmp_path, "war", scripts, begin, kills=KILLS)
    with capsys.disabled():
        print(figures(peace, war))
    assert war.heads == peace.heads
    assert peace.post.letters.keys() <= war.post.letters.keys()
    assert war.kills >= KILLS


def opened(folder: Path, scripts: Iterable[Script], begin: datetime) -> None:
    """A desk with all games; its key and its secrets are the same in every copy."""
    with office_in(folder_of(folder)) as office:
        for one in scripts:
            addresses = {side: one.address(side) for side in one.sides}
            open_game(office, one.id, one.file, begin, terms=Terms.read({"days": 30}), addresses=addresses)


def played(tmp_path: Path, name: str, scripts: list[Script], begin: datetime, *, kills: int) -> Played:
    """Play all games on a copy of the desk; if it is to be killed, with everything that can go wrong."""
    folder, listen, began = tmp_path / name, free_port(), time.monotonic()
    shutil.copytree(tmp_path / "opened", folder)
    with (
        sink(free_port()) as server,
        Served(folder) as served,
        Carrier(listen, Random(name), disturbed=kills > 0) as carrier,
    ):
        with (folder / "desk.yaml").open("a") as file:
            file.write(f"{SETTINGS}listen: {{port: {listen}}}\nsend: {{port: {server.port}}}\n")
        post = Post(server)
        with office_in(folder) as office:
            if kills:
                with Killer(served, carrier, Random(f"{name} and kill"), kills) as killer:
                    letters_written(scripts, post, carrier, begin, within=3, host=lambda: brought_back(office))
                    eventually(lambda: killer.kills >= kills, 600)
                kills = killer.kills
            else:
                served.start()
                letters_written(scripts, post, carrier, begin, within=0, host=lambda: None)
            eventually(lambda: carrier.idle and at_rest(office), 200)
            eventually(carrier.answered)
            assert served.end(signal.SIGTERM) == 0
            post.look()
            holds(office, scripts, post, carrier)
            heads = {one.id: office.desk.log(one.id)[-1].digest for one in scripts}
    return Played(heads, post, carrier, kills, time.monotonic() - began)


def letters_written(
    scripts: list[Script],
    post: Post,
    carrier: Carrier,
    begin: datetime,
    *,
    within: float,
    host: Callable[[], None],
    seconds: float = 600,
) -> None:
    """Have all players write as soon as they know the events that they wait for, until all games are over."""
    waiting, end = [(one, 0) for one in scripts], time.monotonic() + seconds
    while waiting:
        assert time.monotonic() < end, [(one.id, number) for one, number in waiting]
        post.look()
        host()
        waiting = [(one, number) for one, number in moved(waiting, post, carrier, begin, within)]
        time.sleep(0.1)


def moved(
    waiting: list[tuple[Script, int]], post: Post, carrier: Carrier, begin: datetime, within: float
) -> Iterator[tuple[Script, int]]:
    """The games that are not over, each with the number of its next letter."""
    for one, number in waiting:
        if number < len(one.steps):
            step = one.steps[number]
            to = post.answers.get(told(one, step.heard, step.side))
            if to is not None:
                carrier.take(to, one.letter(number, to, begin), within=within)
            yield one, number + (to is not None)
        elif not all(told(one, one.last, side) in post.answers for side in one.sides):
            yield one, number


def told(one: Script, event: int, side: str) -> str:
    """The message id of the letter to a side about an event, without the digits that only the desk can give it."""
    return f"<{one.id}.{event}.{side}.referee@example.org>"


def brought_back(office: Office) -> None:
    """Retry letters that were set aside, as the host does."""
    if office.desk.upkeep.counts()["aside"]:
        office.desk.inbox.retry("", now())


def at_rest(office: Office) -> bool:
    office.desk.inbox.retry("", now())
    counts = office.desk.upkeep.counts()
    assert counts["unsent"] == 0
    return counts["waiting"] == counts["aside"] == counts["to-send"] == 0


def holds(office: Office, scripts: list[Script], post: Post, carrier: Carrier) -> None:
    """Check what must always hold for a desk."""
    engine = create_engine(f"sqlite:///{office.folder}/desk.sqlite")
    with engine.connect() as connection:
        stored = {bytes(row.raw + row.bytes) for row in connection.execute(LETTERS)}
        queued = {row.id for row in connection.execute(select(OUTBOX.c.id))}
    engine.dispose()
    for recipient, raw in carrier.acknowledged:
        envelope = f"Return-Path: <someone@players.example>\r\nDelivered-To: <{recipient}>\r\n"
        assert envelope.encode() + raw in stored, "an acknowledged letter is in the store"
    assert queued == post.letters.keys(), "each letter out has come"
    assert {len(copies) for copies in post.letters.values()} == {1}, "and always as the same one"
    for one in scripts:
        log = office.desk.log(one.id)
        report = audit_text("".join(f"{entry.as_line()}\n" for entry in log))
        assert (report.findings, len(log)) == ((), one.last + 1), one.id
        assert report.state is not None
        made = {side: [ply[side] for ply in report.state.plies if side in ply] for side in one.sides}
        assert made == one.moves, "no move twice, and none lost"


def figures(peace: Played, war: Played) -> str:
    """The figures, for people."""
    counts, out = war.carrier.counts, war.post.counts
    again = sum(1 for number in out.values() if number > 1)
    return f"""
{len(war.heads)} games, {peace.carrier.counts["first"]} letters, in peace {peace.seconds:.0f} s
{war.kills} kills in {war.seconds:.0f} s: {counts["first"]} letters in, {counts["again"]} of them once more,
{counts["cut off"]} cut off on the way, {counts["tried again"]} attempts that failed;
{len(out)} letters out, {again} of them more than once"""
