"""Digests of the states that follow from logs; `python -m tests.desk.folds` rewrites them.

If they differ although no log does, snapshots of desks that run are wrong: `snapshots.FOLD` has to be raised first.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from referee.desk.log.log import read_entry
from referee.desk.store.projections.snapshots import FOLD, snapshot_text
from tests.support.logs import fold_log
from tests.support.vectors import FOLDER

GOLDEN = Path(__file__).parent / "folds.json"


def folds() -> dict[str, object]:
    """The version of the fold, and a digest of the last state of each log in docs/."""
    states = {}
    for path in sorted(FOLDER.glob("*.jsonl")):
        log = map(read_entry, path.read_text(encoding="utf-8").splitlines())
        # Mappings are equal in any order.
        told = json.dumps(json.loads(snapshot_text(fold_log(log))), sort_keys=True)
        states[path.stem] = sha256(told.encode()).hexdigest()[:16]
    return {"fold": FOLD, "states": states}


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(folds(), indent=1) + "\n", encoding="utf-8")
