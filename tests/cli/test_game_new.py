"""`referee game new`: the package that it writes works, and passes its own tests and the contract of every game."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from referee.testing import contract, plugin
from tests.plugins.conftest import installed
from tests.support.command_line import referee as command

ROOT = Path(__file__).resolve().parents[2]
PYTEST = [sys.executable, "-m", "pytest", "-p", plugin.__name__]
ALL_GAMES = sum(name.startswith("test_") for name in vars(contract))
"""The number of tests in the contract of every game."""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new package."""
    monkeypatch.chdir(tmp_path)
    said = command("game", "new", "four-stones")
    assert said.out == "wrote four-stones: pip install -e four-stones pytest, and then pytest four-stones\n"
    return tmp_path / "four-stones"


def run(*arguments: object, folder: Path, path: str = "") -> str:
    """The output of a command, which must succeed."""
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [str(one) for one in arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def path(written: Path, tmp_path: Path) -> str:
    """The path of modules with which a new package is installed."""
    site = tmp_path / "site"
    site.mkdir()
    installed(site, "referee-four-stones", "four-stones = referee_four_stones:GAME")
    return os.pathsep.join(map(str, (site, written, ROOT)))


@pytest.mark.slow
def test_a_new_package_passes_all_tests_at_once(written: Path, path: str) -> None:
    its_own = 2
    assert f"{its_own + ALL_GAMES} passed" in run(*PYTEST, folder=written, path=path)


@pytest.mark.slow
def test_the_contract_runs_from_any_folder(written: Path, path: str) -> None:
    said = run(*PYTEST, "-c", written / "pyproject.toml", ROOT / "referee" / "testing", folder=written, path=path)
    assert f"{ALL_GAMES} passed" in said


@pytest.mark.slow
def test_a_new_package_is_installed_by_pip(written: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False)
    (packages,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    shared = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    lines = [f"import site; site.addsitedir({path!r})\n" for path in shared]
    (packages / "shared.pth").write_text("".join(lines), encoding="utf-8")
    python = tmp_path / "env" / "bin" / "python"
    options = ("-q", "--no-index", "--no-deps", "--no-build-isolation")
    run(python, "-m", "pip", "install", *options, written, folder=tmp_path)
    said = run(python, "-m", "referee", "check", written / "referee_four_stones" / "games", folder=tmp_path)
    assert "ok, 5 plies" in said


@pytest.mark.slow
def test_its_code_is_clean(written: Path) -> None:
    run(sys.executable, "-m", "ruff", "check", "--config", ROOT / "pyproject.toml", ".", folder=written)
    run(sys.executable, "-m", "ruff", "format", "--check", "--config", ROOT / "pyproject.toml", ".", folder=written)
    run(sys.executable, "-m", "mypy", "--strict", "referee_four_stones", "tests", folder=written, path=str(ROOT))


@pytest.mark.parametrize(("name", "says"), [("Chess!", "cannot name a game"), ("beams", "there is a game 'beams'")])
def test_a_name_that_cannot_be_is_refused(name: str, says: str, tmp_path: Path) -> None:
    said = command("game", "new", name, "-o", tmp_path / "made")
    assert (said.status, says in said.err, (tmp_path / "made").exists()) == (2, True, False)


def test_a_folder_is_not_overwritten(written: Path) -> None:
    said = command("game", "new", "four-stones")
    assert (said.status, "exists" in said.err) == (2, True)


def test_pytest_finds_the_plug_in_of_the_package() -> None:
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert offered == {"pytest11": {plugin.__name__: plugin.__name__}}
