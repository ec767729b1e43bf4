"""Two friends who play a duel, a bad channel between them, and the messages of cheats and strangers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from referee import parse_move
from referee.desk import Accept, Claim, MakeMove, OfferDraw, Resign, Reveal
from referee.duel.armour import armoured, unarmoured
from referee.duel.challenge import Challenge
from referee.duel.course import Owed
from referee.duel.message import DuelAct, DuelMessage
from referee.duel.player import Duel, duel_signer, join_duel, open_duel, outlook, read_paste, respond, speak
from referee.duel.status import text_to_send
from referee.errors import RefereeError, Refusal
from referee.rules import game_named

Seat = int
MODES: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("beams", {}),
    ("beams", {"mode": "synchronous"}),
    ("beams", {"columns": 17, "rows": 7}),
    ("boundary", {}),
    ("laser-chess", {}),
    ("laser-chess", {"setup": "curiosity", "kings": "turn"}),
)
"""Games and options to try: moves at once, and in turn."""


LONG = 40
"""Plies after which random players may give up."""


@dataclass
class Friends:
    """Both players of a duel, by seat."""

    chance: random.Random
    duels: list[Duel]

    def decide(self, seat: Seat) -> None:
        """Do what a player owes; a random legal move if it is a move."""
        duel = self.duels[seat] = respond(self.duels[seat])
        if outlook(duel).duty in (Owed.MOVE, Owed.SEALED_MOVE):
            self.duels[seat] = speak(duel, [MakeMove(any_move(duel, self.chance))])

    def deliver(self, seat: Seat) -> None:
        """Have the other player read all messages of this one."""
        read = read_paste(self.duels[1 - seat], text_to_send(self.duels[seat]))
        assert {one.code for one in read.remarks} <= {"repeated"}, read.remarks
        self.duels[1 - seat] = read.duel

    def round(self, seat: Seat) -> None:
        """Do what a player owes, and have the other read it."""
        self.decide(seat)
        if self.duels[seat].exchange.chains[seat]:
            self.deliver(seat)


def friends(game: str, options: Mapping[str, object] | None = None, seed: int = 1) -> Friends:
    """Two friends before their first move; the second one has read the opening."""
    chance = random.Random(seed)
    opened = open_duel(game, options or {}, game_named(game).sides[0], chance.randbytes(32), "Ada")
    joined = join_duel(text_to_send(opened), chance.randbytes(32), "Ben")
    assert joined.remarks == ()
    return Friends(chance, [opened, joined.duel])


def after(game: str, rounds: int, options: Mapping[str, object] | None = None, seed: int = 1) -> Friends:
    """Two friends after `rounds` exchanges of one message each."""
    both = friends(game, options, seed)
    for _ in range(rounds):
        both.round(1)
        both.round(0)
    return both


def any_move(duel: Duel, chance: random.Random) -> str:
    """A random legal move of the player."""
    known = outlook(duel)
    position = known.exchange.course.turns[known.exchange.course.ply(known.exchange.cut)].position
    return str(position.any_move(duel.side, chance.randrange))


def forged(duel: Duel, acts: tuple[DuelAct, ...], **changes: object) -> DuelMessage:
    """The next message of a player, with any acts and a valid signature."""
    seat, exchange = duel.seat, duel.exchange
    own, other = exchange.chains[seat], exchange.chains[1 - seat]
    past = exchange.next_past(seat, len(other))
    message = DuelMessage(seat, exchange.course.game[:16], len(own), len(other), past, None, acts)
    return replace(message, **changes).signed_by(duel_signer(duel.seed))  # type: ignore[arg-type]


class Cheat(NamedTuple):
    """A false message by a player with the key of a seat, and the code of its refusal."""

    message: DuelMessage
    code: str


def cheats(duel: Duel, chance: random.Random) -> Iterator[Cheat]:
    """The cheats that a player can try now, if the other has read all their messages."""
    seat, course, own = duel.seat, duel.exchange.course, duel.exchange.chains[duel.seat]
    if not own:
        return
    yield Cheat(forged(duel, (Resign(),), seen=duel.exchange.cut[1 - seat] + 1), "unsent")
    yield Cheat(forged(duel, (Resign(),), past=chance.randbytes(32).hex()), "contradiction")
    last = replace(own[-1], acts=(*own[-1].acts[:3], Resign())).signed_by(duel_signer(duel.seed))
    if isinstance(opening := own[0].entrance, Challenge):
        other = replace(own[0], entrance=replace(opening, name="Eve")).signed_by(duel_signer(duel.seed))
        yield Cheat(other, "changed-opening")
    if own[1:] or seat:
        yield Cheat(last, "fork")
    yield from ((Cheat(forged(duel, (act,)), code)) for act, code in _acts(duel, chance))
    if duel.duty is not None and course.settlement is None:
        yield Cheat(forged(duel, (Resign(), Resign())), "game-over")


def _acts(duel: Duel, chance: random.Random) -> Iterator[tuple[DuelAct, str]]:
    """Acts that are not allowed to a player now, with the codes of their refusals."""
    course, view, duty = duel.exchange.course, duel.exchange.cut, duel.duty
    turn = course.turns[course.ply(view)]
    legal = next((str(one) for side in turn.position.to_move for one in turn.position.legal_moves(side)), "P S A2")
    if course.over(view):
        yield from ((act, "game-over") for act in (Resign(), MakeMove(legal), Accept(), OfferDraw()))
        return
    nothing = Reveal(legal, chance.randbytes(32).hex())
    if duty is Owed.REVEAL:
        yield nothing, "mismatch"
        yield MakeMove(legal), "already-bound"
        return
    if duty is None:
        bound = duel.side in turn.position.to_move
        yield MakeMove(legal), "already-bound" if bound else "not-your-turn"
        yield nothing, "too-early" if bound and duel.sealed else "nothing-sealed"
        yield Accept(), "no-offer"
        yield Claim("repetition"), "no-claim"
        return
    yield nothing, "nothing-sealed"
    yield OfferDraw(), "move-first"
    if not course.claims(duel.seat, view):
        yield Claim("repetition"), "no-claim"
    if not course.offered(duel.seat, view):
        yield Accept(), "no-offer"
    if duty is Owed.SEALED_MOVE:
        yield MakeMove(legal), "unsealed"
        return
    yield MakeMove(legal.lower()), "canonical"
    yield MakeMove("nonsense"), "syntax"
    if (illegal := _illegal(duel, chance)) is not None:
        yield illegal


def _illegal(duel: Duel, chance: random.Random) -> tuple[DuelAct, str] | None:
    """An illegal move, such as one that the other side could make, and the code of the rule."""
    course = duel.exchange.course
    for turn in (course.turns[0], course.turns[-1]):
        for side in turn.position.to_move:
            text = str(turn.position.any_move(side, chance.randrange))
            try:
                course.turns[-1].position.check(duel.side, parse_move(course.opening.game, text))
            except RefereeError as error:
                return MakeMove(text), error.code
    return None


Stranger = Callable[[str, random.Random], str]

STRANGERS: tuple[Stranger, ...] = (
    lambda text, chance: _garbled(text, chance),
    lambda text, chance: text[: len(text) * 2 // 3],
    lambda text, chance: _resigned(text, chance),
    lambda text, chance: _altered(text, chance),
    lambda text, _chance: "nothing for referee, and duel1 is but a word",
)
"""Changes of a text on its way, without the key of a player."""


def _garbled(text: str, chance: random.Random) -> str:
    """The text with another letter in one of its messages."""
    start = text.index("duel1") + len("duel1")
    at = chance.choice([place for place in range(start, len(text)) if text[place].isalnum()])
    return text[:at] + chance.choice("xYz0".replace(text[at], "")) + text[at + 1 :]


def _resigned(text: str, chance: random.Random) -> str:
    """The messages of the text with signatures by another key."""
    return _changed(text, lambda raw: raw[:-64] + chance.randbytes(64))


def _altered(text: str, chance: random.Random) -> str:
    """The messages of the text with another byte in each of them, and their signatures as they were."""

    def altered(raw: bytes) -> bytes:
        at = chance.randrange(len(raw) - 64)
        return bytes((*raw[:at], raw[at] ^ 1 << chance.randrange(8) or 1, *raw[at + 1 :]))

    return _changed(text, altered)


def _changed(text: str, change: Callable[[bytes], bytes]) -> str:
    return "\n".join(armoured(change(raw)) for _, raw in unarmoured(text) if raw is not None)


def quoted(text: str, chance: random.Random) -> str:
    """A text as it comes out of a messenger: quoted, wrapped again, with prose around it."""
    width = chance.choice((30, 61, 72, 998))
    lines = [line[at : at + width] for line in text.splitlines() for at in range(0, len(line) or 1, width)]
    mark, end = chance.choice(("", "> ", ">> ", "| ")), chance.choice(("\n", "  \n", "\r\n"))
    return f"Hi!{end}" + "".join(f"{mark}{line}{end}" for line in lines) + "See you!"


@dataclass
class Channel:
    """A channel that loses, doubles, reorders and forges the texts between two friends, one of whom may cheat.

    `codes` collects the refusals of texts that no honest player has sent.
    """

    both: Friends
    waiting: list[tuple[Seat, str]] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    spoiled: set[tuple[Seat, int]] = field(default_factory=set)

    def send(self, seat: Seat) -> None:
        """Send the messages of a player; they may get lost, or arrive twice."""
        text, chance = text_to_send(self.both.duels[seat]), self.both.chance
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            self.waiting.append((seat, quoted(text, chance)))
        if chance.random() < 0.2:
            self.disturb(seat, text)

    def arrive(self) -> None:
        """Deliver one of the texts, not always the first one; nothing honest is refused."""
        chance = self.both.chance
        if not self.waiting:
            return
        seat, text = self.waiting.pop(chance.randrange(len(self.waiting)))
        reader = self.both.duels[1 - seat]
        read = read_paste(reader, text)
        told = {one.code for one in read.remarks} - {"repeated", "gap", "damaged"}
        assert not told or (told == {"fork"} and self._is_spoiled(seat, read.fresh)), read.remarks
        self.both.duels[1 - seat] = read.duel

    def cheat(self, seat: Seat) -> None:
        """Have a player cheat once, if the other has read all their messages; it is refused and changes nothing."""
        duel, reader, chance = self.both.duels[seat], self.both.duels[1 - seat], self.both.chance
        if reader.exchange.chains[seat] != duel.exchange.chains[seat]:
            return
        if (found := [*cheats(duel, chance)]) == []:
            return
        message, code = chance.choice(found)
        read = read_paste(reader, quoted(message.armour, chance))
        codes = {one.code for one in read.remarks}
        if code == "unsent" and message.seen <= len(reader.exchange.chains[1 - seat]):
            return  # The reader has sent that much; its sender has only not read it yet.
        known = any(one.digest == message.digest for one in reader.exchange.refused)
        assert codes == {"repeated"} if known else code in codes, (code, read.remarks)
        assert read.duel.exchange.chains == reader.exchange.chains
        assert read.duel.exchange.course == reader.exchange.course
        self.named.add(code)
        self.spoiled.add((seat, message.number))
        self.both.duels[1 - seat] = read.duel

    def disturb(self, seat: Seat, text: str) -> None:
        """Have a stranger send a changed text; it changes nothing, with or without a refusal."""
        reader, chance = self.both.duels[1 - seat], self.both.chance
        bad = chance.choice(STRANGERS)(text, chance)
        read = read_paste(reader, bad)
        if bad not in text:
            before = {one.digest for one in reader.exchange.chains[seat]}
            honest = {one.digest for one in self.both.duels[seat].exchange.chains[seat]}
            assert {one.digest for one in read.fresh} <= honest - before, "something forged was taken"
        self.named |= {one.code for one in read.remarks}

    def _is_spoiled(self, seat: Seat, fresh: tuple[DuelMessage, ...]) -> bool:
        return any((seat, one.number) in self.spoiled for one in fresh)


def over_channel(game: str, options: Mapping[str, object], seed: int, *, most: int = 4000) -> Channel:
    """A whole game of two friends over a bad channel."""
    channel = Channel(friends(game, options, seed))
    duels, chance = channel.both.duels, channel.both.chance
    short = chance.choice((0.0, 0.0, 0.02))
    for _ in range(most):
        seat = chance.randrange(2)
        if chance.random() < 0.15:
            channel.cheat(seat)
        known = outlook(duels[seat])
        long = known.exchange.course.ply(known.exchange.cut) > LONG
        if known.duty in (Owed.MOVE, Owed.SEALED_MOVE) and chance.random() < (0.1 if long else short):
            wish = chance.choice((Resign(), Accept(), OfferDraw()))
            # There may be no offer to accept, one already, or no game left for it.
            with suppress(Refusal):
                duels[seat] = speak(
                    duels[seat], [MakeMove(any_move(duels[seat], chance)), wish][wish != OfferDraw() :]
                )
        else:
            channel.both.decide(seat)
        if duels[seat].exchange.chains[seat]:
            channel.send(seat)
        channel.arrive()
        ends = [duel.exchange.course.settlement for duel in duels]
        cuts = [duel.exchange.cut for duel in duels]
        if all(ends) and cuts[0] == cuts[1] and not any(duel.duty for duel in duels):
            assert ends[0] == ends[1]
            return channel
    raise AssertionError(f"the game has not ended: {[duel.exchange.cut for duel in duels]}")
