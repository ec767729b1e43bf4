"""The notebooks in docs/notebooks run, and print what they show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.rows import each

pytestmark = [pytest.mark.slow, pytest.mark.data]


def printed(cells: list[dict[str, Any]]) -> list[str]:
    """What each cell of code prints; a cell that has not run prints nothing."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return ["".join("".join(one.get("text", "")) for one in cell["outputs"]) for cell in code]


@each(sorted(Path("docs/notebooks").glob("*.ipynb")))
def test_a_notebook_prints_what_it_shows(notebook: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="needs pip install -e '.[dev-slow]'")
    nbformat = pytest.importorskip("nbformat", reason="needs pip install -e '.[dev-slow]'")
    shown = json.loads(notebook.read_text())
    run = nbclient.NotebookClient(nbformat.reads(notebook.read_text(), 4), timeout=300).execute()
    assert printed(run["cells"]) == printed(shown["cells"])
    assert notebook.stat().st_size < 60_000
