"""What people write around a move: greetings, thanks, names, and the lines that telephones add by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from referee.mail.intake.phrases import expression, phrases

_MOST_WORDS = 5
_WORD = re.compile(r"[^\s,.!;:\u3001\u3002]+")


def is_polite(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a line only greets, thanks, signs with one of the writer's names, or praises a telephone."""
    words = _WORD.findall(text.casefold())
    if not words:
        return True
    if len(words) <= _MOST_WORDS and words[0] in phrases("polite") and not any(map(str.isdigit, text)):
        return True
    own = {word for name in names for word in _WORD.findall(name.casefold())}
    initials = {word[0] for word in own}
    signed = all(word in own or word in initials for word in words)
    return signed or expression("telephone").match(text) is not None


def without_please(text: str) -> str:
    """A line without the words of a request at its beginning or end."""
    return _please().sub("", text).strip()


@cache
def _please() -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(phrases("please"))))
    return re.compile(rf"^(?:{words})\b[ ,:]*|[ ,]+(?:{words})$", re.IGNORECASE)
