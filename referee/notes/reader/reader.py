"""From lines of notes to the slots of a game's moves, each with its side and its corrections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from referee.errors import shown
from referee.notes.reader.amendment import amendment, corrected, is_there, round_told
from referee.notes.reader.comments import comments_of, does_more_than_join, holds_replies, split_comments, talk, tidy
from referee.notes.reader.facts import NoteFacts
from referee.notes.reader.lines import TAG, NoteLine, first_number
from referee.notes.reader.meanings import fits, spoken_line
from referee.notes.reader.segments import Division, Segment, all_meanings, divisions, mark_after, said_sentences
from referee.notes.reader.slots import HEDGED, Portion, Remark, Slot, Slots, Statement
from referee.notes.reader.tongues import is_supposition
from referee.notes.reader.wishes import Wish, announces_correction, with_wishes
from referee.rules.frozen import Frozen

_HEDGE = re.compile(
    r"\b(?:if|instead|threat\w*|idea|consider\w*|next time|plan\w*|hop(?:e|ing)|better)\b", re.IGNORECASE
)
_TALK, _SAID_AGAIN = 2.0, 0.8
"""Costs of leaving out a move: among other words, and one that was said before."""

_FEW_WORDS = 3
"""Words beside the moves of a line that is no talk, at most."""

_MOST_OF_ONE = 3
"""Moves in a letter that may all be its writer's: a move, and corrections of it."""

_MOST_MOVES = 6
"""Moves of a line that can be taken apart in several ways."""


def slots_of(facts: NoteFacts, lines: Sequence[NoteLine]) -> Slots:
    """The slots of the lines without facts."""
    size = facts.description.moves_per_round
    bracketed = [line.text for line in lines if "(" in line.text or "[" in line.text]
    replies = bool(bracketed) and holds_replies(facts.game, size, [line.text for line in lines])
    reader = _Reader(facts, replies=replies)
    reader.strangers(lines)
    told = [line for line in lines if line not in facts.read or line in facts.lists]
    reader.numbers(told)
    for _, letter in groupby(told, key=lambda line: line.author):
        for line in _unless_list(facts, list(letter)):
            reader.line(line)
    reader.found.rest = reader.taken()
    return reader.found


def _unless_list(facts: NoteFacts, letter: list[NoteLine]) -> list[NoteLine]:
    """The lines of a letter; without their author if it is a list of both sides' moves."""
    counts = [len(divisions(facts.game, line.text, Frozen())[0].moves) for line in letter if line.author]
    is_list = max(counts, default=0) > 1 or sum(counts) > _MOST_OF_ONE
    return [line._replace(author="") for line in letter] if is_list else letter


