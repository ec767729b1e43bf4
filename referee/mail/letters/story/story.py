"""The story of a letter: the entries of a game's log, and the game before and after them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile

from referee.desk import ABANDONED, Entry, Invitation, State, events, moves_of
from referee.desk.state.fold import fold
from referee.mail.letters.format.language import phrase, sentences
from referee.rules import Event
from referee.terminal import join_words

Step = tuple[State | None, Entry, State]
"""An entry with the game before and after it."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A log up to an entry, which identifies it."""

    digest: str
    log: list[Entry] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Story:
    """A letter's entries, the game before (None at its beginning) and after them, and the last ply's changes."""

    before: State | None
    state: State
    entries: tuple[Entry, ...]
    steps: tuple[Step, ...]
    last_ply: tuple[Event, ...] = ()

    @property
    def ends(self) -> bool:
        """True if the game, once begun, ends in this story; one that is called off at its start was never played."""
        return self._closes and bool(self.state.begun) and not self.is_called_off

    @property
    def is_called_off(self) -> bool:
        """True if the game is called off in this story, before every side has moved."""
        state = self.state
        abandoned = state.outcome is not None and state.outcome.termination == ABANDONED
        return self._closes and abandoned and not state.everybody_moved

    @property
    def _closes(self) -> bool:
        closed = any(isinstance(entry.event, events.Closed) for entry in self.entries)
        return closed and self.state.closed is not None


def story_of(log: list[Entry], since: int, number: int) -> Story:
    """The story of the entries after number `since` up to `number`; the state has all entries up to there."""
    plies = (entry.number for entry in reversed(log[1 : number + 1]) if isinstance(entry.event, events.Played))
    last = next(plies, number + 1)
    states, last_ply = _states(_Told(log[number].digest, log[: number + 1]), min(since, last - 1), last)
    steps = tuple((states[at - 1] if at else None, log[at], states[at]) for at in range(since + 1, number + 1))
    return Story(states.get(since), states[number], tuple(log[since + 1 : number + 1]), steps, last_ply)


@lru_cache(64)
def _states(told: _Told, first: int, last: int) -> tuple[Mapping[int, State], tuple[Event, ...]]:
    """The states after the entries from `first` on, and the changes by the `last` ply, for all letters about it."""
    log, states = told.log, dict[int, State]()
    if (state := fold(log[: first + 1])) is not None:
        states[first] = state
    for entry in log[first + 1 :]:
        state = State.start(entry) if state is None else state.after(entry)
        states[entry.number] = state
    event = log[last].event if last < len(log) else None
    return states, changes(states[last - 1], event, states[last]) if isinstance(event, events.Played) else ()


def invitation_of(story: Story) -> Story:
    """The same story, of a game's opening alone, and its engines: moves from the start are on the board already."""
    if not is_filed(story):
        return story
    told = takewhile(lambda entry: isinstance(entry.event, events.Opened | events.Engaged), story.entries)
    entries = tuple(told)
    return replace(story, entries=entries, steps=story.steps[: len(entries)])


def is_filed(story: Story) -> bool:
    """True if a story begins with a game that the host has opened, without any invitation."""
    return story.before is None and isinstance(story.entries[0].event, events.Opened)


def as_told(state: State, name: str, /, **parts: object) -> str:
    """The sentence of a name as the players of a game hear it.

    It is one for a person with engines alone, or for a team where the sides are one, if there is such a sentence.
    """
    kinds = {"alone": state.alone, "team": bool(state.description.scored)}
    fitting = (f"{name}-{kind}" for kind, fits in kinds.items() if fits)
    return phrase(next((one for one in fitting if one in sentences()), name), **parts)


def changes(before: State, event: events.Played, after: State) -> tuple[Event, ...]:
    """The changes by a ply: letters describe them, and mark them on the board."""
    made = {side: event.moves[side] for side in before.position.sides if side in event.moves}
    return before.position.events(moves_of(before.game, made), after.position)


def name_of(state: State, side: str) -> str:
    """The name of a side's player; with the side, where the name alone could be that of another."""
    name = state.players[side]
    others = {one for other, player in state.players.items() if other != side for one in (other, player)}
    return phrase("player.seat", name=name, side=side) if name in others else name


def names_for(state: State, side: str) -> dict[str, str]:
    """The players as a side reads of them: first itself, as "you"."""
    return {side: phrase("player.you")} | {one: name_of(state, one) for one in state.players if one != side}


def awaited(state: State, invitation: Invitation) -> str:
    """The players who have not accepted an invitation yet, as a list within a sentence."""
    asked = invitation.missing - {*invitation.open}
    names = [name_of(state, side) for side in state.position.sides if side in asked]
    open_seats = [phrase("player.open", number=len(invitation.open))] if invitation.open else []
    return join_words((*names, *open_seats))


def names_of(state: State, sides: Iterable[str]) -> str:
    """The names of several players in the order of the game, as a list within a sentence."""
    chosen = {*sides}
    return join_words(name_of(state, side) for side in state.position.sides if side in chosen)
