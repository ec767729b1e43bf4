"""The course of a duel: the acts of both seats so far, and the one judge of the next acts.

Messages cross each other, so each is judged by its sender's *view*: the number of messages of each seat that the
sender had seen. So all readers get the same course, in whatever order messages arrive.
"""

from __future__ import annotations

import enum
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, assert_never

from referee.desk.log.acts import Accept, Claim, MakeMove, OfferDraw, Resign, Reveal, Seal
from referee.desk.log.seals import commitment
from referee.desk.log.signatures import Past, digest_of
from referee.duel.challenge import Challenge
from referee.duel.message import DuelAct, DuelMessage
from referee.errors import RefereeError, Refusal, shown
from referee.notation.moves import parse_move
from referee.rules import Move, Outcome, Position, Termination
from referee.rules.frozen import Frozen, freezing
from referee.terminal import join_words

Cut = tuple[int, int]
"""A view: the number of known messages of each seat."""


class Owed(enum.Enum):
    """The duty of a seat: a move, a move that it has to seal because the other is not bound yet, or a reveal."""

    MOVE = enum.auto()
    SEALED_MOVE = enum.auto()
    REVEAL = enum.auto()


class Promised(NamedTuple):
    """A message that bound its seat for a ply: its number, the number of messages seen, and its seal, if any."""

    number: int
    seen: int
    seal: str | None


class PublicMove(NamedTuple):
    """A public move, and the number of its message."""

    number: int
    move: Move


@freezing
@dataclass(frozen=True, slots=True)
class DuelPly:
    """A ply: the digest of the history before it, its position, and the bindings and moves of the seats."""

    head: str
    position: Position
    promised: Mapping[int, Promised] = Frozen()
    made: Mapping[int, PublicMove] = Frozen()


class DuelEnd(NamedTuple):
    """An end that the moves do not show: the seat that declared it, its message's number, the kind, and the ply."""

    seat: int
    number: int
    how: Termination
    ply: int


class Settlement(NamedTuple):
    """The end of a duel: the number of valid plies, the outcome, and a declared end with its side, if any."""

    plies: int
    outcome: Outcome
    how: Termination | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """All plies with the current one, the offers of a draw (seat and message number), and the declared ends."""

    opening: Challenge
    game: str
    turns: tuple[DuelPly, ...]
    offers: tuple[tuple[int, int], ...] = ()
    ends: tuple[DuelEnd, ...] = ()

    @property
    def settlement(self) -> Settlement | None:
        """The end of the duel; None while it runs.

        A resignation has priority over everything that its sender had not seen. Two of them at once are a draw.
        """
        if not self.ends:
            outcome = self.turns[-1].position.outcome
            return Settlement(len(self.turns) - 1, outcome) if outcome else None
        resigned = [end for end in self.ends if end.how is Termination.RESIGNATION]
        first = min(resigned or self.ends, key=lambda end: (end.ply, end.seat))
        both = len({end.seat for end in resigned}) == 2
        how = Termination.AGREEMENT if both else first.how
        by = None if how is Termination.AGREEMENT else self.opening.sides[first.seat]
        return Settlement(first.ply, self.turns[first.ply].position.ended(how, by), how, by)

    def ply(self, cut: Cut) -> int:
        """The number of complete plies in a view."""
        number = len(self.turns) - 1
        while number and not self._complete(self.turns[number - 1], cut):
            number -= 1
        return number

    def over(self, cut: Cut) -> bool:
        """True if a view knows the end."""
        declared = any(end.number < cut[end.seat] for end in self.ends)
        return declared or self.turns[self.ply(cut)].position.outcome is not None

    def duty(self, seat: int, cut: Cut) -> Owed | None:
        """The duty of a seat in a view; None if it has to wait, or the game is over."""
        turn = self.turns[self.ply(cut)]
        due, side = turn.position.to_move, self.opening.sides[seat]
        if self.over(cut) or side not in due:
            return None
        bound = _known(turn.promised, 1 - seat, cut)
        if not _known(turn.promised, seat, cut):
            return Owed.MOVE if bound or len(due) == 1 else Owed.SEALED_MOVE
        return Owed.REVEAL if bound and not _known(turn.made, seat, cut) else None

    def offered(self, seat: int, cut: Cut) -> bool:
        """True if a view has an offer of the other seat that a seat has not answered with a move."""
        known = range(self.answered(seat, cut), cut[1 - seat])
        return any(by != seat and number in known for by, number in self.offers)

    def answered(self, seat: int, cut: Cut) -> int:
        """The number of messages seen by a seat when it last bound itself, which declines the offers in them."""
        for turn in reversed(self.turns[: self.ply(cut) + 1]):
            if _known(turn.promised, seat, cut):
                return turn.promised[seat].seen
        return 0

    def claims(self, seat: int, cut: Cut) -> frozenset[str]:
        """The ends that a seat can claim in a view instead of moving."""
        if self.duty(seat, cut) not in (Owed.MOVE, Owed.SEALED_MOVE):
            return frozenset()
        return self.turns[self.ply(cut)].position.claims(self.opening.sides[seat])

    def commitment(self, cut: Cut, seat: int, move: str, nonce: str) -> str:
        """The commitment to a move of a seat, with a nonce, in the ply of a view."""
        ply, side, protocol = self.ply(cut), self.opening.sides[seat], self.opening.protocol
        past = Past(self.game, self.turns[ply].head)
        return commitment(self.game[:16], ply + 1, side, protocol, move, bytes.fromhex(nonce), past)

    def _complete(self, turn: DuelPly, cut: Cut) -> bool:
        sides = self.opening.sides
        return all(_known(turn.made, sides.index(side), cut) for side in turn.position.to_move)


