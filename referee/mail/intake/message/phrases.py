"""The phrases of mail programs and polite people (phrases.toml), in all languages at once.

People greet, thank and sign around a move, and telephones add a line of their own; none of that is a command.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

_MOST_WORDS, _LONGEST_NAME = 5, 2
"""Words of a polite line, and of a name in it."""

_INSTEAD = "instead of "
_ANSWERS = {"yes": "accept", "no": "decline"}
"""The commands that bare answers to an offer stand for."""

_ENDS = " ,.!"
_WORD = re.compile(r"[^\s,.!;:\u3001\u3002]+")
_SIGN = re.compile(r"[,.!;:\u3001\u3002]")
_GREETING = re.compile(r"[^,.!;:\u3001\u3002]*[,.!;:\u3001\u3002]+\s*(?=\S)")


@cache
def phrases(kind: str) -> frozenset[str]:
    """The phrases of a kind, such as `wrote` or `label`, in small letters."""
    return frozenset(unicodedata.normalize("NFKC", phrase).casefold() for phrase in _all(kind))


@cache
def expression(kind: str) -> re.Pattern[str]:
    """The regular expressions of a kind, such as `vacation`, as one."""
    return re.compile("|".join(sorted(_all(kind))), re.IGNORECASE)


def signature(names: Iterable[str]) -> frozenset[str]:
    """The words with which people of these names may sign: their names and initials."""
    words = {word for name in names for word in _WORD.findall(name.casefold())}
    return frozenset(words | {word[0] for word in words})


def is_polite(text: str, own: frozenset[str] = frozenset()) -> bool:
    """True if a line only greets, thanks, signs with the writer's `own` words, or names a telephone.

    A greeting is followed by a name; other polite words are followed by words of thanks or farewell alone, because
    "Good luck" and "Hi Ben, nice start" are for another player.
    """
    words = _WORD.findall(text.casefold())
    if not words:
        return True
    if len(words) <= _MOST_WORDS and not any(map(str.isdigit, text)):
        said = phrases("greeting") | phrases("polite") | phrases("farewell") | own
        thanks = _WORD.findall(_SIGN.split(text.casefold(), maxsplit=1)[0])
        named = len(words) <= len(thanks) + 1  # as in "Thanks, Ada"
        if words[0] in phrases("greeting"):
            return _only_names(text, said)
        if words[0] in phrases("polite") and named and said >= {*thanks}:
            return True
    if " ".join(words) in phrases("courtesy"):
        return True
    return own.issuperset(words) or expression("telephone").match(text) is not None


def greets(text: str) -> bool:
    """True if a line begins with a greeting."""
    first = _WORD.search(text.casefold())
    return first is not None and first[0] in phrases("greeting")


def _only_names(text: str, said: frozenset[str]) -> bool:
    """True if a greeting has only a name beside words that are `said` with it; behind a sign a name has a capital."""
    first, *rest = _SIGN.split(text, maxsplit=1)
    name = {*_WORD.findall(first.casefold())} - said
    behind = [word for word in _WORD.findall("".join(rest)) if word.casefold() not in said]
    return len(name) <= _LONGEST_NAME and not any(word[0].islower() for word in behind)


def without_greeting(text: str) -> str:
    """A line without greetings or thanks at its beginning, each up to a sign: `Hi Ben, thanks! rematch`."""
    while (found := _GREETING.match(text)) and _WORD.search(found[0]) and is_polite(found[0]):
        text = text[found.end() :]
    return text


def without_please(text: str) -> str:
    """A line without "please", "could you" and the like at its beginning and end."""
    first, last = _please()
    if found := first.match(text):
        text = text[found.end() :]
    if found := last.search(text):
        text = text[: found.start()].rstrip(" ,")
    return text.strip()


def command_meant(text: str) -> str:
    """The command that a line of other words stands for, in any language; empty if there is none.

    For a bare answer it is the command that answers an offer.
    """
    said = text.casefold()
    kinds = (kind for kind in _tables() if kind.startswith(_INSTEAD) and said in phrases(kind))
    return next(kinds, "").removeprefix(_INSTEAD) or _ANSWERS.get(answer_meant(said), "")


def answer_meant(text: str) -> str:
    """`yes` or `no` for a bare answer in any language; empty for anything else."""
    return next((kind for kind in _ANSWERS if text.casefold() in phrases(kind)), "")


@cache
def _lead() -> re.Pattern[str]:
    """The words before a move, with the sign behind them."""
    return re.compile(rf"(?:{'|'.join(sorted(_all('lead')))})(?: *: *| +|$)", re.IGNORECASE)


def is_aside(text: str) -> bool:
    """True for words that greet, thank, praise or answer, and ask for nothing."""
    said = text.casefold().strip(_ENDS)
    return said in phrases("aside") or bool(answer_meant(said)) or said in phrases("please") or is_polite(text)


def without_lead(text: str) -> str:
    """A line without the words before a move: `My move is d1-d2`."""
    found = _lead().match(text)
    return text[found.end() :] if found else text


@cache
def _please() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The words of a request, at the beginning of a line and at its end."""
    words = "|".join(map(re.escape, sorted(phrases("please"))))
    first = re.compile(rf"(?:{words})\b[ ,:]*", re.IGNORECASE)
    return first, re.compile(rf"(?<=[ ,])(?:{words})\Z", re.IGNORECASE)


def _all(kind: str) -> Iterator[str]:
    return (phrase for language in _tables()[kind].values() for phrase in language)


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    with Path(__file__).with_name("phrases.toml").open("rb") as file:
        return tomllib.load(file)
