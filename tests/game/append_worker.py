"""A process that adds plies to a game file: python -m tests.game.append_worker FILE GO PLIES [--forever]."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from referee.game.amend.edit import add_ply


def main(file: Path, go: Path, plies: list[dict[str, str]], *, forever: bool) -> None:
    start = file.read_bytes()
    print("ready", flush=True)
    while not go.exists():
        time.sleep(0.001)
    while True:
        for ply in plies:
            add_ply(file, ply)
        if not forever:
            return
        again = file.with_suffix(".again")
        again.write_bytes(start)
        os.replace(again, file)  # noqa: PTH105 - at once, as a person's editor does


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]), forever=len(sys.argv) > 4)
