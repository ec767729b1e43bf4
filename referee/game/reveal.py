"""Telling in a game file what the referee alone has known so far."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.errors import IllegalMove
from referee.game.dumper import value_text
from referee.game.edit import changed
from referee.game.gamefile import GameFile
from referee.game.insertion import Edit, value_replacement
from referee.game.judge import Verdict


def reveal(path: Path, secret: str) -> GameFile:
    """Write into a game file what of the game's secret the players may know by now, and return the game.

    Raises:
        FileError: the file cannot be read or written, or does not hold.
        IllegalMove: `no-secret`; the game has none.
        OptionError: it is not this game's secret.
        RefereeError: `layout`; the option stands in several lines.
    """

    def told(game: GameFile, verdict: Verdict) -> tuple[GameFile, Edit | None]:
        kept = game.description.secret
        if kept is None:
            raise IllegalMove("no-secret", f"in {game.description.title} chance decides nothing")
        known = kept.known(game.options, secret, verdict.position)
        edit = None
        for name, value in known.items():
            edit = value_replacement(game, ("options", name), value_text(value))
        return replace(game, options={**game.options, **known}), edit

    return changed(path, told)
