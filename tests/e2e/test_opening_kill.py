"""`kill -9` of the desk while people open games by letter and accept them: each is opened once, and none is lost.

The same letters go to two copies of one desk. One runs undisturbed; the other is killed as in test_kill.py, while
letters come late, twice, altered on the way, or are cut off. In the end both have the same games with the same logs.
"""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import format_datetime, parseaddr
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.desk import Entry
from referee.mail.office import Office, now, office_in
from tests.e2e.carrier import Carrier
from tests.e2e.desk_process import Killer, Served
from tests.e2e.test_kill import at_rest, brought_back
from tests.support.logs import audit_text
from tests.support.real_servers import free_port
from tests.support.servers import ADDRESS, Sink, eventually, folder_of, sink

pytestmark = pytest.mark.slow(minutes=4)

KILLS = 100
PAIRS = 27
RECEIVER = "mx.example.org"
SETTINGS = f"""\
open: vouched
trust: {{authserv: [{RECEIVER}], received-by: {RECEIVER}}}
answers: {{an-hour: 10000, unasked-a-day: 100, notes-a-day: 10000, notes-an-hour: 10000}}
invitations: {{a-day: 10000, sender-a-day: 100, address-a-day: 100, domain-a-day: 10000, lapse: 30}}
"""
STEPS = (
    ("ada", "new boundary with {ben}, as south, no clock", 0),
    ("ben", "accept", 1),
    ("ada", "P a1-a2", 3),
    ("ben", "resign", 4),
    ("ada", "rematch", 6),
)
"""The letters, each with its writer and the number of the event that they must know before."""


Told = tuple[str, str, dict[str, Any]]


@dataclass
class Pair:
    """Two friends, and their progress."""

    number: int
    step: int = 0
    heard: dict[str, dict[int, str]] = field(default_factory=lambda: {"ada": {}, "ben": {}})

    def address(self, who: str) -> str:
        return f"{who}{self.number}@players.example"

    def letter(self, to: str, begin: datetime) -> bytes:
        """The letter of the step: always the same bytes."""
        who, words, _ = STEPS[self.step]
        at = format_datetime(begin + timedelta(seconds=10 * self.step))
        lines = [
            f"Authentication-Results: {RECEIVER}; dmarc=pass header.from=players.example",
            f"Received: from client.example by {RECEIVER} with ESMTP id {self.number}.{self.step}; {at}",
            f"From: {who.title()} <{self.address(who)}>",
            f"To: {to}",
            "Subject: a game",
            f"Message-ID: <{self.step}.{self.number}@players.example>",
            "",
            words.format(ben=self.address("ben")),
            "",
        ]
        return "\r\n".join(lines).encode()


def test_each_game_is_opened_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = (now() - timedelta(hours=1)).replace(microsecond=0)
    with office_in(folder_of(tmp_path / "begun")):
        pass
    peace, _, _ = played(tmp_path, "peace", begin, kills=0)
    war, kills, seconds = played(tmp_path, "war", begin, kills=KILLS)
    with capsys.disabled():
        print(f"\n{len(war)} games, {kills} kills in {seconds:.0f} s")
    assert war == peace
    assert len(war) == 2 * PAIRS
    assert kills >= KILLS


def played(tmp_path: Path, name: str, begin: datetime, *, kills: int) -> tuple[dict[str, list[Told]], int, float]:
    """The logs of all games in the end, without digests; a rematch has the name of the game before it.

    Their digests may differ: of two copies of a letter, the log names the one that the desk has handled. The id of a
    rematch is drawn from the last digest of that game.
    """
    folder, listen, began = tmp_path / name, free_port(), time.monotonic()
    shutil.copytree(tmp_path / "begun", folder)
    pairs = [Pair(number) for number in range(PAIRS)]
    with (
        sink(free_port()) as server,
        Served(folder) as served,
        Carrier(listen, Random(name), disturbed=kills > 0) as carrier,
    ):
        with (folder / "desk.yaml").open("a") as file:
            file.write(f"{SETTINGS}listen: {{port: {listen}}}\nsend: {{port: {server.port}}}\n")
        with office_in(folder) as office:
            if kills:
                with Killer(served, carrier, Random(name), kills) as killer:
                    written(office, pairs, server, carrier, begin, within=3)
                    eventually(lambda: killer.kills >= kills, 900)
                kills = killer.kills
            else:
                served.start()
                written(office, pairs, server, carrier, begin, within=0)
            eventually(lambda: carrier.idle and at_rest(office), 200)
            eventually(carrier.answered)
            assert served.end(signal.SIGTERM) == 0
            logs = {game: office.desk.log(game) for game in office.desk.catalogue.ids()}
    for game, log in logs.items():
        assert audit_text("".join(f"{entry.as_line()}\n" for entry in log)).findings == (), game
    before = {log[-1].digest: game for game, log in logs.items()}
    names = {
        game: f"a rematch of {before[head]}" if (head := getattr(log[0].event, "of", None)) else game
        for game, log in logs.items()
    }
    return {names[game]: [*map(told, log)] for game, log in logs.items()}, kills, time.monotonic() - began


def told(entry: Entry) -> Told:
    """The content of an entry of a log, without the game's id and digests of other entries."""
    data = entry.as_json()
    return (
        data["kind"],
        data["at"],
        {name: value for name, value in data["body"].items() if name not in ("of", "game")},
    )


def written(
    office: Office, pairs: list[Pair], server: Sink, carrier: Carrier, begin: datetime, *, within: float
) -> None:
    """Have all players write as soon as they know the events they wait for, until all have a second invitation."""
    end, seen = time.monotonic() + 900, 0
    while not all(pair.step == len(STEPS) for pair in pairs):
        assert time.monotonic() < end, [pair.step for pair in pairs]
        for who, number, event, to in came(server, seen):
            pairs[number].heard[who].setdefault(event, to)
        seen = len(server.taken)
        brought_back(office)
        for pair in pairs:
            if pair.step < len(STEPS):
                who, _, event = STEPS[pair.step]
                to = pair.heard[who].get(event, "") if pair.step else ADDRESS
                if to:
                    carrier.take(to, pair.letter(to, begin), within=within)
                    pair.step += 1
        time.sleep(0.1)


def came(server: Sink, since: int) -> Iterator[tuple[str, int, int, str]]:
    """New letters about games: recipient, pair, event, and address for answers."""
    for _, recipient, raw in server.taken[since:]:
        head = BytesHeaderParser().parsebytes(raw)
        words = str(head["Message-ID"]).strip("<>").split(".")
        local = recipient.partition("@")[0]
        if words[0].startswith("boundary-") and words[1].isdigit():
            yield local[:3], int(local[3:]), int(words[1]), parseaddr(str(head["Reply-To"]))[1]
