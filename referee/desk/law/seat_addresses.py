"""Secret addresses of seats, by a key that the end of the game reveals (spec/log.md, "Addresses of seats")."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from referee.desk.law.disclosure import Findings
from referee.desk.log.events import Addresses
from referee.desk.log.seals import Key, digits
from referee.desk.log.secrets import MAILBOXES, Secrets, addresses_name
from referee.desk.log.signatures import text_of
from referee.desk.state.state import State
from referee.errors import shown
from referee.game import is_text

TOKEN = 10
"""Bytes of a token: sixteen letters and digits, short enough for an address."""

MOST_ADDRESSES = 100
"""Maximum mailboxes of a game, and maximum secrets."""

_MAILBOX = re.compile(r"[^@+\sA-Z]+@[^@+\sA-Z]+")


@dataclass(frozen=True, slots=True)
class Seat:
    """The seat and the ply that a token is for; `fresh` if that ply is still to be played."""

    side: str
    ply: int
    fresh: bool


@lru_cache(1024)
def token_of(secret: bytes, game: str, root: str, side: str, holder: int, ply: int) -> str:
    """The token of a seat for a ply (from 1); `holder` numbers its players, `root` is the log's first digest."""
    said = ("referee address 1", game, root, side, str(holder), str(ply))
    made = hmac.digest(secret, text_of(*said).encode(), hashlib.sha256)
    return base64.b32encode(made[:TOKEN]).decode().lower()


def seat_token(key: Key, state: State, side: str, ply: int | None = None) -> str:
    """The token of a seat for the ply to be played, or for another one."""
    secret = key.addresses(state.id, state.closings)
    return token_of(secret, state.id, state.root, side, state.holders[side], state.turn if ply is None else ply)


def seat_of(key: Key, state: State, token: str) -> Seat | None:
    """The seat of a token, of this ply or of one before it, if any; all are compared, each in constant time."""
    given, found, secret = token.lower().encode(errors="replace"), None, key.addresses(state.id, state.closings)
    for side, holder in state.holders.items():
        for ply in range(1, state.turn + 1):
            if hmac.compare_digest(token_of(secret, state.id, state.root, side, holder, ply).encode(), given):
                found = Seat(side, ply, ply == state.turn)
    if found is None and key.former is not None:
        return seat_of(key.former, state, token)
    return found


def address_secrets(key: Key, state: State, secrets: Secrets, mailboxes: Iterable[str]) -> Secrets:
    """The secrets that the next end of a game reveals of its addresses, and the one after if it is reopened."""
    told = {MAILBOXES: " ".join(mailboxes)}
    for closings in (state.closings, state.closings + 1):
        name = addresses_name(closings)
        now = key.addresses(state.id, closings).hex()
        told[name] = " ".join(dict.fromkeys((*secrets.get(name, "").split(), now)))
    return told


def told_addresses(state: State, secrets: Secrets) -> Addresses | None:
    """The addresses that the end of a game reveals; None if it was never opened."""
    if state.invitation is not None:
        return None
    return {
        "mailboxes": tuple(secrets[MAILBOXES].split()),
        "secrets": tuple(secrets[addresses_name(state.closings)].split()),
    }


def told_findings(state: State, told: Addresses | None) -> Findings:
    """Faults of the addresses that the end of a game reveals."""
    if state.invitation is not None:
        if told is not None:
            yield "addresses", "nothing is revealed about addresses here"
        return
    if told is None or told.keys() != {"mailboxes", "secrets"}:
        yield "addresses", "the end of a game names the mailboxes of the desk, and the secrets of the addresses"
        return
    for name, several in told.items():
        if not len({*several}) == len(several) <= MOST_ADDRESSES:
            yield "addresses", f"expected at most {MOST_ADDRESSES} different {name}"
    if not told["secrets"]:
        yield "addresses", "the end has no secret of the addresses"
    for one in told["mailboxes"]:
        if not (is_text(one) and _MAILBOX.fullmatch(one)):
            yield "addresses", f"{shown(one)} is not an address in small letters without a plus sign"
    for one in told["secrets"]:
        if digits(one) != one:
            yield "addresses", "a secret of addresses has 64 hexadecimal digits in small letters"
