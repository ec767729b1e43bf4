"""Games are judged and audited without the libraries of the store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_an_audit_needs_no_database() -> None:
    code = "import sys, referee.desk; assert not {'sqlalchemy', 'psycopg'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=True, timeout=60)
