"""The messages of both seats: valid ones, waiting ones, and the faults of the others (spec/duel.md)."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from referee.desk.log.signatures import signed
from referee.duel.armour import DUEL_MARK, unarmoured
from referee.duel.challenge import Challenge
from referee.duel.course import Course, Cut, course_after, course_of
from referee.duel.message import DuelMessage, Joining, message_of, past_digest
from referee.errors import RefereeError, Refusal
from referee.terminal import visible

MOST_EARLY = 32
"""Maximum messages that wait for others."""

LONGEST_PASTE = 64 << 10
"""Maximum characters of a text with messages."""

LONGEST_TRANSCRIPT = 4 << 20
"""Maximum characters of a text with all messages of a duel."""

_DIGITS = re.compile("([0-9a-f]{8})[0-9a-f]{56}")


class Weight(enum.Enum):
    """The weight of a remark: something harmless, something refused, or a cheat that its own signature proves."""

    NOTE = enum.auto()
    REFUSED = enum.auto()
    CHEAT = enum.auto()


class DuelRemark(NamedTuple):
    """A remark on a message: code and sentence, the messages that prove a cheat, and the message's first line."""

    code: str
    message: str
    weight: Weight = Weight.NOTE
    proof: tuple[DuelMessage, ...] = ()
    line: int = 1


class CheatProof(NamedTuple):
    """Refused messages that one seat has signed, and the code of the refusal."""

    code: str
    messages: tuple[DuelMessage, ...]

    @property
    def seat(self) -> int:
        """The seat that has signed them."""
        return self.messages[0].seat


@dataclass(frozen=True, slots=True)
class Exchange:
    """A reader's messages of a duel, by seat, and their course.

    `own` is the seat of the reader, whose messages are all here; None if the reader is no player. `early` wait for
    messages before them. `proofs` are refused messages of both seats, one proof for each code of a seat, so that many
    messages of one kind cannot push out the proof of another.
    """

    course: Course
    chains: tuple[tuple[DuelMessage, ...], tuple[DuelMessage, ...]]
    own: int | None = None
    early: tuple[DuelMessage, ...] = ()
    proofs: tuple[CheatProof, ...] = ()

    @property
    def refused(self) -> tuple[DuelMessage, ...]:
        """The invalid messages of the proofs, each once."""
        counted = {*self.chains[0], *self.chains[1]}
        return tuple(dict.fromkeys(one for proof in self.proofs for one in proof.messages if one not in counted))

    @property
    def opening(self) -> Challenge:
        """The opening of the duel."""
        return self.course.opening

    @property
    def cut(self) -> Cut:
        """The view of a reader of all messages, as of a player before the next one."""
        return len(self.chains[0]), len(self.chains[1])

    @property
    def messages(self) -> tuple[DuelMessage, ...]:
        """All valid messages, each after those that its sender had seen."""
        return tuple(sorted((*self.chains[0], *self.chains[1]), key=lambda one: one.order))

    def key(self, seat: int) -> str | None:
        """The key of a seat; None before a player has joined."""
        entrance = self.chains[seat][0].entrance if self.chains[seat] else None
        return entrance.key if entrance else None

    def name(self, seat: int) -> str:
        """The name of a seat's player, or else its side."""
        entrance = self.chains[seat][0].entrance if self.chains[seat] else None
        return (entrance.name if entrance else "") or self.opening.sides[seat]

    def with_message(self, message: DuelMessage, course: Course) -> Exchange:
        """The exchange with one more valid message, and the course after it."""
        chains = [*self.chains]
        chains[message.seat] = (*chains[message.seat], message)
        return replace(self, course=course, chains=(chains[0], chains[1]))

    def next_past(self, seat: int, seen: int) -> str:
        """The past digest for the next message of a seat that has seen `seen` messages of the other."""
        own, other = self.chains[seat], self.chains[1 - seat]
        return past_digest(own[-1] if own else None, other[seen - 1] if seen else None)


class Taken(NamedTuple):
    """An exchange after a message or a text, with the newly valid messages and the remarks."""

    exchange: Exchange
    fresh: tuple[DuelMessage, ...] = ()
    remarks: tuple[DuelRemark, ...] = ()


