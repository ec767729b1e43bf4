"""A message of a duel, and its bytes (spec/duel.md, "The bytes")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.desk.log.acts import Accept, Claim, MakeMove, OfferDraw, Resign, Reveal, Seal
from referee.desk.log.signatures import Signer, digest_of, text_of
from referee.duel.armour import LARGEST_MESSAGE, armoured
from referee.duel.challenge import LARGEST_CHALLENGE, Challenge, challenge_of, expect_name, malformed
from referee.errors import RefereeError
from referee.notation.moves import LONGEST_MOVE

MOST_MESSAGES_OF_A_SIDE = 1 << 16
"""Maximum messages of a side: their numbers have two bytes."""

MOST_ACTS = 4
"""Maximum acts of a message."""

DuelAct = MakeMove | Seal | Reveal | OfferDraw | Accept | Claim | Resign
"""An act of a player in a message."""

_VERSION = 1
_TAG, _DIGEST, _SIGNATURE = 8, 32, 64


@dataclass(frozen=True, slots=True)
class Joining:
    """Take the other seat, with a key for this game and a name, which may be empty."""

    key: str
    name: str


@dataclass(frozen=True)
class DuelMessage:
    """One message of a seat, 0 for the opener and 1 for the joiner; spec/duel.md, "The bytes", describes its parts.

    `game` are the first digits of the game's digest, `seen` is the number of messages of the other seat that its
    sender had read, `past` the digest of the messages before, and `entrance` what opens the duel or joins it.
    """

    seat: int
    game: str
    number: int
    seen: int
    past: str
    entrance: Challenge | Joining | None = None
    acts: tuple[DuelAct, ...] = field(default=(), repr=False)
    signature: str = ""

    @cached_property
    def body(self) -> bytes:
        """The bytes that are signed."""
        head = bytes((_VERSION, self.seat)) + bytes.fromhex(self.game)
        numbers = self.number.to_bytes(2, "big") + self.seen.to_bytes(2, "big")
        said = b"".join(map(_act_bytes, self.acts))
        return head + numbers + bytes.fromhex(self.past) + _entrance_bytes(self.entrance) + said

    @property
    def signed_text(self) -> str:
        """The text for signature and digest."""
        return text_of("referee duel message 1", self.body.hex())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the message without its signature."""
        return digest_of("referee duel message 1", self.body.hex())

    @cached_property
    def armour(self) -> str:
        """The message as text."""
        return armoured(self.body + bytes.fromhex(self.signature))

    @property
    def order(self) -> tuple[int, int, int]:
        """A key that sorts messages after all that their senders had seen."""
        return self.number + self.seen, self.seat, self.number

    def signed_by(self, signer: Signer) -> DuelMessage:
        """The same message with its signature."""
        return replace(self, signature=signer.sign(self.signed_text))


def past_digest(before: DuelMessage | None, seen: DuelMessage | None) -> str:
    """The digest of the sender's message before, and of the newest message of the other seat that they have seen."""
    return digest_of("referee duel past 1", *(one.digest if one else "none" for one in (before, seen)))


def message_of(raw: bytes) -> DuelMessage:
    """The message in bytes, unverified; RefereeError `newer-version`, `malformed`, or as `challenge_of`."""
    body = _Bytes(raw[:-_SIGNATURE])
    if body.number(1) != _VERSION:
        raise RefereeError("newer-version", "this message was written by a newer referee: update yours to read it")
    seat, game = body.number(1), body.take(_TAG).hex()
    number, seen, past = body.number(2), body.number(2), body.take(_DIGEST).hex()
    if seat > 1:
        raise malformed("a duel has two seats")
    entrance = _entrance_from(body, seat) if number == 0 else None
    acts: list[DuelAct] = []
    while body.rest and len(acts) < MOST_ACTS:
        if (kind := body.take(1)) not in _ACTS:
            raise malformed("this message does something that is unknown here")
        acts.append(_ACTS[kind](body))
    message = DuelMessage(seat, game, number, seen, past, entrance, tuple(acts), raw[-_SIGNATURE:].hex())
    empty = entrance is None and not acts
    if body.rest or empty or message.body != raw[:-_SIGNATURE]:
        raise malformed("this message has no form that a message can have")
    if isinstance(entrance, Challenge) and (acts or seen or int(game + past, 16)):
        raise malformed("an opening follows nothing, and does nothing else")
    return message


def _entrance_from(body: _Bytes, seat: int) -> Challenge | Joining:
    key = body.take(_DIGEST).hex()
    if seat == 0:
        return challenge_of(body.text(2, LARGEST_CHALLENGE), key)
    name = body.text(1, LARGEST_MESSAGE)
    expect_name(name)
    return Joining(key, name)


def _entrance_bytes(entrance: Challenge | Joining | None) -> bytes:
    match entrance:
        case Challenge(key=key):
            return bytes.fromhex(key) + _text_bytes(entrance.text, 2)
        case Joining(key, name):
            return bytes.fromhex(key) + _text_bytes(name, 1)
    return b""


def _text_bytes(text: str, size: int) -> bytes:
    said = text.encode()
    return len(said).to_bytes(size, "big") + said


def _act_bytes(act: DuelAct) -> bytes:
    match act:
        case MakeMove(text=text):
            return b"M" + _text_bytes(text, 1)
        case Seal(commitment):
            return b"S" + bytes.fromhex(commitment)
        case Reveal(move, nonce):
            return b"R" + bytes.fromhex(nonce) + _text_bytes(move, 1)
        case OfferDraw():
            return b"O"
        case Accept():
            return b"A"
        case Claim(end):
            return b"C" + _text_bytes(end, 1)
        case Resign():
            return b"G"


_ACTS: dict[bytes, Callable[[_Bytes], DuelAct]] = {
    b"M": lambda body: MakeMove(body.text(1, LONGEST_MOVE)),
    b"S": lambda body: Seal(body.take(_DIGEST).hex()),
    b"R": lambda body: Reveal(nonce=body.take(_DIGEST).hex(), move=body.text(1, LONGEST_MOVE)),
    b"O": lambda _: OfferDraw(),
    b"A": lambda _: Accept(),
    b"C": lambda body: Claim(body.text(1, LONGEST_MOVE)),
    b"G": lambda _: Resign(),
}


class _Bytes:
    """Bytes that are read from the front."""

    def __init__(self, raw: bytes) -> None:
        self.rest = raw

    def take(self, count: int) -> bytes:
        """The next bytes."""
        taken, self.rest = self.rest[:count], self.rest[count:]
        if len(taken) < count:
            raise malformed("this message ends too early")
        return taken

    def number(self, size: int) -> int:
        """The next number, of `size` bytes."""
        return int.from_bytes(self.take(size), "big")

    def text(self, size: int, most: int) -> str:
        """The next text, after its length in `size` bytes."""
        length = self.number(size)
        if length > most:
            raise malformed(f"a text of this message is longer than {most} bytes")
        try:
            return self.take(length).decode()
        except UnicodeDecodeError:
            raise malformed("a text of this message is not UTF-8") from None
