"""Comparison of two runs over the same games: the changed verdicts, and the plies of the changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from referee.archives.files.compression import reader
from referee.archives.files.lines import archive_lines
from referee.archives.verdict import GameVerdict, PartReport
from referee.game import unreadable
from referee.terminal import counted, visible, visible_json

_Key = tuple[str, int]

_KINDS: Mapping[str, Any] = {
    "file": str,
    "line": int,
    "id": str | None,
    "ok": bool,
    "plies": int,
    "outcome": dict | None,
    "score": dict,
    "findings": list,
}
"""The type of each value of a verdict."""


class VerdictChange(NamedTuple):
    """A game whose verdict has changed; `ply` is the first one with a different verdict, if it is known."""

    before: dict[str, Any] | None
    after: dict[str, Any] | None
    ply: int | None

    def as_json(self) -> dict[str, Any]:
        """The change as `referee check --against` prints it with `--format jsonl`."""
        known = self.after or self.before or {}
        return {
            **{key: known[key] for key in ("file", "line", "id")},
            "ply": self.ply,
            "before": self.before and _short(self.before),
            "after": self.after and _short(self.after),
        }

    def as_text(self) -> str:
        """The change in words."""
        known = self.after or self.before or {}
        place = visible(known["file"]) + (f":{known['line']}" if known["line"] else "")
        if self.before is None or self.after is None:
            return f"{place}: {'not judged before' if self.before is None else 'no longer there'}"
        where = f"at ply {self.ply}" if self.ply else "at a ply that only verdicts with --trace can tell"
        return f"{place}: changed {where}: was {_words(self.before)}; now {_words(self.after)}"


class Comparison:
    """Prints the changes since an earlier run, and counts them as `changes`."""

    def __init__(self, put: Callable[[str], object], earlier: Earlier, *, objects: bool = False) -> None:
        """Print through `put`, in words or as JSON objects."""
        self._put = put
        self._earlier = earlier
        self._objects = objects
        self.changes = 0

    def add(self, part: PartReport, *, printed: bool = False) -> None:
        """Print the changed games of a report, unless an earlier run has."""
        for change in map(self._earlier.change, part.verdicts):
            if change is not None and not printed:
                self._print(change)

    def end(self) -> None:
        """Print the missing games, once all have been judged."""
        for change in self._earlier.gone():
            self._print(change)

    def _print(self, change: VerdictChange) -> None:
        self.changes += 1
        said = visible_json(change.as_json()) if self._objects else change.as_text()
        self._put(f"{said}\n")


class Earlier:
    """The verdicts of an earlier run, as `check --each --format jsonl` printed them.

    They are read as needed: one at a time, if the games are in the same order.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rest = self._read()
        self._passed: dict[_Key, dict[str, Any]] = {}
        first = next(self._rest, None)
        self.traced = first is not None and "trace" in first
        if first is not None:
            self._passed[_key(first)] = first

    def change(self, verdict: GameVerdict) -> VerdictChange | None:
        """The change of a game, or None."""
        after = verdict.as_json()
        before = self._found(_key(after))
        if before is None:
            return VerdictChange(None, after, None)
        if _meaning(before) == _meaning(after):
            return None
        return VerdictChange(before, after, _first_change(before, after))

    def gone(self) -> Iterator[VerdictChange]:
        """The earlier games without a verdict now."""
        return (VerdictChange(before, None, None) for before in chain(self._passed.values(), self._rest))

    def _found(self, key: _Key) -> dict[str, Any] | None:
        if key in self._passed:
            return self._passed.pop(key)
        for before in self._rest:
            if _key(before) == key:
                return before
            self._passed[_key(before)] = before
        return None

    def _read(self) -> Iterator[dict[str, Any]]:
        with reader(str(self._path)) as source:
            for number, line in archive_lines(str(self._path), source):
                try:
                    verdict = json.loads(line if isinstance(line, bytes) else b"")
                except (ValueError, RecursionError):
                    verdict = None
                if not _is_verdict(verdict):
                    message = "this is not a verdict of: referee check --each --format jsonl"
                    raise unreadable(str(self._path), "no-verdict", message, number)
                yield verdict


def _is_verdict(said: object) -> bool:
    """True if JSON has the parts of a verdict that are used here."""
    if not isinstance(said, dict) or not all(isinstance(said.get(name, ...), kind) for name, kind in _KINDS.items()):
        return False
    coded = all(isinstance(one, dict) and isinstance(one.get("code"), str) for one in said["findings"])
    return coded and said["ok"] == (not said["findings"]) and isinstance(said.get("trace", []), list)


def _key(verdict: dict[str, Any]) -> _Key:
    return verdict["file"], verdict["line"]


def _meaning(verdict: dict[str, Any]) -> tuple[object, ...]:
    """The parts of a verdict to compare, without sentences and suggestions."""
    codes = [finding["code"] for finding in verdict["findings"]]
    return verdict["ok"], verdict["plies"], verdict["outcome"], verdict["score"], codes, verdict.get("trace")


def _first_change(before: dict[str, Any], after: dict[str, Any]) -> int | None:
    if "trace" in before and "trace" in after:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(before["trace"], after["trace"], strict=False))
        return sum(1 for _ in same) + 1
    if before["plies"] != after["plies"]:
        return int(min(before["plies"], after["plies"])) + 1
    return None


def _short(verdict: dict[str, Any]) -> dict[str, Any]:
    codes = [finding["code"] for finding in verdict["findings"]]
    return {**{key: verdict[key] for key in ("ok", "plies", "outcome", "score")}, "codes": codes}


def _words(verdict: dict[str, Any]) -> str:
    plies = counted(verdict["plies"], "ply", "plies")
    if not verdict["ok"]:
        return f"{plies}, then {verdict['findings'][0]['code']}"
    return ", ".join(("ok", plies, *(f"{side} {points}" for side, points in verdict["score"].items())))
