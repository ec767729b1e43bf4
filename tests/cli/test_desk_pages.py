"""`referee desk pages`: its errors without pages to serve, or without the libraries for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.desk.pages import pages_beside
from referee.desk import Change, Pairing
from referee.mail.office import now, office_in
from referee.web.site import Site
from tests.support.command_line import referee
from tests.support.servers import folder_of

WITHOUT = """\
import sys
sys.modules["uvicorn"] = None
from referee.cli import main
main()
"""


def test_pages_need_an_address_in_the_settings(tmp_path: Path) -> None:
    run = referee("desk", "pages", "--desk", folder_of(tmp_path / "desk"))
    assert run.status == 2
    assert "desk.yaml names no address for web pages under 'pages'" in run.err


@pytest.mark.slow
@pytest.mark.parametrize("command", ["pages", "serve"])
def test_a_missing_extra_is_reported(command: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk")
    with (folder / "desk.yaml").open("a") as file:
        file.write("pages: https://desk.example.org\n")
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, "desk", command, "--desk", str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("missing-extra: this needs uvicorn")
    assert "pip install 'referee[web]'" in run.stderr


def test_the_host_takes_browsers_back(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk")
    with office_in(folder) as office:
        pairings = tuple(Pairing(f"{number}" * 64, "ada@players.example", now()) for number in range(2))
        office.desk.games.change(None, now(), lambda _: Change(pairings=pairings))
    for said in ("2 browsers unpaired\n", "0 browsers unpaired\n"):
        assert referee("desk", "unpair", "Ada@players.example", "--desk", folder) == (0, said, "")


@pytest.mark.parametrize(
    ("address", "taken"),
    [("https://desk.example.org", True), ("http://127.0.0.1:8080", True), ("http://desk.example.org", False)],
)
def test_moves_are_accepted_only_over_a_private_connection(address: str, taken: bool, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk")
    with (folder / "desk.yaml").open("a") as file:
        file.write(f"pages: {address}\nweb: {{moves: submit}}\n")
    run = referee("desk", "status", "--desk", folder)
    assert (run.status == 0) is taken
    assert ("'moves: submit' needs pages at an address that begins with https://" in run.err) is not taken


@pytest.mark.parametrize(
    ("settings", "level"),
    [
        ("open: players\n", 8),
        ("open: players\nengines: {level: 5}\n", 5),
        ("open: players\nengines: {cores: 0}\n", None),
        ("open: host\n", None),
    ],
)
def test_engines_are_offered_where_people_open_games_by_letter(
    settings: str, level: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Site] = []
    monkeypatch.setattr("referee.web.site.open_pages", lambda site, *_, **_ways: opened.append(site))
    folder = folder_of(tmp_path / "desk")
    with (folder / "desk.yaml").open("a") as file:
        file.write(f"pages: https://desk.example.org\n{settings}")
    with office_in(folder) as office:
        pages_beside(office, lambda: None)
    (site,) = opened
    assert (site.engines and site.engines.level) == level
