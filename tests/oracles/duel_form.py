"""The form of a duel's messages, as spec/duel.md has it: text, bytes and openings."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import referee
from tests.oracles.verifier.form import FORBIDDEN

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
OPENING = {"game": str, "name": str, "options": dict, "rules": int, "side": str}
SIDES = {"beams": ("south", "north"), "boundary": ("south", "north"), "laser-chess": ("blue", "red")}


class FaultError(Exception):
    """A fault of a message, by its code."""


def require(holds: bool, code: str) -> None:
    """Raise the code of a fault unless a condition holds."""
    if not holds:
        raise FaultError(code)


@dataclass
class Message:
    """A message: its bytes before the signature, and their content."""

    body: bytes
    signature: str
    seat: int = 0
    game: str = ""
    number: int = 0
    seen: int = 0
    past: str = ""
    key: str = ""
    name: str = ""
    opening: dict[str, Any] | None = None
    acts: list[tuple[str, str, str]] = field(default_factory=list)  # letter, text, digits

    @property
    def text(self) -> str:
        """The signed text."""
        return f"referee duel message 1\n{self.body.hex()}\n"

    @property
    def digest(self) -> str:
        """The digest."""
        return sha256(self.text.encode()).hexdigest()


def base(digits: str) -> int:
    """The number of digits in base 62."""
    number = 0
    for digit in digits:
        number = number * 62 + DIGITS.index(digit)
    return number


def messages(text: str) -> Iterator[Message | str]:
    """Every message in a text, or the code of its fault."""
    at = 0
    while (at := text.find("duel1", at)) >= 0:
        start = at + 5
        places = [place for place in range(start, min(start + 16384, len(text))) if text[place] in DIGITS]
        length = base("".join(text[place] for place in places[:2]))
        places = places[: 2 + length]
        said = "".join(text[place] for place in places)
        number = base(said[2:])
        whole = number.to_bytes((number.bit_length() + 7) // 8, "big")
        raw, check = whole[:-4], whole[-4:]
        right = sha256(b"referee duel check 1\n" + raw).digest()[:4] == check and 0 < len(raw) <= 2048
        if len(said) != 2 + length or not right or said[2:3] == "0":
            yield "damaged"
            at += 1
            continue
        at = places[-1] + 1
        try:
            yield parsed(raw)
        except FaultError as fault:
            yield str(fault)


class Bytes:
    """Bytes to be taken from the front."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        require(len(self.raw) >= count, "malformed")
        taken, self.raw = self.raw[:count], self.raw[count:]
        return taken

    def number(self, size: int) -> int:
        """A number of `size` bytes."""
        return int.from_bytes(self.take(size), "big")

    def said(self, most: int, size: int = 1) -> str:
        """A text."""
        length = self.number(size)
        require(length <= most, "malformed")
        try:
            return self.take(length).decode()
        except UnicodeDecodeError:
            raise FaultError("malformed") from None


def parsed(raw: bytes) -> Message:
    """The message in some bytes."""
    rest = Bytes(raw[:-64])
    require(rest.number(1) == 1, "newer-version")
    one = Message(raw[:-64], raw[-64:].hex())
    one.seat, one.game = rest.number(1), rest.take(8).hex()
    one.number, one.seen, one.past = rest.number(2), rest.number(2), rest.take(32).hex()
    require(one.seat < 2, "malformed")
    if one.number == 0 and one.seat == 0:
        one.key = rest.take(32).hex()
        one.opening = opened(rest.said(1500, 2))
        require(not rest.raw and one.seen == 0 and int(one.game + one.past, 16) == 0, "malformed")
        return one
    if one.number == 0:
        one.key, one.name = rest.take(32).hex(), rest.said(2048)
        require(named(one.name), "name")
    while rest.raw and len(one.acts) < 4:
        letter = chr(rest.take(1)[0])
        require(letter in "MSROACG", "malformed")
        digits = rest.take(32).hex() if letter in "SR" else ""
        one.acts.append((letter, rest.said(100) if letter in "MRC" else "", digits))
    require(not rest.raw and (one.number == 0 or bool(one.acts)), "malformed")
    return one


def named(name: str) -> bool:
    """True if this can be a name."""
    return name == "" or (len(name) <= 40 and bool(name.strip()) and not FORBIDDEN.search(name))


def canonical(data: object) -> str:
    """Canonical JSON."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def opened(text: str) -> dict[str, Any]:
    """The content of an opening."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise FaultError("malformed") from None
    require(isinstance(data, dict) and data.keys() == OPENING.keys(), "malformed")
    require(all(type(data[name]) is kind for name, kind in OPENING.items()), "malformed")
    require(data["game"] != "the-beam", "no-duel")
    require(data["game"] in SIDES, "unknown-game")
    require(data["rules"] == 1, "rules")
    require(data["side"] in SIDES[data["game"]], "unknown-side")
    try:
        start(data)
    except (referee.RefereeError, TypeError):
        raise FaultError("option") from None
    require(named(data["name"]), "name")
    whole = referee.loads(canonical({"game": data["game"], "options": data["options"]})).description
    given = {name: value for name, value in whole.completed(data["options"]).items() if value is not None}
    require(canonical(given) == canonical(data["options"]) and canonical(data) == text, "malformed")
    return dict(data)


def start(opening: dict[str, Any]) -> referee.Position:
    """The first position of a game."""
    name: str = opening["game"]
    return referee.start(name, **opening["options"])
