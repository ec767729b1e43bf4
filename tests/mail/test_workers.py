"""Two workers on one desk lead to the logs that one leads to.

The logs are the same, byte for byte, because every desk has the same key, from which nonces and tokens follow; the
times are those of the letters' Received lines; and of a game there is one letter at a time, which may come twice,
since the key for a move is valid only once the move before is in. So the letters come in step by step, one a game
with its copies; between the steps nothing waits. Within a step the workers take any letters, often the same.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from referee.desk import Change, Incoming, Key, State, Terms, seat_token, set_up
from referee.game import GameFile
from referee.mail.addresses import Tag
from referee.mail.handlers import pipeline
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game, tick_games
from referee.mail.office import Office, create_office, office_in
from referee.mail.transport.receipt import receive
from tests.support.correspondence import BEGIN
from tests.support.logs import audit_text
from tests.support.strategies import random_play

LATER = BEGIN + timedelta(days=4)
"""The time of the workers: the letters may have waited for some days."""

SECRET = bytes(range(32))
TERMS = Terms.read({"days": 5})
PATIENCE = 120
"""Seconds that a step may take."""

Moves = list[tuple[str, str, int]]
"""The moves of a game in the order of their letters: side, move, ply."""


@cache
def opened(name: str, game: str) -> State:
    """A game as opened by `begun`."""
    return set_up(name, GameFile(game), BEGIN, terms=TERMS, desk=Key(SECRET).signer.public).state


@cache
def moves(game: str, count: int) -> Moves:
    plies = enumerate(random_play(game, 5, {}, count), 1)
    return [(side, str(move), ply) for ply, made in plies for side, move in sorted(made.moves.items())][:count]


def games(number: int) -> Iterator[tuple[str, str]]:
    """Games of both kinds: moves at once and sealed, and moves in turn."""
    yield from ((f"game-{one}", "boundary" if one % 2 else "beams") for one in range(number))


def letters(number: int, steps: int) -> list[list[bytes]]:
    """All letters, step by step, each of them twice: the copy took another way."""
    made: list[list[bytes]] = []
    for step in range(steps):
        put = []
        for name, game in games(number):
            side, move, ply = moves(game, steps)[step]
            token = seat_token(Key(SECRET), opened(name, game), side, ply)
            at = BEGIN + timedelta(minutes=7 * step)
            head = (
                f"Received: from players by mx.example with ESMTP id 1; {at:%a, %d %b %Y %H:%M:%S} +0000\r\n"
                f"From: {side}.{name}@players.example\r\nTo: desk+{Tag(name, token)}@example.org\r\n"
                f"Subject: Re: [{name}]\r\nMessage-ID: <{name}.{step}@players.example>\r\n\r\n{move}\r\n"
            )
            put += [head.encode(), f"{head}\r\nSent from a telephone\r\n".encode()]
        random.Random(step).shuffle(put)
        made.append(put)
    return made


@contextmanager
def begun(folder: Path, store: str, number: int) -> Iterator[Office]:
    """A desk with its games, and the key that all desks of this test have."""
    path = create_office(folder, "desk@example.org", store)
    path.write_text(path.read_text() + "\ntrust: {received-by: mx.example}\n")
    with office_in(folder) as office:
        office.desk.games.change("", BEGIN, lambda _: Change(secrets={"key": SECRET.hex()}))
    with office_in(folder) as office:
        assert office.desk.key.secret == SECRET
        for name, game in games(number):
            file = GameFile(game)
            addresses = {side: f"{side}.{name}@players.example" for side in file.description.sides}
            open_game(office, name, file, BEGIN, terms=TERMS, addresses=addresses)
        yield office


def work(folder: Path, done: Event) -> None:
    """A worker, which handles waiting letters until `done` is set."""
    with office_in(folder) as office:
        while not done.is_set():
            if not handle_waiting(office, LATER):
                time.sleep(0.002)


def put_in(office: Office, steps: list[list[bytes]]) -> None:
    """Receive the letters of each step once those of the one before are handled."""
    for step in steps:
        for raw in step:
            receive(office, raw, LATER)
        last = time.monotonic() + PATIENCE
        while office.desk.upkeep.counts()["waiting"]:
            assert time.monotonic() < last, "letters wait for ever"
            time.sleep(0.002)


def heads(office: Office) -> dict[str, str]:
    return {name: office.desk.log(name)[-1].digest for name in office.desk.catalogue.ids()}


@pytest.mark.parametrize(
    ("where", "number", "steps"),
    [
        pytest.param("sqlite", 2, 2, marks=pytest.mark.slow),
        pytest.param("sqlite", 3, 4, marks=pytest.mark.slow),
        pytest.param("sqlite", 10, 10, marks=pytest.mark.slow),
        pytest.param("postgres", 25, 12, marks=pytest.mark.slow),
    ],
    indirect=["where"],
)
def test_two_workers_do_what_one_does(where: str, number: int, steps: int, tmp_path: Path) -> None:
    every = letters(number, steps)
    total = sum(map(len, every))
    with begun(tmp_path / "one", "desk.sqlite", number) as office:
        start = time.perf_counter()
        for step in every:
            for raw in step:
                receive(office, raw, LATER)
            handle_waiting(office, LATER)
        alone = time.perf_counter() - start
        expected, sent = heads(office), office.desk.upkeep.counts()["to-send"]
        log = "".join(f"{entry.as_line()}\n" for entry in office.desk.log("game-0"))
        assert len(office.desk.log("game-0")) == 1 + steps + steps // 2
        assert audit_text(log).findings == ()
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with begun(tmp_path / "two", where, number) as office:
        done = context.Event()
        workers = [context.Process(target=work, args=(tmp_path / "two", done)) for _ in range(2)]
        for one in workers:
            one.start()
        start = time.perf_counter()
        try:
            put_in(office, every)
        finally:
            done.set()
            for one in workers:
                one.join(PATIENCE)
        together = time.perf_counter() - start
        print(
            f"{total} letters for {number} games: one worker {alone:.1f} s (SQLite), two {together:.1f} s "
            f"({'PostgreSQL' if '://' in where else 'SQLite'})"
        )
        assert [one.exitcode for one in workers] == [0, 0]
        assert office.desk.upkeep.counts() == {"waiting": 0, "aside": 0, "to-send": sent, "unsent": 0}
        assert heads(office) == expected


@pytest.mark.slow
def test_no_time_passes_while_letters_wait_that_are_another_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move that came in time counts, even if that worker takes long to handle it."""

    @contextmanager
    def others() -> Iterator[Callable[[str, Incoming], bool]]:
        yield lambda _lane, _letter: False

    monkeypatch.setattr(pipeline, "BUSY", 0.1)
    with begun(tmp_path / "desk", "desk.sqlite", 1) as office:
        late = BEGIN + timedelta(days=6)
        receive(office, letters(1, 1)[0][0], BEGIN)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(office.desk.inbox, "lanes", others)
            assert tick_games(office, late) == 0
        tick_games(office, late)
        (_, first, *_) = office.desk.log("game-0")
        assert first.at == BEGIN