def begun(opening: DuelMessage, own: int | None = None) -> Exchange:
    """The exchange after an opening, for the player of a seat or another reader; Refusal `no-opening` or `forged`."""
    if not isinstance(opening.entrance, Challenge):
        raise Refusal("no-opening", "the first message opens no duel")
    exchange = Exchange(course_of(opening), ((opening,), ()), own)
    if not _is_signed(exchange, opening):
        raise Refusal("forged", "the opening is not signed with the key in it")
    return exchange


def messages_in(text: str) -> Iterator[tuple[int, DuelMessage | DuelRemark]]:
    """Every message in a text, or a remark on its fault, with its line."""
    for line, raw in unarmoured(text):
        if raw is None:
            yield line, DuelRemark("damaged", "a message is damaged or cut short: ask for it again", Weight.REFUSED)
            continue
        try:
            yield line, message_of(raw)
        except RefereeError as error:
            yield line, DuelRemark(error.code, error.message, Weight.REFUSED)


def no_opening(found: Iterable[tuple[int, DuelMessage | DuelRemark]]) -> Refusal:
    """The refusal of a text without an opening: the fault of a message in it, or `no-opening`."""
    wrong = next((one for _, one in found if isinstance(one, DuelRemark)), None)
    return Refusal(wrong.code, wrong.message) if wrong else Refusal("no-opening", "no duel is opened in this text")


def read_all(exchange: Exchange, found: Iterable[tuple[int, DuelMessage | DuelRemark]]) -> Taken:
    """An exchange after all messages of a text, in any order."""
    all_found = list(found)
    messages = [(line, one) for line, one in all_found if isinstance(one, DuelMessage)]
    remarks = [one._replace(line=line) for line, one in all_found if isinstance(one, DuelRemark)]
    fresh: list[DuelMessage] = []
    # The keys of messages that would join, while the seat is free.
    joining = (one.entrance.key for _, one in messages if isinstance(one.entrance, Joining))
    keys = tuple(dict.fromkeys(joining)) if exchange.key(1) is None else ()
    joiner = _accepted(exchange, [one for _, one in messages], keys) if len(keys) > 1 else None
    for line, message in sorted(messages, key=lambda numbered: (_is_other(numbered[1], joiner), numbered[1].order)):
        taken = _with_waiting(_read(exchange, message))
        exchange = taken.exchange
        fresh += taken.fresh
        remarks += (remark._replace(line=line) for remark in taken.remarks)
    taken = Taken(exchange, tuple(fresh), (*dict.fromkeys(remarks), *_gaps(exchange)))
    return _uncertain(taken) if len(keys) > 1 and joiner is None else taken


def _is_other(message: DuelMessage, joiner: str | None) -> bool:
    """True if a message joins with another key than the one that the opener has accepted."""
    return isinstance(message.entrance, Joining) and joiner not in (None, message.entrance.key)


def _read(exchange: Exchange, message: DuelMessage) -> Taken:
    """An exchange after a message, which is valid, waits, changes nothing, or proves a cheat."""
    known = exchange.chains[message.seat]
    if (stranger := stranger_remark(exchange, message)) is not None:
        return Taken(exchange, remarks=(stranger,))
    kept = (*known[message.number :][:1], *exchange.early, *exchange.refused)
    if any(one.digest == message.digest for one in kept):
        return Taken(exchange, remarks=(DuelRemark("repeated", "a message came again: nothing changes"),))
    if message.seat == exchange.own:
        said = "this is a message of your own that is not in your file: there is another copy of it"
        return Taken(exchange, remarks=(DuelRemark("other-copy", said, Weight.REFUSED),))
    twins = tuple(one for one in kept if _is_twin(one, message))
    if message.number < len(known):
        return _proved(exchange, *_fork(exchange, message, twins))
    if message.number > len(known) or _foresees(exchange, message):
        if len(exchange.early) < MOST_EARLY:
            exchange = replace(exchange, early=(*exchange.early, message))
        return Taken(exchange, remarks=_fork(exchange, message, twins))
    return _next(exchange, message, twins)


