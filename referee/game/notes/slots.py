"""The places of moves in notes: each with what it may mean, whose it is, and in which round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import groupby, product
from typing import NamedTuple

from referee.errors import shown
from referee.game.notes.facts import NoteFacts
from referee.game.notes.lines import NoteLine
from referee.game.notes.meanings import Meaning
from referee.game.notes.segments import Division, Segment, divisions, mark_after

_HINT = 0xF0000
"""Comments stand in a line as characters for private use while it is taken apart."""

_BRACES = re.compile(r"\{([^}]*)\}?")
_BRACKETS = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_TAIL = re.compile(r"\s(?:--|//|#|;)\s*(.*)$")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_CORRECTION = re.compile(
    r"\b(?:sorry|meant|correct(?:ion|ed)|should (?:be|have been|read)|scratch that|my mistake|oops|typo|not but)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:would|could|might|maybe|perhaps|if|instead|threat\w*|idea|consider\w*|next time|plan\w*|hop(?:e|ing)"
    r"|better)\b",
    re.IGNORECASE,
)
_JOINERS = frozenset(
    {"and", "then", "with", "against", "versus", "vs", "i", "my", "move", "moves", "is", "was", "the", "a", "to"}
    | {"by", "now", "in", "it", "here", "or", "on", "of"}
)
REPLACED = 5.0
"""Cost of what was corrected: it counts only if the correction cannot be."""

_SAID_AGAIN = 0.8
"""Cost of leaving out a move that was said before."""

_MOST_OF_ONE = 3
"""Moves in a letter that may all be its writer's: a move, and corrections of it."""

_MOST_MEANINGS, _MOST_MOVES = 12, 6
"""Meanings of a line that can be taken apart in several ways, and moves in such a line."""


@dataclass(frozen=True)
class Slot:
    """The place of a move, or of several whose number is not sure.

    Attributes:
        text: what is written.
        meanings: what it may mean; none for words that only look like a move.
        side: whose move it is, if the notes say so.
        number: the number of the round, if the notes give one.
        before: comments that precede it.
        loose: how cheaply it may be left out as mere talk; None if it may not.
    """

    text: str
    line: NoteLine
    meanings: tuple[Meaning, ...]
    side: str | None = None
    number: int | None = None
    mark: str = ""
    before: tuple[str, ...] = ()
    loose: float | None = None
    corrects: bool = False


class Remark(NamedTuple):
    """Something that the reader of notes tells: about which line, of what kind, and in words.

    `kind` is `reading`, `order`, `option`, `correction`, `end`, `left-out` or `unsure`.
    """

    kind: str
    message: str
    line: NoteLine | None = None


class Statement(NamedTuple):
    """Words without a move; `place` counts the slots before them, `side` is whose words they are, if known."""

    text: str
    line: NoteLine
    place: int
    side: str | None


@dataclass
class Slots:
    """The slots of notes as a game's, the statements between them, and what was left out or corrected.

    `cost` is how much of the notes they leave unexplained. `blocks` is true if the numbers begin again.
    """

    slots: list[Slot] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    cost: float = 0.0


def holds_moves(game: str, text: str) -> bool:
    """True for a text that holds a move of a game."""
    return any(one.moves for one in divisions(game, text, {})[:1])


def slots_of(facts: NoteFacts, lines: Sequence[NoteLine]) -> Slots:
    """The slots of the lines that the facts do not take for themselves."""
    reader = _Reader(facts)
    told = [line for line in lines if line not in facts.read]
    for _, letter in groupby(told, key=lambda line: line.author):
        for line in _unless_list(facts, list(letter)):
            reader.line(line)
    return reader.found


def _unless_list(facts: NoteFacts, letter: list[NoteLine]) -> list[NoteLine]:
    """The lines of a letter; without their author if it is a list of both sides' moves."""
    counts = [len(divisions(facts.game, line.text, {})[0].moves) for line in letter if line.author]
    is_list = max(counts, default=0) > 1 or sum(counts) > _MOST_OF_ONE
    return [line._replace(author="") for line in letter] if is_list else letter


