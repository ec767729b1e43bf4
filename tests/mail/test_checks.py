"""The checks of `referee desk doctor`, each with a good and a bad desk; with a real mail server in tests/e2e."""

from __future__ import annotations

import json
import socket
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.backups import back_up
from referee.mail.host.checks import Diagnosis, Severity, probe, servers, well
from referee.mail.host.checks.doctor import examine
from referee.mail.host.checks.machine import (
    backup_diagnoses,
    clock_diagnoses,
    folder_diagnoses,
    password_diagnoses,
    settings_diagnoses,
    store_diagnoses,
)
from referee.mail.host.checks.names import name_diagnoses
from referee.mail.host.checks.probe import round_trip
from referee.mail.host.checks.servers import hand_over, port_diagnoses, web_diagnoses
from referee.mail.office import Office, now, office_in
from referee.mail.settings import FILE, Web, read_settings
from referee.mail.transport.http import DESK_HEADER, publish
from referee.mail.transport.receipt import receive
from referee.web.site import Door, Site, open_pages
from tests.mail.background import in_background
from tests.mail.resolver import Records, resolver
from tests.support.command_line import referee
from tests.support.correspondence import corresponding
from tests.support.servers import ADDRESS, desk_at, folder_of, free_port, listener, sink

SPF, DMARC = '"v=spf1 mx -all"', '"v=DMARC1; p=reject"'
MX = {"example.org": {"MX": ["10 mx.example.org."]}, "mx.example.org": {"A": ["192.0.2.1"]}}
NAMES: tuple[tuple[str, Records, list[str]], ...] = (
    (
        "all is there",
        {**MX, "example.org": {**MX["example.org"], "TXT": [SPF, '"x"']}, "_dmarc.example.org": {"TXT": [DMARC]}},
        ["ok: go to mx.example.org", "ok: SPF", "ok: DMARC"],
    ),
    ("the domain is unknown", {}, ["note: knows no domain example.org"]),
    (
        "nothing but an address",
        {"example.org": {"AAAA": ["2001:db8::1"]}},
        ["note: has no MX", "note: no SPF", "note: no DMARC"],
    ),
    ("nothing at all", {"example.org": {}}, ["wrong: neither MX", "note: no SPF", "note: no DMARC"]),
    (
        "no letters, and everybody may send",
        {"example.org": {"MX": ["0 ."], "TXT": ['"v=spf1 +all"']}},
        ["wrong: null MX", "wrong: lets any server", "note: no DMARC"],
    ),
    (
        "a server without an address, and two records each",
        {
            "example.org": {"MX": ["10 mx.example.net."], "TXT": [SPF, '"v=spf1 a" " -all"']},
            "_dmarc.example.org": {"TXT": [DMARC, DMARC.replace("reject", "none")]},
        },
        ["wrong: mx.example.net of example.org has no address", "wrong: 2 SPF", "wrong: 2 DMARC"],
    ),
)


def agrees(found: Iterable[Diagnosis], wanted: list[str]) -> bool:
    """True if each diagnosis has the level and the words."""
    parts = [one.partition(": ") for one in wanted]
    given = [*found]
    assert all(one.remedy for one in given if one.level is Severity.WRONG)
    assert [one.level for one in given] == [level for level, _, _ in parts], given
    return all(words in one.says for one, (_, _, words) in zip(given, parts, strict=True))


@pytest.mark.parametrize(("records", "wanted"), [case[1:] for case in NAMES], ids=[case[0] for case in NAMES])
def test_names(records: Records, wanted: list[str]) -> None:
    with resolver(records) as asked:
        assert agrees(name_diagnoses("example.org", asked), wanted)


DKIM = '"v=DKIM1; k=rsa; p=MIGf"'
SELECTORS: tuple[tuple[Records, str], ...] = (
    ({"mail._domainkey.example.org": {"TXT": [DKIM]}}, "ok: there is a DKIM key at mail._domainkey.example.org"),
    ({}, "wrong: there is no DKIM key at mail._domainkey.example.org"),
    ({"mail._domainkey.example.org": {"TXT": ['"v=DKIM1; p="']}}, "wrong: there is no DKIM key"),
    ({"mail._domainkey.example.org": {"TXT": [DKIM, DKIM.replace("f", "g")]}}, "wrong: has 2 DKIM keys"),
)


