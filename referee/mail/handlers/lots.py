"""Lots that the desk draws for games opened by letter: their ids, and their players' sides."""

from __future__ import annotations

from collections.abc import Sequence

from referee.mail.office import Office

_ALPHABET = "bcdfghjkmnpqrstvwxyz23456789"
"""The letters and digits of a drawn id: none looks like another, and they spell no word."""

_DRAWN = 4
_LONGEST_SLUG = 24


def lot(office: Office, name: str, sides: Sequence[str]) -> str:
    """A side that no player can choose or foresee; always the same one for one name."""
    return sides[int.from_bytes(office.desk.key.draw(name)) % len(sides)]


def drawn_id(office: Office, game: str, source: str, mark: str) -> str:
    """A free id for a new game, short and readable; the same one each time for the same source.

    `mark` is in the first entries of that game's log: the proposer's word, or the head of the game before it.
    """
    names = _drawn_ids(office, game, source)
    return next((name for name in names if _is_free(office, name, mark)), names[0])


def rematch_id(office: Office, game: str, head: str, word: str) -> str:
    """The id for a rematch of the game with this head; a rematch that failed can be proposed once more.

    The letter that had proposed it, which has this `word`, does not do so again.
    """
    names = _drawn_ids(office, game, head)
    free = (name for name in names if _is_free(office, name, head) and not _failed(office, name, word))
    return next(free, names[0])


def _failed(office: Office, name: str, word: str) -> bool:
    """True if an invitation failed that began with another letter than the one with this word."""
    state = office.desk.games.held(name).state
    if state is None or state.closed is None or state.invitation is None:
        return False
    return not _is_free(office, name, word)


def _drawn_ids(office: Office, game: str, source: str) -> list[str]:
    digits = [_ALPHABET[byte % len(_ALPHABET)] for byte in office.desk.key.draw(f"id/{source}")]
    slug = game[:_LONGEST_SLUG].rstrip("-")
    return [f"{slug}-{''.join(digits[at : at + _DRAWN])}" for at in range(0, len(digits), _DRAWN)]


def _is_free(office: Office, name: str, mark: str) -> bool:
    """True if no game has an id, or the game that has it begins with this mark."""
    events = [entry.event for entry in office.desk.log(name)[:2]]
    marks = [getattr(event, text, None) for event, text in zip(events, ("of", "word"), strict=False)]
    return not events or mark in marks
