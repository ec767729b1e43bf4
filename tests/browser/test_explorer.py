"""Runs the browser's tests on a page of openings and on a notebook with two widgets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import referee
from referee.archives.explorer import explorer_page
from referee.archives.files.shards import Shard
from referee.archives.tree import Explorer, first_steps
from referee.game import to_json
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.archives import lines
from tests.support.records import HOSTILE, hostile

pytestmark = in_a_browser

NOTEBOOK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Notebook</title>
<main><h1>Notebook</h1>{}{}</main></html>"""


def test_openings_and_widgets_in_chromium(tmp_path: Path) -> None:
    examples = [referee.read(path) for path in sorted(Path("games").glob("*/*.yaml"))]
    shorter = [replace(game, rounds=game.rounds[:2], result=None, ending=None) for game in examples]
    made = [*lines("laser-chess", 12, 3), *map(to_json, (*examples, *shorter))]
    explorer = Explorer()
    explorer.add(first_steps(Shard.of_lines(made), 6))
    explorer.cut(1, 100)
    html = explorer_page(explorer.openings(), least=1, notes=HOSTILE)
    (tmp_path / "openings.html").write_text(html, encoding="utf-8")
    widgets = [referee.show(game)._repr_html_() for game in (examples[0], hostile("\n".join(HOSTILE)))]
    (tmp_path / "notebook.html").write_text(NOTEBOOK.format(*widgets), encoding="utf-8")
    run_in_chromium("explorer.test.js", tmp_path)
