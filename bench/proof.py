"""The cost of proof for a letter: seats with keys beside seats without, and this version beside another checkout.

`python -m bench proof` compares signed letters with others, and measures the root of a day. `python -m bench.proof
FOLDER` compares the letters of this checkout with those of another one, in processes that take turns. Signed letters
also have a provider's signature, whose key the desk gets from a name server that answers at once. All times are
processor time, which other work on the machine does not change.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from bench.figures import HEADING, Figure
from bench.letters import GAMES, PLIES, SENDER, letter
from referee.desk import By, Came, Signer, acts, seat_token, write_time
from referee.desk.law import attestations
from referee.game import GameFile
from referee.mail.addresses import Tag
from referee.mail.evidence.domain_keys import look_up
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game
from referee.mail.office import Office, create_office, now, office_in

PAIRS = 5
GAMES_A_DAY = 1_000
"""Games under the root of a day."""

DKIM = (
    b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=players.example; s=s1; t=1767225600;\r\n"
    b" h=from:to:subject:message-id:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n"
    b" b=" + b"A" * 340 + b"==\r\n"
)
"""The signature of a provider; the desk keeps its key, and does not check it."""

RECORD = f"v=DKIM1; k=rsa; p={'A' * 390}AB"
MOST = 1.15
"""Maximum cost of an honest letter, beside one without proof."""

_HANDLED = f"""
import sys, tempfile, time
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from bench.letters import opened_games
from referee.mail.office import create_office, now, office_in
from referee.mail.handlers.pipeline import handle_waiting
with tempfile.TemporaryDirectory() as name:
    path = create_office(Path(name) / "desk", "desk@example.org", "desk.sqlite")
    path.write_text(path.read_text() + "pictures: false\\nanswers: {{an-hour: 10000}}\\n")
    with office_in(path.parent) as office:
        letters = opened_games(office, int(sys.argv[1]))
        begin = time.process_time()
        for sender, to, raw in letters:
            envelope = f"Return-Path: <{{sender}}>\\r\\nDelivered-To: {{to}}\\r\\n"
            office.desk.inbox.receive({DKIM!r} + raw, now(), envelope=envelope.encode())
        while handle_waiting(office, now()):
            pass
        if find_spec("referee.mail.evidence.domain_keys"):
            from referee.mail.evidence.domain_keys import look_up
            look_up(office, now(), lambda name: {RECORD!r})
            office.desk.days.end_day(now() + timedelta(days=1))
        print((time.process_time() - begin) / len(letters))
