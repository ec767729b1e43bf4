"""The rooms of desk and mail: their imports, and the one meaning of each act (tests/test_names.py has the names)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from referee.desk.log import acts, events
from tests.support.sources import code, texts

ROOT = Path(__file__).parents[2]
FILES = [path for path in texts() if path.parts[0] in ("desk", "mail")]


@pytest.mark.slow
def test_an_audit_needs_no_database() -> None:
    code = "import sys, referee.desk; assert not {'sqlalchemy', 'psycopg'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


@pytest.mark.slow
def test_an_act_is_defined_once() -> None:
    classes = [(node.name, path.name) for path in FILES for node in code(path).body if isinstance(node, ast.ClassDef)]
    said = {kind.__name__ for kind in get_args(acts.Command | acts.Order)}
    twice = {(name, file) for name, file in classes if name in said and file != "acts.py"}
    assert twice == set()
    assert {events.MessageSent, events.VacationTaken} <= set(get_args(events.LogEvent))
