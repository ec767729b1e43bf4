"""A player's side of a duel: their state, writing messages, and reading messages."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.desk.log.acts import Accept, Claim, MakeMove, OfferDraw, Resign, Reveal, Seal
from referee.desk.log.signatures import Signer
from referee.duel.challenge import Challenge, expect_name, new_challenge
from referee.duel.course import Course, Owed, course_after, seat_view
from referee.duel.exchange import LONGEST_PASTE, DuelRemark, Exchange, begun, messages_in, no_opening, read_all
from referee.duel.message import MOST_ACTS, MOST_MESSAGES_OF_A_SIDE, DuelAct, DuelMessage, Joining
from referee.errors import Refusal

Intention = MakeMove | OfferDraw | Accept | Claim | Resign
"""A player's possible wishes; seals and reveals follow from them."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A player's side of a duel with its secrets: the seed of key and nonces, and the unrevealed move, or ""."""

    exchange: Exchange
    seed: bytes = field(repr=False)
    sealed: str = field(default="", repr=False)
    name: str = ""

    @property
    def seat(self) -> int:
        """The player's seat."""
        assert self.exchange.own is not None
        return self.exchange.own

    @property
    def side(self) -> str:
        """The player's side."""
        return self.exchange.opening.sides[self.seat]

    @property
    def duty(self) -> Owed | None:
        """The player's duty."""
        return self.exchange.course.duty(self.seat, self.exchange.cut)

    @property
    def unread(self) -> tuple[DuelMessage, ...]:
        """The player's unacknowledged messages, and always the newest one."""
        own, other = self.exchange.chains[self.seat], self.exchange.chains[1 - self.seat]
        first = other[-1].seen if other else 0
        return own[min(first, max(len(own) - 1, 0)) :]


@dataclass(frozen=True, slots=True)
class DuelReading:
    """A duel after a text was read, with the newly valid messages and remarks on the others."""

    duel: Duel
    fresh: tuple[DuelMessage, ...] = ()
    remarks: tuple[DuelRemark, ...] = ()


def open_duel(game: str, options: Mapping[str, object], side: str, seed: bytes, name: str = "") -> Duel:
    """A new duel with its opening; `seed` is 32 unguessable bytes. It raises as `new_challenge`."""
    signer = duel_signer(seed)
    opening = new_challenge(game, options, side, name, signer.public)
    message = DuelMessage(0, "0" * 16, 0, 0, "0" * 64, opening).signed_by(signer)
    return Duel(begun(message, 0), seed, name=name)


def join_duel(text: str, seed: bytes, name: str = "") -> DuelReading:
    """The other side of a duel whose opening is in a text; its first message joins it.

    RefereeError `too-large`, `no-opening`, `two-openings`, `name`, or the fault of the opening.
    """
    expect_name(name)
    found = list(messages_in(_bounded(text)))
    messages = [one for _, one in found if isinstance(one, DuelMessage)]
    openings = {one.digest: one for one in messages if isinstance(one.entrance, Challenge)}
    if not openings:
        raise no_opening(found)
    if len(openings) > 1:
        raise Refusal("two-openings", "several duels are opened in this text: give one of them alone")
    (opening,) = openings.values()
    duel = Duel(begun(opening, 1), seed, name=name)
    rest = [(line, one) for line, one in found if not isinstance(one, DuelMessage) or one.digest != opening.digest]
    return _reading(duel, rest)


def read_paste(duel: Duel, text: str) -> DuelReading:
    """A duel after a text with messages; RefereeError `too-large`, or `no-message` if there is none in it."""
    found = list(messages_in(_bounded(text)))
    if not found:
        raise Refusal("no-message", "no message of a duel is in this text: paste all of it, from the mark on")
    return _reading(duel, found)