def course_of(message: DuelMessage) -> Course:
    """The course that an opening begins."""
    assert isinstance(message.entrance, Challenge)
    opening = message.entrance
    return Course(opening, message.digest, (DuelPly(message.digest, opening.start()),))


def course_after(course: Course, message: DuelMessage) -> Course:
    """The course after the acts of a message; RefereeError for the first act forbidden in its sender's view."""
    for act in message.acts:
        course = _after(course, message, act)
    return course


def seat_view(seat: int, own: int, other: int) -> Cut:
    """The view of a seat that has sent `own` and read `other` messages."""
    return (own, other) if seat == 0 else (other, own)


def _after(course: Course, message: DuelMessage, act: DuelAct) -> Course:
    seat, number = message.seat, message.number
    cut = seat_view(seat, number + 1, message.seen)
    if course.over(cut):
        raise Refusal("game-over", "the game is over: nothing more can be done")
    match act:
        case MakeMove(text=text):
            _expect_free(course, seat, cut)
            if course.duty(seat, cut) is Owed.SEALED_MOVE:
                raise Refusal("unsealed", "the other side is not bound yet, so the move has to be sealed")
            bound = _bound(course, seat, cut, Promised(number, message.seen, None))
            return _moved(bound, seat, cut, number, text)
        case Seal(seal):
            _expect_free(course, seat, cut)
            if len(course.turns[course.ply(cut)].position.to_move) == 1:
                raise Refusal("not-simultaneous", "moves are made in turn here, so nothing is sealed")
            return _bound(course, seat, cut, Promised(number, message.seen, seal))
        case Reveal(move, nonce):
            return _revealed(course, seat, cut, number, move, nonce)
        case OfferDraw():
            if course.duty(seat, cut) in (Owed.MOVE, Owed.SEALED_MOVE):
                raise Refusal("move-first", "an offer of a draw goes with a move, or waits for the other side's")
            seen = course.answered(1 - seat, cut)
            if any(by == seat and one >= seen for by, one in course.offers):
                raise Refusal("already-offered", "an offer of a draw is open already, until the other side has moved")
            return replace(course, offers=(*course.offers, (seat, number)))
        case Accept():
            if course.duty(seat, cut) not in (Owed.MOVE, Owed.SEALED_MOVE) or not course.offered(seat, cut):
                raise Refusal("no-offer", "no offer of a draw waits for this side's answer now")
            return _ended(course, DuelEnd(seat, number, Termination.AGREEMENT, course.ply(cut)))
        case Claim(end):
            if end not in (open_to := course.claims(seat, cut)):
                only = f"only {join_words(sorted(open_to), 'or')}" if open_to else "nothing"
                raise Refusal("no-claim", f"{course.opening.sides[seat]} can claim {only} now, not {shown(end)}")
            return _ended(course, DuelEnd(seat, number, Termination(end), course.ply(cut)))
        case Resign():
            return _ended(course, DuelEnd(seat, number, Termination.RESIGNATION, course.ply(cut)))
        case _:
            assert_never(act)


