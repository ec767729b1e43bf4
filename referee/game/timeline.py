"""Which plies of a game to show."""

from __future__ import annotations

from collections.abc import Iterator

from referee.errors import RefereeError
from referee.game.gamefile import GameFile, Ply
from referee.rules import Facts


def timeline(game: GameFile, *, every: bool = False, number: int | None = None) -> Iterator[Ply | None]:
    """The last ply, or ply `number`, or every one; None stands for the start of a game, before its first ply.

    Raises:
        FileError: a move on the way is refused.
        RefereeError: `no-such-ply`.
    """
    if every:
        yield from game.replay()
        return
    last = None
    if number != 0:
        for ply in game.replay():
            last = ply
            if ply.number == number:
                break
    if number and (last is None or last.number != number):
        held = last.number if last else 0
        raise RefereeError("no-such-ply", f"there is no ply {number}: the game has {held}")
    yield last


def as_json(game: GameFile, ply: Ply | None) -> Facts:
    """A ply, or the start, as `referee report --format jsonl` prints it."""
    if ply is not None:
        return ply.as_json()
    position = game.start()
    outcome = game.outcome_at(position) if not game.rounds else position.outcome
    return {
        "ply": 0,
        "round": 0,
        "moves": {},
        "position": position.facts(),
        "to_move": [] if outcome else sorted(position.to_move),
        "outcome": outcome and outcome.as_json(),
    }
