"""Names of games in letters: their own, their titles, and nicknames."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache

from referee.errors import shown
from referee.notation.moves import note_words
from referee.rules import game_named, games
from referee.terminal import join_words

_LONGEST_NAME = 40
"""Maximum characters of a name that is repeated."""


def games_in(text: str) -> dict[str, tuple[int, int]]:
    """The games that a text names, each with the place; of two names at one place, the longer one counts."""
    found = {name: match.span() for name in _known() if (match := _names(name).search(text))}
    return {
        name: (start, end)
        for name, (start, end) in found.items()
        if not any(
            other != name and first <= start and end <= last and last - first > end - start
            for other, (first, last) in found.items()
        )
    }


def _known() -> tuple[str, ...]:
    return tuple(game.name for game in games())


@cache
def _names(name: str) -> re.Pattern[str]:
    """The names of a game: its own, its title, each with or without an article, and the words of its notation."""
    said = (name.replace("-", " "), game_named(name).title)
    plain = {re.sub(r"^(?:the|a) ", "", one, flags=re.IGNORECASE) for one in said}
    words = sorted((re.escape(one).replace(r"\ ", r"[\s-]*") for one in plain), key=len, reverse=True)
    own = note_words(name).NAMES
    return re.compile(rf"(?<![\w@.-])(?:the\s+|the-)?(?:{'|'.join([*words, *own])})(?![\w@-])", re.IGNORECASE)


def which_game(text: str, found: Mapping[str, object]) -> str:
    """The question about a text that names no game, or several."""
    if found:
        return f"this names several games, {join_words(found)}: write one of them"
    games = join_words(_known(), "or")
    before = re.split(r"\b(?:with|against|vs?|versus)\b|[,\n|]", text, maxsplit=1)[0]
    words = " ".join(word for word in before.split() if "@" not in word)[:_LONGEST_NAME]
    if not words:
        return f"name a game: {games}"
    near = get_close_matches(words.casefold().replace(" ", "-"), _known(), 1)
    meant = f"; perhaps you mean {near[0]}" if near else ""
    return f"there is no game {shown(words)}{meant}; the games are {games}"
