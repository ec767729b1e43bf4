"""Cheats of a host with the plans of players; each function gives the log that the host shows."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache

from referee.desk import By, Entry
from referee.desk.law import automatic
from referee.desk.law.plans import planned_move
from referee.desk.log import acts, events
from referee.desk.log.events import LogEvent
from referee.desk.log.secrets import sealed_name
from referee.rules import movers
from tests.desk.cheats import CLUB, HOUR, Honest, Shown, first_move
from tests.support.desks import Desk, request, submit
from tests.support.forgeries import Base, Timed, rechained
from tests.support.logs import fold_log


@cache
def planning(game: str) -> Desk:
    """A game in which the first player has left a plan for two moves, which has given the first of them."""
    desk, foreseen = (
        Desk(game, clock={"days": 3}, desk=CLUB, secret="a seed" if game == "the-beam" else None) for _ in range(2)
    )
    side = movers(desk.state.position)[0]
    move = first_move(desk.state.position, side)
    foreseen.ask(submit(side, move))
    while side not in foreseen.state.position.to_move or side in foreseen.state.seals:
        _another_moves(foreseen)
    then = f"any then {first_move(foreseen.state.position, side)}"
    by, said = By(side, desk.state.ply), acts.MakeMove(move)
    kept, _ = desk.ask((by, acts.Plan(f"{then}\n  {then}", said)), (by, said), after=1)
    assert not kept.refused
    while "followed" not in desk.kinds:
        _another_moves(desk)
    return desk


def _another_moves(desk: Desk) -> None:
    other = next(one for one in movers(desk.state.position) if one not in desk.state.seals)
    desk.ask(submit(other, first_move(desk.state.position, other)), after=1)


def _planner(desk: Desk) -> str:
    return next(one.event.side for one in desk.entries if isinstance(one.event, events.Planned))


def _unasked(game: Honest) -> Desk:
    """The desk of a host who has gone back to before the plan was asked, and still knows everything."""
    desk = planning(game.desk.state.game)
    return Honest(desk, "", ()).back(desk.kinds.index("followed") - 1)


def _with(desk: Desk, *more: LogEvent, late: bool = False) -> Desk:
    """A desk whose host has added events, an hour late or at once."""
    timed = [Timed(one.at, one.event, one.came) for one in desk.entries]
    at = timed[-1].at + HOUR * late
    again = copy(desk)
    again.entries = rechained("game-1", [*timed, *(Timed(at, one) for one in more)])
    again.state, again.secrets, again.at = fold_log(again.entries), dict(desk.secrets), at
    return again


def _resigned(desk: Desk) -> list[Entry]:
    """The log after the planner has resigned."""
    again = _with(desk, events.Resigned(_planner(desk)))
    while (event := automatic.consequence(again.state, again.at, again.secrets)) is not None:
        again = _with(again, event)
    return again.entries


def _with_move(desk: Desk, move: str) -> Desk:
    """A desk that follows the plan, and then makes a move of the host's choice."""
    side = _planner(desk)
    begun = _with(desk, events.Followed(desk.state.ply, side))
    state = begun.state
    if not state.simultaneous:
        return _with(begun, automatic.ply(state, {side: move}, {}, begun.secrets))
    begun.secrets[sealed_name(state.ply, side)] = f"{move} {bytes(32).hex()}"
    return _with(begun, automatic.submission(state, side, move, bytes(32)))


def _planned(desk: Desk) -> str:
    """The move that the plan gives."""
    state = _with(desk, events.Followed(desk.state.ply, _planner(desk))).state
    return planned_move(state, _planner(desk), desk.secrets)[0]


def _told_but(game: Honest, **changes: str) -> Shown:
    """Publish another plan, or another nonce."""
    base = Base(tuple(_resigned(planning(game.desk.state.game))))
    timed = base.timed
    timed[-1] = timed[-1]._replace(event=replace(timed[-1].event, **changes))  # type: ignore[arg-type]
    return rechained("game-1", timed, base)


def swapped(game: Honest) -> Shown:
    """Say at the end that another plan was left."""
    told = _resigned(planning(game.desk.state.game))[-1].event
    assert isinstance(told, events.Published)
    return _told_but(game, plan=told.plan.splitlines()[0])


def other_nonce(game: Honest) -> Shown:
    """Say at the end that the plan had another nonce."""
    return _told_but(game, nonce="ab" * 32)


def untold(game: Honest) -> Shown:
    """Keep the plan at the end."""
    return _resigned(planning(game.desk.state.game))[:-1]


def forgotten(game: Honest) -> Shown:
    """Say that the plan has no move, though it has one."""
    desk = _unasked(game)
    return _resigned(_with(desk, events.Spent(desk.state.ply, _planner(desk))))


def another_move(game: Honest) -> Shown:
    """Make another move than the plan gives."""
    desk = _unasked(game)
    return _resigned(_with_move(desk, first_move(desk.state.position, _planner(desk), _planned(desk))))


def other_seal(game: Honest) -> Shown:
    """Seal the plan's move with a nonce of the host's choice."""
    desk = _unasked(game)
    return _resigned(_with_move(desk, _planned(desk)))


def delayed(game: Honest) -> Shown:
    """Ask the plan an hour later."""
    desk = _unasked(game)
    return _with(desk, events.Followed(desk.state.ply, _planner(desk)), late=True).entries


def passed_over(game: Honest) -> Shown:
    """Give hours before the plan is asked."""
    desk = _unasked(game)
    return _with(desk, events.Extended(_planner(desk), 5)).entries


def ended(game: Honest) -> Shown:
    """Ask a plan that is over, because a draw was offered since."""
    desk = planning(game.desk.state.game)
    begun = Honest(desk, "", ()).back(desk.kinds.index("planned"))
    begun.ask(request(begun, _planner(desk), "offer"), after=1)
    return _with(begun, events.Followed(begun.state.ply, _planner(desk))).entries


def replaced(game: Honest) -> Shown:
    """Leave another plan for a player."""
    desk = planning(game.desk.state.game)
    return _with(desk, events.Planned(desk.state.ply, _planner(desk), "ab" * 32, desk.state.begun)).entries