@pytest.mark.parametrize(("records", "wanted"), SELECTORS)
def test_the_keys_of_the_selectors_that_the_host_names_are_looked_up(records: Records, wanted: str) -> None:
    all_there = {**MX, "example.org": {**MX["example.org"], "TXT": [SPF]}, "_dmarc.example.org": {"TXT": [DMARC]}}
    with resolver({**all_there, **records}) as asked:
        found = [*name_diagnoses("example.org", asked, selectors=("mail",))]
    assert agrees(found[-1:], [wanted])


@pytest.mark.slow
def test_no_resolver(monkeypatch: pytest.MonkeyPatch) -> None:
    with resolver({}) as asked:
        monkeypatch.setattr("referee.mail.host.checks.names.QUESTION", 0.2)
    assert agrees(name_diagnoses("example.org", asked), ["note: has no answer about example.org"])


def test_folder_settings_and_passwords(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk")
    with office_in(folder) as office:
        assert agrees(folder_diagnoses(folder, office.settings), ["ok: only its owner", "ok: MB are free"])
        for name, mode in (("desk.sqlite", 0o640), ("", 0o701)):
            (folder / name).chmod(mode)
        found = [*folder_diagnoses(folder, office.settings)]
        assert [one.remedy.split()[:2] for one in found[:2]] == [["chmod", "700"], ["chmod", "600"]]
    login = "{user: me, password-file: word}"
    with (folder / FILE).open("a") as file:
        file.write(f"send: {login}\nimap: {login}\ntrust: {{require: dmarc}}\n")
    settings = read_settings(folder / FILE)
    assert agrees(
        settings_diagnoses(settings), ["ok: players write to desk@example.org", "note: name no host", "wrong: DMARC"]
    )
    office = Office(folder, settings, office.desk)
    assert agrees(password_diagnoses(office), ["wrong: cannot be read"])
    (folder / "word").touch(0o600)
    assert agrees(password_diagnoses(office), ["wrong: is empty"])
    (folder / "word").write_text("sesame")
    assert agrees(password_diagnoses(office), ["ok: word can be read"])
    (folder / "word").chmod(0o644)
    assert agrees(password_diagnoses(office), ["wrong: others can read"])


def test_store_and_clock(tmp_path: Path) -> None:
    with desk_at(tmp_path / "desk") as office:
        assert agrees(store_diagnoses(office), ["ok: 0 games, 0 of them running"])
        at = datetime(2027, 3, 1, tzinfo=UTC)
        assert agrees(clock_diagnoses(office, at), ["ok: 2027-03-01 00:00 UTC"])
        office.desk.upkeep.see(at)
        later = at + timedelta(days=2)
        assert agrees(clock_diagnoses(office, later), ["wrong: this machine's clock says 2027-03-03"])
        assert agrees(clock_diagnoses(office, datetime(1970, 1, 1, tzinfo=UTC)), ["wrong: 1970-01-01"])
        assert office.desk.upkeep.seen() == at, "the doctor confirms no time"
    with closing(sqlite3.connect(tmp_path / "desk" / "desk.sqlite")) as connection, connection:
        connection.execute("pragma writable_schema = on")
        column = "note TEXT NOT NULL"
        rule = "update sqlite_master set sql = replace(sql, ?, ?)"
        connection.execute(rule, (column, f"{column} CHECK (note = 1)"))
        connection.execute(
            "insert into outbox (id, kind, recipient, draft, queued, attempts, note) "
            "values ('a', 'k', 'r', x'', 'q', 0, 'n')"
        )
    with office_in(tmp_path / "desk") as office:
        assert agrees(store_diagnoses(office), ["wrong: damaged: CHECK"])


@pytest.mark.slow
def test_the_port(tmp_path: Path) -> None:
    port = free_port()
    with desk_at(tmp_path / "desk", listen=port) as office:
        assert agrees(port_diagnoses(office), ["note: no program takes letters"])
        with listener(office):
            assert agrees(port_diagnoses(office), [f"ok: takes letters at 127.0.0.1:{port}"])
        with desk_at(tmp_path / "former", listen=port) as former, listener(former):
            assert agrees(port_diagnoses(office), ["wrong: not 'serve' of this desk as it is now"])
        with sink(port):
            assert agrees(port_diagnoses(office), ["wrong: "])
    with desk_at(tmp_path / "other", listen=port) as other:
        settings = replace(office.settings, address="club@example.org")
        club = Office(office.folder, settings, office.desk)
        with listener(other):
            assert agrees(port_diagnoses(club), ["wrong: refuses letters to club@example.org"])


@pytest.mark.slow
def test_the_ports_of_pages_and_numbers(tmp_path: Path) -> None:
    """A port is free, this desk's own, or taken by a program, so that `serve` would not start."""
    web, numbers = free_port(), free_port()
    folder = folder_of(tmp_path / "desk")
    with (folder / FILE).open("a") as file:
        file.write(f"pages: http://localhost:{web}\nweb: {{port: {web}}}\nmetrics: {{port: {numbers}}}\n")
    with office_in(folder) as office:
        free = ["note: is free", "note: is free"]
        assert agrees(web_diagnoses(office), free)
        for mark, level in ((office.port_mark, "ok: this desk"), ("another", "wrong: another program")):
            with in_background(publish(numbers, lambda: "", "text/plain", mark)):
                assert agrees(web_diagnoses(office), ["note: is free", level])
        site = partial(open_pages, Site(office.desk, f"http://localhost:{web}", "A desk"))
        with in_background(site(Door("127.0.0.1", web, (), ((DESK_HEADER, office.port_mark),)))):
            assert agrees(web_diagnoses(office), ["ok: this desk", "note: is free"])
        with in_background(site(Door("127.0.0.1", web))):
            assert agrees(web_diagnoses(office), ["wrong: another program", "note: is free"])
        away = replace(office.settings, web=Web(host="192.0.2.1"))
        assert agrees(web_diagnoses(Office(folder, away, office.desk)), ["wrong: cannot listen", "note: is free"])


@pytest.mark.slow
def test_the_age_of_the_last_backup(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        begin = post.at
        assert agrees(backup_diagnoses(post.office, begin), [])
        post.open("beams")
        assert agrees(backup_diagnoses(post.office, begin + timedelta(days=8)), [])
        assert agrees(backup_diagnoses(post.office, begin + timedelta(days=9)), ["wrong: there is no backup"])
        back_up(post.office, tmp_path / "backup", begin + timedelta(days=9))
        later = [begin + timedelta(days=days) for days in (9, 17, 18)]
        found = [one for at in later for one in backup_diagnoses(post.office, at)]
        assert agrees(found, ["ok: 2027-03-10", "ok: 2027-03-10", "wrong: last backup was made on 2027-03-10"])


@pytest.mark.slow
def test_something_else_at_the_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "PATIENCE", 0.1)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        desk_at(tmp_path / "desk", listen=silent.getsockname()[1]) as office,
    ):
        assert agrees(port_diagnoses(office), ["wrong: does not answer by LMTP"])


