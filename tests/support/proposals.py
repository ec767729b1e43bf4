"""A desk to which players write, and their proposals."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from referee.desk import Act, By, Came, Change, Desk, Held, Notice, Outgoing, Progress, Proposal, State, Terms, acts
from referee.desk.play.notices import Topic
from referee.desk.play.progress import done
from referee.desk.service import Writer, no_letters
from referee.errors import Refusal
from referee.game import GameFile
from tests.support.desks import BEGIN, sides
from tests.support.logs import letter

DAY = timedelta(days=1)


class Told:
    """Writes no letters, and keeps the notices that ask for them."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def __call__(self, result: Progress) -> tuple[Outgoing, ...]:
        self.notices = list(result.notices)
        return ()

    @property
    def topics(self) -> dict[str, Topic]:
        return {one.side: one.kind for one in self.notices}


class Posted(Desk):
    """A desk to which players write: all their acts come by letter."""

    def propose(self, game_id: str, proposal: Proposal, at: datetime, **more: Any) -> Progress:  # noqa: ANN401
        return super().propose(game_id, proposal, at, **{"came": came(proposal.by, at), **more})

    def invite(self, game_id: str, proposal: Proposal, at: datetime, **more: Any) -> State:  # noqa: ANN401
        return invite(self, game_id, proposal, at, came=came(proposal.by, at), **more)

    def join(self, *asked: Any, **more: Any) -> None:  # noqa: ANN401
        take_seat(self, *asked, **more)

    def act(
        self,
        game_id: str,
        by: By,
        wanted: Iterable[Act | acts.SignedAct],
        at: datetime,
        **more: Any,  # noqa: ANN401
    ) -> Progress:
        return super().act(game_id, by, wanted, at, **{"came": letter(by.side, at), **more})


def invite(
    desk: Desk,
    game_id: str,
    proposal: Proposal,
    at: datetime,
    *,
    writer: Writer = no_letters,
    **more: Any,  # noqa: ANN401
) -> State:
    """Store a game that the host proposes, without a letter."""
    begun = desk.propose(game_id, proposal, at, **more)

    def change(held: Held) -> Change:
        if held.state is not None:
            raise Refusal("game-id", f"there is a game {game_id} already")
        return Change(begun.entries, begun.secrets, writer(begun))

    desk.games.change(game_id, at, change)
    return begun.state


def take_seat(
    desk: Desk, game_id: str, side: str, name: str, address: str, at: datetime, writer: Writer = no_letters
) -> None:
    """Let a player take an open seat by a letter."""

    def joined(held: Held) -> Change:
        result = done(desk.table_of(held, game_id).join(side, name, address, at, came=letter(side, at)))
        return Change(result.entries, result.secrets, writer(result))

    desk.games.change(game_id, at, joined)


def came(by: str | None, at: datetime) -> Came | None:
    """The letter of a proposal, if a player has made it."""
    return letter(by, at) if by else None


def proposal(game: str, by: str | None, *, waiting: tuple[str, ...] = (), **more: Any) -> Proposal:  # noqa: ANN401
    seats = {side: None if side in waiting else f"player of {side}" for side in sides(game)}
    return Proposal(GameFile(game), seats, BEGIN + 7 * DAY, by, Terms(days=3), **more)


def addresses(game: str) -> dict[str, str]:
    return {side: f"{side}@example.org" for side in sides(game)}
