"""The page is the same from the same parts, and every change of it is reported."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from zipfile import ZipFile

import pytest

from referee.errors import RefereeError
from referee.web.onepage.one_page import differences, one_page, page_digest
from referee.web.onepage.parts import PYODIDE, PagePart, page_parts
from tests.support.command_line import referee

PARTS = (PagePart("one.json", "1", b'{"a.py": "1"}'), PagePart("two.wasm", "2", bytes(1000)))
PAGE = one_page(PARTS)


def packed(content: bytes, level: int = 9) -> str:
    return b64encode(zlib.compress(content, level)).decode()


FIRST = packed(PARTS[0].content)


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like that of the npm package, with files that are no programs."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in PYODIDE:
        (folder / name).write_text(name, encoding="utf-8")
    (folder / "pyodide-lock.json").write_text('{"info": {}, "packages": {"a": 1}}', encoding="utf-8")
    (folder / "package.json").write_text('{"version": "314.0.7"}', encoding="utf-8")
    return folder


def scripts(page: str) -> dict[str, bytes]:
    found = re.findall(r'<script type="application/octet-stream" id="([^"]+)">([^<]+)</script>', page)
    return {name: zlib.decompress(b64decode(text)) for name, text in found}


def test_every_part_is_in_the_page() -> None:
    assert scripts(PAGE) == {part.name: part.content for part in PARTS}


def test_the_page_runs_its_own_script_and_a_worker_and_reaches_nothing() -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', PAGE)
    said = dict(one.strip().split(" ", 1) for one in policy.replace("&#39;", "'").split(";"))
    assert said["default-src"] == "'none'"
    assert said["worker-src"] == "blob:"
    assert re.fullmatch(r"'sha256-[^']+' 'wasm-unsafe-eval'", said["script-src"])
    assert "connect-src" not in said


def test_the_page_names_its_parts_and_their_digest() -> None:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*)</script>', PAGE)
    told = json.loads(data)
    assert told["digest"] == page_digest(PARTS)
    assert [one["digest"] for one in told["parts"]] == [part.digest for part in PARTS]


def test_the_same_page_has_no_differences() -> None:
    assert [*differences(PAGE, PARTS)] == []


def test_a_page_that_was_packed_otherwise_is_the_same() -> None:
    other = PAGE.replace(FIRST, packed(PARTS[0].content, 0))
    assert other != PAGE
    assert [*differences(other, PARTS)] == []


_IMPORTING = """\
import json, sys
sys.modules["sqlalchemy"] = None
import referee.mail.evidence.testimony
from referee.web.onepage import bridge, duels, practices, proofs
names = [name for name in sys.modules if name.startswith("referee.")]
print(json.dumps([[name, hasattr(sys.modules[name], "__path__")] for name in names]))
"""


@pytest.mark.slow
def test_all_that_the_page_imports_is_in_it(pyodide: Path) -> None:
    run = subprocess.run([sys.executable, "-c", _IMPORTING], capture_output=True, text=True, check=True)
    (own,) = [part for part in page_parts(pyodide) if part.name == "referee.json"]
    held = json.loads(own.content)
    for name, has_parts in json.loads(run.stdout):
        assert f"{name.replace('.', '/')}{'/__init__' if has_parts else ''}.py" in held


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (FIRST, packed(b"{}"), "one.json"),
        (FIRST, "AAAA", "one.json"),
        ('id="one.json"', 'id="other"', "one.json"),
        ("default-src &#39;none&#39;", "default-src *", "page"),
        ('"use strict"', '"use  strict"', "page"),
        ("</main>", '</main><script type="application/octet-stream" id="two.wasm"></script>', "page"),
    ],
)
def test_every_change_is_reported(old: str, new: str, name: str) -> None:
    page = PAGE.replace(old, new, 1)
    assert page != PAGE
    assert name in {one.name for one in differences(page, PARTS)}


@pytest.mark.slow
def test_a_part_that_would_fill_the_memory_is_not_unpacked() -> None:
    page = PAGE.replace(FIRST, packed(bytes(50_000_000)))
    assert [one.name for one in differences(page, PARTS)] == ["one.json"]


@pytest.mark.slow
def test_the_parts_are_those_of_this_installation(pyodide: Path) -> None:
    parts = {part.name: part for part in page_parts(pyodide)}
    assert {*PYODIDE, "worker.js"} < parts.keys()
    own = json.loads(parts["referee.json"].content)
    assert {
        "referee/web/onepage/bridge.py",
        "referee/grammar/beams.lark",
        "referee/games/beams/opening.yaml",
    } < own.keys()
    left_out = (
        "referee/cli",
        "referee/mail/letters",
        "referee/mail/transport",
        "referee/web/onepage/page",
        "referee/web/api",
    )
    assert not any(name.startswith(left_out) for name in own)
    assert {"referee/mail/evidence/evidence.py", "referee/mail/intake/message/phrases.toml"} < own.keys()
    assert "referee/mail/host/daemon.py" not in own
    assert "lark/__init__.py" in json.loads(parts["lark.json"].content)
    assert any("LICENSE" in name for name in json.loads(parts["lark.json"].content))
    with ZipFile(io.BytesIO(parts["zones.zip"].content)) as zones:
        assert {"tzdata/zoneinfo/Europe/Vienna", "tzdata/zoneinfo/Europe/__init__.py"} < {*zones.namelist()}


@pytest.mark.parametrize("name", ["package.json", "pyodide.asm.wasm"])
def test_a_folder_without_a_file_is_refused(pyodide: Path, tmp_path: Path, name: str) -> None:
    for file in pyodide.iterdir():
        if file.name != name:
            (tmp_path / file.name).hardlink_to(file)
    with pytest.raises(RefereeError, match="no-pyodide"):
        page_parts(tmp_path)


@pytest.mark.slow
def test_the_command_makes_a_page_and_tells_whether_one_is_as_it_makes_it(pyodide: Path, tmp_path: Path) -> None:
    page = tmp_path / "referee.html"
    made = referee("page", "-o", str(page), "--pyodide", str(pyodide))
    assert made.status == 0
    digest = made.out.split()[-1]
    same = referee("page", "--verify", str(page), "--pyodide", str(pyodide))
    assert (same.status, same.out.split()[-1]) == (0, digest)
    page.write_text(page.read_text(encoding="utf-8").replace("no network", "a network"), encoding="utf-8")
    other = referee("page", "--verify", str(page), "--pyodide", str(pyodide))
    assert (other.status, other.out) == (1, f"{page}: page has another frame: text, style or script\n")


def test_the_command_does_one_thing(pyodide: Path) -> None:
    for arguments in ((), ("-o", "a.html", "--verify", "b.html"), ("-o", "a.pdf")):
        assert referee("page", *arguments, "--pyodide", str(pyodide)).status == 2
