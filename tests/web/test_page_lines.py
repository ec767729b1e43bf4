"""The tree of lines in the referee in one page: it gives back the lines that it was made of, and grows with play."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import referee.web.onepage

MODULE = Path(referee.web.onepage.__file__).parent / "page" / "lines.js"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


def variation(ply: int, moves: str, *inner: object) -> dict[str, Any]:
    return {"ply": ply, "plies": [{"south": move} for move in moves], "variations": inner}


def written(line: str, variations: list[dict[str, Any]], act: str = "") -> Any:  # noqa: ANN401 - plain data
    """The lines that a tree gives after some statements about it."""
    module = f"data:text/javascript;base64,{base64.b64encode(MODULE.read_bytes()).decode()}"
    given = json.dumps([[{"south": move} for move in line], variations])
    code = f"""import {{ cut, followed, linesOf, mainLine, promote, written }} from "{module}";
        const tree = linesOf(...{given});
        const last = mainLine(tree).at(-1);
        {act};
        console.log(JSON.stringify(written(tree)));"""
    done = subprocess.run(
        ["node", "--input-type=module"], input=code, capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


AFTER = [variation(1, "x"), variation(3, "cd", variation(5, "e")), variation(3, "f")]


@pytest.mark.parametrize(
    ("act", "line", "variations"),
    [
        ("", "ab", AFTER),
        ("followed(last, {south: 'c'})", "ab", AFTER),
        ("followed(last, {south: 'g'})", "ab", [*AFTER, variation(3, "g")]),
        ("promote(followed(last, {south: 'f'}))", "abf", AFTER[:2]),
        ("[...last.children].map(cut); followed(last, {south: 'g'})", "abg", AFTER[:1]),
    ],
)
def test_variations_behind_the_last_ply_are_no_moves_of_the_game(
    act: str, line: str, variations: list[dict[str, Any]]
) -> None:
    expected = {"line": [{"south": move} for move in line], "variations": variations}
    assert written("ab", AFTER, act) == json.loads(json.dumps(expected))


def test_a_move_behind_the_last_ply_goes_on_with_the_game() -> None:
    assert written("ab", [], "followed(last, {south: 'c'})")["line"] == [{"south": move} for move in "abc"]