class _Reader:
    """Goes through the lines, and applies headings to the lines below them."""

    def __init__(self, facts: NoteFacts, *, replies: bool) -> None:
        """Begin with nothing read; `replies` is true if moves in brackets answer those before them."""
        self._facts = facts
        self._replies = replies
        self._game = facts.game
        self._size = facts.description.moves_per_round
        self.found = Slots()
        self._side: str | None = None
        self._number: int | None = None
        self._columns: dict[int, str] = {}
        self._is_header = False
        self._counted: dict[int, list[int]] = {}
        self._highest = 0
        self._waiting: list[str] = []
        self._behind: tuple[str, ...] = ()
        self._last = ""
        self._said: set[str] = set()
        self._settled = False
        self._slip: NoteLine | None = None
        self._renumbered: dict[NoteLine, int] = {}
        self._headings: list[str] = []

    def strangers(self, lines: Sequence[NoteLine]) -> None:
        """Report the letters of people who are no players."""
        first: dict[str, NoteLine] = {}
        for line in lines:
            if line.is_letter and line.author and self._author(line) is None:
                first.setdefault(line.author, line)
        if len(first) + len(self._facts.players) > len(self._facts.description.sides):
            said = "{} writes a letter, and is no player" if self._facts.players else "{} is one of too many writers"
            self.found.remarks += [Remark("unsure", said.format(shown(name)), line) for name, line in first.items()]

    def numbers(self, lines: Sequence[NoteLine]) -> None:
        """Take a number that is written twice, before one is missing, for the missing one; and report it."""
        numbered = [(line, number) for line in lines if (number := first_number(line.text)) is not None]
        for (above, one), (line, two), (_, three) in zip(numbered, numbered[1:], numbered[2:], strict=False):
            both = [divisions(self._game, each.text, self._facts.labels)[0].moves for each in (above, line)]
            are_whole = all(len(moves) >= self._size for moves in both)
            if one == two == three - 2 and are_whole and _all_moves(both[0]) != _all_moves(both[1]):
                self._renumbered[line] = two + 1
                said = f"the number {two} is written twice, and {two + 1} is missing: this is read as round {two + 1}"
                self.found.remarks.append(Remark("unsure", said, line))

    def line(self, line: NoteLine) -> None:
        """Take a line, or leave it to the second game."""
        if line.is_quote:
            self._quote(line)
            return
        if line in self._facts.lists:
            self._side, self._number, self._columns = self._facts.lists[line], None, {}
            if line in self._facts.read:
                return
        if TAG.fullmatch(line.text):
            self._waiting.append(tidy(line.text))
            self.found.portions.append(Portion(line, ()))
            return
        said = self._headed(line.text)
        text, comments = split_comments(self._game, self._facts.labels, said, replies=self._replies)
        ways = self._divisions(text)
        segments = ways[0].segments
        if self.found.later or self._begins_again(ways[0]):
            self.found.later.append(line)
            return
        self.found.cost += ways[0].cost
        parts = with_wishes(self._game, segments)
        has_wish = any(isinstance(one, Wish) for one in parts)
        first, self._settled, repeats = len(self.found.slots), False, False
        if not ways[0].moves and not has_wish:
            self._heading(line, segments, comments)
        elif self._is_open(ways) and not (comments or has_wish or is_supposition(text)):
            repeats = self._take(line, ways[0], [self._whole(line, ways), *_last_words(line, segments)])
        else:
            repeats = self._take(line, ways[0], list(self._slots(line, text, ways[0], parts, comments)))
        if len(self.found.slots) > first:
            self.found.slots[-1] = replace(self.found.slots[-1], after=self._behind)
        else:
            self._waiting += self._behind
        self._behind = ()
        places = tuple(range(first, len(self.found.slots)))
        self.found.portions.append(Portion(line, segments, places, repeats, self._settled))
        self._last = line.text

    def _headed(self, text: str) -> str:
        """A row of a table, with the heading before each number that is a part of a move only so."""
        cells = text.split("\t")
        if len(cells) != len(self._headings):
            return text
        told = [
            f"{heading} {cell}"
            if cell.isdecimal() and fits(self._game, spoken_line(self._game, f"{heading} {cell}"))
            else cell
            for heading, cell in zip(self._headings, cells, strict=True)
        ]
        return "\t".join(told)

    def _quote(self, line: NoteLine) -> None:
        """Keep a quote as a comment, unless its moves are there already."""
        way = divisions(self._game, line.text, self._facts.labels)[0]
        known = {str(one) for slot in self.found.slots for one in slot.meanings}
        repeats = bool(way.moves) and all(known & set(map(str, one.meanings)) for one in way.moves)
        if not repeats:
            self._waiting.append(tidy(f"> {line.text}"))
        self.found.portions.append(Portion(line, way.segments, repeats=repeats))

    def _is_open(self, ways: Sequence[Division]) -> bool:
        """True for a line that can be taken apart in several ways, all of them without plans and threats."""
        words = " ".join(one.text for one in ways[0].segments if one.kind == "word")
        return len(ways) > 1 and len(ways[0].moves) <= _MOST_MOVES and not _HEDGE.search(words)

    def _divisions(self, text: str) -> tuple[Division, ...]:
        """The ways to take a line apart; one that corrects a part of a move may say it in everyday words."""
        ways = divisions(self._game, text, self._facts.labels)
        if ways[0].moves or not (announces_correction(text) or re.search(r"\bnot\b", text, re.IGNORECASE)):
            return ways
        return divisions(self._game, spoken_line(self._game, text), self._facts.labels)

    def _take(self, line: NoteLine, way: Division, parts: Sequence[Slot | Wish | str]) -> bool:
        """Take the slots, corrections and last words of a line; True if they only repeat a round."""
        slots = [one for one in parts if isinstance(one, Slot)]
        is_plain = not any(isinstance(one, Wish) for one in parts)
        known = self._acknowledged(slots) if is_plain else ()
        parts = [one for one in parts if not any(one is slot for slot in known)]
        slots = [one for one in parts if isinstance(one, Slot)]
        repeats = is_plain and (self._is_repeat(slots) if slots else bool(known))
        numbered = any(one.kind == "number" for one in way.segments)
        is_talk = any(one.kind == "word" and talk(one.text) for one in way.segments)
        again = line.text == self._last
        for one in parts:
            if isinstance(one, str):
                place = len(self.found.slots)
                self.found.statements.append(Statement(one, line, place, self._author(line)))
            elif isinstance(one, Wish):
                self._amend(line, one, numbered=numbered)
            elif not repeats:
                self._add(self._perhaps_said(one, talk=is_talk, again=again), numbered=numbered)
        return repeats

    def _begins_again(self, way: Division) -> bool:
        """True for the first round of a second game: it has number 1 again, and all its moves are others."""
        number = next((int(one.value) for one in way.segments if one.kind == "number"), 0)
        there = self._counted.get(1, [])
        if number != 1 or self._highest < 2 or not there or not way.moves:
            return False
        slots = [self.found.slots[place] for place in there]
        known = {move for slot in slots for one in slot.meanings for move in one.moves}
        moves = [one.meanings[0].moves for one in way.moves if one.meanings]
        moves_there = sum(len(one.meanings[0].moves) if one.meanings else 1 for one in slots)
        is_full = min(sum(map(len, moves)), moves_there) >= self._size
        return is_full and not any(set(one) & known for one in moves)

    def _heading(self, line: NoteLine, segments: Sequence[Segment], comments: list[str]) -> None:
        """Take a line without moves: the sides of columns, a side or a number for the lines below, or words."""
        self._headings = line.text.split("\t") if "\t" in line.text else []
        sides = [one for one in segments if one.kind == "side"]
        words = [one for one in segments if one.kind == "word"]
        numbers = [one for one in segments if one.kind == "number"]
        if len({one.value for one in sides}) > 1 and len({one.field for one in sides}) > 1:
            self._columns = {one.field: one.value for one in sides}
            self._is_header = all(re.search(r":\s*\w", cell) for cell in line.text.split("\t"))
            self._side = None
        elif sides == list(segments) and sorted(one.text for one in sides) == sorted(self._facts.description.sides):
            self._columns = {place: one.value for place, one in enumerate(sides)}
            self._side = None
        elif sides and len({one.value for one in sides}) == 1 and not (words or comments):
            self._side = sides[0].value
        elif numbers and not (words or sides or comments):
            self._number = int(numbers[-1].value)
        elif words or sides or comments:
            side = sides[0].value if sides else self._author(line)
            self.found.statements.append(Statement(line.text, line, len(self.found.slots), side))
            if announces_correction(line.text):
                self._slip = line
            if line.is_letter:
                return
            alone = comments_of(line.text, segments, comments, wholly=False)
            self._waiting += alone if len(alone) == len(segments) else [tidy(line.text)]

    def _slots(
        self, line: NoteLine, text: str, way: Division, parts: Sequence[Segment | Wish], comments: list[str]
    ) -> Iterator[Slot | Wish | str]:
        """The slots of a line, the wishes of its corrections, and the words behind its last move."""
        segments = way.segments
        places = {id(one): place for place, one in enumerate(segments)}
        words = " ".join(one.text for one in segments if one.kind == "word")
        sentences = list(said_sentences(segments))
        told = _suppositions(text, [said for said, _ in sentences])
        supposed = [one for one, (_, many) in zip(told, sentences, strict=True) for _ in range(many)]
        hedges = ((bool(_HEDGE.search(said)), many) for said, many in sentences)
        hedged = [one for one, many in hedges for _ in range(many)]
        is_talk = line.is_letter or talk(words) > _FEW_WORDS
        in_line, field_of = None, self._fields(way)
        said: list[Segment] = []
        wholly = not way.is_spoken and not any(isinstance(one, Wish) for one in parts)
        if not wholly and does_more_than_join(words):
            self._waiting.append(tidy(line.text))
            comments = []
        for one in parts:
            if isinstance(one, Wish):
                yield one._replace(side=self._whose(line, in_line))
                said = []
            elif one.kind == "side":
                in_line = one.value
            elif one.kind == "number":
                self._number = self._renumbered.get(line, int(one.value))
            elif one.kind in ("word", "sign"):
                said.append(one)
            elif one.kind in ("move", "rest"):
                place = places[id(one)]
                before, said = comments_of(text, said, comments, wholly=wholly), []
                side = self._whose(line, in_line or field_of.get(place))
                yield Slot(
                    one.text,
                    line,
                    one.meanings,
                    side,
                    self._number,
                    mark_after(segments, place),
                    (*self.taken(), *before),
                    loose=HEDGED if supposed[place] or hedged[place] else _TALK if is_talk else None,
                    is_supposed=supposed[place],
                )
        self._behind = comments_of(text, said, comments, wholly=wholly)
        yield from _last_words(line, segments)

    def _whole(self, line: NoteLine, ways: tuple[Division, ...]) -> Slot:
        """One slot for a line that can be taken apart in several ways."""
        segments = ways[0].segments
        for one in segments:
            if one.kind == "number":
                self._number = self._renumbered.get(line, int(one.value))
        before = takewhile(lambda one: one.kind not in ("move", "rest"), segments)
        sides = {one.value for one in before if one.kind == "side"}
        side = sides.pop() if len(sides) == 1 else self._side or self._author(line)
        if does_more_than_join(" ".join(one.text for one in segments if one.kind == "word")):
            self._waiting.append(tidy(line.text))
        return Slot(line.text, line, all_meanings(ways), side, self._number, before=self.taken())

    def _whose(self, line: NoteLine, in_line: str | None) -> str | None:
        """The side of a move: its letter's writer, the side that the line names, or that of the heading."""
        author = self._author(line)
        return author if author and line.is_letter else in_line or self._side or author

    def taken(self) -> tuple[str, ...]:
        """Take the comments that wait for a move."""
        waiting, self._waiting = tuple(self._waiting), []
        return waiting

    def _fields(self, way: Division) -> dict[int, str]:
        """The side of each segment that is a move, by the columns of the heading."""
        moves = [(place, one) for place, one in enumerate(way.segments) if one.kind in ("move", "rest")]
        if self._is_header and len({one.field for _, one in moves}) == 1:
            return {}
        if len(moves) == len(self._columns):
            return {place: side for (place, _), side in zip(moves, self._columns.values(), strict=True)}
        return {place: self._columns[one.field] for place, one in moves if one.field in self._columns}

    def _author(self, line: NoteLine) -> str | None:
        name = line.author.partition("<")[0].casefold().split()
        return self._facts.labels.get(tuple(name)) or self._facts.labels.get(tuple(name[:1]))

    def _perhaps_said(self, slot: Slot, *, talk: bool, again: bool) -> Slot:
        """The slot, which may be left out if it only repeats a move: in a sentence, or in the same line."""
        known = _moves(slot) & self._said
        self._said |= _moves(slot)
        again = again or (talk and bool(known))
        return replace(slot, loose=_SAID_AGAIN) if again and slot.loose is None else slot

    def _add(self, slot: Slot, *, numbered: bool) -> None:
        """Add a slot; one too many for its round is taken for a correction, which is reported."""
        wish = Wish(slot.text, (Segment("move", slot.text, 0, slot.meanings),), side=slot.side)
        slip = wish._replace(announced=True)
        announced, self._slip = self._slip, None
        if announced and self._follows(slot.side) and self._changed(slot.line, slip, None):
            self.found.portions = [
                one._replace(settled=True) if one.line == announced else one for one in self.found.portions
            ]
            return
        is_full = numbered and len(self._counted.get(slot.number or 0, ())) >= self._size
        if is_full and slot.loose != HEDGED:
            said = f"round {slot.number} has all its moves already: {shown(slot.text)} is taken for a correction"
            if not self._changed(slot.line, wish, slot.number):
                said = f"round {slot.number} has all its moves already, and {shown(slot.text)} corrects none of them"
                self._append(slot)
            self.found.remarks.append(Remark("unsure", said, slot.line))
            return
        self._append(slot)

    def _append(self, slot: Slot) -> None:
        if slot.number is not None:
            self._highest = max(self._highest, slot.number)
            self._counted.setdefault(slot.number, []).append(len(self.found.slots))
        self.found.slots.append(replace(slot, place=len(self.found.slots)))

    def _follows(self, side: str | None) -> bool:
        """True if the last slot is of the same side, so that another move of that side replaces it."""
        return bool(self.found.slots) and side is not None and self.found.slots[-1].side == side

    def _changed(self, line: NoteLine, wish: Wish, number: int | None) -> bool:
        """Change the slot that a wish is about; False if there is none."""
        found = amendment(self._game, self.found.slots, wish, line, wish.side, number)
        if found is None:
            return False
        before = (*found.slot.before, *self.taken())
        self.found.slots[found.place] = replace(found.slot, before=before)
        if found.is_open:
            said = f"{shown(wish.text)} may correct either move of round {number}"
            self.found.remarks.append(Remark("unsure", said, line))
        self._settled = True
        return True

    def _amend(self, line: NoteLine, wish: Wish, *, numbered: bool) -> None:
        """Apply a correction to an earlier move, or to one that the same words name; or report it as unclear."""
        number = round_told(line.text) or (self._number if numbered else None)
        is_firm = bool(wish.parts or wish.rejected) or announces_correction(line.text)
        same_line = bool(self.found.slots) and self.found.slots[-1].line == line
        is_about_before = is_firm or same_line or self._follows(wish.side) or (wish.side is None and wish.announced)
        if is_about_before and self._changed(line, wish, number):
            return
        near = [one for one in self.found.slots if number is None or one.number == number]
        if is_firm and is_there(near, wish):
            self._settled = True
            said = f"{shown(wish.text)} is what the notes have already"
            self.found.remarks.append(Remark("correction", said, line))
            return
        if not wish.moves:
            if wish.announced or wish.refused or wish.rejected:
                said = f"{shown(wish.text)} may be a correction, but it is not clear of what"
                self.found.remarks.append(Remark("unsure", said, line))
            return
        self._new(line, wish)

    def _new(self, line: NoteLine, wish: Wish) -> None:
        """Add the first move that a wish wants as a new one, instead of those that the same words reject."""
        first = wish.moves[0]
        slot = Slot(first.text, line, first.meanings, wish.side, self._number, before=self.taken())
        if wish.rejected:
            old = replace(slot, text=wish.rejected[0].text, meanings=wish.rejected[0].meanings)
            slot = corrected(old, first.meanings, first.text, line)
            self._settled = True
        elif wish.announced and any(one.side in (None, wish.side) for one in self.found.slots):
            said = f"{shown(first.text)} may correct an earlier move; it is read as a new one"
            self.found.remarks.append(Remark("unsure", said, line))
        self._append(slot)

    def _acknowledged(self, slots: Sequence[Slot]) -> list[Slot]:
        """The moves of a line that only repeat earlier ones: in a full round, or before a player's own move."""
        known: list[Slot] = []
        if all(slot.number is not None for slot in slots):
            for number, group in groupby(slots, key=lambda slot: slot.number):
                there = [self.found.slots[place] for place in self._counted.get(number or 0, ())]
                there = [slot for slot in there if slot.line != slots[0].line]
                new = list(group)
                if len(there) + len(new) > self._size:
                    known += _said_again(there, new)
        elif len({slot.side for slot in slots}) == 1 and slots[0].side is not None:
            many = len(slots) - 1
            last = self.found.slots[len(self.found.slots) - many :] if many else []
            known += slots[:many] if last and len(_said_again(last, slots[:many])) == many else []
        return known

    def _is_repeat(self, slots: list[Slot]) -> bool:
        """Take a line for a round that is there already: the later line counts."""
        number = slots[0].number
        there = self._counted.get(number, []) if number is not None else []
        same = [place for place in there if self.found.slots[place].line != slots[0].line]
        if len(same) + len(slots) <= self._size or len(slots) != len(same):
            return False
        if slots[0].number != first_number(slots[0].line.text):
            return False
        pairs = [(self.found.slots[place], slot) for place, slot in zip(same, slots, strict=True)]
        if any(None is not old.side != slot.side is not None for old, slot in pairs):
            return False
        for place, (old, slot) in zip(same, pairs, strict=True):
            if _moves(old) != _moves(slot):
                how = f"of round {number} is written again"
                self.found.slots[place] = corrected(old, slot.meanings, slot.text, slot.line, how)
                self._settled = True
        return True