"""
"""Seconds for a letter, by a checkout of any version."""


def figures() -> Iterator[Figure]:
    """The time for a letter from a seat with a key, against one from a seat without; and for the root of a day."""
    pairs = []
    for seed in range(PAIRS):
        order = (True, False) if seed % 2 else (False, True)
        cost = {keyed: handled(seed, keyed=keyed) for keyed in order}
        pairs.append((cost[True], cost[False]))
    yield _figure("a signed letter x one that is not", pairs)
    roots = [root() for _ in range(PAIRS)]
    letters = GAMES_A_DAY * statistics.median(plain for _, plain in pairs)
    seconds = statistics.median(roots)
    name = f"the root of {GAMES_A_DAY:,} games x a letter to each"
    yield Figure(
        name, f"{seconds * 1000:.1f} ms", f"{letters * 1000:.1f} ms", seconds / letters, f"<= {MOST - 1:.2f}"
    )


def root() -> float:
    """Seconds to make the root of a day over many games."""
    file = GameFile("beams")
    with tempfile.TemporaryDirectory() as folder:
        path = create_office(Path(folder) / "desk", "desk@example.org", "desk.sqlite")
        with office_in(path.parent) as office:
            for number in range(GAMES_A_DAY):
                _open(office, f"game-{number}", file, keyed=False)
            at = now()
            begin = time.process_time()
            made = office.desk.days.root(at.date(), at + timedelta(days=1))
            seconds = time.process_time() - begin
    assert made.games == GAMES_A_DAY, made
    return seconds


def beside(other: Path) -> Figure:
    """The time for a letter by this checkout, against that by another one."""
    here = Path(__file__).resolve().parents[1]
    pairs = []
    for seed in range(PAIRS):
        order = (here, other) if seed % 2 else (other, here)
        cost = {checkout: _handled_by(checkout, seed) for checkout in order}
        pairs.append((cost[here], cost[other]))
    return _figure("a letter x one of the other checkout", pairs)


def _handled_by(checkout: Path, seed: int) -> float:
    command = [sys.executable, "-c", _HANDLED, str(seed)]
    return float(subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.PIPE).stdout)


def _figure(name: str, pairs: list[tuple[float, float]]) -> Figure:
    ratio = statistics.median(our / their for our, their in pairs)
    ours, theirs = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
    return Figure(name, f"{ours:.1f} ms", f"{theirs:.1f} ms", ratio, f"<= {MOST}")


def handled(seed: int, *, keyed: bool) -> float:
    """Seconds for a letter; letters come ply by ply, because the signed text follows from the log."""
    chance, file, seconds = random.Random(seed), GameFile("beams"), 0.0
    names, position = [f"game-{number}" for number in range(GAMES)], file.start()
    with tempfile.TemporaryDirectory() as folder:
        path = create_office(Path(folder) / "desk", "desk@example.org", "desk.sqlite")
        settings = f"{path.read_text(encoding='utf-8')}pictures: false\nanswers: {{an-hour: 10000}}\n"
        path.write_text(settings, encoding="utf-8")
        with office_in(path.parent) as office:
            for name in names:
                _open(office, name, file, keyed=keyed)
            for ply in range(1, PLIES + 1):
                moves = {side: position.any_move(side, chance.randrange) for side in position.sides}
                letters = [
                    _written(office, name, ply, side, str(move), keyed=keyed)
                    for side, move in moves.items()
                    for name in names
                ]
                begin = time.process_time()
                for to, raw in letters:
                    envelope = f"Return-Path: <{SENDER}>\r\nDelivered-To: {to}\r\n".encode()
                    office.desk.inbox.receive(DKIM + raw if keyed else raw, now(), envelope=envelope)
                while handle_waiting(office, now()):
                    pass
                look_up(office, now(), lambda _: RECORD)
                seconds += time.process_time() - begin
                position = position.play(moves)
            kept = office.desk.domain_keys.of(["s1._domainkey.players.example"])
            assert [one.record for one in kept] == [RECORD] * keyed, kept
            plies = {len(office.desk.state(name).plies) for name in names}
            assert plies == {PLIES}, plies
    return seconds / (GAMES * PLIES * len(file.description.sides))


def _open(office: Office, name: str, file: GameFile, *, keyed: bool) -> None:
    sides = file.description.sides
    open_game(office, name, file, now(), terms=None, addresses=dict.fromkeys(sides, SENDER))
    for side in sides if keyed else ():
        at = now()
        came = Came(sha256(f"{name} {side}".encode()).hexdigest(), write_time(at))
        office.desk.act(name, By(side), [acts.UseKey(_signer(side).public)], at, came=came)


def _signer(side: str) -> Signer:
    """The key of a side in every game."""
    return Signer(sha256(side.encode()).digest())


def _written(office: Office, name: str, ply: int, side: str, move: str, *, keyed: bool) -> tuple[str, bytes]:
    """The letter with a move, signed if the seat has a key, and its address."""
    to = office.mailbox.address_for(Tag(name, seat_token(office.desk.key, office.desk.state(name), side, ply)))
    said = move
    if keyed:
        signature = _signer(side).sign(attestations.signed_text(office.desk.state(name), side, f"move {move}"))
        said = f"{move}\r\nsigned {signature[:64]} {signature[64:]}"
    return to, letter(to, said, f"{name}.{ply}.{side}")


if __name__ == "__main__":
    print(HEADING)
    print(beside(Path(sys.argv[1]).resolve()).as_line())
