"""A worker on a store, as a process that can be killed: it takes letters in and carries them out.

A letter here is JSON: a game's id, a side, its move for a ply, a plan with the next one, if any, and when the letter
came.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from referee import parse_move
from referee.desk import By
from referee.desk.log import acts
from referee.desk.log.log import read_time, write_time
from referee.desk.play.setup import set_up
from referee.desk.records import Change, Held, Incoming, Outgoing
from referee.desk.store.store import Store
from referee.game import GameFile
from tests.support.desks import BEGIN, KEY, Request, carry_out

parse_move("beams", "P M1 A2 12")  # so that the grammar is there before workers are forked


def letters(plies: list[dict[str, str]], games: int) -> list[bytes]:
    """The letters of both sides, ply by ply, for a number of games that are all alike.

    Every other letter of south has a plan with its next move, which the next letter repeats.
    """
    made = [
        (name, side, move, ply)
        for ply, moves in enumerate(plies, 1)
        for name in (f"game-{number}" for number in range(games))
        for side, move in moves.items()
    ]
    return [
        json.dumps(
            {
                "game": g,
                "side": s,
                "move": m,
                "ply": p,
                "plan": f"any then {plies[p][s]}" if s == "south" and p % 2 and p < len(plies) else "",
                "at": write_time(BEGIN + timedelta(minutes=n)),
            }
        ).encode()
        for n, (g, s, m, p) in enumerate(made)
    ]


def begin(store: Store, games: int) -> None:
    """Open games, all alike; those that are open stay as they are."""
    for number in range(games):
        name = f"game-{number}"

        def work(held: Held, name: str = name) -> Change:
            begun = set_up(name, GameFile("beams"), BEGIN)
            return Change() if held.state else Change(begun.entries, begun.secrets)

        store.games.change(name, BEGIN, work)


def handle(store: Store, letter: Incoming) -> bool:
    """Carry out a letter; False if another worker did, or if it is about a later ply."""
    data: dict[str, Any] = json.loads(letter.raw)
    at, now = read_time(data["at"]), store.games.held(data["game"]).state
    if now is None or now.ply < data["ply"]:
        return False

    def work(held: Held) -> Change:
        assert held.state is not None
        by, move = By(data["side"], data["ply"]), acts.MakeMove(data["move"])
        asks: list[Request] = [(by, move)]
        if data["plan"]:
            asks.insert(0, (by, acts.Plan(data["plan"], move)))
        done = carry_out(held.state, asks, at, held.secrets, KEY.draw)
        answer = f"{done.answers[-1].code} {done.state.head}".encode()
        out = [Outgoing(f"{letter.digest}/answer", data["side"], answer, data["game"])]
        out += [Outgoing(f"{data['game']}/{entry.number}", "both", b"news", data["game"]) for entry in done.entries]
        return Change(done.entries, done.secrets, tuple(out), done.answers[-1].code)

    return store.games.handle(letter, data["game"], at, work) is not None


def dealt(store: Store) -> bool:
    """Carry out all waiting letters; True if there were any."""
    some = store.inbox.waiting(BEGIN + timedelta(days=99), 1000)
    if some and not sum(handle(store, letter) for letter in some):
        time.sleep(0.02)
    return bool(some)


def work(where: str, files: Sequence[Path], said: Connection) -> None:
    """Take letters in from files, report each one that is safe, and carry out all waiting letters."""
    with Store(where) as store:
        for file in files:
            for raw in json.loads(file.read_text()):
                letter, _ = store.inbox.receive(raw.encode(), read_time(json.loads(raw)["at"]))
                said.send(letter.digest)
                if letter.digest[0] in "01234567":
                    dealt(store)
        while dealt(store):
            pass


def started(where: str, *files: Path) -> tuple[BaseProcess, Connection]:
    """A worker as a process of its own, and its reports; forked from one that has loaded all modules."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    said, saying = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(where, files, saying))
    process.start()
    saying.close()
    return process, said


def heard(said: Connection) -> Iterator[str]:
    """The reports of a worker, until it is done or dead."""
    with said, suppress(EOFError):
        while True:
            yield said.recv()
