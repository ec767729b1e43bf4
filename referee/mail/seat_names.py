"""The names of players as people see them who have agreed to nothing yet; none passes for the desk or an engine."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path

from referee.desk.engagements import reads_as_engine

LONGEST_NAME = 24
"""Maximum characters of a name that people see who have agreed to nothing yet."""

_RESERVED = ("referee", "thehost")
"""What is in no player's name, blanks and capitals aside."""

_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"})
"""Scripts that have letters of the same looks, by their names in Unicode."""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_LETTER = re.compile(r"\b[A-Z]\b")
"""The letter that a sign is a form of, in the sign's Unicode name: it stands alone there."""


def seat_name(name: str, address: str, desk: str) -> str:
    """A name to show to people who have agreed to nothing yet: a few words of letters, and nothing else.

    Without any, or if the name looks like that of the desk or of an engine, the part of the address before the @
    stands for it.
    """
    local = re.sub(r"[._+-]", " ", address.partition("@")[0]).title()
    for text in (name, local):
        words = [word for word in (one.strip("\"'.,!?()") for one in text.split()) if _is_name(word)]
        while words and len(" ".join(words)) > LONGEST_NAME:
            words.pop()
        if words and not _imitates(" ".join(words), desk):
            return " ".join(words)
    return "somebody"


def _is_name(word: str) -> bool:
    """Whether a word is of letters, and not of two scripts, in which it would only look like another word."""
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in word}
    return _WORD.fullmatch(word) is not None and len(scripts & _ALIKE) <= 1


def _imitates(name: str, desk: str) -> bool:
    """Whether a name looks like that of the desk or of an engine, whatever its spacing, capitals and accents."""
    said = _letters(name)
    return any(one in said for one in _RESERVED) or reads_as_engine(said) or (said != "" and said == _letters(desk))


def _letters(text: str) -> str:
    """The letters of a text alone, each as the plain small one that it looks like."""
    return "".join(map(_plain, filter(str.isalpha, unicodedata.normalize("NFKD", text))))


def _plain(char: str) -> str:
    small = char.casefold()
    found = _LETTER.search(unicodedata.name(char, ""))
    return _looks().get(small) or (found[0].casefold() if found else small)


@cache
def _looks() -> dict[str, str]:
    """The Latin letters that those of other scripts look like."""
    with Path(__file__).with_name("lookalikes.toml").open("rb") as file:
        scripts = tomllib.load(file)
    return {char: latin for one in scripts.values() for char, latin in zip(one["chars"], one["latin"], strict=True)}
