"""The keys of a game's seats: a fold of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from referee.desk.log import events
from referee.desk.log.events import Texts
from referee.desk.log.log import Entry
from referee.desk.log.seals import Promise


@dataclass(frozen=True, slots=True)
class Keyring:
    """The public keys of seats, promises whose signatures must be published next, and signatures of the ply."""

    keys: Texts = field(default_factory=dict)
    unnoted: Mapping[str, Promise] = field(default_factory=dict)
    spent: frozenset[str] = frozenset()

    def after(self, entry: Entry, seals: Mapping[str, Promise], sides: Iterable[str]) -> Keyring:
        """The keys after the next entry; `seals` are those before it, and `sides` have the game's order."""
        match entry.event:
            case events.Joined() | events.Keyed() | events.Replaced():
                return self._with(entry.event.side, entry.event.key, entry)
            case events.Left(side=side):
                return self._with(side, None, entry)
            case events.Noted(side=noted):
                return replace(self, unnoted={side: one for side, one in self.unnoted.items() if side != noted})
            case events.Played():
                due = {side: seals[side] for side in sides if side in seals and seals[side].noted}
                return Keyring(self.keys, due)
            case events.Opened() | events.Reopened():
                return Keyring(self.keys)
            case _:
                new = entry.signatures
                return replace(self, spent=self.spent.union(new)) if new else self

    def _with(self, side: str, key: str | None, entry: Entry) -> Keyring:
        kept = {one: held for one, held in self.keys.items() if one != side}
        keys = kept if key is None else {**kept, side: key}
        return replace(self, keys=keys, spent=self.spent.union(entry.signatures))
