"""The addresses of seats: their secrets at the end of a game, and the token of a seat for a ply."""

from __future__ import annotations

import hmac
import re
from base64 import b32encode

from tests.oracles.verifier.form import Json, hexadecimal, is_line, require


def judge_told(told: Json | None, *, due: bool) -> None:
    """Judge the mailboxes and the secrets that the end of a game reveals."""
    require((told is not None) == due, "addresses")
    if told is None:
        return
    require(set(told) == {"mailboxes", "secrets"}, "addresses")
    for several in told.values():
        require(len(several) == len(set(several)) <= 100, "addresses")
    require(bool(told["secrets"]) and all(map(hexadecimal, told["secrets"])), "addresses")
    for one in told["mailboxes"]:
        local, _, domain = one.partition("@")
        plain = bool(local and domain) and not re.search(r"[+\s@A-Z]", local + domain)
        require(plain and is_line(one), "addresses")


def token(secret: str, game: str, root: str, side: str, holder: int, ply: int) -> str:
    """The token in the address of a seat for a ply."""
    lines = ["referee address 1", game, root, side, str(holder), str(ply)]
    made = hmac.new(bytes.fromhex(secret), "".join(f"{line}\n" for line in lines).encode(), "sha256").digest()
    return b32encode(made[:10]).decode("ascii").lower()
