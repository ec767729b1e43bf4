"""Sealed moves: what is promised of a move before anybody may know it (docs/desk-log.md, "Seals")."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

NONCE = 32
"""So many bytes of chance go into a seal; without them short moves could be guessed."""

_HEX = re.compile(r"[0-9a-f]{64}")


def commitment(game: str, ply: int, side: str, rules: str, move: str, nonce: bytes) -> str:
    """SHA-256 over the seal's seven lines, in hexadecimal.

    Args:
        game: the id of the game on the desk.
        ply: the number of the ply, from 1.
        side: who makes the move.
        rules: name and version of the rules, with a blank between them.
        move: in canonical notation.
        nonce: 32 bytes.
    """
    text = f"referee seal 1\n{game}\n{ply}\n{side}\n{rules}\n{move}\n{nonce.hex()}\n"
    return hashlib.sha256(text.encode()).hexdigest()


def opens(promise: str, game: str, ply: int, side: str, rules: str, move: str, nonce: bytes) -> bool:
    """Whether a move and a nonce are what was promised; it takes as long whatever the answer is."""
    return hmac.compare_digest(promise, commitment(game, ply, side, rules, move, nonce))


def digits(text: str) -> str | None:
    """Text as the 64 hexadecimal digits of a commitment or nonce, in small letters; None if it is not that."""
    small = text.strip().lower()
    return small if _HEX.fullmatch(small) else None


def draw_nonce() -> bytes:
    """A fresh nonce, for a player who seals a move himself."""
    return secrets.token_bytes(NONCE)
