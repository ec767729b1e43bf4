"""The foot of a letter about a game: the game, the host's address, and the log head, signed by the desk."""

from __future__ import annotations

from typing import NamedTuple

from referee.desk import State
from referee.desk.log.heads import Head
from referee.mail.letters.format.language import phrase
from referee.mail.office import Office


class Foot(NamedTuple):
    """The lines of words, and those of digits below them; `page` is the game's page on the web, if it has one."""

    words: tuple[str, ...]
    digits: tuple[str, ...] = ()
    page: tuple[str, str] | None = None


def foot_of(office: Office, state: State, side: str) -> Foot:
    """The foot of a letter that reports a game to a side."""
    game = phrase("foot.game", title=state.description.title, game=state.id)
    signer = office.desk.key.signer
    # A log that is over names the key of its time: a head signed with a later one could not be checked.
    known = state.desk in (None, signer.public)
    head = Head(state.id, state.number, state.head)
    lines = (head.signed_by(signer) if known else head).lines
    address = office.page_address(state, side)
    page = None if address is None else (phrase("foot.seat" if "#" in address else "foot.page"), address)
    return Foot((*helper(office), game), tuple(lines), page)


def helper(office: Office) -> tuple[str, ...]:
    """The host's address, if the settings give it."""
    return (phrase("foot.host", host=office.settings.host),) if office.settings.host else ()