class _Reader:
    """Goes through the lines and keeps in mind what headings say of those below them."""

    def __init__(self, facts: NoteFacts) -> None:
        self._facts = facts
        self._game = facts.game
        self._size = facts.description.moves_per_round
        self.found = Slots()
        self._side: str | None = None
        self._number: int | None = None
        self._columns: dict[int, str] = {}
        self._counted: dict[int, list[int]] = {}
        self._waiting: list[str] = []
        self._last = ""
        self._said: set[str] = set()

    def line(self, line: NoteLine) -> None:
        """Take a line."""
        text, comments = self._without_comments(line.text)
        ways = divisions(self._game, text, self._facts.labels)
        self.found.cost += ways[0].cost
        if not ways[0].moves:
            self._heading(line, ways[0].segments, comments)
            return
        several = len(ways) > 1 and len(ways[0].moves) <= _MOST_MOVES and not comments
        slots = [self._whole(line, ways)] if several else list(self._slots(line, ways, comments))
        if not self._is_repeat(slots):
            numbered = any(one.kind == "number" for one in ways[0].segments)
            talk = any(one.kind == "word" and _WORDS.fullmatch(one.text) for one in ways[0].segments)
            again = line.text == self._last
            for slot in slots:
                self._add(self._perhaps_said(slot, talk=talk, again=again), numbered=numbered)
        self._last = line.text

    def _without_comments(self, text: str) -> tuple[str, list[str]]:
        """A line with a character in place of each comment, and the comments."""
        comments: list[str] = []

        def put(said: str) -> str:
            comments.append(said.strip(" ;"))
            return f" {chr(_HINT + len(comments) - 1)} "

        def bracket(found: re.Match[str]) -> str:
            said = (found[1] or found[2] or "").strip()
            is_talk = any(
                one.kind == "word" and _WORDS.fullmatch(one.text)
                for one in divisions(self._game, said, self._facts.labels)[0].segments
            )
            return put(said) if is_talk else found[0]

        text = _BRACES.sub(lambda found: put(found[1]), text)
        text = _BRACKETS.sub(bracket, text)
        if (tail := _TAIL.search(text)) and tail[1] and not holds_moves(self._game, tail[1]):
            text = text[: tail.start()] + put(tail[1])
        return text, comments

    def _heading(self, line: NoteLine, segments: Sequence[Segment], comments: list[str]) -> None:
        """Take a line without moves: the sides of columns, a side or a number for the lines below, or words."""
        sides = [one for one in segments if one.kind == "side"]
        words = [one for one in segments if one.kind == "word"]
        numbers = [one for one in segments if one.kind == "number"]
        if len({one.value for one in sides}) > 1 and len({one.field for one in sides}) > 1:
            self._columns = {one.field: one.value for one in sides}
            self._side = None
        elif sides and len({one.value for one in sides}) == 1 and not (words or comments):
            self._side = sides[0].value
        elif numbers and not (words or sides or comments):
            self._number = int(numbers[-1].value)
        elif words or sides or comments:
            side = sides[0].value if sides else self._author(line)
            self.found.statements.append(Statement(line.text, line, len(self.found.slots), side))
            if line.is_letter:
                return
            self._comment(line.text)

    def _comment(self, text: str) -> None:
        self._waiting.append(tidy(text))

    def _slots(self, line: NoteLine, ways: tuple[Division, ...], comments: list[str]) -> Iterator[Slot]:
        """The slots of a line; one slot for all of it if it can be taken apart in several ways."""
        segments = ways[0].segments
        words = " ".join(one.text for one in segments if one.kind == "word")
        loose = self._looseness(line, words)
        in_line, field_of = None, self._fields(ways[0])
        said: list[str] = []
        if ways[0].is_spoken and set(words.casefold().split()) - _JOINERS:
            self._comment(line.text)
        for place, one in enumerate(segments):
            if one.kind == "side":
                in_line = one.value
            elif one.kind == "number":
                self._number = int(one.value)
            elif one.kind == "word":
                said.append(one.text)
            elif one.kind == "sign" and ord(one.text[0]) >= _HINT:
                said.append(f"{{{comments[ord(one.text[0]) - _HINT]}}}")
            elif one.kind in ("move", "rest"):
                corrects = _CORRECTION.search(" ".join(said)) is not None
                before, said = _comments(said, wholly=not ways[0].is_spoken), []
                side = in_line or field_of.get(place) or self._side or self._author(line)
                yield Slot(
                    one.text,
                    line,
                    one.meanings,
                    side,
                    self._number,
                    mark_after(segments, place),
                    (*self._taken(), *before),
                    loose=loose,
                    corrects=corrects,
                )
        if said:
            self._after(line, said, ways[0])

    def _whole(self, line: NoteLine, ways: tuple[Division, ...]) -> Slot:
        """One slot for a line that can be taken apart in several ways."""
        for one in ways[0].segments:
            self._number = int(one.value) if one.kind == "number" else self._number
        sides = {one.value for one in ways[0].segments if one.kind == "side"}
        side = sides.pop() if len(sides) == 1 else self._side or self._author(line)
        return Slot(line.text, line, _all_meanings(ways), side, self._number, before=self._taken())

    def _taken(self) -> tuple[str, ...]:
        waiting, self._waiting = tuple(self._waiting), []
        return waiting

    def _after(self, line: NoteLine, said: list[str], way: Division) -> None:
        """Take the words behind the last of a line's moves."""
        text = " ".join(said)
        self.found.statements.append(
            Statement(text, line, len(self.found.slots) + len(way.moves), self._author(line))
        )
        self._waiting += _comments(said, wholly=not way.is_spoken)

    def _looseness(self, line: NoteLine, words: str) -> float | None:
        """The cost of leaving out the moves of a line: little in talk of what could be; None in a plain list."""
        if _HEDGE.search(words):
            return 0.3
        talk = len(_WORDS.findall(words))
        if line.is_letter or talk > 3:
            return 2.0
        return None

    def _fields(self, way: Division) -> dict[int, str]:
        """The side of each segment that is a move, by the columns of the heading."""
        moves = [(place, one) for place, one in enumerate(way.segments) if one.kind in ("move", "rest")]
        if len(moves) == len(self._columns):
            return {place: side for (place, _), side in zip(moves, self._columns.values(), strict=True)}
        return {place: self._columns[one.field] for place, one in moves if one.field in self._columns}

    def _author(self, line: NoteLine) -> str | None:
        name = line.author.partition("<")[0].casefold().split()
        return self._facts.labels.get(tuple(name)) or self._facts.labels.get(tuple(name[:1]))

    def _perhaps_said(self, slot: Slot, *, talk: bool, again: bool) -> Slot:
        """The slot, which may be left out if it only says again what was said: in a sentence, or in the same line."""
        known = _moves(slot) & self._said
        self._said |= _moves(slot)
        again = again or (talk and bool(known))
        return replace(slot, loose=_SAID_AGAIN) if again and slot.loose is None else slot

    def _add(self, slot: Slot, *, numbered: bool) -> None:
        """Add a slot, or what it corrects."""
        full = numbered and len(self._counted.get(slot.number or 0, ())) >= self._size
        if (slot.corrects or full) and (target := self._target(slot)) is not None:
            self._correct(target, slot, "is corrected")
            if not slot.corrects:
                said = f"round {slot.number} has all its moves already: {shown(slot.text)} is taken for a correction"
                self.found.remarks.append(Remark("unsure", said, slot.line))
            return
        if slot.number is not None:
            self._counted.setdefault(slot.number, []).append(len(self.found.slots))
        self.found.slots.append(slot)

    def _target(self, slot: Slot) -> int | None:
        """The slot that a correction is about: of its round and side, and most like it."""
        slots = self.found.slots
        places = list(range(len(slots)))
        if slot.side is not None:
            places = [place for place in places if slots[place].side == slot.side] or places
            places = places[-1:] if slot.number is None else places
        told = _round_told(slot.line.text)
        if told is not None:
            places = [place for place in places if slots[place].number == told] or places
        if not places:
            return None
        near = places[-4:]
        return max(near, key=lambda place: (_likeness(slots[place].text, slot.text), place))

    def _correct(self, target: int, slot: Slot, how: str) -> None:
        old = self.found.slots[target]
        kept = tuple(one._replace(cost=one.cost + REPLACED) for one in old.meanings)
        known = {one.moves for one in slot.meanings}
        meanings = (*slot.meanings, *(one for one in kept if one.moves not in known))
        said = f"{shown(old.text)} {how}: {shown(slot.text)} takes its place"
        self.found.remarks.append(Remark("correction", said, slot.line))
        self.found.slots[target] = replace(old, text=slot.text, meanings=meanings, before=(*old.before, *slot.before))

    def _is_repeat(self, slots: list[Slot]) -> bool:
        """Take a line for a round that is there already: the later line counts."""
        number = slots[0].number
        there = self._counted.get(number, []) if number is not None else []
        same = [place for place in there if self.found.slots[place].line != slots[0].line]
        if len(same) + len(slots) <= self._size or len(slots) != len(same) or any(one.corrects for one in slots):
            return False
        if slots[0].number != _first_number(slots[0].line.text):
            return False
        for place, slot in zip(same, slots, strict=True):
            if _moves(self.found.slots[place]) != _moves(slot):
                self._correct(place, slot, f"of round {number} is written again")
        return True


