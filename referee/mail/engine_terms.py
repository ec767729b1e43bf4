"""What people are told of engines that they ask for by letter, and how many of them they may have."""

from __future__ import annotations

from collections.abc import Iterator

from referee.desk import Proposal
from referee.desk.engagements import engine_name
from referee.desk.engine_seats import EngineSeats
from referee.errors import Refusal
from referee.mail.intake.addresses import small
from referee.mail.office import Office
from referee.mail.responses import say
from referee.rules import game_named
from referee.terminal import join_words


def expect_engines_free(office: Office, address: str, engines: EngineSeats) -> None:
    """Refuse engines of which there are none at this desk, or more than a person may have at a time.

    Raises:
        RefereeError: `no-engines`, `level` or `engine-limit`.
    """
    allowed = office.settings.engines
    if not engines:
        return
    if not allowed.cores:
        raise Refusal("no-engines", say("no-engines"))
    if max(engines.values()) > allowed.level:
        raise Refusal("level", say("engine-level", level=allowed.level))
    games = office.store.games_of(small(address))
    if sum(bool(office.desk.state(name).engine_sides) for name in games) >= allowed.each:
        raise Refusal("engine-limit", say("limit-engines", number=allowed.each))


def engine_lines(proposal: Proposal) -> Iterator[str]:
    """What somebody is told of the engines in their game."""
    if not proposal.engines:
        return
    seats = join_words([f"{side} ({engine_name(level)})" for side, level in proposal.engines.items()])
    yield say("engines", number=len(proposal.engines), seats=seats)
    if game_named(proposal.game.game).secret is not None:
        yield say("engines-see")
