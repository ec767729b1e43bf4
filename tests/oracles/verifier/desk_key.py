"""The key with which a desk signs, and its replacement, as spec/log.md has them."""

from __future__ import annotations

import re

from tests.oracles.verifier.curve import good_key, verified
from tests.oracles.verifier.form import Json, hexadecimal, is_line, require


class DeskKey:
    """The desk's public key in a game, which may be none."""

    def __init__(self, game: str, key: str | None) -> None:
        self.game, self.key = game, key
        require(key is None or (hexadecimal(key) and good_key(key)), "key")

    def judge(self, entry: Json) -> None:
        """Judge the replacement by another key."""
        key, old, reason = (entry["body"][name] for name in ("desk", "old", "reason"))
        require(key != self.key and (key is None or (hexadecimal(key) and good_key(key))), "key")
        require(reason == "" or is_line(reason), "text")
        if old is None:
            require(self.key is None or reason != "", "signature")
        else:
            lines = ("referee key 1", self.game, entry["before"], "desk", key or "none")
            text = "".join(f"{line}\n" for line in lines)
            require(re.fullmatch("[0-9a-f]{128}", old) is not None, "signature")
            require(self.key is not None and verified(self.key, text, old), "signature")
        self.key = key
