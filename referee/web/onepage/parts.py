"""The parts of the referee in one page: Pyodide, libraries, our own rooms and time zones, with their digests."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.resources import files
from pathlib import Path, PurePosixPath
from zipfile import ZipFile, ZipInfo

import referee
from referee.data import data
from referee.draw.html import joined_modules
from referee.errors import RefereeError

HERE = Path(__file__).parent / "page"
"""The folder of the page's template, style sheet and scripts."""

PYODIDE = ("pyodide.js", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""The files of Pyodide: CPython as WebAssembly, and its start."""

_LIBRARIES = ("lark", "PyYAML", "jinja2", "markupsafe", "dkimpy")
_OWN = "referee"
_LEFT_OUT = ("cli/", "mail/", "web/", "draw/scenes/fonts/")
"""Rooms that need a terminal, a desk or a server, and the fonts for PNG and PDF."""

_KEPT = (
    *(f"web/{name}.py" for name in ("__init__", "onepage/__init__")),
    *(f"web/onepage/{name}.py" for name in ("bridge", "curve", "duels", "practices", "proofs", "study")),
    "mail/__init__.py",
    "mail/addresses.py",
    "mail/evidence/",
    "mail/intake/",
)
"""The parts of these rooms that the page needs: its own calls, and the reading of letters for an audit."""

_TEXTS = (".py", ".yaml", ".toml", ".lark", ".json", ".jinja", ".css", ".js")
_LICENCES = ("license", "licence", "copying", "authors")


@dataclass(frozen=True)
class PagePart:
    """A part of the page: a file of Pyodide, or a library, with its unpacked content.

    A name that ends in .json is a bundle: the texts of its files by name.
    """

    name: str
    version: str
    content: bytes

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of its content."""
        return sha256(self.content).hexdigest()


def page_parts(pyodide: Path) -> tuple[PagePart, ...]:
    """All parts of the page, by the folder of Pyodide's npm package; RefereeError `no-pyodide` or `missing-extra`."""
    return (
        *_pyodide_parts(pyodide),
        PagePart("worker.js", referee.__version__, joined_modules("worker.js", HERE).encode()),
        *(_bundle(name, _installed(name), _library_files(name)) for name in _LIBRARIES),
        _bundle(_OWN, referee.__version__, _own_files()),
        PagePart("zones.zip", _installed("tzdata"), _zone_package()),
    )


def _pyodide_parts(folder: Path) -> Iterator[PagePart]:
    number = json.loads(_read(folder / "package.json"))["version"]
    for name in PYODIDE:
        yield PagePart(name, number, _read(folder / name))
    # Without the list of packages on a server, because the page has no server.
    info = json.loads(_read(folder / "pyodide-lock.json"))["info"]
    yield PagePart("pyodide.lock", number, json.dumps({"info": info, "packages": {}}, sort_keys=True).encode())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        said = f"{path} cannot be read ({(error.strerror or '').lower()})"
        raise RefereeError("no-pyodide", f"{said}: expected a folder with the npm package pyodide") from None


def _library_files(name: str) -> Mapping[str, str]:
    return {str(one): one.read_text(encoding="utf-8") for one in distribution(name).files or () if _belongs(str(one))}


def _belongs(name: str) -> bool:
    inside = "__pycache__" not in name and not name.startswith("..")
    said = "dist-info" in name and any(word in name.casefold() for word in (*_LICENCES, "metadata"))
    return inside and (said or ("dist-info" not in name and name.endswith((".py", ".lark"))))


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        said = f"this needs {name}, which is not installed: pip install 'referee[page]'"
        raise RefereeError("missing-extra", said) from None


def _own_files() -> Mapping[str, str]:
    """The rooms that the page needs, with the grammars and the data of games."""
    roots = {"": Path(referee.__file__).parent, "grammar/": data("grammar"), "games/": data("games")}
    return {
        f"{_OWN}/{name}": file.read_text(encoding="utf-8")
        for start, root in roots.items()
        for file in sorted(root.rglob("*"))
        if (name := f"{start}{file.relative_to(root).as_posix()}").endswith(_TEXTS)
        and (name.startswith(_KEPT) or not name.startswith(_LEFT_OUT))
    }


def _zone_package() -> bytes:
    """The package tzdata as one file that Python imports from: the time zones for the clocks of logs."""
    zones = {f"zoneinfo/{name}" for name in _zone_file("zones").decode().split()}
    packages = {str(folder / "__init__.py") for name in zones for folder in PurePosixPath(name).parents}
    packed = io.BytesIO()
    with ZipFile(packed, "w") as package:
        for name in sorted(zones | packages):
            entry = ZipInfo(f"tzdata/{name}")
            entry.create_system = 3  # the same bytes on any machine
            package.writestr(entry, _zone_file(name))
    return packed.getvalue()


def _zone_file(name: str) -> bytes:
    return files("tzdata").joinpath(*name.split("/")).read_bytes()


def _bundle(name: str, number: str, files: Mapping[str, str]) -> PagePart:
    content = json.dumps(files, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return PagePart(f"{name}.json", number, content.encode())
