"""A game as it is written, of which not every move may be one; repairs begin with it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import FileError, Finding
from referee.game.gamefile import GameFile
from referee.rules import Move


@dataclass(frozen=True, slots=True)
class Unread(Move):
    """The place holder for a text that is no move of the game."""

    text: str

    def __str__(self) -> str:
        return self.text


class DraftError(FileError):
    """A file that is wrong, but whose rounds are known; `draft` is its game, with each move or an `Unread` one."""

    def __init__(self, draft: GameFile, findings: tuple[Finding, ...]) -> None:
        super().__init__(draft.file, findings)
        self.draft = draft
