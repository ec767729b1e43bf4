"""Signed heads of games, for the foot of a letter."""

from __future__ import annotations

from referee.desk.log.heads import Head
from referee.desk.log.signatures import Signer, head_text
from referee.desk.state.state import State


def signed_head(state: State, signer: Signer) -> Head:
    """The head of a game's log with the signature of the desk."""
    text = head_text(state.id, state.number, state.head)
    return Head(state.id, state.number, state.head, signer.sign(text))
