"""The rooms of desk and mail: what they import, and that each name in them has one meaning."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import get_args

from referee.desk import acts, events
from tests.support.rows import each

ROOT = Path(__file__).parents[2]
FILES = sorted(path for room in ("desk", "mail") for path in (ROOT / "referee" / room).rglob("*.py"))


def test_an_audit_needs_no_database() -> None:
    code = "import sys, referee.desk; assert not {'sqlalchemy', 'psycopg'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


@each(FILES)
def test_nothing_is_imported_under_another_name(path: Path) -> None:
    found = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.alias)]
    assert [alias.name for alias in found if alias.asname is not None] == []


def test_an_act_is_defined_once() -> None:
    classes = [
        (node.name, path.name)
        for path in FILES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    said = {kind.__name__ for kind in get_args(acts.Command | acts.Order)}
    twice = {(name, file) for name, file in classes if name in said and file != "acts.py"}
    assert twice == set()
    assert {events.MessageSent, events.VacationTaken} <= set(get_args(events.LogEvent))
