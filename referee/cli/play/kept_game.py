"""The file of a game that is played at the terminal, which follows the game forward and back."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import click

from referee.cli.shell.output import create, expect_yaml
from referee.game import GameFile, dumps, read_bytes
from referee.game.amend.amendments import set_end, take_back
from referee.game.amend.edit import add_ply
from referee.terminal import visible


class KeptGame:
    """A game file that follows a game; everything else in it stays unchanged."""

    def __init__(self, path: Path) -> None:
        """A file that holds the game already; FileError if it cannot be read."""
        self.path = path
        self._content = read_bytes(path)

    @classmethod
    def created(cls, path: Path, game: GameFile) -> KeptGame:
        """A new file with a game; click.UsageError if it exists, cannot be made, or has another suffix."""
        expect_yaml(path)
        create(path, dumps(game))
        return cls(path)

    def follow(self, before: GameFile, after: GameFile) -> None:
        """Bring the file from one state of the game to another.

        Raises:
            click.ClickException: the file was changed from outside.
            RefereeError: it cannot be read or written, or `layout`.
        """
        if read_bytes(self.path) != self._content:
            raise click.ClickException(f"{visible(str(self.path))} has been changed meanwhile, and stays as it is")
        had, has = ([ply.moves for ply in game.replay()] for game in (before, after))
        common = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(had, has, strict=False))))
        if before.ending is not None and before.ending != after.ending:
            set_end(self.path, None)
        for _ in had[common:]:
            take_back(self.path)
        for moves in has[common:]:
            add_ply(self.path, {side: str(move) for side, move in moves.items()})
        if after.ending is not None and before.ending != after.ending:
            set_end(self.path, str(after.ending.how), after.ending.by)
        self._content = read_bytes(self.path)
