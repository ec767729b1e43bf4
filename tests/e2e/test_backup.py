"""A lost desk, and its backup on another machine: letters come in while it is made, and play goes on."""

from __future__ import annotations

import shutil
import subprocess
import threading
from email.utils import parseaddr
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from referee.desk import seat_token
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import renew_key
from referee.mail.host.register import letters
from referee.mail.office import create_office, now, office_in
from referee.mail.settings import FILE
from referee.mail.transport.receipt import receive
from tests.e2e.mail_games import served
from tests.support import postgres
from tests.support.command_line import process, referee
from tests.support.correspondence import address
from tests.support.logs import audit_text
from tests.support.servers import ADDRESS, Client, Sink, eventually, folder_of, free_port, letter, sink

pytestmark = pytest.mark.slow

GAME, MOVES = "spring-7", ("P M1 A2 12", "P M2Y C6 10", "P M1 B5 12")
SEATS = [f"--player={side}={side} <{address(side)}>" for side in ("south", "north")]
LETTERS = 300


def newest(server: Sink, side: str) -> str:
    """The reply address of the newest letter to a side."""
    found = [one for one in server.letters if one["To"] == address(side) and one["Reply-To"]]
    return parseaddr(str(found[-1]["Reply-To"]))[1]


def log(folder: Path) -> str:
    return referee("desk", "export", GAME, "--format", "log", "--desk", folder).out


def kinds(folder: Path) -> list[str]:
    return [line.partition('"kind":"')[2].partition('"')[0] for line in log(folder).splitlines()]


def test_a_desk_that_is_served_is_backed_up_and_goes_on_elsewhere(tmp_path: Path) -> None:
    port, backup, elsewhere = free_port(), tmp_path / "backup", tmp_path / "elsewhere"
    came: list[bytes] = []
    begun, ended = threading.Event(), threading.Event()

    def hand_over() -> None:
        with Client(port) as client:
            for number in range(LETTERS):
                raw = letter(f"help {number}\n", f"stranger-{number}@example.net")
                assert client.hand_over(raw)[0][0] == 250
                came.append(raw)
                if number == LETTERS // 4:
                    begun.set()
        ended.set()

    with sink() as server:
        folder = folder_of(tmp_path / "desk", listen=port, send=server.port)
        assert referee("desk", "open", "beams", "--id", GAME, *SEATS, "--desk", folder).status == 0
        with served(folder):
            eventually(lambda: len(server.letters) == 2)
            older = {side: newest(server, side) for side in ("south", "north")}
            for side in ("south", "north"):
                with Client(port) as client:
                    client.hand_over(letter(MOVES[0], address(side)), older[side], sender=address(side))
            eventually(lambda: "played" in kinds(folder))
            thread = threading.Thread(target=hand_over)
            thread.start()
            begun.wait(60)
            before = [*came]
            assert process("desk", "backup", backup, "--desk", folder).status == 0
            thread.join()
            assert ended.is_set()
            with Client(port) as client:
                client.hand_over(letter(MOVES[1], address("south")), newest(server, "south"), sender=address("south"))
            eventually(lambda: len(kinds(folder)) == 5)
        lost = log(folder).splitlines()[-1]
        shutil.rmtree(folder)
        assert process("desk", "restore", backup, elsewhere).status == 0
        with office_in(elsewhere) as office:
            stored = {one.letter.raw[-400:] for one in office.desk.inbox.history() if one.done}
            assert all(any(raw[-200:] in one for one in stored) for raw in before), "no letter is lost"
        old = {side: newest(server, side) for side in ("south", "north")}
        with served(elsewhere):
            eventually(lambda: old["north"] != newest(server, "north") and old["south"] != newest(server, "south"))
            for to in (older["south"], old["south"]):
                with Client(port) as client:
                    client.hand_over(letter(MOVES[2], address("south")), to, sender=address("south"))
            eventually(lambda: referee("desk", "letters", GAME, "--desk", elsewhere).out.count("no-token, sent") == 2)
            assert kinds(elsewhere)[-1] == "signed", "older keys move nothing"
            for side in ("south", "north"):
                with Client(port) as client:
                    client.hand_over(letter(MOVES[1], address(side)), newest(server, side), sender=address(side))
            eventually(lambda: kinds(elsewhere).count("played") == 2)
        seal = lost.partition('"commitment":"')[2][:64]
        assert len(seal) == 64
        assert seal not in log(elsewhere), "the same move has another seal"
        assert audit_text(log(elsewhere)).findings == ()


@pytest.mark.skipif(postgres.missing() != "", reason=postgres.missing())
def test_a_desk_in_postgresql_goes_on_from_a_dump(server: str, tmp_path: Path) -> None:
    """The commands of docs/upkeep.md, with the address of the server added."""
    programs = postgres.programs()
    if programs is None or not (programs / "pg_dump").exists():
        pytest.skip("no pg_dump is here")
    url = make_url(server)
    engine = create_engine(url.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for name in ("referee_first", "referee_second"):
            connection.execute(text(f"drop database if exists {name}"))
            connection.execute(text(f"create database {name}"))
    first, second = (
        url.set(database=name).render_as_string(hide_password=False) for name in ("referee_first", "referee_second")
    )
    create_office(tmp_path / "desk", ADDRESS, first)
    with office_in(tmp_path / "desk") as office:
        assert referee("desk", "open", "beams", "--id", GAME, *SEATS, "--desk", tmp_path / "desk").status == 0
        token = seat_token(office.desk.key, office.desk.state(GAME), "south", 1)
        receive(office, letter(MOVES[0], address("south")), now(), recipient=f"desk+{GAME}.{token}@example.org")
        dump = tmp_path / "dump"
        subprocess.run([programs / "pg_dump", "--format=custom", f"--file={dump}", f"--dbname={first}"], check=True)
    subprocess.run([programs / "pg_restore", f"--dbname={second}", dump], check=True)
    (tmp_path / "other").mkdir(mode=0o700)
    settings = (tmp_path / "desk" / FILE).read_text().replace("referee_first", "referee_second")
    (tmp_path / "other" / FILE).write_text(settings)
    with office_in(tmp_path / "other") as office:
        assert renew_key(office, now()) == 2
        assert [one.verdict for one in letters(office) if one.incoming] == ["moved"]
        assert seat_token(office.desk.key, office.desk.state(GAME), "south", 1) != token
        assert handle_waiting(office, now()) == 0
        assert audit_text("".join(f"{one.as_line()}\n" for one in office.desk.log(GAME))).findings == ()
    with engine.connect() as connection:
        for name in ("referee_first", "referee_second"):
            connection.execute(text(f"drop database {name} with (force)"))
    engine.dispose()
