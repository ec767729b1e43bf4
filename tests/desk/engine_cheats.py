"""Cheats of a host in games with engines; each function gives the log that the host shows."""

from __future__ import annotations

from dataclasses import replace

from referee.desk.log import events
from tests.desk.cheats import CLUB, Honest, Shown
from tests.support.desks import Desk, request, sides
from tests.support.forgeries import Base, Timed, rechained


def with_engine(game: str, level: int = 1) -> Desk:
    """A game that a player has begun with an engine on each other side, before the engine has moved."""
    by = sides(game)[-1]
    engines = dict.fromkeys(sides(game)[:-1], level)
    return Desk.invited(game, by, clock={"days": 3}, word="a word", desk=CLUB, engines=engines)


def resigned(desk: Desk) -> Shown:
    desk.ask(request(desk, sides(desk.state.game)[-1], "resign"), after=1)
    return desk.entries


def another_move(game: Honest) -> Shown:
    """Let an engine make another move than it finds, once the host has seen the board."""
    desk = with_engine(game.desk.state.game)
    desk.think(honestly=False, most=1)
    desk.think()
    return resigned(desk)


def exchanged(game: Honest) -> Shown:
    """Have an engine seal another move, and give its seat to a friend before the seal is opened."""
    desk = with_engine(game.desk.state.game)
    side = sides(desk.state.game)[0]
    desk.think(honestly=False, most=1)
    desk.ask(request(desk, "host", f"replace {side} Eve"), after=1)
    return resigned(desk)


def stronger(game: Honest) -> Shown:
    """Promise an engine of level 1, and let one of level 3 play with the same seed."""
    desk = with_engine(game.desk.state.game, level=3)
    desk.think()
    base = Base(tuple(resigned(desk)))
    weaker = [
        one._replace(event=replace(one.event, level=1)) if isinstance(one.event, events.Engaged) else one
        for one in base.timed
    ]
    return rechained("game-1", weaker, base)


def other_seed(game: Honest) -> Shown:
    """Reveal another seed at the end."""
    base = Base(tuple(_ended(game.desk.state.game)))
    timed = [
        one._replace(event=replace(one.event, seed="ab" * 32)) if isinstance(one.event, events.Disclosed) else one
        for one in base.timed
    ]
    return rechained("game-1", timed, base)


def untold(game: Honest) -> Shown:
    """Keep the seed of the last engine."""
    return _ended(game.desk.state.game)[:-1]


def answered(game: Honest) -> Shown:
    """Enter a player's act first, and the engine's seal after it."""
    base = Base(tuple(_sealing(game.desk.state.game)))
    timed = base.timed
    place = [isinstance(one.event, events.Submitted) for one in timed].index(True)
    one = timed[place]
    said = Timed(one.at, events.MessageSent(sides(game.desk.state.game)[-1], "My move is P M1 A2 12"))
    return rechained("game-1", [*timed[:place], said, *timed[place:]], base)


def given_away(game: Honest) -> Shown:
    """Give the seat of an engine to a friend."""
    desk = with_engine(game.desk.state.game)
    desk.ask(request(desk, "host", f"replace {sides(desk.state.game)[0]} Eve"), after=1)
    return desk.entries


def foreseen(game: Honest) -> Shown:
    """Tell a friend the engine's next move, which follows from a seed that the host has."""
    return _sealing(game.desk.state.game)


def _sealing(game: str) -> Shown:
    desk = with_engine(game)
    desk.think()
    return desk.entries


def _ended(game: str) -> Shown:
    desk = with_engine(game)
    desk.think()
    return resigned(desk)