def _last_words(line: NoteLine, segments: Sequence[Segment]) -> Iterator[str]:
    """The words behind the last move of a line, as they are written; none if there are none."""
    after = list(takewhile(lambda one: one.kind not in ("move", "rest"), reversed(segments)))[::-1]
    words = [one.text.split(" ")[0] for one in after if one.kind in ("word", "side")]
    if not words or all(one.kind != "word" for one in after):
        return
    found = [one.start() for one in re.finditer(rf"(?<!\w){re.escape(words[0])}(?!\w)", line.text, re.IGNORECASE)]
    least = sum(len(one.text) for one in after if one.kind in ("word", "side"))
    later = [place for place in found if len(line.text) - place >= least]
    yield line.text[later[-1] :] if later else " ".join(words)


def _suppositions(text: str, sentences: Sequence[str]) -> list[bool]:
    """True for each sentence of a line about what could be played; for all of them if it is not clear for which.

    The text counts too because everyday words lose small words such as `of` when they become notation.
    """
    found = [is_supposition(said) for said in sentences]
    return found if any(found) or not is_supposition(text) else [True] * len(sentences)


def _all_moves(segments: Sequence[Segment]) -> list[set[str]]:
    return [set(map(str, one.meanings)) for one in segments]


def _said_again(there: Sequence[Slot], new: Sequence[Slot]) -> list[Slot]:
    """The new slots with the moves of others; each of those counts once."""
    left, found = list(there), []
    for slot in new:
        same = next((one for one in left if _moves(one) & _moves(slot)), None)
        if same is not None:
            left.remove(same)
            found.append(slot)
    return found


def _moves(slot: Slot) -> set[str]:
    return {str(one) for one in slot.meanings}
