"""Random games by letter, with keys, engines, invitations, common deals, clocks and other letters.

All people are honest, and each of their letters is answered: at once, or when the engines have moved.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from referee.desk import HOLD, Act, Signer, Terms, acts, commitment, engine_to_move
from referee.desk.law import automatic
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail.handlers.pipeline import ENGINE_PAUSE, handle_waiting
from referee.mail.host.host import open_game, order_by_host
from tests.support.correspondence import GAME
from tests.support.desks import NONCE, signed, signer
from tests.support.engine_games import CLOCKS, MODES, Mode
from tests.support.engine_rooms import engines_move
from tests.support.friends import ADA, BEN, CLEO, DAN, SETTINGS, Friends, friends
from tests.support.planning import plan_from
from tests.support.strategies import any_move

PEOPLE = {ADA: "Ada", BEN: "Ben", CLEO: "Cleo", DAN: "Dan"}
AT_ONCE = MODES[0]
"""A game in which moves are made at once, so that an engine seals its own first; it is chosen more often."""

KINGS = Mode("laser-chess", {"setup": "grail", "kings": "turn"})
COUNTED = ("", "engine:1", "two engines of level 1", "three engines of level 1")
SIGNED = (acts.OfferDraw(), acts.Accept(), acts.Claim("timeout"))
UNSIGNED = ("decline", "vacation 2027-03-09", "give 3", "message\nGood morning!\nend", "status", "help")


class Life(NamedTuple):
    """A game, the addresses of its people by side, their keys, if any, and the moves that they have sealed."""

    post: Friends
    chance: random.Random
    seats: dict[str, str]
    keys: dict[str, Signer]
    sealed: dict[str, str]

    def propose(self, mode: Mode, people: int) -> None:
        """Have Ada propose the game, and the others join: each with a key and a word, or without."""
        sides = GameFile(mode.game).description.sides
        first, *others = [*PEOPLE][:people]
        partners = [*others, *filter(None, [COUNTED[len(sides) - people]])]
        side = self.chance.choice(sides)
        options = ", ".join(f"{name} {value}" for name, value in mode.options.items())
        self.post.write(first, f"new {mode.game} with {' and '.join(partners)}, as {side}, {options}")
        table = self.post.office.desk.table(self.post.state.id)
        for seat in sides:
            if (address := table.address(seat)) in PEOPLE:
                self.seats[seat] = address
        assert len(self.seats) == people, self.post.said(first)
        self.settled()
        if others and self.chance.random() < 0.5:
            self._change_key(side)
        for seat in [*self.seats]:
            if seat != side:
                self._join(seat)

    def open(self, mode: Mode, people: int, clock: Mapping[str, object] | None) -> None:
        """Have the host open the game."""
        file = GameFile(mode.game, options=mode.options)
        sides = file.description.sides
        self.seats.update(zip(sorted(self.chance.sample(sides, people)), PEOPLE, strict=False))
        open_game(
            self.post.office,
            GAME,
            file,
            self.post.at,
            terms=None if clock is None else Terms.read(clock),
            addresses=self.seats,
            secret=None if file.description.secret is None else "a seed",
            engines={side: 1 for side in sides if side not in self.seats},
        )
        self.post.collect()
        for side in self.seats:
            if self.chance.random() < 0.5:
                self._change_key(side)

    def live(self, plies: int) -> None:
        """Play some plies with random other events, then some without, up to a resignation."""
        for _ in range(8 * plies):
            if not self._is_over(plies):
                self._step()
        while not self._is_over(plies):
            self._move()
        if self.post.state.closed is None:
            self._act(self.chance.choice([*self.seats]), acts.Resign())
        assert self.post.state.closed is not None

    def tell(self, side: str, body: str) -> None:
        """Have a player reply to their newest letter, perhaps before the engines are ready; expect an answer."""
        letters = self.post.letters[self.seats[side]]
        before = len(letters)
        self.post.answer(self.seats[side], body)
        if len(letters) == before and engine_to_move(self.post.state) is not None:
            self._engines_move()
        if len(letters) == before:
            self.post.at += HOLD
            self.post.collect()
        assert len(letters) > before, f"{side} gets no answer: {body}"
        self.settled()

    def settled(self) -> None:
        """Assert that no letter waits or was set aside, and that all automatic events have happened."""
        counts = self.post.office.desk.upkeep.counts()
        assert (counts["aside"], counts["waiting"]) == (0, 0), self.post.office.desk.inbox.aside()
        assert automatic.immediate(self.post.state) is None

    def _is_over(self, plies: int) -> bool:
        state = self.post.state
        return state.closed is not None or len(state.plies) >= plies

    def _step(self) -> None:
        """Do something at random: mostly a move, else another act of players, the host or time."""
        side = self.chance.choice([*self.seats])
        what = self.chance.choice(("move",) * 5 + ("engines", "key", "sign", "write", "write", "order", "time"))
        match what:
            case "move":
                self._move()
            case "engines":
                self._engines_move()
            case "key":
                self._change_key(side)
            case "sign":
                self._act(side, self.chance.choice(SIGNED))
            case "write":
                self.tell(side, self.chance.choice(UNSIGNED))
            case "order":
                self._order(side)
            case _:
                self.post.pass_time(self.chance.choice((0.1, 0.5, 1.5)))

    def _join(self, side: str) -> None:
        word = self.chance.choice(("", "tea", "a red fox"))
        if self.chance.random() < 0.5:
            self.keys[side] = signer(side)
        self._act(side, acts.Accept(word, self.keys[side].public if side in self.keys else ""))

    def _move(self) -> None:
        """Have a person who is to move or reveal do it, or else the engines; expect it in the log."""
        owing = [side for side in self.seats if side in self.post.state.owing]
        if not owing:
            self._engines_move()
            return
        side, state, entries = self.chance.choice(owing), self.post.state, len(self.post.kinds())
        own = any_move(state.position, side, self.chance)
        move = str(own)
        if side in state.seals:
            self._act(side, acts.Reveal(self.sealed[state.seals[side].commitment], NONCE.hex()))
        elif state.simultaneous and self.chance.random() < 0.3:
            promise = commitment(state.id, state.ply, side, state.protocol, move, NONCE, state.past)
            self.sealed[promise] = move
            self._act(side, acts.Seal(promise))
        elif side not in self.keys and self.chance.random() < 0.3:
            planned = plan_from(state.position, side, own, self.chance, self.chance.randint(1, 3)).text
            self.tell(side, f"{move}\n\nplan\n{planned}")
        else:
            self._act(side, acts.MakeMove(move))
        assert len(self.post.kinds()) > entries, self.post.said(self.seats[side])

    def _change_key(self, side: str) -> None:
        """Have a seat take a key, another one, or none."""
        gone = side in self.keys and self.chance.random() < 0.3
        key = None if gone else signer(f"{side} {self.chance.randint(1, 3)}")
        self._act(side, acts.UseKey("" if key is None else key.public))
        self._know_key(side, key)

    def _order(self, side: str) -> None:
        """Have the host do something, which the law may refuse."""
        orders = (acts.Pause("a storm"), acts.Resume(), acts.Extend(24), acts.DropKey(side, "it is lost"))
        with suppress(RefereeError):
            order_by_host(self.post.office, self.post.state.id, self.chance.choice(orders), self.post.at)
        self.post.collect()
        self._know_key(side, None)

    def _know_key(self, side: str, key: Signer | None) -> None:
        """Have a player know the key that the seat has now, which may still be the old one."""
        now = self.post.state.keyring.keys.get(side)
        if now is None:
            self.keys.pop(side, None)
        elif key is not None and key.public == now:
            self.keys[side] = key

    def _act(self, side: str, act: Act) -> None:
        lines = str(act)
        if side in self.keys:
            made = signed(self.post.state, side, self.keys[side], act)
            lines += f"\nsigned {made.signature[:64]}\n{made.signature[64:]}"
        self.tell(side, lines)

    def _engines_move(self) -> None:
        engines_move(self.post.office, self.post.at)
        self.post.at += ENGINE_PAUSE
        handle_waiting(self.post.office, self.post.at)
        self.post.collect()
        self.settled()


@contextmanager
def begun(folder: Path, seed: int) -> Iterator[Life]:
    """A game that a letter has proposed, or that the host has opened."""
    chance = random.Random(seed)
    mode, clock = chance.choice((*MODES, AT_ONCE, KINGS)), chance.choice(CLOCKS)
    people = chance.randint(1, len(GameFile(mode.game).description.sides))
    words = "" if clock is None else f"clock: {dict(clock)}\n"
    with friends(folder, f"{SETTINGS}{words}") as post:
        life = Life(post, chance, {}, {}, {})
        if chance.random() < 0.5:
            life.propose(mode, people)
        else:
            life.open(mode, people, clock)
        yield life
