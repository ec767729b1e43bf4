"""From lines of notes to a game: their likeliest meaning, as far as the rules allow it, and remaining doubts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from referee.errors import FileError, Finding, shown
from referee.game import End, GameFile, dumps, game_text, judge, loads
from referee.notes.arrangement import gaps, twice_in_turn
from referee.notes.branches import with_variations
from referee.notes.conclusion import conclusion, result_told
from referee.notes.leftovers import Account, leftovers
from referee.notes.moves import RoundBuilder
from referee.notes.reader.lines import NoteLine
from referee.notes.reader.slots import Remark, Slot, Statement
from referee.notes.reader.wishes import REPLACED
from referee.notes.readings import NotesReading, reading_of, readings
from referee.notes.search import Search, SlotStep, Trail
from referee.notes.variants import options_text, other_values
from referee.rules import Move, Position
from referee.rules.description import Data

_SURE_TALK = 0.5
"""Maximum cost of leaving out a move that is surely talk."""

_GAME_KEY = re.compile(r"""^\s*\{?\s*["']?game["']?\s*:""", re.MULTILINE)

_RECORD = re.compile(r"^; game: (?=[^\n]*\n)", re.MULTILINE)
"""The beginning of a move list with its header in comments, which may be below a printed board."""


class Doubt(NamedTuple):
    """A question that notes leave open: its subject, the possible answers, and the one that was chosen."""

    message: str
    choices: tuple[str, ...]
    line: NoteLine | None = None
    taken: int = 0

    @property
    def place(self) -> str | None:
        """File and line that it is about, if it is about one."""
        return self.line and self.line.place


Choose = Callable[[Doubt], int]
"""Answers a doubt with the place of a choice."""


@dataclass(frozen=True)
class Imported:
    """The game of some notes; with remarks on every reading that is not plain, and with what is unsure or wrong.

    `doubts` are the questions without an answer. `findings` are those of the game file if it does not hold.
    `source` is the text of the notes if they are a game file already.
    """

    game: GameFile
    remarks: tuple[Remark, ...]
    doubts: tuple[Doubt, ...]
    findings: tuple[Finding, ...]
    source: str = ""

    @property
    def text(self) -> str:
        """The text of the game file."""
        return self.source or dumps(self.game)

    @property
    def is_sure(self) -> bool:
        """True if nothing is unsure and the game holds."""
        return not (self.doubts or self.findings or any(one.kind == "unsure" for one in self.remarks))

    def as_json(self) -> dict[str, object]:
        """The report that `referee import --format json` prints."""
        return {
            "game": self.game.game,
            "sure": self.is_sure,
            "moves": sum(len(one.moves) for one in self.game.rounds),
            "doubts": [
                {"line": one.place, "message": one.message, "choices": list(one.choices), "taken": one.taken}
                for one in self.doubts
            ],
            "remarks": [{"line": one.place, "kind": one.kind, "message": one.message} for one in self.remarks],
            "findings": [one.as_json() for one in self.findings],
        }


def import_notes(
    lines: Sequence[NoteLine],
    game: str | None = None,
    options: Mapping[str, Any] | None = None,
    choose: Choose | None = None,
) -> Imported:
    """The game in some lines of notes.

    Args:
        lines: the lines, in the order of writing.
        game: the game; without it the one as which the notes read best.
        options: options of the game that the notes need not name.
        choose: answers each doubt; without it the likeliest answer is chosen, and the doubt is reported.

    Raises:
        FileError: `no-moves`; no line holds a move.
    """
    given = dict(options or {})
    plain = [line._replace(is_quote=False) for line in lines]
    has_quotes = plain != list(lines)
    try:
        found = readings(lines, game, given)
    except FileError:
        if not has_quotes:
            raise
        return _Import(plain, readings(plain, game, given), choose).result()
    if has_quotes and not found[0].is_good and (better := readings(plain, game, given))[0].is_good:
        better[0].slots.remarks.append(Remark("order", "what is quoted is read as text: only so the moves are legal"))
        return _Import(plain, better, choose).result()
    return _Import(lines, found, choose).result()


def game_file(
    text: str, file: str, game: str | None = None, options: Mapping[str, Any] | None = None
) -> Imported | None:
    """The game of a text that is a game file already, which stays as it is written, or of a printed record.

    None if it is none, if something is wrong with it, or if it is of another game or has other options than these.
    """
    record = _RECORD.search(text)
    if record is None and _GAME_KEY.search(text) is None:
        return None
    try:
        found = loads(text[record.start() :] if record else text, file, suggest=False)
    except FileError:
        return None
    known = found.description.completed(found.options)
    is_meant = game in (None, found.game) and known == {**known, **(options or {})}
    if not is_meant or judge(found, suggest=False).findings:
        return None
    kind = "a record of a game: its move list is read" if record else "a game file already: it stays as it is"
    remark = Remark("order", f"this is {kind}", NoteLine("", file, 1))
    return Imported(found, (remark,), (), (), "" if record else text)


class _Import:
    """Settles the doubts of a reading and makes the game of it."""

    def __init__(self, lines: Sequence[NoteLine], found: Sequence[NotesReading], choose: Choose | None) -> None:
        self._lines = lines
        self._choose = choose
        self._doubts: list[Doubt] = []
        self._remarks: list[Remark] = []
        self._unsure: dict[int, str] = {}
        self._decided: set[int] = set()
        self._concluded: set[NoteLine] = set()
        self._reading = found[0]
        if len(found) > 1:
            titles = [one.facts.description.title for one in found]
            self._reading = found[self._ask("the notes may be of several games", titles, None)]
        self._facts = self._reading.facts

    def result(self) -> Imported:
        """The game, with everything to report about it."""
        self._settle_headers()
        self._remarks += self._reading.slots.remarks
        self._settle_seats()
        self._settle_words()
        self._settle_options()
        trail = self._settle_moves()
        self._explain(trail)
        game = self._game(trail)
        self._remarks += self._leftovers(trail)
        findings = _findings(game)
        if not findings:
            game, varied = with_variations(game)
            self._remarks += [Remark("variation", f"{shown(one)} is kept as a variation") for one in varied]
        if not (trail.whole or findings):
            last = self._reading.arrangement.slots[len(trail.steps)]
            said = f"{shown(last.text)} and the rest are kept as written: not all fits the sides that move"
            self._remarks.append(Remark("unsure", said, last.line))
        return Imported(game, tuple(self._remarks), tuple(self._doubts), findings)

    def _leftovers(self, trail: Trail) -> Iterator[Remark]:
        """Remarks on the words that look like more than they became."""
        slots = self._reading.arrangement.slots
        known = {move for step in trail.steps if step.meaning for move in step.meaning.moves}
        talk = {
            slots[step.place].place
            for step in trail.steps
            if step.meaning is None and not _is_surely_talk(slots[step.place], known)
        }
        settled = {slot.place for slot in slots} - talk | self._decided
        game, found, is_over = self._facts.game, self._reading.slots, trail.position.outcome is not None
        return leftovers(Account(game, found, settled, self._facts.read, self._concluded, is_over))

    def _ask(self, message: str, choices: Sequence[str], line: NoteLine | None) -> int:
        """The answer to a doubt; without `choose` the first one, and the doubt stays."""
        doubt = Doubt(message, tuple(choices), line)
        if self._choose is not None:
            return self._choose(doubt)
        self._doubts.append(doubt)
        return 0

    def _settle_headers(self) -> None:
        """Ask about each header that the notes give twice, with different values."""
        for key, values in self._facts.given.items():
            if chosen := self._ask(f"the notes give two values of {key}", values, None):
                self._facts = self._facts.with_given(key, values[chosen])
                self._reading = reading_of(self._facts, self._lines)

    def _settle_seats(self) -> None:
        """Ask who plays which side, if neither the notes nor the first mover show it."""
        players = self._facts.players
        if not (self._facts.seats_assumed and len(players) == len(self._reading.variant.start.to_move) == 2):
            return
        turned = self._facts.turned()
        ways = (players, turned.players)
        texts = [", ".join(f"{side} {player.name}" for side, player in way.items()) for way in ways]
        if self._ask("the notes do not say who plays which side", texts, None):
            self._facts = turned
            self._reading = reading_of(self._facts, self._lines)

    def _settle_words(self) -> None:
        """Ask about each option that words only imply, if the game is legal with other values too."""
        for name, line in self._facts.worded.items():
            if name not in self._facts.implied or not self._reading.trail.whole:
                continue
            facts, slots = self._facts, self._reading.arrangement.slots
            ways = other_values(facts.description, facts.options, name, facts.start_text)
            others = [way.options[name] for way in ways if Search(slots, way.start, guesses=False).best().whole]
            values = [facts.options[name], *others]
            said = f"{shown(line.text)} may name an option, and the moves are legal without it"
            if others and (chosen := self._ask(said, [f"{name} {value}" for value in values], line)):
                self._facts = replace(facts, options={**facts.options, name: values[chosen]})
                self._reading = reading_of(self._facts, self._lines)

    def _settle_options(self) -> None:
        reading = self._reading
        if len(reading.rivals) > 1:
            texts = [options_text(one.assumed) or "the usual options" for one in reading.rivals]
            chosen = self._ask("the moves are legal with several options", texts, None)
            variant = reading.rivals[chosen]
            search = Search(reading.arrangement.slots, variant.start)
            self._reading = reading._replace(variant=variant, trail=search.best())

    def _settle_moves(self) -> Trail:
        """The way through the slots on which every doubt is settled."""
        order = self._reading.arrangement
        search = Search(order.slots, self._reading.variant.start)
        trail = self._reading.trail
        asked: set[int] = set()
        doubts = search.others(trail)
        while (doubt := next((one for one in doubts if one[0] not in asked), None)) is not None:
            place, others = doubt
            asked.add(place)
            slot = order.slots[place]
            steps = [next(step for step in trail.steps if step.place == place), *others]
            texts = [str(step.meaning) if step.meaning else "no move, only talk" for step in steps]
            if len(texts) == 1:
                said = f"{shown(slot.text)} is no whole move; {texts[0]} is near"
                self._remarks.append(Remark("unsure", said, slot.line))
                self._unsure[place] = "unsure"
                continue
            chosen = self._ask(f"{shown(slot.text)} may be several things", texts, slot.line)
            if self._choose is None:
                self._unsure[place] = f"unsure: or {', '.join(texts[1:])}" if others else "unsure"
            else:
                meaning = steps[chosen].meaning
                talk = [place] if meaning is None else search.besides(trail, place) if not chosen else []
                self._decided |= {order.slots[one].place for one in talk}
                search = replace(search, decided={**search.decided, place: meaning})
                trail = search.best()
                doubts = search.others(trail)
        self._mark_talk(trail, asked)
        return trail

    def _mark_talk(self, trail: Trail, asked: Collection[int]) -> None:
        """Mark the moves in talk of possible moves that the list needs, and that no question is about."""
        slots = self._reading.arrangement.slots
        for step in trail.steps:
            slot = slots[step.place]
            if slot.is_supposed and step.meaning is not None and step.place not in asked:
                self._unsure.setdefault(step.place, "unsure")
                said = f"{shown(slot.line.text)} may be only talk; {step.meaning} is taken for a move"
                self._remarks.append(Remark("unsure", said, slot.line))

    def _explain(self, trail: Trail) -> None:
        """Report every reading that is not plain, every assumed order and option, and the gaps."""
        reading = self._reading
        if assumed := reading.variant.assumed:
            self._remarks.append(Remark("option", f"{options_text(assumed)}: the moves are legal only so"))
        if unnamed := self._chance_unnamed():
            kind = "option" if trail.whole else "unsure"
            said = f"the notes do not name the {unnamed}, which chance decided: the usual one is taken"
            self._remarks.append(Remark(kind, said))
        for line in dict.fromkeys(self._facts.worded.values()):
            options = {
                key: value for key, value in self._facts.options.items() if self._facts.worded.get(key) == line
            }
            self._remarks.append(Remark("option", f"{options_text(options)}: the notes say so in words", line))
        if reading.arrangement.reason:
            kind = "unsure" if reading.arrangement.is_open else "order"
            self._remarks.append(Remark(kind, reading.arrangement.reason))
        self._remarks += [Remark("order", line.told, line) for line in self._lines if line.told]
        self._remarks += _orders_told(self._lines, reading.variant.start)
        for side, player in self._facts.players.items():
            self._remarks.append(Remark("order", f"{side} is {player.name}"))
        slots = reading.arrangement.slots
        for step in trail.steps:
            slot = slots[step.place]
            self._remarks += _corrections(slot, step)
            if step.meaning is None:
                self._remarks.append(Remark("left-out", f"{shown(slot.text)} is read as talk", slot.line))
            elif not slot.corrections and (said := self._reason(step, slot)):
                is_same = slot.text.casefold() == str(step.meaning).casefold()
                text = slot.line.text if is_same else slot.text
                self._remarks.append(Remark("reading", f"{shown(text)} is {step.meaning} ({said})", slot.line))
        size = self._facts.description.moves_per_round
        self._remarks += [Remark("unsure", said) for said in gaps(_with_moves(reading), size)]
        played = sorted((slots[step.place] for step in trail.steps if step.meaning), key=lambda slot: slot.place)
        twice = twice_in_turn(played, reading.variant.start)
        self._remarks += [Remark("unsure", said, slot.line) for slot, said in twice]
        if trail.whole and trail.partial:
            missing = sorted(trail.position.to_move - trail.partial.keys())
            said = f"the last move of {' and '.join(missing)} is missing; that round is a comment"
            self._remarks.append(Remark("unsure", said))
        for one in reading.slots.statements:
            if one.line.is_letter:
                self._remarks.append(Remark("left-out", shown(one.text), one.line))

    def _chance_unnamed(self) -> str:
        """The options that chance decided, if the notes do not name them."""
        game = self._facts.description
        names = [option.name for option in game.options if game.secret and isinstance(option, Data)]
        return " and the ".join(name for name in names if name not in self._facts.options)

    def _reason(self, step: SlotStep, slot: Slot) -> str:
        """The reason for a slot's meaning: the way it is written, and other meanings that the rules exclude."""
        reasons = [step.meaning.reason] if step.meaning and step.meaning.reason else []
        others = [str(one) for one in slot.meanings if one != step.meaning and one.cost < REPLACED]
        if others and step.place not in self._unsure:
            reasons.append(f"with {' or '.join(others)} a later move would be illegal")
        return "; ".join(reasons)

    def _game(self, trail: Trail) -> GameFile:
        facts, slots = self._facts, self._reading.arrangement.slots
        made = RoundBuilder(slots, self._reading.variant.start, facts.description.moves_per_round, self._unsure)
        made.follow(trail)
        last = max((slots[step.place].place for step in trail.steps if step.meaning), default=0)
        said = [one for one in self._reading.slots.statements if one.place > last]
        game = GameFile(
            facts.game,
            rounds=tuple(made.rounds),
            players=facts.players,
            options=self._reading.variant.options,
            start_text=facts.start_text,
            ending=self._end(said, trail) if trail.whole else None,
            trailing_comments=(*made.comments, *self._reading.slots.rest),
            date=facts.texts.get("date"),
            event=facts.texts.get("event"),
            id=facts.texts.get("id"),
        )
        return self._with_result(game, trail)

    def _end(self, said: Sequence[Statement], trail: Trail) -> End | None:
        found = conclusion(self._facts, said, trail.position)
        if not found.ends:
            if found.against and (over := trail.position.outcome):
                given = f"{over.winner} wins ({over.termination})" if over.winner else f"a draw ({over.termination})"
                self._remarks.append(Remark("unsure", f"{shown(found.against)} contradicts the moves: {given}"))
            return None
        ends: list[End | None] = [*found.ends] if found.is_plain else [None, *found.ends]
        chosen = 0
        if len(ends) > 1:
            texts = [_end_text(one) if one else "the game goes on" for one in ends]
            chosen = self._ask(f"{shown(found.text)} does not say how the game ended", texts, found.line)
        end = ends[chosen]
        self._concluded |= {one.line for one in said} if end else {one.line for one in said if one.line == found.line}
        if end is None:
            return None
        self._remarks.append(Remark("end", f"{shown(found.text)} is the end: {_end_text(end)}", found.line))
        if found.against:
            self._remarks.append(Remark("unsure", f"{shown(found.against)} says something else of the end"))
        return end

    def _with_result(self, game: GameFile, trail: Trail) -> GameFile:
        told = result_told(self._facts, self._facts.description.scores)
        if told is None or not trail.whole:
            return game
        score = dict((game.outcome_at(trail.position) or trail.position).score)
        if told == score:
            return replace(game, result=told)
        whose = "the moves give" if game.ending is None else "the end gives"
        said = f"the notes give the result {shown(self._facts.texts['result'])}; {whose} {options_text(score)}"
        self._remarks.append(Remark("unsure", said))
        return game


def _end_text(end: End) -> str:
    return f"{end.how} by {end.by}" if end.by else str(end.how)


def _with_moves(reading: NotesReading) -> list[Slot]:
    """The slots in the order of the notes, the oldest line first, without talk that the reading leaves out."""
    slots = reading.arrangement.slots
    talk = {
        slots[one.place].place for one in reading.trail.steps if one.meaning is None and slots[one.place].is_supposed
    }
    is_turned = slots[0].place > slots[-1].place
    return [slot for slot in reading.slots.slots if slot.place not in talk][:: -1 if is_turned else 1]


def _is_surely_talk(slot: Slot, known: Collection[Move]) -> bool:
    """True for a slot that is no move because it repeats one, or talks of possible moves."""
    is_repeat = any(set(one.moves) <= set(known) for one in slot.meanings)
    return is_repeat or (slot.loose is not None and slot.loose < _SURE_TALK)


def _corrections(slot: Slot, step: SlotStep) -> Iterator[Remark]:
    """Remarks on what was corrected in a slot, or on corrections that would be illegal."""
    for one in slot.corrections:
        if step.meaning is not None and step.meaning.cost >= REPLACED:
            said = f"{shown(one.new)} corrects {shown(one.old)}, but is illegal there: {step.meaning} stays"
            yield Remark("unsure", said, one.line)
        else:
            whole = str(step.meaning or "")
            gives = f", which gives {whole}" if whole and whole.casefold() != one.new.casefold() else ""
            said = f"{shown(one.old)} {one.how}: {shown(one.new)} takes its place{gives}"
            yield Remark("correction", said, one.line)


def _orders_told(lines: Sequence[NoteLine], start: Position) -> Iterator[Remark]:
    """Remarks on sentences that may say whose move comes first, where all sides move at once."""
    told = re.compile(rf"\b(?:{'|'.join(start.sides)})\b[^.;]*\b(?:first|second)\b(?! move)", re.IGNORECASE)
    order = ", ".join(start.sides)
    for line in lines if len(start.to_move) > 1 else ():
        if told.search(line.text):
            said = f"{shown(line.text)} may be about the order of the moves, which is read as {order}"
            yield Remark("unsure", said, line)


def _findings(game: GameFile) -> tuple[Finding, ...]:
    """The findings in the file of a game."""
    try:
        return judge(loads(game_text(game)), suggest=False).findings
    except FileError as error:
        return error.findings