def _known(said: Mapping[int, Promised] | Mapping[int, PublicMove], seat: int, cut: Cut) -> bool:
    return seat in said and said[seat].number < cut[seat]


def _expect_free(course: Course, seat: int, cut: Cut) -> None:
    """Raise the refusal of a move of a seat that is not to move, or is bound already."""
    turn = course.turns[course.ply(cut)]
    if (side := course.opening.sides[seat]) not in turn.position.to_move:
        raise turn.position.out_of_turn(side)
    if _known(turn.promised, seat, cut):
        raise Refusal("already-bound", f"{side} is bound by another move in this ply already")


def _moved(course: Course, seat: int, cut: Cut, number: int, text: str) -> Course:
    """The course with a public move, and the next ply if this one is complete."""
    ply = course.ply(cut)
    turn = course.turns[ply]
    move = parse_move(course.opening.game, text)
    if str(move) != text:
        raise RefereeError("canonical", f"the move is written {move}")
    turn.position.check(course.opening.sides[seat], move)
    turn = replace(turn, made={**turn.made, seat: PublicMove(number, move)})
    return replace(course, turns=(*course.turns[:ply], turn, *_next(course.opening, turn)))


def _next(opening: Challenge, turn: DuelPly) -> tuple[DuelPly, ...]:
    made = {opening.sides[seat]: one.move for seat, one in turn.made.items()}
    if made.keys() != turn.position.to_move:
        return ()
    moves = {side: made[side] for side in turn.position.sides if side in made}
    position = turn.position.play_unchecked(moves)
    head = digest_of("referee duel ply 1", turn.head, *(f"{side} {move}" for side, move in moves.items()))
    return (DuelPly(head, position),)


def _bound(course: Course, seat: int, cut: Cut, promised: Promised) -> Course:
    ply = course.ply(cut)
    turn = course.turns[ply]
    turn = replace(turn, promised={**turn.promised, seat: promised})
    return replace(course, turns=(*course.turns[:ply], turn, *course.turns[ply + 1 :]))


def _revealed(course: Course, seat: int, cut: Cut, number: int, move: str, nonce: str) -> Course:
    turn, side = course.turns[course.ply(cut)], course.opening.sides[seat]
    if not _known(turn.promised, seat, cut) or _known(turn.made, seat, cut):
        raise Refusal("nothing-sealed", f"{side} has no sealed move to reveal in this ply")
    if not _known(turn.promised, 1 - seat, cut):
        raise Refusal("too-early", "a sealed move stays secret until the other side is bound too")
    seal = turn.promised[seat].seal
    if seal is None or not hmac.compare_digest(seal, course.commitment(cut, seat, move, nonce)):
        raise Refusal("mismatch", f"{side} shows {shown(move)}, which is not what {side} had sealed")
    return _moved(course, seat, cut, number, move)


def _ended(course: Course, end: DuelEnd) -> Course:
    return replace(course, ends=(*course.ends, end))
