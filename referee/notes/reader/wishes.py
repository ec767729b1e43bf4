"""Corrections in notes: the moves or parts that they want and reject, and the moves that result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from referee.notation.moves import known_move, notation
from referee.notes.reader.meanings import Meaning, Token, fits, kinds, tokens, words_said
from referee.notes.reader.segments import Segment
from referee.rules import Move

REPLACED = 5.0
"""Cost of the corrected move: it counts only if the correction is impossible."""

_WHOLE = 2.0
"""Cost of taking a move as a whole, where it may also be a part of the old one."""

_MOST_CANDIDATES = 12
_ANNOUNCED = frozenset(
    {"sorry", "meant", "mean", "correction", "corrected", "correct", "scratch", "mistake", "oops", "typo", "misprint"}
    | {"mistyped", "miswrote", "slip", "wrong", "apologies", "edit", "edited", "sic"}
)
_TAKEN_BACK = frozenset({"take", "takes", "taking", "took"})
_REJECTING = frozenset({"not", "instead", "rather"})
"""Words before a move that another move before it replaces."""

_STRONG = re.compile(
    r"\b(?:meant|I mean|correction|corrected|correct(?=:)|edit(?:ed)?|sic|wrong(?=[,:;])"
    r"|should (?:be|have|read|say|point|go|face)|scratch that|my mistake"
    r"|o+ps|typos?|misprint|mistyped|miswrote|slip|(?:takes?|took|taking) (?:\S+ ){0,4}back"
    r"|not (?:\S+ ){1,4}but|not the \w+, (?:but )?the \w+)\b"
    r"|(?:^|: ?)\*(?=\w)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"\b(?:(?:I'?m |so |very |many |my )*(?:sorry|apologies))[,!]? "
    r"(?:for|about|to|that|if|it|we|my (?!mistake)|I(?:'m|'ve)? (?!me?an))(?:[^.!?;,]*)",
    re.IGNORECASE,
)


class Wish(NamedTuple):
    """The content of a correction: whole moves or parts of one that it wants, and those that it rejects.

    `named` are parts of the move that it is about. `announced` is true if words such as `sorry` precede it. `side` is
    whose correction it is, if known.
    """

    text: str
    moves: tuple[Segment, ...] = ()
    parts: tuple[str, ...] = ()
    rejected: tuple[Segment, ...] = ()
    refused: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    announced: bool = False
    side: str | None = None


class _Item(NamedTuple):
    """A move or a part of one among the segments of a line, with its place and the words before and behind it."""

    segment: Segment
    place: int
    before: tuple[str, ...]
    behind: tuple[str, ...]
    role: str = ""


@lru_cache(1)
def announces_correction(text: str) -> bool:
    """True for words that announce a correction, whether or not one follows."""
    return _STRONG.search(text) is not None


def without_politeness(game: str, text: str) -> str:
    """A text without excuses for what is no move, such as a late answer."""

    def excuse(found: re.Match[str]) -> str:
        is_about_a_move = any(is_part(game, word.text) and not word.text.isdecimal() for word in tokens(found[0]))
        return found[0] if is_about_a_move or _STRONG.search(found[0]) else ""

    return _POLITE.sub(excuse, text)


def is_part(game: str, word: str) -> bool:
    """True for a word that may be a part of a move: a place, a direction, a number; no keyword and no sign."""
    if not word[0].isalnum() and len(words_said(game, word)) < 2:
        return False
    if word.upper() in notation(game).BEGINNINGS:
        return len(kinds(game, word)) > 1
    return fits(game, word) and (len(word) == 1 or any(map(str.isdigit, word)))


def with_wishes(game: str, segments: Sequence[Segment]) -> list[Segment | Wish]:
    """The segments of a line, what belongs to a correction put together as what it wants."""
    items = _with_roles(list(_items(game, segments)))
    if not any(one.role in ("wanted", "rejected") for one in items):
        return list(segments)
    roles = {one.place: one for one in items if one.role}
    found: list[Segment | Wish] = []
    run: list[_Item] = []
    for place, segment in enumerate(segments):
        if place in roles:
            run.append(roles[place])
        elif run and segment.kind in ("move", "rest", "side", "number"):
            found.append(_wish(game, segments, run))
            run = []
        if place not in roles and (segment.kind not in ("word", "sign") or not run):
            found.append(segment)
    return [*found, _wish(game, segments, run)] if run else found


def _items(game: str, segments: Sequence[Segment]) -> Iterator[_Item]:
    places = [
        place
        for place, one in enumerate(segments)
        if one.kind in ("move", "rest")
        or (one.kind == "word" and is_part(game, one.text) and not (place and segments[place - 1].text == "'"))
    ]
    for number, place in enumerate(places):
        start = places[number - 1] + 1 if number else 0
        end = places[number + 1] if number + 1 < len(places) else len(segments)
        before, behind = _small(segments[start:place]), _small(segments[place + 1 : end])
        yield _Item(segments[place], place, before, behind)


def _small(segments: Sequence[Segment]) -> tuple[str, ...]:
    return tuple(one.text.casefold() for one in segments)


def _with_roles(items: Sequence[_Item]) -> list[_Item]:
    """The items, each wanted, rejected, named, or nothing of a correction."""
    found: list[_Item] = []
    for one in items:
        found.append(one._replace(role=_role(one, found[-1] if found else None)))
    for place, (one, two) in enumerate(pairwise(found)):
        if not one.role and two.role == "rejected" and len(two.before) <= 3 and _REJECTING & {*two.before}:
            found[place] = one._replace(role="wanted")
    return found


def _role(item: _Item, last: _Item | None) -> str:
    before, behind = set(item.before), set(item.behind)
    is_part_only = item.segment.kind == "word"
    if "not" in item.before[-3:] or (before & {"instead", "rather"} and last and last.role):
        return "rejected"
    if "should" in behind or "wrong" in behind or ("back" in behind and before & _TAKEN_BACK):
        return "named" if is_part_only else "rejected"
    if before & _ANNOUNCED or before & {"should", "course"} or "*" in item.before[-1:]:
        return "wanted"
    if "course" in behind or (behind & {"instead", "want"} and not is_part_only):
        return "wanted"
    if last and last.role == "rejected":
        return "wanted"
    is_next = last is not None and last.role == "wanted" and last.segment.kind == item.segment.kind == "word"
    return "wanted" if is_next and not any(map(str.isalpha, "".join(item.before))) else ""


def _wish(game: str, segments: Sequence[Segment], run: Sequence[_Item]) -> Wish:
    wanted = [one.segment for one in run if one.role == "wanted"]
    rejected = [one.segment for one in run if one.role == "rejected"]
    words = tuple(word for one in wanted if one.kind != "move" for word in one.text.split(" "))
    first = min((one.place for one in run if one.role == "wanted"), default=run[0].place)
    if words and segments[first].kind == "word":
        words = tuple(_signs_before(game, segments, first)) + words
    text = " ".join(one.text for one in wanted) or " ".join(one.text for one in rejected)
    return Wish(
        text,
        tuple(one for one in wanted if one.kind == "move"),
        words,
        tuple(one for one in rejected if one.kind == "move"),
        tuple(one.text for one in rejected if one.kind != "move"),
        tuple(one.segment.text for one in run if one.role == "named"),
        any(set(one.before) & _ANNOUNCED or "should" in one.before or "*" in one.before[-1:] for one in run),
    )


def _signs_before(game: str, segments: Sequence[Segment], place: int) -> list[str]:
    """Keywords and signs of the notation directly before a part, such as the P and the dash of `P - f5`."""
    found: list[str] = []
    while place and segments[place - 1].kind in ("word", "sign") and fits(game, segments[place - 1].text):
        place -= 1
        found.insert(0, segments[place].text)
    return found


def replacements(game: str, old: Meaning, wish: Wish) -> tuple[Meaning, ...]:
    """The meanings that may replace an old one by a wish: with other parts, or as a whole."""
    found: dict[tuple[Move, ...], Meaning] = {}
    parts = [list(wish.parts)] if wish.parts else []
    parts += [
        [token.text for token in tokens(str(move))]
        for part in wish.moves
        for one in part.meanings[:1]
        for move in one.moves[:1]
    ]
    for words in parts:
        for moves in _with_parts(game, old, words, wish):
            found.setdefault(moves, Meaning(moves, old.cost, "corrected in part"))
    inside = bool(found)
    for part in wish.moves[:1]:
        for meaning in part.meanings:
            cost = meaning.cost + (_WHOLE if inside and len(old.moves) == 1 else 0.0)
            if len(old.moves) == 1 and meaning.moves != old.moves:
                found.setdefault(meaning.moves, meaning._replace(cost=cost))
    return tuple(found.values())[:_MOST_CANDIDATES]


def _with_parts(game: str, old: Meaning, words: Sequence[str], wish: Wish) -> Iterator[tuple[Move, ...]]:
    """The moves of a meaning with words in the place of parts of the same kind, as few changed as possible."""
    for place, move in enumerate(old.moves):
        text = str(move)
        there = tokens(text)
        if not {one.casefold() for one in wish.named} <= {one.text.casefold() for one in there}:
            continue
        ways = [
            way for said in product(*(words_said(game, one) for one in words)) for way in _ways(game, there, said)
        ]
        changed = [sum(there[at].text.casefold() != word.casefold() for at, word in way.items()) for way in ways]
        for way, many in zip(ways, changed, strict=True):
            if many == min((one for one in changed if one), default=0) and _is_refused(there, way, wish):
                new = known_move(game, _replaced(text, there, way))
                if new is not None and new != move:
                    yield (*old.moves[:place], new, *old.moves[place + 1 :])


def _is_refused(there: Sequence[Token], way: dict[int, str], wish: Wish) -> bool:
    """True if the replaced parts are those that a wish does not want."""
    refused = {one.casefold() for one in wish.refused}
    gone = {there[at].text.casefold() for at, word in way.items() if there[at].text.casefold() != word.casefold()}
    return not refused or bool(refused & gone)


def _ways(game: str, there: Sequence[Token], words: Sequence[str], start: int = 0) -> Iterator[dict[int, str]]:
    """The ways to put words, in their order, in the places of parts of the same kind."""
    if not words:
        yield {}
        return
    for at in range(start, len(there) - len(words) + 1):
        if kinds(game, there[at].text) & kinds(game, words[0]):
            for way in _ways(game, there, words[1:], at + 1):
                yield {at: words[0], **way}


def _replaced(text: str, there: Sequence[Token], way: dict[int, str]) -> str:
    return "".join(f"{' ' * one.gap}{way.get(at, one.text)}" for at, one in enumerate(there)).strip() or text