def _foresees(exchange: Exchange, message: DuelMessage) -> bool:
    """True if a message acknowledges others that have not arrived."""
    other = 1 - message.seat
    return message.seen > len(exchange.chains[other]) and other != exchange.own


def _with_waiting(taken: Taken) -> Taken:
    """The same after the messages that waited for it."""
    while True:
        exchange = taken.exchange
        ready = (
            one
            for one in exchange.early
            if one.number <= len(exchange.chains[one.seat]) and not _foresees(exchange, one)
        )
        if (waiting := next(ready, None)) is None:
            return taken
        rest = replace(exchange, early=tuple(one for one in exchange.early if one is not waiting))
        more = _read(rest, waiting)
        taken = Taken(more.exchange, (*taken.fresh, *more.fresh), (*taken.remarks, *more.remarks))


def _gaps(exchange: Exchange) -> tuple[DuelRemark, ...]:
    missing = {
        (seat, len(exchange.chains[seat]))
        for one in exchange.early
        for seat in (one.seat if one.number > len(exchange.chains[one.seat]) else 1 - one.seat,)
    }
    return tuple(
        DuelRemark("gap", f"message {number} of {exchange.opening.sides[seat]} is missing: ask for it again")
        for seat, number in sorted(missing)
    )


def _next(exchange: Exchange, message: DuelMessage, twins: tuple[DuelMessage, ...]) -> Taken:
    """An exchange after the next message of its seat."""
    forks = _fork(exchange, message, twins)
    stray = _stray(exchange, message)
    try:
        course = course_after(exchange.course, message) if stray is None else exchange.course
    except RefereeError as error:
        said = f"{exchange.opening.sides[message.seat]}: {error.message}"
        stray = DuelRemark(error.code, said, Weight.CHEAT, (message,))
    if stray is not None and not exchange.chains[message.seat]:
        # Any key could have signed this, so it proves nothing about the player who will join.
        said = f"a message that would join is refused: {stray.message}"
        return Taken(exchange, remarks=(DuelRemark(stray.code, said, Weight.REFUSED),))
    if stray is not None:
        return _proved(exchange, stray, *forks)
    settled = tuple(one for one in forks if not {*one.proof} & {*exchange.early})
    return Taken(_with_proofs(exchange.with_message(message, course), settled), (message,), forks)


def _stray(exchange: Exchange, message: DuelMessage) -> DuelRemark | None:
    """The reason why a message does not follow those that are here; it does not prove which side is to blame."""
    seat, seen = message.seat, message.seen
    own, other = exchange.chains[seat], exchange.chains[1 - seat]
    side = exchange.opening.sides[seat]
    if seen > len(other):
        said = f"{side} acknowledges {seen} messages of yours, and your file has sent {len(other)}"
        return DuelRemark("unsent", said, Weight.REFUSED, (message,))
    if seen < (own[-1].seen if own else seat) or message.past != exchange.next_past(seat, seen):
        said = f"{side}'s message {message.number} follows other messages than those that are here"
        return DuelRemark("contradiction", said, Weight.REFUSED, (message,))
    return None


def stranger_remark(exchange: Exchange, message: DuelMessage) -> DuelRemark | None:
    """The reason why a message does not belong to this duel or to a player in it; None if it does."""
    entrance = message.entrance
    if isinstance(entrance, Challenge):
        if message.digest != exchange.course.game and entrance.key != exchange.key(0):
            return DuelRemark("another-game", "this opens another game", Weight.REFUSED)
        return None if _is_signed(exchange, message) else _forged(message)
    if message.game != exchange.course.game[:16]:
        return DuelRemark("another-game", "a message belongs to another game", Weight.REFUSED)
    if not _is_signed(exchange, message):
        if exchange.key(message.seat) is None and not isinstance(entrance, Joining):
            return DuelRemark("gap", f"message 0 of {exchange.opening.sides[1]} is missing: ask for it again")
        return _forged(message)
    if isinstance(entrance, Joining) and exchange.key(1) not in (None, entrance.key):
        said = "another player has joined already; each player can show the other the digits of their keys"
        return DuelRemark("seat-joined", said, Weight.REFUSED)
    return None


