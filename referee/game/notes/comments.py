"""Comments in notes: where they stand in a line, and how the game file keeps them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.game.notes.meanings import spoken_line, tokens
from referee.game.notes.segments import Labels, divisions
from referee.game.notes.wishes import announces_correction, is_part, without_politeness

_HINT = 0xF0000
"""Comments stand in a line as characters for private use while it is taken apart."""

_HINTS = re.compile("[\U000f0000-\U000f0fff]")
_BRACES = re.compile(r"\{([^}]*)\}?")
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_TAIL = re.compile(r"\s(?:--|//|#|;)\s*(.*)$")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_JOINERS = frozenset(
    {"and", "then", "with", "against", "versus", "vs", "i", "my", "move", "moves", "is", "was", "the", "a", "to"}
    | {"by", "now", "in", "it", "here", "or", "on", "of"}
)

_LEAD = re.compile(r"(?:(?:and|we|play|played|playing|with|the|on|in) ?)*", re.IGNORECASE)


def is_comment(text: str) -> bool:
    """True for a segment that stands for a comment."""
    return ord(text[0]) >= _HINT


def comment_at(text: str, comments: Sequence[str]) -> str:
    """The comment that a segment stands for."""
    return comments[ord(text[0]) - _HINT]


def does_more_than_join(words: str) -> bool:
    """True for words that do more than join moves."""
    return bool(set(words.casefold().split()) - _JOINERS)


def talk(text: str) -> int:
    """How many words of some letters a text has."""
    return len(_WORDS.findall(text))


def split_comments(game: str, labels: Labels, text: str) -> tuple[str, list[str]]:
    """A line with a character in place of each comment, and the comments; corrections in brackets stay in it."""
    comments: list[str] = []

    def put(said: str) -> str:
        comments.append(_HINTS.sub(lambda found: comment_at(found[0], comments), said).strip(" ;"))
        return f" {chr(_HINT + len(comments) - 1)} "

    def bracket(found: re.Match[str]) -> str:
        said = (found[1] or found[2] or "").strip()
        if announces_correction(said) and any(is_part(game, one.text) for one in tokens(spoken_line(game, said))):
            return f" {said} "
        segments = divisions(game, said, labels)[0].segments
        return put(said) if any(one.kind == "word" and talk(one.text) for one in segments) else found[0]

    text = _BRACES.sub(lambda found: put(found[1]), text)
    text = _BRACKETS.sub(bracket, text)
    tail = _TAIL.search(text)
    if tail and tail[1] and not (announces_correction(tail[1]) or divisions(game, tail[1], {})[0].moves):
        text = text[: tail.start()] + put(tail[1])
    return without_politeness(game, text), comments


def comments_of(said: Sequence[str], *, wholly: bool) -> tuple[str, ...]:
    """Comments beside a move; and its other words, if they are there wholly and do more than join moves."""
    text = " ".join(said)
    found = re.findall(r"\{([^}]*)\}", text)
    words = " ".join(re.sub(r"\{[^}]*\}", " ", text).split())
    if wholly and does_more_than_join(words):
        found.append(words)
    return tuple(tidy(one) for one in found if one.strip())


def tidy(text: str) -> str:
    """A text as a comment of a move list: one line without braces."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())[:500]


def is_clause(text: str, found: re.Match[str]) -> bool:
    """True for words that are a whole clause, but for how people begin one."""
    before = re.split(r"[.,;:/!(]", text[: found.start()])[-1]
    behind = re.split(r"[.,;:/!)]", text[found.end() :])[0]
    return not behind.strip() and _LEAD.fullmatch(before.strip()) is not None
