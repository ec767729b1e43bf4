"""The public surface is typed: mypy finds every misuse of it, and nothing else; and there is no Any in it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import referee
from tests.support.rows import each

HERE = Path(__file__).parent
FOUND = re.compile(r"^.*misuse\.py:(\d+): error: .*\[([\w-]+)\]$", re.MULTILINE)
MARKED = re.compile(r"  # E: ([\w-]+)$")


@pytest.mark.slow
def test_mypy_finds_each_misuse_and_nothing_else() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--enable-error-code=union-attr", "--config-file="]
    done = subprocess.run(
        [*command, HERE / "correct.py", HERE / "misuse.py"],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert "correct.py" not in done.stdout, done.stdout
    lines = (HERE / "misuse.py").read_text().splitlines()
    marked = {(number, found[1]) for number, line in enumerate(lines, 1) if (found := MARKED.search(line))}
    assert {(int(number), code) for number, code in FOUND.findall(done.stdout)} == marked, done.stdout


def reached(hint: object) -> Iterator[type]:
    """The classes of the package in a hint."""
    for inner in (*get_args(hint), *(hint if isinstance(hint, list) else ())):
        yield from reached(inner)
    if inspect.isclass(hint) and hint.__module__.startswith("referee."):
        yield hint


def hints(value: Callable[..., object] | type) -> dict[str, Any]:
    names = {"Cursor": object, "Repair": object, **vars(sys.modules[value.__module__])}
    return {name: hint for name, hint in get_type_hints(value, localns=names).items() if name[0] != "_"}


def members(value: type) -> Iterator[tuple[str, Any]]:
    """The public functions and properties of a class, and how it is made."""
    for name, member in inspect.getmembers(value):
        own = member.func if isinstance(member, cached_property) else member
        own = own.fget if isinstance(own, property) else inspect.unwrap(own) if callable(own) else None
        if (not name.startswith("_") or name == "__init__") and inspect.isfunction(own):
            yield name, own


@cache
def surface() -> dict[str, Any]:
    """Everything public, and every class, attribute, function and property that is reached from there."""
    found: dict[str, Any] = {}
    waiting = [getattr(referee, name) for name in referee.__all__]
    while waiting:
        value = waiting.pop()
        if not (inspect.isfunction(value) or inspect.isclass(value)) or value in found.values():
            continue
        found[f"{value.__module__}.{value.__qualname__}"] = value
        waiting += [one for hint in hints(value).values() for one in reached(hint)]
        if inspect.isclass(value):
            waiting += [member for _, member in members(value) if member.__module__.startswith("referee.")]
    return found


def mentions_any(hint: object) -> bool:
    inner = hint if isinstance(hint, list) else get_args(hint)
    return hint is Any or any(map(mentions_any, inner))


@each(surface())
def test_nothing_public_is_of_any_type(name: str) -> None:
    assert not [one for one, hint in hints(surface()[name]).items() if mentions_any(hint)]
