"""A desk that is served, and known games that players play with it by real mail."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.game import GameFile, dumps
from tests.e2e.players import Player, send
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.real_servers import Servers
from tests.support.servers import ADDRESS

_SETTINGS = """\
listen: {{port: {listen}}}
send: {{port: {send}}}
trust: {{received-by: mx.example.org}}
answers: {{an-hour: 1000}}
"""


@contextmanager
def served_by_mail(folder: Path, settings: str = "") -> Iterator[Servers]:
    """A new desk that is served, and Postfix and Dovecot around it; `settings` are lines beside the servers'."""
    listen = real_servers.free_port()
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    with (
        real_servers.folder() as base,
        real_servers.dovecot(base) as mailboxes,
        real_servers.postfix(base, mailboxes, ADDRESS, listen) as servers,
    ):
        with (folder / "desk.yaml").open("a") as file:
            file.write(_SETTINGS.format(listen=listen, send=servers.smtp) + settings)
        with served(folder):
            yield servers


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """`referee desk serve`, and its output if anything was wrong."""
    command = [sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)]
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen(command, stderr=said)
        try:
            yield
        finally:
            process.terminate()
            assert process.wait(30) == 0
    lines = (folder / "said").read_text().splitlines()
    assert lines[-1] == "referee: ended"
    assert not [line for line in lines if "rror" in line or "not" in line]


def moves_of(game: GameFile) -> dict[str, list[str]]:
    """The moves of a game, by side."""
    moves: dict[str, list[str]] = {side: [] for side in game.start().sides}
    for ply in game.replay():
        for side, move in ply.moves.items():
            moves[side].append(str(move))
    return moves


def open_game(folder: Path, scratch: Path, game: GameFile, name: str) -> None:
    """Open a game like this one, with no move made; its hidden information is the desk's secret."""
    deal: Any = game.options.get("deal", {})
    options = {key: value for key, value in game.options.items() if key != "deal"}
    begun, secret = scratch / "begun.yaml", scratch / "secret"
    begun.write_text(dumps(GameFile(game.game, options=options)))
    secret.write_text(deal.get("seed", ""))
    seats = [f"--player={side}={side} <{name}.{side}@players.example>" for side in game.start().sides]
    more = ["--secret", secret] if deal else []
    done = referee("desk", "open", begun, "--id", name, *seats, *more, "--desk", folder)
    assert done.status == 0, done.err


def play(servers: Servers, players: list[Player], seconds: float = 1200) -> None:
    """Have all players answer their letters, until all know that the game is over."""
    end = time.monotonic() + seconds
    while not all(one.over for one in players):
        answers = [one.answer(letter) for one in players for letter in one.read()]
        send(servers, [answer for answer in answers if answer is not None])
        assert time.monotonic() < end, servers.log.read_text()[-4000:]
        time.sleep(0.02)
    time.sleep(0.5)
    for one in players:
        one.read()
