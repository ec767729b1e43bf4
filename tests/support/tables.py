"""Tables of cases: YAML files next to their tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Ten times as fast where PyYAML has it; the tables are read by each process of a test run."""


def table(file: Path) -> Any:  # noqa: ANN401 - whoever asks knows its form
    """The data in a YAML file."""
    return yaml.load(file.read_text(encoding="utf-8"), _LOADER)
