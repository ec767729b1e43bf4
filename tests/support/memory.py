"""A folder for files in memory, so that no database waits for a disk."""

from __future__ import annotations

import shutil
from pathlib import Path

_FOLDER = Path("/dev/shm")
"""Linux's folder for files in memory."""

_ENOUGH = 1 << 30
"""Minimum free bytes there: many times the need of the quick tests."""


def memory() -> Path | None:
    """A folder for files in memory; None where there is none, or too little room."""
    return _FOLDER if _FOLDER.is_dir() and shutil.disk_usage(_FOLDER).free > _ENOUGH else None