@pytest.mark.slow
def test_the_outgoing_server(tmp_path: Path) -> None:
    with sink() as server, desk_at(tmp_path / "desk", send=server.port) as office:
        assert agrees([hand_over(office, b"x", "", ADDRESS)], ["ok: takes letters without encryption"])
        for said in ("550 5.1.1 no such user", "451 later", ""):
            server.refusals[ADDRESS] = said
            assert agrees([hand_over(office, b"x", "", ADDRESS)], [f"wrong: takes no letter: {said}"])
        send = office.settings.send
        for change, words in (
            ({"security": "starttls"}, "offers no STARTTLS"),
            ({"security": "tls"}, "SSLError"),
            ({"user": "me"}, "not support"),
            ({"host": "nowhere.invalid"}, "gaierror"),
            ({"port": free_port()}, "refused"),
            ({"password_file": "word"}, "word cannot be read"),
        ):
            settings = replace(office.settings, send=replace(send, **change))
            found = hand_over(Office(office.folder, settings, office.desk), b"x", "", ADDRESS)
            assert agrees([found], ["wrong: takes no letter"])
            assert words in found.says, found


COURSES = {
    "back": ["ok: server", "ok: it came back with its tag", "note: it is not signed (DKIM)"],
    "signed": ["ok: server", "ok: it came back with its tag", "ok: the key at mail._domainkey.example.org"],
    "signed by another": ["ok: server", "ok: it came back with its tag", "note: another domain has signed it"],
    "bare": ["ok: server", "wrong: lost the tag"],
    "bounced": ["ok: server", "wrong: cannot deliver it: 550 5.1.1 nobody of this name"],
    "lost": ["ok: server", "wrong: did not come back within 0.2 seconds"],
}


