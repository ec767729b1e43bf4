"""Whole games by real mail: two programs, Postfix and Dovecot between them and the desk."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.game import GameFile, read
from referee.game.dumper import dumps
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.players import Player, player, send
from tests.support.real_servers import Servers
from tests.support.servers import ADDRESS

MISSING = real_servers.missing("postfix", "dovecot")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING != "", reason=MISSING)]

GAMES = Path(__file__).parents[2] / "games"
SETTINGS = """\
listen: {{port: {listen}}}
send: {{port: {send}}}
trust: {{received-by: mx.example.org}}
answers: {{an-hour: 1000}}
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Servers]]:
    """A desk that is served, and the mail servers around it."""
    folder, listen = tmp_path_factory.mktemp("desk"), real_servers.free_port()
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    with (
        real_servers.folder() as base,
        real_servers.dovecot(base) as mailboxes,
        real_servers.postfix(base, mailboxes, ADDRESS, listen) as servers,
    ):
        with (folder / "desk.yaml").open("a") as file:
            file.write(SETTINGS.format(listen=listen, send=servers.smtp))
        with served(folder):
            yield folder, servers


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """`referee desk serve`, and what it said if anything was wrong."""
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


@pytest.mark.parametrize(
    "file", ["beams/asynchronous", "boundary/trees", "laser-chess/curiosity", "the-beam/class-4b"]
)
def test_a_game_by_mail(
    office: tuple[Path, Servers], tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str
) -> None:
    folder, servers = office
    game, name = read(GAMES / f"{file}.yaml"), file.replace("/", "-")
    began = time.monotonic()
    with ExitStack() as mailboxes:
        players = []
        for side, moves in moves_of(game).items():
            players.append(player(servers, f"{name}.{side}@players.example", moves))
            mailboxes.enter_context(players[-1].mailbox)
        open_game(folder, tmp_path, game, name)
        play(servers, players)
    letters, seconds = sum(len(one.letters) for one in players), time.monotonic() - began
    with capsys.disabled():
        print(f"\n{file}: {letters} letters to the players in {seconds:.1f} s")
    log = tmp_path / "log.jsonl"
    log.write_text(referee("desk", "export", name, "--format", "log", "--desk", folder).out)
    assert referee("desk", "audit", log).status == 0
    exported = json.loads(referee("desk", "export", name, "--format", "json", "--desk", folder).out)
    assert exported["result"] == game.result
    assert [one.moves for one in players] == [[]] * len(players), "every move was made"
    assert [one.twice() for one in players] == [[]] * len(players), "every letter came once"


def moves_of(game: GameFile) -> dict[str, list[str]]:
    """The moves of a game, by side."""
    moves: dict[str, list[str]] = {side: [] for side in game.start().sides}
    for ply in game.replay():
        for side, move in ply.moves.items():
            moves[side].append(str(move))
    return moves


def open_game(folder: Path, scratch: Path, game: GameFile, name: str) -> None:
    """Open a game like this one, with no move made; what its players must not know yet is the desk's secret."""
    deal: Any = game.options.get("deal", {})
    options = {key: value for key, value in game.options.items() if key != "deal"}
    begun, secret = scratch / "begun.yaml", scratch / "secret"
    begun.write_text(dumps(GameFile(game.game, options=options)))
    secret.write_text(deal.get("seed", ""))
    seats = [f"--player={side}={side} <{name}.{side}@players.example>" for side in game.start().sides]
    more = ["--secret", secret] if deal else []
    done = referee("desk", "open", begun, "--id", name, *seats, *more, "--desk", folder)
    assert done.status == 0, done.err


def play(servers: Servers, players: list[Player], seconds: float = 300) -> None:
    """Have everybody answer what they are asked, until all know that the game is over."""
    end = time.monotonic() + seconds
    while not all(one.over for one in players):
        answers = [one.answer(letter) for one in players for letter in one.read()]
        send(servers, [answer for answer in answers if answer is not None])
        assert time.monotonic() < end, servers.log.read_text()[-4000:]
        time.sleep(0.02)
    time.sleep(0.5)
    for one in players:
        one.read()
