"""Seals of moves (docs/desk-log.md, "Seals"), tokens of seats, and the key that both follow from."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from referee.desk.signatures import Signer
from referee.values import dataclass

NONCE = 32
"""Random bytes of a seal; without them short moves could be guessed."""

TOKEN = 10
"""Bytes of a seat's token: sixteen letters and digits, short enough for an address."""

CALENDAR = 15
"""Bytes of a calendar's secret name: twenty-four letters and digits, which no program can guess."""

_HEX = re.compile(r"[0-9a-f]{64}")


class Past(NamedTuple):
    """What a seal acknowledges: the digest of the log's first entry, and of the one with which the ply began."""

    opening: str
    head: str


@dataclass(frozen=True, slots=True)
class Promise:
    """What a side promised for the ply; `own` if it sealed the move itself; `opened` is what it revealed since.

    A seat with a `key` has signed the move that it submitted, and `note` is the SHA-256 of the signature.
    """

    commitment: str
    own: bool
    opened: tuple[str, str] | None = None
    key: str | None = None
    note: str = ""

    @property
    def noted(self) -> bool:
        """Whether a signature of the move has to be told with it."""
        return self.key is not None and not self.own


def commitment(game: str, ply: int, side: str, rules: str, move: str, nonce: bytes, past: Past | None = None) -> str:
    """SHA-256 over the seal's lines, in hexadecimal: nine, or seven in games without a past.

    Args:
        game: the id of the game on the desk.
        ply: the number of the ply, from 1.
        side: who makes the move.
        rules: name and version of the rules, with a blank between them.
        move: in canonical notation.
        nonce: 32 bytes.
        past: None in a game whose log is older than version 3.
    """
    head = ("referee seal 1", game) if past is None else ("referee seal 2", game, *past)
    said = (*head, str(ply), side, rules, move, nonce.hex())
    return hashlib.sha256("".join(f"{line}\n" for line in said).encode()).hexdigest()


def seal_lines(
    game: str, ply: int, side: str, rules: str, move: str, nonce: bytes, past: Past | None = None
) -> tuple[str, str]:
    """The line of a letter that seals a move, and the one to keep, which reveals it; arguments as of `commitment`."""
    return f"seal {commitment(game, ply, side, rules, move, nonce, past)}", f"reveal {move} {nonce.hex()}"


def opens(
    promise: str, game: str, ply: int, side: str, rules: str, move: str, nonce: bytes, past: Past | None = None
) -> bool:
    """Whether a move and a nonce are what was promised; it takes the same time whatever the answer."""
    return hmac.compare_digest(promise, commitment(game, ply, side, rules, move, nonce, past))


def digits(text: str) -> str | None:
    """The 64 hexadecimal digits of a commitment or nonce in small letters; None if the text is not that."""
    small = text.strip().lower()
    return small if _HEX.fullmatch(small) else None


def draw_nonce() -> bytes:
    """A fresh nonce, for players who seal a move themselves."""
    return secrets.token_bytes(NONCE)


@dataclass(frozen=True, slots=True)
class Seat:
    """Whose token it was, and for which ply; `fresh` if that ply is still to be played."""

    side: str
    ply: int
    fresh: bool


@dataclass(frozen=True, slots=True)
class Key:
    """The desk's key, from which all its tokens, nonces and signatures follow; nobody else may know it.

    A desk that is restored from a backup draws a new key; whatever followed from the old one is void then. Only for
    letters that came before, the tokens of the `former` key count, too.
    """

    secret: bytes = field(repr=False)
    former: Key | None = field(default=None, repr=False)

    @classmethod
    def drawn(cls) -> Key:
        """A fresh key."""
        return cls(secrets.token_bytes(32))

    @property
    def signer(self) -> Signer:
        """The private key with which the desk signs."""
        return Signer(self._code("signature", ""))

    def token(self, game: str, side: str, holder: int, ply: int) -> str:
        """The token of a seat for a ply; `holder` counts the former players, whose tokens are void."""
        return base64.b32encode(self._token(game, side, holder, ply)).decode().lower()

    def seat(self, game: str, holders: Mapping[str, int], ply: int, token: str) -> Seat | None:
        """Whose token it is, of this ply or of one before it; None if it is nobody's.

        It compares every seat and ply, each in constant time, whichever one it is.
        """
        given, found = _bytes(token), None
        for side, holder in holders.items():
            for number in range(1, ply + 1):
                if hmac.compare_digest(self._token(game, side, holder, number), given):
                    found = Seat(side, number, number == ply)
        if found is None and self.former is not None:
            return self.former.seat(game, holders, ply, token)
        return found

    def calendar(self, address: str) -> str:
        """The secret name of the calendar with the deadlines of an address, which is in small letters."""
        return base64.b32encode(self._code("calendar", address)[:CALENDAR]).decode().lower()

    def draw(self, name: str) -> bytes:
        """Thirty-two bytes that nobody can guess, always the same for one name.

        This way the same letters give the same log when the desk has to go through them again.
        """
        return self._code("chance", name)

    def mark(self, name: str) -> str:
        """Twenty hexadecimal digits that nobody can guess, always the same for one name."""
        return self._code("mark", name).hex()[:20]

    def _token(self, game: str, side: str, holder: int, ply: int) -> bytes:
        return self._code("token", f"{game}\n{side}\n{holder}\n{ply}")[:TOKEN]

    def _code(self, use: str, text: str) -> bytes:
        return hmac.digest(self.secret, f"referee {use} 1\n{text}\n".encode(), hashlib.sha256)


def _bytes(token: str) -> bytes:
    """What a token stands for; nothing if it is not a token."""
    try:
        return base64.b32decode(token.upper())
    except ValueError:
        return b""
