"""The public surface is typed: mypy finds every misuse of it, and nothing else; and there is no Any in it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import referee

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


def surface() -> dict[str, Any]:
    """Every public function, and every public method and property of a public class."""
    found: dict[str, Any] = {}
    for name in referee.__all__:
        value = getattr(referee, name)
        if inspect.isfunction(value):
            found[name] = value
        elif inspect.isclass(value):
            found[f"{name} itself"] = value
            for member, one in inspect.getmembers(value):
                own = one.fget if isinstance(one, property) else inspect.unwrap(one) if callable(one) else None
                if (not member.startswith("_") or member == "__init__") and inspect.isfunction(own):
                    found[f"{name}.{member}"] = own
    return found


def mentions_any(hint: object) -> bool:
    inner = hint if isinstance(hint, list) else get_args(hint)
    return hint is Any or any(map(mentions_any, inner))


@pytest.mark.parametrize("name", surface())
def test_nothing_public_is_of_any_type(name: str) -> None:
    module = sys.modules[surface()[name].__module__]
    hints = get_type_hints(surface()[name], localns={"Cursor": object, **vars(module)})
    assert not [one for one, hint in hints.items() if mentions_any(hint)]