def speak(duel: Duel, wishes: Sequence[Intention]) -> Duel:
    """A duel with one more message of its player: their wishes, and the reveal that they owe.

    Without a wish the message reveals, or joins. Raised: the refusal of a wish, or `nothing-to-say`.
    """
    wants: list[Intention | None] = list(wishes)
    if duel.duty is Owed.REVEAL and not any(isinstance(wish, Resign) for wish in wishes):
        wants.insert(0, None)
    message = _draft(duel)
    if not wants and message.entrance is None:
        raise Refusal("nothing-to-say", "nothing is to be said now without a decision of yours")
    course, said, sealed = duel.exchange.course, list[DuelAct](), duel.sealed
    for wish in wants:
        act, sealed = _act_for(duel, course, wish, sealed)
        course = course_after(course, replace(message, acts=(act,)))
        said.append(act)
    if len(said) > MOST_ACTS:
        raise Refusal("too-large", f"a message does at most {MOST_ACTS} things")
    made = replace(message, acts=tuple(said)).signed_by(duel_signer(duel.seed))
    return replace(duel, exchange=duel.exchange.with_message(made, course), sealed=sealed)


def respond(duel: Duel) -> Duel:
    """A duel after joining or a reveal that is owed, if its player has to wait after that.

    A reveal that can go with their next move waits for it, so that one message a round is enough.
    """
    joins = not duel.exchange.chains[duel.seat]
    if duel.duty is not Owed.REVEAL and not (joins and duel.duty is None):
        return duel
    said = speak(duel, ()) if joins else outlook(duel)
    return said if said.duty is None else duel


def outlook(duel: Duel) -> Duel:
    """A duel as its player knows it, after the reveal that they owe."""
    return speak(duel, ()) if duel.duty is Owed.REVEAL else duel


def duel_signer(seed: bytes) -> Signer:
    """The key of a player for one duel."""
    return Signer(_drawn(seed, "key"))


def _reading(duel: Duel, found: Sequence[tuple[int, DuelMessage | DuelRemark]]) -> DuelReading:
    taken = read_all(duel.exchange, found)
    return DuelReading(replace(duel, exchange=taken.exchange), taken.fresh, taken.remarks)


def _bounded(text: str) -> str:
    if len(text) > LONGEST_PASTE:
        raise Refusal("too-large", f"a text with messages has at most {LONGEST_PASTE:,} characters")
    return text


def _draft(duel: Duel) -> DuelMessage:
    exchange, seat = duel.exchange, duel.seat
    own, other = exchange.chains[seat], exchange.chains[1 - seat]
    if len(own) == MOST_MESSAGES_OF_A_SIDE:
        raise Refusal("too-large", f"a side has at most {MOST_MESSAGES_OF_A_SIDE:,} messages")
    entrance = None if own else Joining(duel_signer(duel.seed).public, duel.name)
    past = exchange.next_past(seat, len(other))
    return DuelMessage(seat, exchange.course.game[:16], len(own), len(other), past, entrance)


def _act_for(duel: Duel, course: Course, wish: Intention | None, sealed: str) -> tuple[DuelAct, str]:
    """The act for a wish after a course, or the reveal without one; and the move that is sealed then."""
    cut = duel.exchange.cut
    view = seat_view(duel.seat, cut[duel.seat] + 1, cut[1 - duel.seat])
    turn = course.turns[course.ply(view)]
    if wish is None:
        return Reveal(sealed, _nonce(duel, sealed, turn.head)), ""
    if isinstance(wish, MakeMove):
        move = str(turn.position.parse(duel.side, wish.text))
        if course.duty(duel.seat, view) is not Owed.SEALED_MOVE:
            return MakeMove(move), sealed
        return Seal(course.commitment(view, duel.seat, move, _nonce(duel, move, turn.head))), move
    if wish == Claim():
        return Claim(min(course.claims(duel.seat, view), default="")), sealed
    return wish, sealed


def _nonce(duel: Duel, move: str, head: str) -> str:
    """The nonce of a move; it follows from the seed, so that the same move has the same seal."""
    return _drawn(duel.seed, f"nonce\n{duel.exchange.course.game}\n{head}\n{move}").hex()


def _drawn(seed: bytes, use: str) -> bytes:
    return hmac.digest(seed, f"referee duel {use}\n".encode(), hashlib.sha256)
