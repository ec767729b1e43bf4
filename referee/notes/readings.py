"""The readings of notes: the possible game, start, and order of writing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from referee.errors import FileError, PackageFault
from referee.game import unreadable
from referee.notes.arrangement import Arrangement, arrangements, without_talk
from referee.notes.reader.facts import NoteFacts, facts_of, games_named
from referee.notes.reader.lines import NoteLine, first_game
from referee.notes.reader.reader import slots_of
from referee.notes.reader.segments import PIECE, holds_moves, pieces
from referee.notes.reader.slots import Remark, Slots
from referee.notes.search import MOST_NODES, Guessed, Search, Trail
from referee.notes.variants import Variant, options_text, variants
from referee.rules import game_named, games, unless_broken

_NEAR_GAMES, _FAR = 3, 1.2
"""Maximum games that are tried in full, and how much more of the notes than the best they may leave unexplained."""

_SAMPLE, _SAMPLED = 100, 500
"""Lines and characters that show the game of longer notes."""

_TIE = 0.01
_SAME_GAME = 0.4
"""Maximum extra cost of each move for another game that may still be meant."""

_AGAINST = 0.2
"""Weight of an unusual start or order against the share of the moves that it makes legal."""


class NotesReading(NamedTuple):
    """Notes read as those of one game: facts and slots, a start, an order, and the way through."""

    facts: NoteFacts
    slots: Slots
    variant: Variant
    arrangement: Arrangement
    trail: Trail
    rivals: tuple[Variant, ...] = ()

    @property
    def is_good(self) -> bool:
        """True if it leaves out no move and guesses none, so that there is no need to look for a better one.

        Talk of possible moves that costs nothing to leave out is no move.
        """
        slots = self.arrangement.slots
        is_read = all(step.meaning or slots[step.place].loose == 0.0 for step in self.trail.steps)
        return self.trail.whole and is_read and not any(step.guessed for step in self.trail.steps)

    @property
    def is_good_without_talk(self) -> bool:
        """True if it leaves out all talk of possible moves, and nothing else.

        If the sides take turns, it must also keep the order of the notes.
        """
        slots, start = self.arrangement.slots, self.variant.start
        places = [slot.place for slot in slots]
        if self.arrangement.is_open or (len(start.to_move) == 1 and places != sorted(places)):
            return False
        is_told_apart = all((step.meaning is None) is slots[step.place].is_supposed for step in self.trail.steps)
        return self.trail.whole and not self.trail.partial and is_told_apart

    @property
    def rank(self) -> tuple[bool, float, float]:
        """Whole readings first, then those that leave least unexplained and get farthest."""
        cost = self.slots.cost + self.trail.cost + self.variant.cost + self.arrangement.cost
        done = len(self.trail.steps) / max(1, len(self.arrangement.slots))
        against = _AGAINST * (self.variant.cost + self.arrangement.cost) - done
        return (not self.trail.whole, 0.0 if self.trail.whole else against, cost)


def readings(lines: Sequence[NoteLine], game: str | None, options: Mapping[str, Any]) -> list[NotesReading]:
    """The readings of the notes as each game that they may well be of, the best first."""
    usable = (game,) if game else tuple(one.name for one in games())
    named = () if game else games_named(lines)
    names = named or usable
    if len(names) > 1 and (sample := _sample(lines)):
        names = (_game_of(sample, options),)
    near = _near(names, lines, options)
    if not near and named and len(named) < len(usable):
        return _unnamed(named[0], lines, options)
    if not near:
        file = lines[0].file if lines else ""
        which = game_named(names[0]).title if len(names) == 1 else "any game"
        raise unreadable(file, "no-moves", f"no line holds a move of {which}")
    ranked = _ranked(near, lines)
    if named and len(named) < len(usable) and not ranked[0].is_good:
        others = [one for name in usable if name not in names for one in _tried(lines, name, options)]
        return [*ranked[:1], *(one for one in others if one.is_good)]
    most = ranked[0].rank[2] + _SAME_GAME * len(ranked[0].slots.slots)
    return [one for one in ranked if one is ranked[0] or (one.is_good and one.rank[2] <= most)]


def _near(
    names: Iterable[str], lines: Sequence[NoteLine], options: Mapping[str, Any]
) -> list[tuple[NoteFacts, Slots]]:
    """The facts and slots of the notes as some games: of those as which they read best, the best first."""
    both = unless_broken(lambda name: _begun(name, lines, options), names)
    read = [(facts, slots) for facts, slots in both if any(slot.meanings for slot in slots.slots)]
    read.sort(key=lambda one: one[1].cost)
    return [one for one in read if one[1].cost <= _FAR * read[0][1].cost + 1 + len(lines) / 2][:_NEAR_GAMES]


def _game_of(sample: Sequence[NoteLine], options: Mapping[str, Any]) -> str:
    """The game of a sample; its moves are judged only if it may well be of several games."""
    near = _near(games_named(sample) or [one.name for one in games()], sample, options)
    if len(near) == 1:
        return near[0][0].game
    return (_ranked(near, sample) or readings(sample, None, options))[0].facts.game


def _ranked(near: Sequence[tuple[NoteFacts, Slots]], lines: Sequence[NoteLine]) -> list[NotesReading]:
    """The readings of the notes by some facts and slots, the best first."""
    return sorted(unless_broken(lambda one: _seated(*one, lines), near), key=lambda one: one.rank)


def _sample(lines: Sequence[NoteLine]) -> list[NoteLine]:
    """The lines, from the first moves on, that show the game of long notes; none for short notes."""
    if len(lines) <= _SAMPLE and sum(len(line.text) for line in lines) <= _SAMPLED:
        return []
    names = [game.name for game in games()]

    def begins(text: str) -> bool:
        return any(unless_broken(lambda name: holds_moves(name, text), names))

    first, start = next(
        (
            (place, start)
            for place, line in enumerate(lines)
            for start in pieces(line.text)
            if begins(line.text[start : start + PIECE])
        ),
        (0, 0),
    )
    found: list[NoteLine] = []
    left = _SAMPLED
    for line in lines[first : first + _SAMPLE]:
        if left > 0:
            text = line.text[0 if found else start :][:left]
            found.append(line._replace(text=text))
            left -= len(text)
    return found


def _unnamed(named: str, lines: Sequence[NoteLine], options: Mapping[str, Any]) -> list[NotesReading]:
    """The readings as any game, for notes that only mention another game."""
    found = [one for game in games() for one in _tried(lines, game.name, options)]
    if not found:
        raise unreadable(lines[0].file, "no-moves", "no line holds a move of any game")
    best = min(found, key=lambda one: one.rank)
    said = f"the notes name {game_named(named).title}, and their moves are of {best.facts.description.title}"
    best.slots.remarks.append(Remark("unsure", said))
    return [best]


def _tried(lines: Sequence[NoteLine], game: str, options: Mapping[str, Any]) -> list[NotesReading]:
    try:
        return readings(lines, game, options)
    except (FileError, PackageFault):
        return []


def reading_of(facts: NoteFacts, lines: Sequence[NoteLine]) -> NotesReading:
    """The best reading of the notes by some facts."""
    return _read(facts, _slots(facts, lines))


def _slots(facts: NoteFacts, lines: Sequence[NoteLine]) -> Slots:
    first, later = first_game(lines, partial(holds_moves, facts.game))
    slots = slots_of(facts, first)
    slots.later += later
    return slots


def _seated(facts: NoteFacts, slots: Slots, lines: Sequence[NoteLine]) -> NotesReading:
    """The best reading of slots; with players on each other's sides if the notes name no sides and it is better."""
    found = _read(facts, slots)
    if not facts.seats_assumed or found.trail.whole or len(facts.players) != len(found.variant.start.sides):
        return found
    turned = reading_of(facts.turned(), lines)
    return turned if turned.is_good else found


