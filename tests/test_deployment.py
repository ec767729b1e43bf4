"""The files in deploy/ fit each other, the project and the pages."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from yaml import safe_load

from referee.mail.office import create_office
from referee.mail.settings import read_settings, template
from tests.support.page_blocks import blocks

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
CONSTRAINTS = (DEPLOY / "constraints.txt").read_text(encoding="utf-8")
RELEASED = ("mail", "pictures", "proof", "page", "stamps", "web", "postgres", "zst", "sheets")
IMAGES = sorted(DEPLOY.rglob("Containerfile"))

SERVICE = {"build", "image", "environment", "depends_on", "networks", "volumes", "ports", "restart", "healthcheck"}
SERVICE |= {"stop_grace_period", "tmpfs", "read_only", "cap_drop", "security_opt"}
"""The keys of a service that are used here, from Compose's specification."""


def test_services_name_what_is_there() -> None:
    assert set(COMPOSE) == {"name", "services", "networks", "volumes"}
    made = "".join(blocks(ROOT / "docs" / "setup.md", "sh", "In containers"))
    for name, service in COMPOSE["services"].items():
        assert set(service) <= SERVICE, name
        assert ("build" in service) is not ("image" in service)
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        assert set(service.get("depends_on", ())) <= set(COMPOSE["services"]) - {name}
        for mounted in service["volumes"]:
            source, target, *_ = mounted.split(":")
            there = source in COMPOSE["volumes"] or (DEPLOY / source).exists() or source.removeprefix("./") in made
            assert (there, target[0]) == (True, "/"), mounted


def test_only_the_mail_servers_can_be_reached_from_outside() -> None:
    reached = {name for name, service in COMPOSE["services"].items() if "ports" in service}
    assert reached == {name for name, one in COMPOSE["services"].items() if "outside" in one["networks"]}
    assert reached == {"postfix", "dovecot"}
    assert COMPOSE["networks"]["inside"]["internal"] is True
    (subnet,) = (one["subnet"] for one in COMPOSE["networks"]["inside"]["ipam"]["config"])
    assert f"mynetworks = 127.0.0.0/8 {subnet}\n" in (DEPLOY / "postfix" / "main.cf").read_text(encoding="utf-8")


KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


@pytest.mark.parametrize("file", IMAGES, ids=lambda file: file.parent.name)
def test_an_image_is_made_of_what_is_there(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    context = ROOT if file.parent == DEPLOY else file.parent
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for sources in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE):
        assert all((context / source).exists() for source in sources.split())
        assert context is not ROOT or all(f"!{source}" in sent for source in sources.split())
    assert text.count("\nHEALTHCHECK ") == text.count("\nCMD ") == 1
    assert ("\nUSER referee\n" in text) is (context is ROOT)


def test_the_settings_of_the_composition_are_valid(tmp_path: Path) -> None:
    added = (DEPLOY / "desk.yaml").read_text(encoding="utf-8")
    path = tmp_path / "desk.yaml"
    begun = template("desk@example.org", "postgresql://referee@database/desk", "0123456789abcdef", KEY)
    path.write_text(begun + added, encoding="utf-8")
    settings = read_settings(path)
    assert (settings.listen.host, settings.send.host) == ("0.0.0.0", "postfix")
    assert settings.send.host in COMPOSE["services"]


def test_the_unit_runs_what_the_page_installs() -> None:
    unit = (DEPLOY / "referee.service").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "setup.md").read_text(encoding="utf-8")
    (program, folder) = re.findall(r"^ExecStart=(\S+) desk serve --desk (\S+)$", unit, re.MULTILINE)[0]
    assert f"{program} desk init {folder} " in page
    assert all(f"\n{line}=" in unit for line in ("NoNewPrivileges", "ProtectSystem", "CapabilityBoundingSet"))


def test_the_timer_makes_backups_as_the_page_installs_it(tmp_path: Path) -> None:
    """The command of the unit runs here, with other folders."""
    unit = (DEPLOY / "referee-backup.service").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "setup.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    program, desk = "/opt/referee/bin/referee", "/var/lib/referee/desk"
    assert f"{program} desk init {desk} " in page
    kept = "/var/backups/referee"
    assert f"ReadWritePaths={kept}\n" in unit
    assert f"install -d -m 700 -o referee -g referee {kept}\n" in page
    assert "systemctl enable --now referee-backup.timer" in page
    create_office(tmp_path / "desk", "desk@example.org", "desk.sqlite")
    run = command.replace("%%", "%").replace("$$", "$").replace(kept, str(tmp_path))
    run = run.replace(desk, str(tmp_path / "desk")).replace(program, f"{sys.executable} -m referee")
    subprocess.run(["/bin/sh", "-c", run], check=True, capture_output=True)
    (backup,) = tmp_path.glob("2*.backup")
    assert backup.stat().st_size
    timer = (DEPLOY / "referee-backup.timer").read_text(encoding="utf-8")
    assert ("OnCalendar=" in timer, "Persistent=true" in timer, "Unit=" in timer) == (True, True, False)


def test_cron_lines_name_the_program_that_the_pages_install() -> None:
    """Cron and mail servers look for no program in /opt."""
    page = (ROOT / "docs" / "desk.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if re.match(r"\S+ \S+ \* \* \*  |  argv=", line)]
    assert len(lines) == 4
    assert not [line for line in lines if re.search(r"(?<!/opt/referee/bin/)\breferee desk ", line)]


def test_every_library_of_a_release_is_pinned_with_its_digest() -> None:
    """The libraries of the extras for containers and for the one page, with all their dependencies."""
    pinned = dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", CONSTRAINTS, re.MULTILINE))
    assert len(re.findall("^[a-z].*==", CONSTRAINTS, re.MULTILINE)) == len(pinned)
    for name in pinned:
        assert re.search(rf"^{re.escape(name)}==.*\\\n    --hash=sha256:[0-9a-f]{{64}}", CONSTRAINTS, re.MULTILINE), (
            name
        )
    waiting = [Requirement(f"referee[{','.join(RELEASED)}]"), Requirement("hatchling")]
    seen = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name != "referee":
            assert pinned[name] in wanted.specifier, wanted
        for extra in ("", *wanted.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                asked = map(Requirement, metadata.requires(name) or ())
                waiting += (one for one in asked if one.marker is None or one.marker.evaluate({"extra": extra}))
