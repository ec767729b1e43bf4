"""The foot of a letter about a game: which game it is, whom to ask, and the log head, signed by the desk."""

from __future__ import annotations

from typing import NamedTuple

from referee.desk import State
from referee.desk.heads import Head, signed_head
from referee.mail.letters.language import phrase
from referee.mail.office import Office


class Foot(NamedTuple):
    """The lines of words, and below them those of digits."""

    words: tuple[str, ...]
    digits: tuple[str, ...] = ()


def foot_of(office: Office, state: State) -> Foot:
    """The foot of a letter that tells of a game up to a state."""
    game = phrase("foot.game", title=state.description.title, game=state.id)
    signer = office.store.key.signer
    # A log that is over names the key of its time: by a later one nobody could check the head.
    known = state.desk in (None, signer.public)
    head = signed_head(state, signer) if known else Head(state.id, state.number, state.head)
    return Foot((*helper(office), game), tuple(head.lines))


def helper(office: Office) -> tuple[str, ...]:
    """Who helps where the desk cannot, if the settings say it."""
    return (phrase("foot.host", host=office.settings.host),) if office.settings.host else ()
