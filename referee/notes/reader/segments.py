"""A line of notes taken apart: moves, numbers of rounds, names of sides, and everything else."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from typing import NamedTuple

from referee.notes.reader.meanings import (
    LONGEST_RUN,
    SOFT,
    SPOKEN,
    Candidate,
    Meaning,
    Token,
    candidates,
    fits,
    part,
    readable,
    spoken_line,
    tokens,
)
from referee.notes.reader.tongues import AMBIGUOUS
from referee.rules import Move
from referee.rules.frozen import Frozen

Labels = Frozen[tuple[str, ...], str]
"""Words for sides in a line, in small letters -> the side."""

_MOVE, _SIGN, _NUMBER, _BARE_NUMBER, _LABEL, _LOOSE_LABEL, _WORD = 0.05, 0.01, 0.01, 0.15, 0.02, 0.1, 1.0
_PER_WORD = 0.005
"""Bonus of a longer move, for each word."""

_KEPT, _NEAR, _LEAST = 3, 0.6, 1e-6
"""Ways to take a line apart that are kept, their maximum extra cost over the best, and a negligible difference."""

_ONLY_SPOKEN = 0.5
"""Maximum extra cost of everyday words if nothing else in a line is a move."""

_ROUND_WORDS = frozenset({"round", "move", "turn", "ply", "rd", "no", "nr"})
_ROUND = re.compile(r"[rR](\d{1,4})")
"""A round before the name of a side, such as `R1 Ada:`."""

_MOST_MEANINGS = 12
"""Meanings of a line that can be taken apart in several ways."""

_REMEMBERED = 64
"""Lines whose divisions are remembered; a long one has thousands of parts."""

PIECE, _OVERLAP = 240, 80
"""Characters of a line that are searched for moves at a time, and the overlap of two such pieces."""

_LONG = 2_000
"""Minimum characters of a line that is read only once: as it is written, or with words for notation."""

_STOPS = frozenset(".!?;")
_MOST_DIGITS = 4


class Segment(NamedTuple):
    """A part of a line.

    `kind` is `move`, `number`, `side`, `sign`, `word`, or `rest` for words that look like a part of a move.
    `field` counts the tabs before it, and `start` is its place in the line.
    """

    kind: str
    text: str
    field: int = 0
    meanings: tuple[Meaning, ...] = ()
    value: str = ""
    start: int = 0


@dataclass(slots=True)
class _Edge:
    """A part that a line may have: the number of its words, its cost, and the segment.

    A move is a candidate until it is part of one of the cheapest ways; so long the cost is the least that it may be.
    """

    length: int
    cost: float
    segment: Segment | None
    candidate: Candidate | None = None


class Division(NamedTuple):
    """One way to take a line apart, and how much of it that leaves unexplained.

    `is_spoken` is true if everyday words in it were replaced by notation, and others left out.
    """

    segments: tuple[Segment, ...]
    cost: float
    is_spoken: bool = False

    @property
    def moves(self) -> tuple[Segment, ...]:
        """The parts that are moves, or look like one."""
        return tuple(one for one in self.segments if one.kind in ("move", "rest"))


class _Way(NamedTuple):
    """A way through the first words of a line: its cost, its last part, and the way before that."""

    cost: float
    last: _Edge | None = None
    before: _Way | None = None

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The segments on the way."""
        found = []
        way: _Way | None = self
        while way is not None and way.last is not None:
            if way.last.segment is not None:
                found.append(way.last.segment)
            way = way.before
        return tuple(reversed(found))


@lru_cache(_REMEMBERED)
def divisions(game: str, text: str, labels: Labels) -> tuple[Division, ...]:
    """The best ways to take a line apart in a game, the best first: as it is written, or with words for notation."""
    mere = _WORD * _mere_words(game, text, labels)
    is_long = len(text) > _LONG
    if not mere and (_is_plain(written := _divided(game, text, text, labels, 0.0)) or is_long):
        return written
    said = spoken_line(game, text)
    words = {one.text for one in tokens(text)}
    if said == text.casefold() and all(fits(game, one) == fits(game, one.casefold()) for one in words):
        return _divided(game, text, text, labels, 0.0)
    spoken = _divided(game, said, text, labels, SPOKEN)
    # As it is written, the line costs at least its mere words.
    if spoken[0].cost >= mere and not is_long:
        written = _divided(game, text, text, labels, 0.0)
        only_spoken = _ONLY_SPOKEN if spoken[0].moves and not written[0].moves else 0.0
        if written[0].cost <= spoken[0].cost - only_spoken:
            return written
    return tuple(way._replace(is_spoken=True) for way in spoken)


def _mere_words(game: str, text: str, labels: Labels) -> int:
    """The number of words that are no part of a move, of a number or of a name."""
    named = _ROUND_WORDS.union(*labels)
    words = [one.text for one in tokens(text) if not fits(game, one.text) and one.text[0].isalnum()]
    return sum(not (one.isdecimal() or _ROUND.fullmatch(one) or one.casefold() in named) for one in words)