def _begun(game: str, lines: Sequence[NoteLine], options: Mapping[str, Any]) -> tuple[NoteFacts, Slots]:
    holds = partial(holds_moves, game)
    facts = facts_of(game, first_game(lines, holds)[0], holds)
    worded = {name: line for name, line in facts.worded.items() if name not in options}
    facts = replace(facts, options={**facts.options, **options}, worded=worded)
    return facts, _slots(facts, lines)


def _read(facts: NoteFacts, slots: Slots) -> NotesReading:
    """The best start and order for the slots of a game."""
    found: list[NotesReading] = []
    left, guessed = MOST_NODES, Guessed()
    for variant in variants(facts.description, facts.options, facts.start_text):
        for order in () if variant.assumed else without_talk(slots.slots, variant.start):
            search = Search(order.slots, variant.start, guesses=False)
            trail = search.best(nodes=left // 2)
            reading = NotesReading(facts, slots, variant, order, trail)
            if reading.is_good_without_talk:
                return reading
            left -= trail.looks
        for order in arrangements(slots.slots, variant.start):
            search = Search(order.slots, variant.start, guesses=not variant.assumed, guessed=guessed)
            found.append(NotesReading(facts, slots, variant, order, trail := search.best(nodes=left // 2)))
            left -= trail.looks
            if found[-1].is_good:
                break
        if found[-1].is_good and not variant.assumed and not facts.hints:
            return found[-1]
    if not found:
        said = f"{options_text(facts.options)}: no game can begin like this, so it begins as usual"
        slots.remarks.append(Remark("unsure", said))
        return _read(replace(facts, options={}, start_text=None), slots)
    best = min(found, key=lambda one: one.rank)
    if not best.trail.whole:
        best = min((one for one in found if not one.variant.assumed), key=lambda one: one.rank, default=best)
    rivals = [
        one.variant
        for one in found
        if one.trail.whole and (one.rank[2] - best.rank[2] < _TIE or _is_hinted(one, facts))
    ]
    return best._replace(rivals=tuple(rivals) if best.trail.whole else ())


def _is_hinted(reading: NotesReading, facts: NoteFacts) -> bool:
    """True for a good reading with options that words of the notes may name."""
    assumed = reading.variant.assumed
    return reading.is_good and bool(assumed) and assumed.items() <= facts.hints.items()
