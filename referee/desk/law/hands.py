"""Hidden hands: the position of a game as one side sees it, which only the desk can know while the game runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.desk.log.secrets import CHANCE, Secrets
from referee.desk.state.state import State, moves_of
from referee.errors import RefereeError
from referee.rules import Game


def has_hands(game: Game) -> bool:
    """True if sides see different positions of a game."""
    return game.secret is not None and game.secret.whole is not None


def seen_by(state: State, side: str, secrets: Secrets) -> State:
    """The same game with the position that a side sees. It is for that side alone, and for nothing that is kept."""
    kept, secret = state.description.secret, secrets.get(CHANCE)
    if kept is None or kept.whole is None or secret is None or state.invitation is not None:
        return state
    return replace(state, position=kept.whole(state.seed(secret), state.position).seen_by(side))


def hand_findings(state: State, seed: str) -> Iterator[tuple[str, str]]:
    """Faults of moves that the hidden hands of a seed did not allow."""
    kept = state.description.secret
    if kept is None or kept.whole is None:
        return
    position = state.description.start(state.options_at_start)
    for number, texts in enumerate(state.plies, 1):
        moves, whole = moves_of(state.game, texts), kept.whole(seed, position)
        for side, move in moves.items():
            try:
                whole.seen_by(side).check(side, move)
            except RefereeError as error:
                yield error.code, f"ply {number}: {side}: {error.message}"
        position = position.play_unchecked(moves)
