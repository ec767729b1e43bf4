"""What people write around a move: greetings, thanks, names, and the lines that telephones add by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from referee.mail.intake.phrases import expression, phrases

_MOST_WORDS = 5
_WORD = re.compile(r"[^\s,.!;:\u3001\u3002]+")


def signature(names: Iterable[str]) -> frozenset[str]:
    """The words with which somebody of these names may sign: their names and initials."""
    words = {word for name in names for word in _WORD.findall(name.casefold())}
    return frozenset(words | {word[0] for word in words})


def is_polite(text: str, own: frozenset[str] = frozenset()) -> bool:
    """Whether a line only greets, thanks, signs with the writer's `own` words, or praises a telephone."""
    words = _WORD.findall(text.casefold())
    if not words:
        return True
    if len(words) <= _MOST_WORDS and words[0] in phrases("polite") and not any(map(str.isdigit, text)):
        return True
    return own.issuperset(words) or expression("telephone").match(text) is not None


def without_please(text: str) -> str:
    """A line without the words of a request at its beginning or end."""
    first, last = _please()
    if found := first.match(text):
        text = text[found.end() :]
    if found := last.search(text):
        text = text[: found.start()].rstrip(" ,")
    return text.strip()


@cache
def _please() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The words of a request at the beginning of a line, and at its end."""
    words = "|".join(map(re.escape, sorted(phrases("please"))))
    return (
        re.compile(rf"(?:{words})\b[ ,:]*", re.IGNORECASE),
        re.compile(rf"(?<=[ ,])(?:{words})\Z", re.IGNORECASE),
    )
