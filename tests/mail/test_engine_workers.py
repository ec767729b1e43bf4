"""Several workers with engines on one desk: no move is computed twice, also when one is killed while it thinks."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from random import Random

import pytest

from referee.desk import Change, EngineTurn, engine_to_move, events, seat_token
from referee.game import GameFile
from referee.mail.addresses import Tag
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.engine_room import EngineRoom
from referee.mail.host.host import open_game
from referee.mail.office import Office, create_office, now, office_in
from referee.mail.transport.receipt import receive
from tests.support.logs import audit_text
from tests.support.strategies import any_move

pytestmark = pytest.mark.slow

GAMES, ROUNDS, PATIENCE = 9, 3, 120
SECRET = bytes(range(32))
KINDS = ("beams", "laser-chess", "boundary")


class Noting(ThreadPoolExecutor):
    """Threads that note each thought in a file before they begin it."""

    def __init__(self, number: int, path: Path) -> None:
        super().__init__(number)
        self._path = path

    def submit(self, fn: object, /, *args: object, **_: object) -> Future[object]:  # type: ignore[override]
        """Note the move that is due, and find it."""
        (turn,) = args
        assert isinstance(turn, EngineTurn)
        with self._path.open("a") as file:
            file.write(f"{turn.game} {turn.begun} {os.getpid()}\n")
        return super().submit(fn, *args)  # type: ignore[arg-type]


def work(folder: Path, noted: Path) -> None:
    with office_in(folder) as office, EngineRoom(1, partial(Noting, path=noted)) as room:
        while True:
            if not handle_waiting(office, now()) + room.play(office):
                time.sleep(0.01)


def begun(folder: Path, where: str) -> None:
    create_office(folder, "desk@example.org", where)
    with office_in(folder) as office:
        office.desk.games.change("", now(), lambda _: Change(secrets={"key": SECRET.hex()}))
    with office_in(folder) as office:
        for number in range(GAMES):
            file = GameFile(KINDS[number % len(KINDS)])
            person, engine = file.description.sides
            addresses = {person: f"{person}-{number}@players.example"}
            open_game(office, f"game-{number}", file, now(), terms=None, addresses=addresses, engines={engine: 3})


def write(office: Office, name: str) -> None:
    """The next move of the person in a game, as a letter."""
    table = office.desk.table(name)
    (side,) = {*table.state.players} - table.state.engine_sides
    token = seat_token(office.desk.key, table.state, side)
    move = any_move(table.state.position, side, Random(name))
    head = f"From: {table.address(side)}\r\nTo: desk+{Tag(name, token)}@example.org\r\nSubject: a move\r\n"
    receive(
        office, f"{head}Message-ID: <{name}.{table.state.turn}@players.example>\r\n\r\n{move}\r\n".encode(), now()
    )


def settled(office: Office, plies: int) -> bool:
    """True if every letter has been handled, and every engine has moved."""
    states = map(office.desk.state, office.desk.catalogue.ids())
    return not office.desk.upkeep.counts()["waiting"] and all(
        engine_to_move(state) is None and len(state.plies) >= plies for state in states
    )


def test_no_move_is_computed_twice_by_several_workers(where: str, tmp_path: Path) -> None:
    folder, noted = tmp_path / "desk", tmp_path / "noted"
    begun(folder, where)
    context = get_context("spawn")

    def started() -> SpawnProcess:
        worker = context.Process(target=work, args=(folder, noted))
        worker.start()
        return worker

    workers, killed = [started(), started()], set()
    try:
        with office_in(folder) as office:
            for number in range(ROUNDS):
                last = time.monotonic() + PATIENCE
                while not settled(office, 0):
                    assert time.monotonic() < last, "an engine does not move"
                    time.sleep(0.05)
                for name in office.desk.catalogue.ids():
                    write(office, name)
                if number == 1:
                    time.sleep(0.3)
                    victim = workers.pop()
                    assert victim.pid is not None
                    os.kill(victim.pid, signal.SIGKILL)
                    killed.add(str(victim.pid))
                    workers.append(started())
            while not settled(office, ROUNDS):
                time.sleep(0.05)
            logs = {name: office.desk.log(name) for name in office.desk.catalogue.ids()}
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    thought = [line.split() for line in noted.read_text().splitlines()]
    assert max(Counter((game, begins) for game, begins, pid in thought if pid not in killed).values()) == 1
    for name, log in logs.items():
        assert audit_text("".join(f"{entry.as_line()}\n" for entry in log)).findings == (), name
        assert sum(isinstance(entry.event, events.Played) for entry in log) >= ROUNDS
