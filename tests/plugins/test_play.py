"""A game of another package at the terminal."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import referee as command


def test_no_game_begins_against_an_engine_that_it_does_not_have(tmp_path: Path) -> None:
    kept = tmp_path / "kept.yaml"
    said = command("play", "hex", "--against", 1, "-o", kept)
    assert (said.status, said.out, kept.exists()) == (1, "", False)
    assert said.err.startswith("no-engine: no engine plays Hex yet")