def _moves(slot: Slot) -> set[str]:
    return {str(one) for one in slot.meanings}


def _likeness(one: str, two: str) -> float:
    return SequenceMatcher(None, one.casefold(), two.casefold(), autojunk=False).ratio()


def _round_told(text: str) -> int | None:
    found = re.search(r"\b(?:round|move|turn)\s+(\d{1,4})\b", text, re.IGNORECASE)
    return int(found[1]) if found else None


def _first_number(text: str) -> int | None:
    found = re.match(r"\W*(?:(?:round|move|turn|ply|rd|no|nr)\W*)?(\d{1,4})\b", text, re.IGNORECASE)
    return int(found[1]) if found else None


def _all_meanings(ways: tuple[Division, ...]) -> tuple[Meaning, ...]:
    """What a whole line may mean: the moves of each way to take it apart."""
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


def _comments(said: Sequence[str], *, wholly: bool) -> tuple[str, ...]:
    """Comments beside a move; and its other words, if they are there wholly and do more than join moves."""
    text = " ".join(said)
    found = re.findall(r"\{([^}]*)\}", text)
    words = re.sub(r"\{[^}]*\}", " ", text).split()
    if wholly and any(word.casefold() not in _JOINERS for word in words):
        found.append(" ".join(words))
    return tuple(tidy(one) for one in found if one.strip())


def tidy(text: str) -> str:
    """A text as a comment of a move list: one line without braces."""
    return " ".join(text.replace("{", "(").replace("}", ")").split())[:500]
