"""The list of a player's games: what they owe in each, until when, and the address to write to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from referee.desk import State
from referee.mail.intake.addresses import small
from referee.mail.letters.status import verdict
from referee.mail.letters.text import moment, silent, span, wrap
from referee.mail.office import Office
from referee.terminal import counted, join_words

_MOST_GAMES = 20
"""Maximum seats of a player that a list shows; those that owe something come first."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A seat of a player: the game, the side, the address registered for it, and when its move is due."""

    state: State
    side: str
    address: str
    deadline: datetime | None

    @property
    def order(self) -> tuple[bool, float, str, str]:
        """Sorts what is owed first, the nearest deadline before all others."""
        due = self.deadline.timestamp() if self.deadline else float("inf")
        return self.side not in self.state.owing, due, self.state.id, self.side


def listings(office: Office, address: str, at: datetime) -> list[Listing]:
    """The seats of an address in its running games; if none runs, those in its other games."""
    return sorted(_listings(office, small(address), at), key=lambda one: one.order)


def agenda_lines(office: Office, listed: Sequence[Listing], at: datetime) -> list[str]:
    """The seats of a player: what each owes and until when, and the address that its letters go to."""
    lines: list[str] = []
    for one in listed[:_MOST_GAMES]:
        state = one.state
        lines += silent(
            [
                *([""] if lines else []),
                *wrap(f"{state.id}: {state.description.title}. You are {one.side}."),
                *wrap(_standing(one, at), first="    "),
                f"    {office.seat_address(state, one.side)}",
            ],
            state.game,
        )
    if len(listed) > _MOST_GAMES:
        lines += ["", f"And {counted(len(listed) - _MOST_GAMES, 'seat', 'seats')} more."]
    return lines


def _listings(office: Office, address: str, at: datetime) -> Iterator[Listing]:
    for name in office.store.games_of(address):
        table = office.desk.table(name)
        for side in table.state.position.sides:
            registered = table.address(side)
            if small(registered) == address:
                yield Listing(table.state, side, registered, table.state.clock.at(side, at).deadline)


def _standing(one: Listing, at: datetime) -> str:
    """What a seat owes and until when, or whom the game waits for."""
    state, side = one.state, one.side
    if state.outcome is not None:
        return f"The game is over: {verdict(state.description, state.outcome, side)}."
    if side not in state.owing:
        others = join_words(
            f"{other} ({state.players[other]})" for other in state.position.sides if other in state.owing
        )
        return f"You owe nothing now; round {state.round} waits for {others or 'nobody'}."
    owed = "the reveal of your sealed move for" if side in state.seals else "your move for"
    if one.deadline is None:
        return f"You owe {owed} round {state.round}; there is no deadline."
    left = f"{span(one.deadline - at)} left" if one.deadline > at else "this time is over"
    return f"You owe {owed} round {state.round} until {moment(one.deadline)} ({left})."
