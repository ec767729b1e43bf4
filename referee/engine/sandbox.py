"""A sandbox for programs of others: they cannot write files, reach a network or see other processes."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

UNPROTECTED = "there is no bubblewrap here: a program can write files and open connections"
"""The warning about a system without a sandbox."""

_SHUT_IN = (
    *("bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc"),
    # Nothing of what listens there can be reached.
    *("--tmpfs", "/run", "--remount-ro", "/run"),
)


@cache
def sandbox() -> tuple[str, ...]:
    """The command that shuts in the command after it: bubblewrap, if it works here; empty without a sandbox."""
    if shutil.which("bwrap") is None:
        return ()
    tried = subprocess.run([*_SHUT_IN, "true"], capture_output=True, check=False)
    return _SHUT_IN if tried.returncode == 0 else ()


def hiding(folder: Path) -> tuple[str, ...]:
    """More options of that command, which make a folder empty; those that it does not show need none."""
    place = folder.resolve()
    if any(place.is_relative_to(own) for own in ("/dev", "/proc", "/run")):
        return ()
    return ("--tmpfs", str(place), "--remount-ro", str(place))
