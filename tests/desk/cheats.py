"""A cheating host, who has the desk's program, key and store, and can write anything into the log.

Of an honest game, players have the signed heads at the foot of each letter, and their own keys, if any. Cheats by
invented letters are in `tests.support.inventions`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import NamedTuple

from referee.desk import Entry
from referee.desk.law import automatic
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.heads import Head
from referee.desk.log.log import Came
from referee.desk.log.seals import commitment
from referee.desk.log.signatures import Past
from referee.rules import Position, game_named
from tests.support.desks import NONCE, Desk, desk_signer, request, submit
from tests.support.forgeries import Base, Timed, rechained
from tests.support.logs import fold_log, letter

CLUB = "club"
"""The name of the desk's key."""

HOUR = timedelta(hours=1)
UNSIGNED = Came("ab" * 32, "")
FORGED = replace(UNSIGNED, signature="ab" * 64)
"""A letter that the host has invented, without and with a signature."""


class Proof(NamedTuple):
    """The proof of a cheat.

    `by` is `audit`: the log itself shows it, with a `code`; `heads`: letters of a player do, and with those of
    another one they prove two histories; `log`: an entry of the kind `code` shows it to all readers, and a host may
    do it; `nobody`: it leaves no trace.
    """

    by: str
    code: str = ""


