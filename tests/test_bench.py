"""The benchmarks and their page of results. No test measures anything."""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from bench.__main__ import PARTS
from bench.ended import KEPT, ended_games
from bench.figures import Figure
from bench.games import random_game
from bench.results import PAGE, replaced, section
from bench.startup import imported
from bench.whole_letters import spent_by
from referee.archives.files.shards import Shard
from referee.archives.judge import check_shard
from referee.game import dumps, to_json


def test_the_kept_games_of_boundary_are_won_on_the_board() -> None:
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    (report,) = check_shard(Shard.of_lines(lines))
    assert (report.wrong, report.ends) == (0, {"trees": len(lines)})
    assert len(set(re.findall(r'"moves": .*', "\n".join(lines)))) == len(lines)


def test_games_of_archives_have_results_and_end() -> None:
    for name in ("beams", "boundary", "the-beam", "laser-chess"):
        games = ended_games(name, {}, 5, "test")
        (report,) = check_shard(Shard.of_lines(map(to_json, games)))
        assert (len(games), report.wrong, report.ends["not over"]) == (5, 0, 0)


def test_the_peer_of_check_imports_no_library_but_those_that_check_imports(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(dumps(random_game("beams", random.Random(1), plies=4)), encoding="utf-8")
    modules = {name.partition(".")[0] for name in imported(["check", str(file)])}
    assert "click" in modules
    assert not modules & {"referee", "lark", "pydantic", "sqlalchemy"}


def test_every_section_of_the_results_is_of_a_part_or_of_a_command_of_its_own() -> None:
    headings = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {*headings} - {*PARTS} == {"Levels of engines", "A year of a club", "Before and after the fast lane"}
    assert {*PARTS} - {*headings} <= {"strength"}, "the table of levels has its games"


def test_a_part_replaces_its_own_section_of_the_results() -> None:
    text = section("desk", "What it shows.\n\nMore.", [Figure("a letter", "5 ms", "10 ms", 0.5, "at most 1")])
    page = "# Results\n\n## desk\n\nold\n\n## ticks\n\nrows\n"
    assert text.splitlines()[2] == "What it shows."
    assert text.splitlines()[-1] == "| a letter | 5 ms | 10 ms | 0.50 | at most 1 |"
    assert replaced(page, "desk", text) == f"# Results\n\n{text}\n## ticks\n\nrows\n"
    assert replaced(page, "notes", text) == f"{page}\n{text}"


def test_a_process_that_ends_while_it_is_measured_counts_as_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(process: int) -> float:
        if process != os.getpid():
            raise FileNotFoundError(process)
        return 2.0

    monkeypatch.setattr("bench.whole_letters.processor", taken)
    with subprocess.Popen(["sleep", "60"]) as child:
        assert spent_by(os.getpid()) == 2.0
        child.kill()
    assert spent_by(child.pid) == 0.0