@pytest.mark.slow
@pytest.mark.parametrize("course", COURSES)
def test_the_letter_goes_round(course: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a mail server: the test changes the letter as one would."""
    monkeypatch.setattr(probe, "PAUSE", 0.01)

    def carry(office: Office, raw: bytes, sender: str, recipient: str) -> Diagnosis:
        match course:
            case "back":
                receive(office, raw, now(), recipient=recipient, sender=sender)
            case "signed" | "signed by another":
                domain = ADDRESS.rpartition("@")[2] if course == "signed" else "elsewhere.example"
                line = f"DKIM-Signature: v=1; a=rsa-sha256; d={domain}; s=mail; h=from; bh=x; b=x\r\n"
                receive(office, line.encode() + raw, now(), recipient=recipient, sender=sender)
            case "bare":
                receive(office, raw.replace(recipient.encode(), ADDRESS.encode()), now(), recipient=ADDRESS)
            case "bounced":
                said = "Diagnostic-Code: smtp; 550 5.1.1 nobody\r\n    of this name\r\n\r\n"
                report = b"From: MAILER-DAEMON@mx\r\n\r\n" + said.encode() + raw
                receive(office, report, now(), recipient=sender, sender="")
        return well("server", "server")

    monkeypatch.setattr(probe, "hand_over", carry)
    with desk_at(tmp_path / "desk") as office:
        assert agrees(round_trip(office, 0.2), COURSES[course])
        handle_waiting(office, now())
        assert office.desk.upkeep.counts() == {"waiting": 0, "aside": 0, "to-send": 0, "unsent": 0}, (
            "nobody is answered"
        )


UNREADABLE = (
    "line 1, column 1: address: 'x' is not an e-mail address",
    "line 2, column 1: clock: without days and without a bank no side could ever move in time",
    "line 3, column 10: port must be at most 65535, not the number 99999",
)
"""The doctor's report about settings with three faults."""


@pytest.mark.slow
def test_the_exit_status_says_how_it_went(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.mail.host.checks.doctor.name_diagnoses", lambda _, selectors: iter(()))
    folder = folder_of(tmp_path / "desk", listen=free_port(), send=free_port())
    quiet = referee("desk", "doctor", "--no-letter", "--desk", folder)
    assert (quiet.status, quiet.lines[-1]) == (0, "nothing is wrong")
    loud = referee("desk", "doctor", "--desk", folder)
    assert (loud.status, loud.lines[-1]) == (1, "1 thing is wrong")
    assert "server    127.0.0.1:" in loud.out
    with office_in(folder) as office:
        office.desk.upkeep.see(datetime(2026, 1, 2, tzinfo=UTC), reset=True)
    doubtful = [one.level for one in examine(folder, now(), wait=1) if one.about in ("clock", "letter", "server")]
    assert doubtful == [Severity.WRONG, Severity.NOTE], "nothing is sent by a wrong clock"
    (folder / "desk.sqlite").unlink()
    assert "the desk's store is missing" in [*examine(folder, now(), wait=None)][-1].says
    (folder / FILE).write_text("address: x\nclock: {days: 0}\nlisten: {port: 99999}\n")
    found = referee("desk", "doctor", "--format", "jsonl", "--desk", folder)
    assert (found.status, [json.loads(line)["says"] for line in found.lines]) == (2, [*UNREADABLE])
    (folder / FILE).unlink()
    assert referee("desk", "doctor", "--desk", folder).status == 2
