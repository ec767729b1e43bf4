"""Comments in notes: their places in a line, and their form in the game file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from referee.notes.reader.meanings import fits, spoken_line, tokens
from referee.notes.reader.segments import Labels, Segment, divisions, holds_moves
from referee.notes.reader.tongues import is_supposition
from referee.notes.reader.wishes import announces_correction, is_part, without_politeness
from referee.rules.frozen import Frozen

_HINT = 0xF0000
"""While a line is taken apart, its comments are characters for private use."""

_HINTS = re.compile("[\U000f0000-\U000f0fff]")
_BRACES = re.compile(r"\{([^}]*)\}?")
_BRACKET = re.compile(r"[()\[\]]")
_TAIL = re.compile(r"\s(?:--|//|#|;)\s*(.*)$")
_SIGN = re.compile(
    r"(?:(?<=\d)|(?<=\b[A-Za-z])|(?<=[-+!?])|(?P<comment>(?<=[)\U000f0000-\U000f0fff])))\s*"
    r"(?:\$(?P<number>\d{1,3})(?!\w)|\((?P<mark>[!?]{1,2})\)|\([-+=/±∓⩲⩱∞]{1,3}\)"
    r"|(?<=\s)(?:\+/?[-=]|[-=]/?\+|[±∓⩲⩱∞]|=(?=\s*$))(?!\S))"
)
"""A mark or a judgement behind a move or a comment, as people of chess write them; `number` is a sign of PGN."""

_MARKS = dict(zip("123456", ("!", "?", "!!", "??", "!?", "?!"), strict=True))
_CLOSE = re.compile(r"[^\w\s|\U000f0000-\U000f0fff]+")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_JOINERS = frozenset(
    {"and", "then", "with", "against", "versus", "vs", "i", "my", "move", "moves", "is", "was", "the", "a", "to"}
    | {"by", "now", "in", "it", "here", "or", "on", "of"}
)

_NUMBERED = re.compile(r"\W*\d{1,4}\s?\.")
"""The beginning of a variation that names its round."""

MADE = re.compile(r"\W*[0-9]{1,4}\s*(?:\.\s*\.|…)")
"""The beginning of a variation whose round has moves before it: a number with dots."""

_LEAD = re.compile(r"(?:(?:and|we|play|played|playing|with|the|on|in) ?)*", re.IGNORECASE)


def is_comment(text: str) -> bool:
    """True for a segment that is a comment."""
    return ord(text[0]) >= _HINT


def comment_at(text: str, comments: Sequence[str]) -> str:
    """The comment of a segment."""
    return comments[ord(text[0]) - _HINT]


def does_more_than_join(words: str) -> bool:
    """True for words that do more than join moves."""
    return bool(set(words.casefold().split()) - _JOINERS)


def talk(text: str) -> int:
    """Count the words of three letters or more."""
    return len(_WORDS.findall(text))


def split_comments(game: str, labels: Labels, text: str, *, replies: bool = False) -> tuple[str, list[str]]:
    """A line with a character for each comment, and the comments; corrections in brackets stay in it.

    Moves in brackets are a comment too, unless `replies` is true: then they answer the move before them.
    """
    comments: list[str] = []

    def put(said: str) -> str:
        comments.append(_HINTS.sub(lambda found: f"[{comment_at(found[0], comments)}]", said).strip(" ;"))
        return f" {chr(_HINT + len(comments) - 1)} "

    def bracket(whole: str, outside: str) -> str:
        said = whole[1:-1].strip()
        if announces_correction(said) and any(is_part(game, one.text) for one in tokens(spoken_line(game, said))):
            return f" {said} "
        way = divisions(game, said, labels)[0]
        words = [one.text for one in way.segments if one.kind == "word" and len(one.text) > 1]
        is_talk = any(word.isalpha() and not fits(game, word) and does_more_than_join(word) for word in words)
        is_beside = MADE.match(said) or holds_moves(game, outside)
        is_variation = way.moves and (_NUMBERED.match(said) or not replies) and is_beside
        return put(said) if is_talk or is_variation else whole

    def sign(found: re.Match[str]) -> str:
        mark = found["mark"] or _MARKS.get(found["number"] or "")
        return f" {mark} " if mark and found["comment"] is None else put(found[0].strip(" ()"))

    text = _SIGN.sub(sign, _BRACES.sub(lambda found: put(found[1]), text))
    parts = bracketed(text)
    outside = " ".join(part for place, part in enumerate(parts) if place % 2 == 0)
    text = "".join(bracket(part, outside) if place % 2 else part for place, part in enumerate(parts))
    tail = _TAIL.search(text)
    is_talk = tail and is_supposition(tail[1]) and holds_moves(game, text[: tail.start()])
    if tail and tail[1] and not announces_correction(tail[1]) and (is_talk or not holds_moves(game, tail[1])):
        text = text[: tail.start()] + put(tail[1])
    return without_politeness(game, text), comments


def bracketed(text: str) -> list[str]:
    """A text cut before and behind its outermost brackets: every second part is one."""
    parts, start, depth, begin = [], 0, 0, 0
    for found in _BRACKET.finditer(text):
        if found[0] in "([":
            begin = begin if depth else found.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                parts += [text[start:begin], text[begin : found.end()]]
                start = found.end()
    return [*parts, text[start:]]


def holds_replies(game: str, size: int, texts: Sequence[str]) -> bool:
    """True if most lines with moves have as many of them in brackets as fill the round up."""
    cut = [bracketed(_BRACES.sub(" ", text)) for text in texts]

    def count(parts: Sequence[str]) -> int:
        moves = (move for part in parts for move in divisions(game, part, Frozen())[0].moves)
        return sum(1 for _ in islice(moves, size + 1))

    counts = [(count(parts[::2]), count(parts[1::2])) for parts in cut if len(parts) > 1]
    filled = sum(bool(inside) and outside + inside == size for outside, inside in counts)
    if not filled:
        return False
    others = sum(holds_moves(game, parts[0]) for parts in cut if len(parts) == 1)
    return filled * 2 > others + sum(bool(outside) for outside, _ in counts)


def comments_of(text: str, said: Sequence[Segment], comments: Sequence[str], *, wholly: bool) -> tuple[str, ...]:
    """Comments beside a move; and its other words, if they are there wholly and do more than join moves."""
    found = [comment_at(one.text, comments) for one in said if comments and is_comment(one.text)]
    words = [one for one in said if one.kind == "word"]
    if wholly and does_more_than_join(" ".join(one.text for one in words)):
        end = words[-1].start + len(words[-1].text)
        behind = _CLOSE.match(text, end)
        found.append(_HINTS.sub(" ", text[words[0].start : behind.end() if behind else end]))
    return tuple(tidy(one) for one in found if one.strip())


def tidy(text: str) -> str:
    """A text as a comment of a move list: one line without braces."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())[:500]


def is_clause(text: str, found: re.Match[str]) -> bool:
    """True for words that are a whole clause, but for how people begin one."""
    before = re.split(r"[.,;:/!(]", text[: found.start()])[-1]
    behind = re.split(r"[.,;:/!)]", text[found.end() :])[0]
    return not behind.strip() and _LEAD.fullmatch(before.strip()) is not None
