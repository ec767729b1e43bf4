"""Whole games by real mail: two programs, Postfix and Dovecot between them and the desk."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.game import read
from tests.e2e.mail_games import moves_of, open_game, play, served_by_mail
from tests.e2e.players import player
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.real_servers import Servers

MISSING = real_servers.missing("postfix", "dovecot")
pytestmark = [pytest.mark.slow(minutes=3), pytest.mark.skipif(MISSING != "", reason=MISSING)]

GAMES = Path(__file__).parents[2] / "games"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Servers]]:
    """A desk that is served, and the mail servers around it."""
    folder = tmp_path_factory.mktemp("desk")
    with served_by_mail(folder) as servers:
        yield folder, servers


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
