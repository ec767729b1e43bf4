"""Whether the end of a game can be taken back: only one that the host or the clock brought about."""

from __future__ import annotations

from referee.desk.state import State

_SETTLED = ("agreement", "repetition")


def refusal(state: State) -> tuple[str, str] | None:
    """Why a game cannot be reopened: a code and a sentence; None if it can."""
    if state.closed is None:
        return "not-over", "the game is not over"
    if state.position.outcome is not None or not state.position.to_move:
        return "decided", "the moves themselves end the game, or nobody could move in it"
    if state.closed.how in _SETTLED:
        return "settled", f"the game ended by {state.closed.how}, not by a mistake of the clock or the host"
    if state.closed.secret is not None:
        return "told", "the end has told what chance decided, so the game cannot go on"
    return None
