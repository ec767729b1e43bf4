"""The names of players as people see them who have agreed to nothing yet; none passes for the desk or an engine."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from referee.desk.state.engagements import reads_as_engine
from referee.desk.state.invitations import INVITED

LONGEST_NAME = 24
"""Maximum characters of a name that people see who have agreed to nothing yet."""

_RESERVED = ("referee", "thehost", "invitedplayer")
"""What is in no player's name, blanks and capitals aside."""

_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"})
"""Scripts that have letters of the same looks, by their names in Unicode."""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*\d{0,4}")
"""A word of a name: letters, and perhaps a few digits behind them."""

_NUMBER = re.compile(r"\d{1,4}")
_LETTER = re.compile(r"\b[A-Z]\b")
"""The letter that a sign is a form of, in the sign's Unicode name: it stands alone there."""

UNNAMED = "a player"
"""The name of a writer without one that can be shown."""


def seat_name(name: str, address: str, desk: str, unnamed: str = INVITED) -> str:
    """A name to show to people who have agreed to nothing yet: a few words of letters, and nothing else.

    If there are none, or the name looks like that of the desk, of an engine or of a firm, the part of the address
    before the @ is shown; if that does not do either, `unnamed`.
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
    return _looks_of(one) == _looks_of(other)


def _is_name(word: str) -> bool:
    """Whether a word is of letters, and not of two scripts, in which it would only look like another word."""
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in word}
    return _WORD.fullmatch(word) is not None and len(scripts & _ALIKE) <= 1


def _imitates(name: str, desk: str) -> bool:
    """Whether a name looks like that of the desk, an engine or a firm, whatever its spacing, capitals and accents."""
    said = _letters(name)
    if _official().intersection((*map(_letters, name.split()), said)):
        return True
    return any(one in said for one in _RESERVED) or reads_as_engine(said) or (said != "" and said == _letters(desk))


def _looks_of(name: str) -> str:
    said = unicodedata.normalize("NFKD", name)
    return "".join(map(_plain, filter(str.isalnum, said)))


def _letters(text: str) -> str:
    """The letters of a text alone, each as the plain small one that it looks like."""
    return "".join(map(_plain, filter(str.isalpha, unicodedata.normalize("NFKD", text))))


def _plain(char: str) -> str:
    small = char.casefold()
    found = _LETTER.search(unicodedata.name(char, ""))
    return _looks().get(small) or (found[0].casefold() if found else small)


@cache
def _tables() -> dict[str, Any]:
    with Path(__file__).with_name("lookalikes.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def _official() -> frozenset[str]:
    """Words in names of firms and servers."""
    return frozenset(_tables()["official"])


@cache
def _looks() -> dict[str, str]:
    """The Latin letters that those of other scripts look like."""
    scripts = [one for one in _tables().values() if isinstance(one, dict)]
    return {char: latin for one in scripts for char, latin in zip(one["chars"], one["latin"], strict=True)}
