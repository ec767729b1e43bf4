"""Seals that a browser makes on the pages are those of the desk (spec/log.md, "Seals")."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import pytest

import referee.web.site
from referee.desk import Past, seal_lines

MODULE = Path(referee.web.site.__file__).parent / "static" / "seals.js"
NONCE = bytes(range(32))
PLY = {"game": "spring-7", "opening": "5c" * 32, "head": "cc" * 32, "number": 1, "side": "south", "rules": "beams 1"}
PLIES = [
    (PLY, "P M1 A2 12"),
    ({**PLY, "number": 117, "side": "north", "head": "0f" * 32}, "R B3 L"),
    ({**PLY, "game": "a-1", "rules": "überspiel 2", "side": "süd"}, "Zug ♞ e4"),
]

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


def told_by_script(script: str, given: object = None) -> str:
    """The value of an expression, as JSON, in a module with the browser's code for seals, and `given`."""
    # As a data URL it is always a module; Node 20 takes a bare .js file for a script.
    source = base64.b64encode(MODULE.read_bytes()).decode()
    code = f"""import {{ drawNonce, sealLines }} from "data:text/javascript;base64,{source}";
        const given = {json.dumps(given)};
        console.log(JSON.stringify({script}));"""
    command = ["node", "--input-type=module"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


def test_a_seal_of_the_browser_is_that_of_the_desk() -> None:
    given = [{"ply": ply, "move": move} for ply, move in PLIES]
    script = f"await Promise.all(given.map(({{ ply, move }}) => sealLines(ply, move, '{NONCE.hex()}')))"
    for (ply, move), made in zip(PLIES, json.loads(told_by_script(script, given)), strict=True):
        past = Past(str(ply["opening"]), str(ply["head"]))
        seal, reveal = seal_lines(
            str(ply["game"]), int(str(ply["number"])), str(ply["side"]), str(ply["rules"]), move, NONCE, past
        )
        assert made == {"seal": seal, "reveal": reveal}


def test_a_seal_of_the_browser_is_that_of_the_page_about_logs() -> None:
    made = json.loads(told_by_script(f"await sealLines(given, 'P M1 A2 12', '{NONCE.hex()}')", PLY))
    assert made["seal"] == "seal a24a5c85467d48a9ddf8730f929c1d3d0aec79e6e8900f696a4535abf8502b82"


def test_every_nonce_is_another_one_of_sixty_four_digits() -> None:
    nonces = json.loads(told_by_script("Array.from({ length: 1000 }, drawNonce)"))
    assert len(set(nonces)) == 1000
    assert all(len(bytes.fromhex(nonce)) == 32 for nonce in nonces)


def test_a_line_feed_within_a_line_is_refused() -> None:
    refused = "await sealLines(given, 'P M1\\nA2 12', 'ab').then(() => 'sealed', (error) => error.name)"
    assert json.loads(told_by_script(refused, PLY)) == "RangeError"
