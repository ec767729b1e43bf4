"""Logs in which one field is something else that JSON can express, chained with right digests as a host could."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.vectors import FOLDER

MONSTERS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10**30, 1.0, "", "a", "null", "\u0000", "0" * 64, "f" * 128,
    "2027-03-01T12:00:00.000000Z", [], {}, [None], [[]], [0], {"": None}, {"a": {}},
    {"move": 1, "nonce": None}, [{"a": [True]}],
)  # fmt: skip
"""Values that replace each field."""

MOST_DEEP = 4

LOGS = [*sorted(FOLDER.glob("*.jsonl")), *sorted((Path(__file__).parents[1] / "desk" / "logs").glob("*.jsonl"))]


class Torn(NamedTuple):
    """A log in which something was replaced, left out or added, and where that was."""

    shows: str
    entries: list[dict[str, Any]]

    @property
    def text(self) -> str:
        """The log as it is exported."""
        return chained(self.entries)


def sampled_logs(first: int, every: int) -> Iterator[Torn]:
    """Every `every`-th of the logs that are torn from those of the docs and of former desks, from the `first` on."""
    seen: set[str] = set()
    return islice((one for path in LOGS for one in torn_logs(path, seen)), first, None, every)


def torn_logs(path: Path, seen: set[str]) -> Iterator[Torn]:
    """The logs that one log is torn into, at each place in an entry of each kind.

    A place that was `seen` in another log is left alone. The entries behind it are cut off, or chained again.
    """
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    begins = entries[0]["kind"]
    for number, entry in enumerate(entries):
        for part in sorted(entry.keys() - {"before", "digest"}):
            for place in _places(entry[part], (part,)):
                named = f"{entry['kind']} {_shown(place)}" if part in ("body", "came") else part
                if f"{begins} {named}" not in seen:
                    seen.add(f"{begins} {named}")
                    changes = [*_changes(entry, place)]
                    for what, changed in changes:
                        yield Torn(f"{path.stem} {number} {named} {what}", [*entries[:number], changed])
                    for what, changed in changes[: 2 * len(place)]:
                        rest = [*entries[:number], changed, *entries[number + 1 :]]
                        yield Torn(f"{path.stem} {number} {named} {what}, and more", rest)


def _places(data: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:  # noqa: ANN401 - JSON
    """The way to the data, and to each of their parts."""
    yield path
    if len(path) > MOST_DEEP:
        return
    parts = data.items() if isinstance(data, dict) else enumerate(data[:1]) if isinstance(data, list) else ()
    for name, one in parts:
        yield from _places(one, (*path, name))


def _changes(entry: dict[str, Any], place: tuple[str | int, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    *way, last = place
    for monster in MONSTERS:
        changed, held = _copied(entry, way)
        held[last] = monster
        yield f"is {monster!r}", changed
    changed, held = _copied(entry, way)
    held[last] = [held[last]]
    yield "is in a list", changed
    changed, held = _copied(entry, way)
    if isinstance(held[last], dict):
        held[last]["more"] = None
        yield "has more", changed
    elif isinstance(held[last], list):
        held[last].extend([*held[last], 1])
        yield "has more", changed
    changed, held = _copied(entry, way)
    del held[last]
    yield "is left out", changed


def _copied(entry: dict[str, Any], way: list[str | int]) -> tuple[dict[str, Any], Any]:
    """A copy of an entry, and the mapping or list with the place in it."""
    changed = copy.deepcopy(entry)
    held: Any = changed
    for step in way:
        held = held[step]
    return changed, held


def chained(entries: list[dict[str, Any]]) -> str:
    """The text of a log with these entries, numbered as they are, with right digests."""
    before, lines = "0" * 64, []
    for entry in entries:
        made = {**entry, "before": before}
        made.pop("digest", None)
        covered = f"referee event 1\n{_canonical(made)}\n"
        before = sha256(covered.encode()).hexdigest()
        lines.append(f"{_canonical({**made, 'digest': before})}\n")
    return "".join(lines)


def _canonical(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _shown(place: tuple[str | int, ...]) -> str:
    return ".".join(map(str, place))