def _is_signed(exchange: Exchange, message: DuelMessage) -> bool:
    key = message.entrance.key if message.entrance else exchange.key(message.seat)
    return key is not None and signed(key, message.signed_text, message.signature)


def _forged(message: DuelMessage) -> DuelRemark:
    said = f"the signature of a message {message.number} does not fit: the message was changed or invented"
    return DuelRemark("forged", said, Weight.REFUSED)


def _is_twin(one: DuelMessage, message: DuelMessage) -> bool:
    """True if two signed messages have the same sender and number, which proves a cheat."""
    keys = [each.entrance.key if each.entrance else None for each in (one, message)]
    return (one.seat, one.number) == (message.seat, message.number) and keys[0] == keys[1]


def _fork(exchange: Exchange, message: DuelMessage, twins: tuple[DuelMessage, ...]) -> tuple[DuelRemark, ...]:
    """The remark on two messages of one number, by a taken seat."""
    if not twins or not exchange.chains[message.seat]:
        return ()
    side, proof = exchange.opening.sides[message.seat], (twins[0], message)
    both = " and ".join(map(content, proof))
    if isinstance(message.entrance, Challenge):
        return (DuelRemark("changed-opening", f"{side} has signed two openings: {both}", Weight.CHEAT, proof),)
    said = f"{side} has signed two different messages {message.number}: {both}"
    return (DuelRemark("fork", said, Weight.CHEAT, proof),)


def content(message: DuelMessage) -> str:
    """The acts of a message in brackets, safe to print, and never read as a message; seals and nonces are cut."""
    said = [_DIGITS.sub(r"\1...", str(act)) for act in message.acts]
    if isinstance(message.entrance, Challenge):
        said.insert(0, message.entrance.text)
    elif message.entrance is not None:
        said.insert(0, "join")
    return visible(f"[{'; '.join(said)}]").replace(DUEL_MARK, "duel 1")


def _proved(exchange: Exchange, *remarks: DuelRemark) -> Taken:
    """An exchange that keeps an invalid signed message as a proof."""
    return Taken(_with_proofs(exchange, remarks), remarks=remarks)


def _with_proofs(exchange: Exchange, remarks: Iterable[DuelRemark]) -> Exchange:
    """An exchange with the proofs of remarks whose code is new for the seat."""
    proofs = {(one.code, one.seat): one for one in exchange.proofs}
    for remark in remarks:
        proof = CheatProof(remark.code, remark.proof)
        proofs.setdefault((proof.code, proof.seat), proof)
    return replace(exchange, proofs=tuple(proofs.values()))


def _accepted(exchange: Exchange, messages: Sequence[DuelMessage], keys: Sequence[str]) -> str | None:
    """The key of the joiner that the opener has accepted; None if the messages do not show it.

    The opener signs, with each message, the newest one of the other seat that they have seen.
    """
    openers = [one for one in (*exchange.chains[0], *messages) if one.seat == 0 and _is_signed(exchange, one)]
    for one, mine in product(openers, openers):
        if one.number != mine.number + 1:
            continue
        for answer in messages:
            seen = (answer.seat, answer.number + 1) == (1, one.seen)
            if seen and one.past == past_digest(mine, answer):
                return next((key for key in keys if signed(key, answer.signed_text, answer.signature)), None)
    return None


def _uncertain(taken: Taken) -> Taken:
    """The same without a cheat of seat 1, as the opener has not accepted one of several joiners yet."""
    said = "; several players would join here, and nothing shows whom the opener has accepted"
    remarks = (
        one._replace(message=one.message + said, weight=Weight.REFUSED, proof=())
        if one.weight is Weight.CHEAT and one.proof[0].seat == 1
        else one
        for one in taken.remarks
    )
    proofs = tuple(one for one in taken.exchange.proofs if one.seat == 0)
    return Taken(replace(taken.exchange, proofs=proofs), taken.fresh, tuple(remarks))
