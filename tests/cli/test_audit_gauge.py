"""An audit shows its progress with the moves of engines on a terminal, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.terminals import on_terminal
from tests.support.command_line import referee

LOGS = Path(__file__).parents[2] / "spec" / "vectors"
SAID = "making the engines' moves again"


@pytest.mark.slow
def test_an_audit_shows_on_a_terminal_how_many_engine_moves_it_has_made() -> None:
    with_engines = on_terminal([sys.executable, "-m", "referee", "audit", str(LOGS / "the-beam-engines.jsonl")])
    assert with_engines.status == 0
    assert SAID in with_engines.text
    assert "100%" in with_engines.text
    without = on_terminal([sys.executable, "-m", "referee", "audit", str(LOGS / "beams-invited.jsonl")])
    assert SAID not in without.text


@pytest.mark.slow
def test_an_audit_whose_output_is_read_by_programs_shows_nothing_else() -> None:
    run = referee("audit", LOGS / "the-beam-engines.jsonl")
    assert (run.status, run.err) == (0, "")
    assert SAID not in run.out
