"""Recent messages of a game's players: a fold of its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from referee.desk.log import events
from referee.desk.log.log import Entry

DAY = timedelta(hours=24)

MOST_MESSAGES = 200
"""Maximum messages of a side in 24 hours, and maximum that are remembered."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The newest messages of each side: when, and how many bytes."""

    newest: Mapping[str, tuple[tuple[datetime, int], ...]] = field(default_factory=dict)

    def sizes(self, side: str, at: datetime) -> list[int]:
        """The bytes of each of a side's newest `MOST_MESSAGES` messages in the 24 hours before a time."""
        return [size for when, size in self.newest.get(side, ()) if when > at - DAY]

    def after(self, entry: Entry) -> Talk:
        """The messages after the next entry."""
        if not isinstance(entry.event, events.MessageSent):
            return self
        side, size = entry.event.side, len(entry.event.text.encode())
        recent = (*self.newest.get(side, ()), (entry.at, size))[-MOST_MESSAGES:]
        return Talk({**self.newest, side: recent})
