"""The benchmarks: what they measure is what docs/figures.md says of it. No test measures anything."""

from __future__ import annotations

import random
import re
from pathlib import Path

from bench.__main__ import PARTS
from bench.ended import KEPT, ended_games
from bench.games import random_game
from bench.startup import imported
from referee.archive.files.shards import Shard
from referee.archive.judge import check_shard
from referee.game.file.dumper import dumps, to_json


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
    assert not modules & {"referee", "yaml", "lark", "pydantic", "sqlalchemy"}


def test_the_page_of_figures_names_every_part() -> None:
    page = Path("docs/figures.md").read_text(encoding="utf-8").partition("## Measure it yourself")[2]
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == sorted(PARTS)
