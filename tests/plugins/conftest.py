"""Three Crows and Hex, installed for the tests of this folder and removed after them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

CROWS, HEX = Path(__file__).parent / "crows", Path(__file__).parent / "hex"

Install = Callable[..., None]


def installed(folder: Path, package: str, *offers: str, source: Path | None = None) -> None:
    """Put a package that offers games into a folder of the path, as pip would install it."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("\n".join(["[referee.games]", *offers]), encoding="utf-8")
    if source is not None:
        (folder / source.name).symlink_to(source)


def forget() -> None:
    """Look up the games of other packages again, as a new process does."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "referee"]
    for remembered in [value for module in modules for value in vars(module).values()]:
        if hasattr(remembered, "cache_clear"):
            remembered.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of the path in which both are installed."""
    folder = tmp_path_factory.mktemp("site")
    installed(folder, "referee-crows", "three-crows = referee_crows:GAME", source=CROWS / "referee_crows")
    installed(folder, "referee-hex", "hex = referee_hex:GAME", source=HEX / "referee_hex")
    sys.path.insert(0, str(folder))
    forget()
    yield folder
    sys.path.remove(str(folder))
    forget()


@pytest.fixture
def offers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A function that installs a package which offers games, for one test."""
    monkeypatch.syspath_prepend(tmp_path)

    def offer(package: str, *lines: str) -> None:
        installed(tmp_path, package, *lines)
        forget()

    yield offer
    forget()
