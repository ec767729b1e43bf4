"""What a run leaves out, counted by reason and told with a few names."""

from __future__ import annotations

from collections import Counter

from referee.archive.names import shown

NAMED = 5
"""So many files are named for each reason; of the others there is a count."""


class LeftOut:
    """Files of folders that are left out: how many for each reason, and the names of the first."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._names: dict[str, list[str]] = {}

    def add(self, file: str, why: str) -> None:
        """Count a file in."""
        self._counts[why] += 1
        names = self._names.setdefault(why, [])
        if len(names) < NAMED:
            names.append(file)

    def __bool__(self) -> bool:
        return bool(self._counts)

    def as_text(self) -> str:
        """A line for each reason."""
        return "\n".join(f"left out ({why}): {self._listed(why)}" for why in self._counts)

    def _listed(self, why: str) -> str:
        names = self._names[why]
        more = self._counts[why] - len(names)
        return ", ".join(map(shown, names)) + (f" and {more:,} more" if more else "")