def _is_plain(ways: Sequence[Division]) -> bool:
    """True for a line with moves and nothing else to explain."""
    return bool(ways[0].moves) and all(one.kind not in ("word", "rest") for one in ways[0].segments)


@lru_cache(1 << 14)
def holds_moves(game: str, text: str) -> bool:
    """True for a text that holds a move of a game."""
    return any(divisions(game, text[start : start + PIECE], Frozen())[0].moves for start in pieces(text))


def pieces(text: str) -> range:
    """The places where the pieces of a text begin that are searched for moves."""
    return range(0, max(1, len(text) - _OVERLAP), PIECE - _OVERLAP)


# A line as it is written may be needed again after it was read in everyday words.
@lru_cache(2)
def _divided(game: str, text: str, original: str, labels: Labels, extra: float) -> tuple[Division, ...]:
    words = tokens(text)
    firsts = {name[0] for name in labels}
    edges = cache(lambda place: list(_edges(game, words, place, labels, firsts)))
    decide = partial(_decide, game, original.casefold(), extra)
    waiting: list[list[_Way]] = [[] for _ in range(len(words) + 1)]
    waiting[0] = [_Way(0.0)]
    inner = range(0)
    for place, token in enumerate(words):
        ways = _cheapest(waiting[place], decide)
        if not ways:
            continue
        if place in inner and all(way.last and way.last.length == 1 for way in ways):
            here = [_plain(game, token)]
        else:
            here = edges(place)
            end = place + here[-1].length
            if _is_written(here[-1]) and (end == len(words) or _is_clear(game, edges(end))):
                decide(here[-1])
                inner = range(place + 1, end if here[-1].segment else place)
                if len(here) == 2 and inner and not any(waiting[inner.start : inner.stop]):
                    here = here[1:]
        for edge in here:
            waiting[place + edge.length] += [_Way(way.cost + edge.cost, edge, way) for way in ways]
    return tuple(_near(_cheapest(waiting[-1], decide), game))


def _is_written(edge: _Edge) -> bool:
    return edge.cost == _MOVE - edge.length * _PER_WORD


def _is_clear(game: str, edges: Sequence[_Edge]) -> bool:
    """True if a move ends before these parts, so that no other one that begins inside it is likely."""
    first = edges[0].segment
    return first is None or not fits(game, first.text) or first.kind == "sign" or _is_written(edges[-1])


def _cheapest(waiting: list[_Way], decide: Callable[[_Edge], None]) -> list[_Way]:
    """The cheapest ways to a place, without those that are too dear in any case."""
    if len(waiting) == 1 and waiting[0].last is not None and waiting[0].last.candidate is None:
        return waiting if waiting[0].last.segment else []
    rest = [(way.cost, number, way) for number, way in enumerate(waiting)]
    heapq.heapify(rest)
    kept: list[_Way] = []
    while rest and len(kept) < _KEPT and (not kept or rest[0][0] <= kept[0].cost + _NEAR + _LEAST):
        cost, number, way = heapq.heappop(rest)
        if way.last is None or way.before is None:
            kept.append(way)
            continue
        decide(way.last)
        true_cost = way.before.cost + way.last.cost
        if way.last.segment is not None and true_cost > cost:
            heapq.heappush(rest, (true_cost, number, way._replace(cost=true_cost)))
        elif way.last.segment is not None:
            kept.append(way)
    return kept


def _decide(game: str, original: str, extra: float, edge: _Edge) -> None:
    """Make a candidate a move, or nothing; one in everyday words costs more."""
    said, edge.candidate = edge.candidate, None
    if said is None:
        return
    meanings = said.meanings(game)
    cost = extra if extra and said.text.casefold() not in original else 0.0
    if cost:
        meanings = tuple(one._replace(reason="in everyday words") for one in meanings)
    if meanings:
        edge.cost += meanings[0].cost - said.cost + cost
        edge.segment = Segment("move", readable(game, said.text), said.field, meanings)


def _near(ways: list[_Way], game: str) -> Iterator[Division]:
    """The ways near to the best one that have other moves, as divisions."""
    known: list[list[set[tuple[Move, ...]]]] = []
    for way in ways:
        segments = way.segments
        moves = [{meaning.moves for meaning in one.meanings} for one in segments if one.kind == "move"]
        if way.cost - ways[0].cost <= _NEAR and moves not in known:
            known.append(moves)
            yield Division(tuple(_with_rests(segments, game)), way.cost)


def _plain(game: str, token: Token) -> _Edge:
    """A word, or a sign."""
    kind, cost = ("sign", _SIGN) if part(game, token.text).is_sign else ("word", _WORD)
    return _Edge(1, cost, Segment(kind, token.text, token.field, start=token.start))


