"""Faults of what a desk depends on: its database, and the packages of games."""

from __future__ import annotations

from referee.errors import PackageFault, RefereeError

BUSY = 30
"""Seconds that a worker waits for another worker's transaction."""


class StoreError(RefereeError):
    """The database itself fails; what was to be stored or read is not to blame."""


class BrokenGameError(PackageFault):
    """The package of a game is missing or broken: what is stored of the game waits until it can be used again."""

    def __init__(self, game: str, reason: str) -> None:
        super().__init__(f"the game {game} waits: {reason}")
        self.game = game
        self.reason = reason

    def __reduce__(self) -> tuple[type[BrokenGameError], tuple[str, str]]:
        return type(self), (self.game, self.reason)
