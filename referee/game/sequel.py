"""A new game made from another one: its rules, options and players, and the position where it begins."""

from __future__ import annotations

from dataclasses import replace

from referee.errors import RefereeError
from referee.game.file.gamefile import GameFile, Player, ply_at
from referee.notation.positions import position_text


def sequel(game: GameFile, *, number: int | None = None, swap: bool = False) -> GameFile:
    """A game before its first ply with the options and players (moved on if `swap`) of another one after a ply.

    RefereeError `no-such-ply`, `game-over`, or `position` if the game's positions have no notation.
    """
    ply = ply_at(game, number or 0)
    begun = GameFile(
        game.game,
        rules=game.description.versions[-1],
        players=_moved_on(game) if swap else game.players,
        options=game.options,
        start_text=game.start_text,
    )
    if not ply.number:
        return begun
    if ply.position.outcome is not None:
        raise RefereeError(
            "game-over", f"the game is over after ply {ply.number}: no move is left to make from there"
        )
    return replace(begun, start_text=position_text(ply.position))


def _moved_on(game: GameFile) -> dict[str, Player]:
    """The players, each on the side after their own; the last one on the first."""
    sides = game.description.sides
    seats = dict(zip(sides, (*sides[1:], sides[0]), strict=True))
    moved = {seats[side]: player for side, player in game.players.items()}
    return {side: moved[side] for side in sides if side in moved}