def _edges(game: str, words: Sequence[Token], place: int, labels: Labels, firsts: Collection[str]) -> Iterator[_Edge]:
    """The parts that may be at a place."""
    token = words[place]
    yield (plain := _plain(game, token))
    if (number := _number(words, place)) is not None:
        yield number
    if not place and (short := _ROUND.fullmatch(token.text)) and _label(words, 1, labels) is not None:
        yield _Edge(1, _NUMBER, Segment("number", short[1], token.field, value=short[1]))
    if token.text.casefold() in firsts and (label := _label(words, place, labels)) is not None:
        yield label
    if plain.cost == _SIGN and not fits(game, token.text):
        return
    for one in candidates(game, words[place : place + LONGEST_RUN]):
        yield _Edge(one.length, _MOVE - one.length * _PER_WORD + one.cost, None, one)


def _number(words: Sequence[Token], place: int) -> _Edge | None:
    """A round's number: `3.`, `3)`, `3...`, `Round 3:`, or a bare one at the beginning of the line."""
    start = place
    named = words[start].text.casefold() in _ROUND_WORDS or words[start].text == "#"
    start += named
    if start == len(words) or not words[start].text.isdecimal() or len(words[start].text) > _MOST_DIGITS:
        return None
    end = start + 1
    while end < len(words) and words[end].text in (".", ")", ":") and not words[end].gap:
        end += 1
    if not named and end == start + 1 and place:
        return None
    cost = _NUMBER if named or end > start + 1 else _BARE_NUMBER
    value = str(int(words[start].text))
    return _Edge(end - place, cost, Segment("number", value, words[place].field, value=value))


def _label(words: Sequence[Token], place: int, labels: Labels) -> _Edge | None:
    """A side or its player, alone or with a colon behind it; one letter needs the colon."""
    for length in (3, 2, 1) if labels else ():
        said = tuple(token.text.casefold() for token in words[place : place + length])
        if len(said) < length or (side := labels.get(said)) is None:
            continue
        end, closed = place + length, False
        while end < len(words) and words[end].text in (":", "=", ")") and not closed:
            closed, end = words[end].text in (":", "="), end + 1
        near = (*words[max(0, place - 1) : place], *words[end : end + 1])
        is_alone = all(one.field != words[place].field or one.text == "|" for one in near)
        if not closed and (all(len(word) == 1 for word in said) or (said[0] in AMBIGUOUS and not is_alone)):
            continue
        segment = Segment("side", " ".join(said), words[place].field, value=side)
        return _Edge(end - place, _LABEL if closed else _LOOSE_LABEL, segment)
    return None


def _with_rests(segments: Sequence[Segment], game: str) -> Iterator[Segment]:
    """The segments, with words that look like an unfinished move put together."""
    run: list[Segment] = []
    for one in segments:
        if one.kind == "word" and fits(game, one.text):
            run.append(one)
        elif not run:
            yield one
        elif one.kind != "sign" or one.text not in SOFT:
            yield from _rest(run)
            run = []
            yield one
    yield from _rest(run)


def _rest(run: list[Segment]) -> Iterator[Segment]:
    """Two words or more, one of them with letters and digits, are the rest of a move; others are words."""
    mixed = any(any(map(str.isalpha, one.text)) and any(map(str.isdigit, one.text)) for one in run)
    if len(run) > 1 and mixed:
        yield Segment("rest", " ".join(one.text for one in run), run[0].field)
    else:
        yield from run


def all_meanings(ways: Sequence[Division]) -> tuple[Meaning, ...]:
    """The meanings of a whole line: the moves of each way to take it apart."""
    found: dict[tuple[object, ...], Meaning] = {}
    for way in ways:
        if any(one.kind == "rest" for one in way.moves):
            continue
        for parts in product(*(one.meanings for one in way.moves)):
            moves = tuple(move for part in parts for move in part.moves)
            reason = next((part.reason for part in parts if part.reason), "")
            found.setdefault(moves, Meaning(moves, sum(part.cost for part in parts), reason))
            if len(found) == _MOST_MEANINGS:
                return tuple(found.values())
    return tuple(found.values())


def mark_after(segments: Sequence[Segment], place: int) -> str:
    """The mark such as `!?` that follows a segment."""
    signs = []
    for one in segments[place + 1 : place + 3]:
        if one.text not in ("!", "?"):
            break
        signs.append(one.text)
    return "".join(signs)


def said_sentences(segments: Sequence[Segment]) -> Iterator[tuple[str, int]]:
    """The words of each sentence, and how many segments it has."""
    starts = [0, *(place for place, one in enumerate(segments, 1) if one.text in _STOPS), len(segments)]
    for start, end in pairwise(dict.fromkeys(starts)):
        yield " ".join(one.text for one in segments[start:end] if one.kind == "word"), end - start