@dataclass(frozen=True)
class Honest:
    """An honest game: the desk after it, the seat with a key, and the heads that the players were shown."""

    desk: Desk
    keyed: str
    shown: tuple[Head, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        return self.desk.state.position.sides

    def place(self, kind: str, count: int = -1) -> int:
        """The number of an entry of a kind: the last one, or another."""
        return [number for number, one in enumerate(self.desk.kinds) if one == kind][count]

    def back(self, number: int) -> Desk:
        """The desk of a host who has gone back to the entry with a number, and still knows everything."""
        again = copy(self.desk)
        again.entries = self.desk.entries[: number + 1]
        again.state, again.secrets = fold_log(again.entries), dict(self.desk.secrets)
        again.at = again.entries[-1].at
        return again

    def with_events(self, *more: LogEvent, came: Came | None = None, of: Desk | None = None) -> list[Entry]:
        """The log with events that the host adds, and the automatic events after them."""
        entries = (of or self.desk).entries
        at = entries[-1].at
        timed = [Timed(one.at, one.event, one.came) for one in entries]
        how = came and (came if came.server else replace(came, server=entries[0].as_json()["at"]))
        return rechained("game-1", [*timed, *(Timed(at, one, how) for one in more)])

    def but(self, number: int, **changes: object) -> list[Entry]:
        """The log with something else in one entry, and all digests and seals made again."""
        base = Base(tuple(self.desk.entries))
        timed = base.timed
        timed[number] = timed[number]._replace(event=replace(timed[number].event, **changes))  # type: ignore[arg-type]
        return rechained("game-1", timed, base)

    def came(self, number: int, came: Came | None) -> list[Entry]:
        """The log up to an entry with another letter."""
        timed = [Timed(one.at, one.event, one.came) for one in self.desk.entries[: number + 1]]
        return rechained("game-1", [*timed[:-1], timed[-1]._replace(came=came)])


Shown = list[Entry]
"""The log that a cheating host exports."""


class Cheat(NamedTuple):
    """A cheat, its games, and its proof; `keyed` is true if a seat has a key."""

    shows: str
    does: Callable[[Honest], Shown]
    proof: Proof
    keyed: bool = False
    games: tuple[str, ...] = ("beams", "boundary", "laser-chess", "the-beam")


@cache
def honest(game: str, *, keyed: bool) -> Honest:
    """An honest game of a club after four moves or more, between two rounds; its last seat may have a key."""
    sides = game_named(game).sides
    owner = sides[-1] if keyed else ""
    desk = Desk.invited(game, sides[0], clock={"days": 3}, word="a word", desk=CLUB)
    shown = [_head(desk)]

    def ask(side: str, words: str) -> None:
        by = f"signed {side} {words}" if side == owner else words
        (answer,) = desk.ask(request(desk, side, by), after=1)
        assert not answer.refused, answer
        shown.append(_head(desk))

    for side in sides[1:]:
        ask(side, f"enter {side} tea" if side == owner else "accept tea")
    while len(desk.state.plies) < (2 if game == "beams" else 5):
        side = min(desk.state.owing, key=sides.index)
        ask(side, f"submit {first_move(desk.state.position, side)}")
    return Honest(desk, owner, tuple(shown))


def first_move(position: Position, side: str, but: str = "") -> str:
    """The first legal move, or the first one that is not this one."""
    return next(str(move) for move in position.legal_moves(side) if str(move) != but)


def _head(desk: Desk) -> Head:
    return Head(desk.state.id, desk.state.number, desk.state.head).signed_by(desk_signer(CLUB))


def another_move(game: Honest) -> Shown:
    """Go back before the last ply, and let the last mover make another move in it."""
    moves = game.desk.state.plies[-1]
    desk = game.back(game.place("played", -2))
    for side, move in moves.items():
        other = first_move(desk.state.position, side, move) if side == [*moves][-1] else move
        desk.ask(submit(side, other), after=1)
    return desk.entries


def the_same_again(game: Honest, *before: str, after: float = 1) -> Shown:
    """Go back before the last ply, act as the host, and enter the same moves after that."""
    desk, moves = game.back(game.place("played", -2)), game.desk.state.plies[-1]
    for words in before:
        desk.ask(request(desk, "host", words), after=0)
    for side, move in moves.items():
        desk.ask(submit(side, move), after=after)
    return desk.entries


def repeated_offer(game: Honest) -> Shown:
    """Repeat the offer of a player that was declined, with the signature that it had."""
    desk = game.back(len(game.desk.entries) - 1)
    desk.ask((request(desk, game.keyed, f"signed {game.keyed} offer")), after=1)
    came = desk.entries[-1].came
    desk.ask(request(desk, game.sides[0], "decline"), after=1)
    return game.with_events(events.Offered(game.keyed), came=came, of=desk)


def lost_key(game: Honest) -> Shown:
    """Go back, claim that the key was lost, and go on with another one."""
    return the_same_again(game, "rekey second none a lost disk")


def key_taken(game: Honest) -> Shown:
    """Take the key of a seat with a reason, and resign for it."""
    desk = game.back(len(game.desk.entries) - 1)
    desk.ask(request(desk, "host", f"drop-key {game.keyed} they have lost it"), after=1)
    desk.ask(request(desk, game.keyed, "resign"), after=1)
    return desk.entries


def claimed_early(game: Honest) -> Shown:
    return game.with_events(events.Claimed(game.sides[0], "timeout"), came=UNSIGNED)


def other_winner(game: Honest) -> Shown:
    """End the game as by a resignation, with the other side as winner, or none."""
    desk = game.back(len(game.desk.entries) - 1)
    desk.ask(request(desk, game.sides[0], "resign"), after=1)
    end = desk.entries[-1].event
    assert isinstance(end, events.Closed)
    return Honest(desk, "", ()).but(-1, winner=game.sides[0] if end.winner is None else None)


def sealed(game: Honest) -> Desk:
    """The first side seals its own move, and the last one's is in."""
    desk = game.back(len(game.desk.entries) - 1)
    first, last = game.sides[0], game.sides[-1]
    own = f"signed {last} " if last == game.keyed else ""
    desk.ask(request(desk, last, f"{own}seal {first_move(desk.state.position, last)}"), after=1)
    desk.ask(submit(first, first_move(desk.state.position, first)), after=1)
    return desk


def failed(game: Honest, came: Came | None) -> Shown:
    """Claim that the side with the seal has shown another move."""
    desk, side = sealed(game), game.sides[-1]
    event = events.Failed(desk.state.ply, side, "mismatch", first_move(desk.state.position, side), "00" * 32)
    return game.with_events(event, came=came, of=desk)


def replayed_seal(game: Honest) -> Shown:
    """Open the game's id again, and enter the seal and the reveal of the earlier game."""
    before, side = sealed(game), game.sides[-1]
    promise = before.state.seals[side].commitment
    again = Desk("beams", clock={"days": 3})
    event = events.Sealed(again.state.ply, side, promise, again.state.begun)
    again.entries = game.with_events(event, came=letter(side, again.at), of=again)
    again.state = fold_log(again.entries)
    first = game.sides[0]
    again.ask(submit(first, first_move(again.state.position, first)), after=1)
    move = first_move(again.state.position, side)
    came = letter(side, again.at)
    return game.with_events(events.Revealed(1, side, move, NONCE.hex()), came=came, of=again)


def exchanged(game: Honest) -> Shown:
    """Make another move than the one that was submitted, once the other side's is known."""
    played = game.desk.entries[game.place("played")].event
    assert isinstance(played, events.Played)
    desk = game.back(game.place("played", -2))
    move = first_move(desk.state.position, game.sides[0], played.moves[game.sides[0]])
    entries = game.but(game.place("played"), moves={**played.moves, game.sides[0]: move})
    return [*game.desk.entries[: game.place("played")], entries[game.place("played")]]


def unplayed(game: Honest) -> Shown:
    """Claim at the end that another move was submitted than the real one."""
    desk, first, last = game.back(len(game.desk.entries) - 1), game.sides[0], game.sides[-1]
    desk.ask(submit(first, first_move(desk.state.position, first)), after=1)
    desk.ask(request(desk, last, "resign"), after=1)
    end = desk.entries[-1].event
    assert isinstance(end, events.Closed)
    other = {**end.unplayed[first], "move": first_move(desk.state.position, first, end.unplayed[first]["move"])}
    event = replace(end, unplayed={first: other})
    return game.with_events(event, of=Honest(desk, "", ()).back(len(desk.entries) - 2))


def illegal_move(game: Honest) -> Shown:
    """Seal an illegal move for a player, and play it."""
    desk, first, last = game.back(len(game.desk.entries) - 1), game.sides[0], game.sides[-1]
    state, nonce = desk.state, bytes(32)
    moves = {side: state.plies[0][side] for side in (first, last)}
    past = Past(state.root, state.begun)
    promised = {
        side: commitment(state.id, state.ply, side, state.protocol, move, nonce, past) for side, move in moves.items()
    }
    timed = [events.Submitted(state.ply, side, promise, state.begun) for side, promise in promised.items()]
    entries = game.with_events(*timed, came=letter(first, desk.at), of=desk)
    played = events.Played(state.ply, moves, dict.fromkeys(moves, nonce.hex()), game.sides, None)
    desk.entries = entries
    return game.with_events(played, of=desk)


def ground(game: Honest, **changes: object) -> Shown:
    """End the game of chance with another seed than the promised one, or none."""
    desk = game.back(len(game.desk.entries) - 1)
    desk.ask(request(desk, "host", "close"), after=1)
    return Honest(desk, "", ()).but(-1, **changes)


def other_deal(game: Honest) -> Shown:
    """Exchange the discs at the opening until they please, and reveal the promised secret at the end."""
    base = Base(tuple(game.desk.entries[: game.place("opened") + 1]))
    timed, opening = base.timed, base.timed[-1].event
    assert isinstance(opening, events.Opened)
    deal = opening.options["deal"]
    discs = dict(zip(deal["discs"], reversed([*deal["discs"].values()]), strict=True))
    timed[-1] = timed[-1]._replace(event=replace(opening, options={"deal": {**deal, "discs": discs}}))
    state = fold_log(rechained("game-1", timed))
    end = automatic.end(state, "abandoned", None, game.desk.secrets)
    return rechained("game-1", [*timed, Timed(timed[-1].at, end)])


def word_dropped(game: Honest) -> Shown:
    """Go back to before a player joined, and let them join with another word."""
    desk = game.back(game.place("joined", 0))
    for side in game.sides[1:]:
        desk.ask(request(desk, side, "accept milk" if side == "p2" else "accept tea"), after=1)
    return desk.entries


def dealt_alone(game: Honest) -> Shown:
    """Open the game without an invitation, with the best of many seeds."""
    return Desk("the-beam", clock={"days": 3}, secret="the best of a thousand").entries


def told_early(game: Honest) -> Shown:
    """Show cards before their round begins."""
    opening = game.desk.entries[game.place("opened")].event
    assert isinstance(opening, events.Opened)
    deal = opening.options["deal"]
    more = {"deal": {**deal, "decks": [[*deck, 1] for deck in deal["decks"]]}}
    return game.but(game.place("played", 0), known=more)


def peeked(game: Honest) -> Shown:
    """Read the move that the desk sealed, and tell it to a friend; a player's own seal is not in the store."""
    desk = sealed(game)
    first, last = game.sides[0], game.sides[-1]
    assert any(first in name for name in desk.secrets if name.startswith(f"move/{desk.state.ply}/"))
    assert not any(last in name for name in desk.secrets if name.startswith(f"move/{desk.state.ply}/"))
    return desk.entries


def second_time(game: Honest) -> Shown:
    """Use the first letter of a player once more, for an offer."""
    earlier = game.desk.entries[game.place("joined")].came
    assert earlier is not None
    at = game.desk.entries[-1].as_json()["at"]
    timed = [Timed(one.at, one.event, one.came) for one in game.desk.entries]
    again = Timed(timed[-1].at, events.Offered(game.sides[0]), replace(earlier, server=at))
    return rechained("game-1", [*timed, again])


def late_letter(game: Honest) -> Shown:
    """Enter an act an hour after its letter came."""
    entry = game.desk.entries[-1]
    timed = [Timed(one.at, one.event, one.came) for one in game.desk.entries]
    offer = Timed(entry.at + HOUR, events.Offered(game.sides[0]), letter(game.sides[0], entry.at))
    return rechained("game-1", [*timed, offer])


def signed_after(game: Honest) -> Shown:
    """Give hours at the beginning, and copy all later signatures and seals unchanged."""
    base = Base(tuple(game.desk.entries))
    place = game.place("opened") + 1
    timed = base.timed
    opening = timed[place - 1].event
    assert isinstance(opening, events.Opened)
    given = Timed(timed[place - 1].at, events.Extended(opening.owing[0], 5))
    return rechained("game-1", [*timed[:place], given, *timed[place:]], base)
