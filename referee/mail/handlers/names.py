"""Names of players: chosen, or from their letters or addresses; none passes for the desk or an engine."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from referee.desk.state.engagements import reads_as_engine
from referee.desk.state.invitations import INVITED
from referee.mail.addresses import person, small
from referee.mail.intake.requests import NAME
from referee.mail.office import Office

LONGEST_NAME = 24
"""Maximum characters of a name that is shown to people who have not agreed to play."""

_RESERVED = ("referee", "thehost", "invitedplayer")
"""Words that no player's name may contain, even with blanks or capitals."""

_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters that look alike, by their names in Unicode."""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*\d{0,4}")
"""A word of a name: letters, and perhaps a few digits behind them."""

_NUMBER = re.compile(r"\d{1,4}")
_LETTER = re.compile(r"\b[A-Z]\b")
"""The plain letter in a sign's Unicode name, where it is a word of its own."""

UNNAMED = "a player"
"""The name of a writer without one that can be shown."""


def seat_name(name: str, address: str, desk: str, unnamed: str = INVITED) -> str:
    """A name to show to people who have not agreed to play: a few words of letters, and nothing else.

    If there are none, or the name looks like that of the desk, of an engine or of a firm, the part of the address
    before the @ is shown; if that is no better, `unnamed`.
    """
    local = re.sub(r"[._+-]", " ", address.partition("@")[0]).title()
    for text in (name, local):
        words = [word for word in (one.strip("\"'.,!?()") for one in text.split()) if _is_name(word)]
        while words and len(" ".join(words)) > LONGEST_NAME:
            words.pop()
        if words and not _imitates(" ".join(words), desk):
            return " ".join(words)
    return unnamed


def is_wish(name: str, desk: str) -> bool:
    """True if a player can choose a name: words as in every other name, and numbers of up to four digits."""
    words = name.split()
    named = [_is_name(word) for word in words]
    proper = all(known or _NUMBER.fullmatch(word) for known, word in zip(named, words, strict=True))
    return any(named) and proper and len(name) <= LONGEST_NAME and not _imitates(name, desk)


def look_alike(one: str, other: str) -> bool:
    """True if two names look the same, apart from spaces, capitals and accents."""
    return _letters(one, str.isalnum) == _letters(other, str.isalnum)


def _is_name(word: str) -> bool:
    """True if a word has letters alone, and not of two scripts, as in a word made to look like another."""
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in word}
    return _WORD.fullmatch(word) is not None and len(scripts & _ALIKE) <= 1


def _imitates(name: str, desk: str) -> bool:
    """True if a name looks like that of the desk, an engine or a firm, apart from spaces, capitals and accents."""
    said = _letters(name)
    if not {*map(_letters, name.split()), said}.isdisjoint(_tables()[0]):
        return True
    return any(one in said for one in _RESERVED) or reads_as_engine(said) or (said != "" and said == _letters(desk))


def _letters(text: str, kept: Callable[[str], bool] = str.isalpha) -> str:
    """The letters of a text alone, each as the plain small one that it looks like."""
    return "".join(map(_plain, filter(kept, unicodedata.normalize("NFKD", text))))


def _plain(char: str) -> str:
    small = char.casefold()
    found = _LETTER.search(unicodedata.name(char, ""))
    return _tables()[1].get(small) or (found[0].casefold() if found else small)


@cache
def _tables() -> tuple[frozenset[str], dict[str, str]]:
    """The words of official names, and the Latin letters that those of other scripts look like."""
    with Path(__file__).with_name("lookalikes.toml").open("rb") as file:
        tables = tomllib.load(file)
    scripts = [one for one in tables.values() if isinstance(one, dict)]
    looks = {char: latin for one in scripts for char, latin in zip(one["chars"], one["latin"], strict=True)}
    return frozenset(tables["official"]), looks


def name_of_sender(office: Office, address: str, written: str) -> str:
    """The name of a player who writes a letter; `written` is the name in its From."""
    return _wish(office, address) or seat_name(written, address, office.settings.name, UNNAMED)


def name_of_invited(office: Office, address: str) -> str:
    """The name of an invited player; it does not reveal to the proposer under which name an address plays here."""
    return _wish(office, address) or seat_name("", address, office.settings.name)


def can_be_called(office: Office, address: str, name: str) -> bool:
    """True if a player can choose a name: it looks like none of the desk, its host, an engine or another player."""
    if not is_wish(name, office.settings.name):
        return False
    host = office.settings.host
    if host is not None and person(host) != person(address) and look_alike(name, host.partition("@")[0]):
        return False
    return not any(person(other) != person(address) for other in _namesakes(office, name))


def _wish(office: Office, address: str) -> str:
    """The name that a player has chosen; empty if there is none, or if the desk has that name by now."""
    chosen = office.desk.people.preferences(small(address)).get(NAME, "")
    return chosen if is_wish(chosen, office.settings.name) else ""


def _namesakes(office: Office, name: str) -> Iterator[str]:
    """The addresses of all who have chosen a name that looks like this one, or play under it in a running game."""
    yield from (address for address, chosen in office.desk.people.chosen(NAME) if look_alike(name, chosen))
    for glance in office.desk.games.glances(running=True):
        for side, seat in glance.seats.items():
            if seat.player is not None and look_alike(name, seat.player):
                yield office.desk.table(glance.id).address(side)
