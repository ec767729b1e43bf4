"""The foot of a letter about a game: which game it is, whom to ask, and the log head, signed by the desk."""

from __future__ import annotations

from typing import NamedTuple

from referee.desk import State
from referee.desk.log.heads import Head
from referee.mail.letters.format.language import phrase
from referee.mail.office import Office


class Foot(NamedTuple):
    """The lines of words, below them those of digits; `page` says where the game is on the web, if it is there."""

    words: tuple[str, ...]
    digits: tuple[str, ...] = ()
    page: tuple[str, str] | None = None


def foot_of(office: Office, state: State, side: str) -> Foot:
    """The foot of a letter that tells a side of a game up to a state."""
    game = phrase("foot.game", title=state.description.title, game=state.id)
    signer = office.desk.key.signer
    # A log that is over names the key of its time: by a later one nobody could check the head.
    known = state.desk in (None, signer.public)
    head = Head(state.id, state.number, state.head)
    head = head.signed_by(signer) if known else head
    return Foot((*helper(office), game), tuple(head.lines), _page(office, state, side))


def _page(office: Office, state: State, side: str) -> tuple[str, str] | None:
    """The link to the game, behind a sentence about it."""
    address = office.page_address(state, side)
    return None if address is None else (phrase("foot.seat" if "#" in address else "foot.page"), address)


def helper(office: Office) -> tuple[str, ...]:
    """Who helps where the desk cannot, if the settings say it."""
    return (phrase("foot.host", host=office.settings.host),) if office.settings.host else ()
