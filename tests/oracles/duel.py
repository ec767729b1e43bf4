"""A second reader of duels, written from spec/duel.md alone.

It shares nothing with the package but the rules of the games: text, bytes, signatures, views and ends are written
again here, as plainly as on the page, and every view is played from the start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

import referee
from tests.oracles.duel_form import SIDES, FaultError, Message, messages, require, start
from tests.oracles.verifier.curve import good_key, verified

__all__ = ["FaultError", "read_duel"]


@cache
def fits(key: str, text: str, signature: str) -> bool:
    """True if a signature fits a key."""
    return good_key(key) and verified(key, text, signature)


@dataclass
class State:
    """A view, played from the start: its ply, the sides that are bound in it, and the end of the game, if any."""

    position: referee.Position
    head: str
    plies: int = 0
    bound: dict[int, tuple[str, str]] = field(default_factory=dict)  # letter and digits
    made: dict[int, str] = field(default_factory=dict)
    answered: list[int] = field(default_factory=lambda: [0, 0])
    offers: list[tuple[int, int]] = field(default_factory=list)
    over: bool = False


class Duel:
    """A duel as an outsider reads it."""

    def __init__(self, opening: Message) -> None:
        assert opening.opening is not None
        self.opening, self.game = opening.opening, opening.digest
        first = self.opening["side"]
        (other,) = (side for side in SIDES[self.opening["game"]] if side != first)
        self.sides = (first, other)
        self.chains: list[list[Message]] = [[opening], []]
        self.early: list[Message] = []
        self.refused: list[Message] = []
        self.shown: set[tuple[int, str]] = set()
        self.codes: set[str] = set()

    def view(self, cut: list[int], more: tuple[Message, int] | None = None) -> State:
        """The state with a number of messages of each seat known, and some acts of the next message."""
        said: list[list[tuple[Message, tuple[str, str, str]]]] = [
            [(one, act) for one in self.chains[seat][: cut[seat]] for act in one.acts] for seat in (0, 1)
        ]
        if more is not None:
            said[more[0].seat] += [(more[0], act) for act in more[0].acts[: more[1]]]
        state = State(start(self.opening), self.game)
        state.offers = [(seat, one.number) for seat in (0, 1) for one, act in said[seat] if act[0] == "O"]
        state.over = any(act[0] in "ACG" for seat in (0, 1) for _, act in said[seat])
        binding = [[both for both in said[seat] if both[1][0] in "MS"] for seat in (0, 1)]
        reveals = [[act for _, act in said[seat] if act[0] == "R"] for seat in (0, 1)]
        while state.position.to_move:
            state.bound, state.made = {}, {}
            movers = [self.sides.index(side) for side in state.position.sides if side in state.position.to_move]
            for seat in movers:
                if not binding[seat]:
                    continue
                message, (letter, text, digits) = binding[seat].pop(0)
                state.bound[seat], state.answered[seat] = (letter, digits), message.seen
                if letter == "M":
                    state.made[seat] = text
                elif reveals[seat]:
                    state.made[seat] = reveals[seat].pop(0)[1]
            if state.made.keys() != set(movers):
                break
            moves = {self.sides[seat]: state.made[seat] for seat in movers}
            lines = "".join(f"{side} {move}\n" for side, move in moves.items())
            state.head = sha256(f"referee duel ply 1\n{state.head}\n{lines}".encode()).hexdigest()
            name = self.opening["game"]
            state.position = state.position.play(
                {side: referee.parse_move(name, move) for side, move in moves.items()}
            )
            state.plies += 1
        else:
            state.bound, state.made, state.over = {}, {}, True
        return state

    def judge(self, one: Message) -> None:
        """True if the acts of the next message are allowed."""
        cut = [0, 0]
        cut[one.seat], cut[1 - one.seat] = one.number, one.seen
        for place, act in enumerate(one.acts):
            self.judge_act(one, act, self.view(cut, (one, place)))

    def judge_act(self, one: Message, act: tuple[str, str, str], state: State) -> None:
        """True if an act is allowed in a view."""
        seat, other = one.seat, 1 - one.seat
        letter, text, digits = act
        require(not state.over, "game-over")
        moves = self.sides[seat] in state.position.to_move
        owes, at_once = moves and seat not in state.bound, len(state.position.to_move) == 2
        if letter in "MS":
            require(moves, "not-your-turn")
            require(owes, "already-bound")
        match letter:
            case "M":
                require(not at_once or other in state.bound, "unsealed")
                self.judge_move(seat, text, state)
            case "S":
                require(at_once, "not-simultaneous")
            case "R":
                require(seat in state.bound and seat not in state.made, "nothing-sealed")
                require(other in state.bound, "too-early")
                lines = (
                    *("referee seal 2", self.game[:16], self.game, state.head, str(state.plies + 1)),
                    *(self.sides[seat], f"{self.opening['game']} {self.opening['rules']}", text, digits),
                )
                seal = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
                require(state.bound[seat] == ("S", seal), "mismatch")
                self.judge_move(seat, text, state)
            case "O":
                require(not owes, "move-first")
                mine = [number for by, number in state.offers if by == seat and number >= state.answered[other]]
                require(not mine, "already-offered")
            case "A":
                require(owes, "no-offer")
                theirs = [number for by, number in state.offers if by == other and number >= state.answered[seat]]
                require(bool(theirs), "no-offer")
            case "C":
                require(owes and text in state.position.claims(self.sides[seat]), "no-claim")

    def judge_move(self, seat: int, text: str, state: State) -> None:
        """True if a move is canonical and legal."""
        try:
            move = referee.parse_move(self.opening["game"], text)
            require(str(move) == text, "canonical")
            state.position.check(self.sides[seat], move)
        except referee.RefereeError as error:
            raise FaultError(error.code) from None

    def read(self, one: Message) -> None:
        """Read a message."""
        known = self.chains[one.seat]
        if (one.opening is None and one.game != self.game[:16]) or (one.opening and one.key != known[0].key):
            self.codes.add("another-game")
            return
        key = one.key or (known[0].key if known else "")
        if not key or not fits(key, one.text, one.signature):
            self.codes.add("forged" if key else "gap")
            return
        if one.key and known and known[0].key != one.key:
            self.codes.add("seat-joined")
            return
        same = [
            each
            for each in (*known, *self.early, *self.refused)
            if (each.seat, each.number, each.key) == (one.seat, one.number, one.key)
        ]
        if any(each.digest == one.digest for each in same):
            self.codes.add("repeated")
            return
        forks = ["changed-opening" if one.opening is not None else "fork"] if same and known else []
        self.codes.update(forks)
        if one.number < len(known):
            self.refuse(one, forks)
        elif one.number > len(known) or one.seen > len(self.chains[1 - one.seat]):
            self.early += [one] if len(self.early) < 32 else []
        elif self.follow(one, forks) and same[:1] != [each for each in self.early if each in same[:1]]:
            self.shown |= {(one.seat, code) for code in forks}

    def follow(self, one: Message, forks: list[str]) -> bool:
        """Read a message that comes next; True if it counts."""
        own, other = self.chains[one.seat], self.chains[1 - one.seat][: one.seen]
        digests = "".join(f"{chain[-1].digest if chain else 'none'}\n" for chain in (own, other))
        past = sha256(f"referee duel past 1\n{digests}".encode()).hexdigest()
        try:
            require(one.past == past and one.seen >= (own[-1].seen if own else one.seat), "contradiction")
            self.judge(one)
        except FaultError as fault:
            self.codes.add(str(fault))
            if own:
                self.refuse(one, [str(fault), *forks])
            return False
        own.append(one)
        return True

    def refuse(self, one: Message, codes: list[str]) -> None:
        """Keep a message that does not count, if it shows something new of its seat."""
        new = {(one.seat, code) for code in codes} - self.shown
        self.refused += [one] if new else []
        self.shown |= new

    def accepted(self, rest: list[Message]) -> str:
        """The key of the joiner whom the opener has signed for; empty if there is one joiner, or no sign."""
        joiners = dict.fromkeys(one.key for one in rest if (one.seat, one.number) == (1, 0))
        opener = self.chains[0][0].key
        mine = [*self.chains[0], *(one for one in rest if one.seat == 0 and fits(opener, one.text, one.signature))]
        for one in mine if len(joiners) > 1 else ():
            for before in (each for each in mine if each.number + 1 == one.number):
                for seen in (each for each in rest if each.seat == 1 and each.number + 1 == one.seen):
                    lines = f"referee duel past 1\n{before.digest}\n{seen.digest}\n"
                    if sha256(lines.encode()).hexdigest() == one.past:
                        return next((key for key in joiners if fits(key, seen.text, seen.signature)), "")
        return ""

    def settle(self) -> None:
        """Read the messages that have waited long enough."""
        while True:
            for one in self.early:
                if one.number <= len(self.chains[one.seat]) and one.seen <= len(self.chains[1 - one.seat]):
                    self.early.remove(one)
                    self.read(one)
                    break
            else:
                return

    @property
    def end(self) -> tuple[int, str | None, str] | None:
        """The end of the game: the number of plies, the winner, and the reason; None while it runs."""
        ends = []
        for seat in (0, 1):
            for one in self.chains[seat]:
                for place, (letter, text, _) in enumerate(one.acts):
                    if letter in "ACG":
                        cut = [0, 0]
                        cut[seat], cut[1 - seat] = one.number, one.seen
                        ends.append((letter != "G", self.view(cut, (one, place)).plies, seat, text))
        whole = self.view([len(chain) for chain in self.chains])
        if not ends:
            outcome = whole.position.outcome
            return (whole.plies, outcome.winner, str(outcome.termination)) if outcome else None
        weak, plies, seat, text = min(ends)
        if not weak and {by for no, _, by, _ in ends if not no} == {0, 1}:
            return plies, None, "agreement"
        if not weak:
            return plies, self.sides[1 - seat], "resignation"
        return plies, None, text or "agreement"


def read_duel(text: str) -> Duel:
    """The duel whose messages are in a text; FaultError if none is opened in it."""
    found = list(messages(text))
    read = [one for one in found if isinstance(one, Message)]
    fault = next((one for one in found if isinstance(one, str)), "no-opening")
    for opening in read:
        if opening.opening is None:
            continue
        if not fits(opening.key, opening.text, opening.signature):
            fault = "forged"
            continue
        duel = Duel(opening)
        duel.codes = {one for one in found if isinstance(one, str)}
        rest = [one for one in read if one is not opening]
        known = duel.accepted(rest)
        late = [one for one in rest if known and (one.seat, one.number) == (1, 0) and one.key != known]
        rest.sort(key=lambda each: (each.number + each.seen, each.seat, each.number))
        for one in (*(one for one in rest if one not in late), *late):
            duel.read(one)
            duel.settle()
        if duel.early:
            duel.codes.add("gap")
        return duel
    raise FaultError(fault)
