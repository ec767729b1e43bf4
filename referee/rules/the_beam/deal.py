"""Deals of The Beam: written out, drawn from a seed, or committed to (rules/the-beam.md, "Grid and setup")."""

from __future__ import annotations

import hashlib
import hmac
import operator
import secrets
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any

from referee.errors import shown
from referee.rules.frozen import Frozen, freezing
from referee.rules.the_beam.pieces import COLOURS, SIZE

ROUNDS = 12
EXAMPLE: Mapping[str, str] = Frozen({"seed": "seed-0"})
"""The default deal: public, for trying things out."""

_BLOCK = 2**64
_LIMITS = (*range(SIZE, 1, -1),) * len(COLOURS) + (*range(2 * ROUNDS, 1, -1),)
"""The number of places for each swap of a deal: columns for each colour, then the whole pack."""

_FAIR = _BLOCK - max(_LIMITS)
"""A number below this is fair for every limit, and need not be drawn again."""

_COUNTED = tuple(str(k).encode() for k in range(len(_LIMITS)))
_FIRST_BYTES = struct.Struct(">" + "Q24x" * len(_LIMITS))
"""The numbers in the digests of all swaps, as `numbers` reads them."""

_KEYS = ("seed", "commitment", "discs", "decks")


@freezing
@dataclass(frozen=True, slots=True)
class Deal:
    """The columns of the discs by colour, and the known part of the two decks, top card first."""

    discs: Mapping[str, tuple[int, ...]]
    decks: tuple[tuple[int, ...], tuple[int, ...]]

    def as_option(self) -> Mapping[str, object]:
        """The deal as a value of the option `deal`."""
        return Frozen({"discs": self.discs, "decks": self.decks})

    def cards(self, number: int) -> tuple[int, int] | None:
        """The two cards of a round, counted from 1; None if there is no such round, or they are unknown."""
        first, second = self.decks
        return (first[number - 1], second[number - 1]) if number <= min(len(first), len(second), ROUNDS) else None

    def begins(self, other: Deal) -> bool:
        """True if this is the other deal, perhaps with fewer cards known."""
        same = all(set(columns) == set(other.discs[colour]) for colour, columns in self.discs.items())
        decks = zip(self.decks, other.decks, strict=True)
        return same and all(known == whole[: len(known)] for known, whole in decks)


def numbers(seed: str) -> Iterator[int]:
    """A seed's stream of numbers below 2^64: the first eight bytes of SHA-256 of "seed:k"."""
    for block in count():
        digest = hashlib.sha256(f"{seed}:{block}".encode()).digest()
        yield int.from_bytes(digest[:8], "big")


def _below(stream: Iterator[int], limit: int) -> int:
    fair = _BLOCK - _BLOCK % limit
    number = next(stream)
    while number >= fair:
        number = next(stream)
    return number % limit


def _choices(seed: str) -> Iterator[int]:
    """The place for each swap of a deal; all are drawn at once, as repeated draws are rare."""
    head = f"{seed}:".encode()
    drawn = _FIRST_BYTES.unpack(b"".join([hashlib.sha256(head + k).digest() for k in _COUNTED]))
    if max(drawn) < _FAIR:
        return map(operator.mod, drawn, _LIMITS)
    stream = numbers(seed)
    return (_below(stream, limit) for limit in _LIMITS)


def _shuffle(choices: Iterator[int], cards: list[int]) -> list[int]:
    """The cards after a Fisher-Yates shuffle from the last place down to the second."""
    for last, chosen in zip(range(len(cards) - 1, 0, -1), choices, strict=False):
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


@lru_cache(maxsize=16)
def dealt(seed: str) -> Deal:
    """The deal of a seed."""
    choices = _choices(seed)
    columns = range(1, SIZE + 1)
    discs = Frozen({colour: tuple(sorted(_shuffle(choices, [*columns])[:3])) for colour in COLOURS})
    cards = tuple(_shuffle(choices, [column for column in columns for _ in range(4)]))
    return Deal(discs, (cards[:ROUNDS], cards[ROUNDS:]))


def commitment(seed: str) -> str:
    """The public commitment to a secret seed: SHA-256 of its UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def draw_seed() -> str:
    """A fresh, unguessable seed."""
    return secrets.token_hex(32)


def read(option: Mapping[str, Any]) -> Deal:
    """The deal of a faultless option `deal`."""
    if "seed" in option:
        return dealt(option["seed"])
    discs = {colour: tuple(option["discs"][colour]) for colour in COLOURS}
    first, second = option.get("decks", ((), ()))
    return Deal(discs, (tuple(first), tuple(second)))


def fault(option: object) -> str | None:
    """The fault of the option `deal`, or None."""
    if not isinstance(option, Mapping) or not set(option) <= set(_KEYS):
        return f"a deal has the keys {', '.join(_KEYS)}"
    if "seed" not in option and "discs" not in option:
        return "a deal has a seed, or discs and decks written out"
    if "decks" in option and "discs" not in option:
        return "decks are written out together with the discs"
    if "discs" in option and (wrong := _written_fault(option)):
        return wrong
    if "commitment" in option and not _digest(option["commitment"]):
        return "a commitment is SHA-256 in hexadecimal, 64 digits"
    if "seed" not in option:
        return None
    seed = option["seed"]
    if not isinstance(seed, str) or not seed:
        return "a seed is a text; put it in quotes"
    if any("\ud800" <= char <= "\udfff" for char in seed):
        return "a seed is a text in UTF-8, which cannot hold half of a surrogate pair"
    if "commitment" in option and not hmac.compare_digest(commitment(seed), option["commitment"].lower()):
        return "the seed is not the one that was committed to: its SHA-256 is different"
    layout = {key: option[key] for key in ("discs", "decks") if key in option}
    if "discs" in layout and not read(layout).begins(dealt(seed)):
        return "the discs and decks are not those of the seed"
    return None


def _digest(promise: object) -> bool:
    return isinstance(promise, str) and len(promise) == 64 and set(promise.lower()) <= set("0123456789abcdef")


def _written_fault(option: Mapping[str, Any]) -> str | None:
    discs, decks = option["discs"], option.get("decks", [[], []])
    if not isinstance(discs, Mapping) or set(discs) != set(COLOURS):
        return f"discs has three columns for each of {', '.join(COLOURS)}"
    for colour, columns in discs.items():
        if not _cards(columns) or len(columns) != 3 or len(set(columns)) != 3:
            return f"{colour}: three different columns from 1 to {SIZE}, not {shown(columns)}"
    if not isinstance(decks, list | tuple) or len(decks) != 2 or not all(_cards(deck) for deck in decks):
        return f"decks are two lists of cards from 1 to {SIZE}"
    first, second = decks
    if max(len(first), len(second)) > ROUNDS or len(first) != len(second):
        return f"both decks have the same number of cards, {ROUNDS} at most"
    for card in range(1, SIZE + 1):
        if [*first, *second].count(card) > 4:
            return f"the pack has four cards of {card}, not more"
    return None


def _cards(cards: object) -> bool:
    return isinstance(cards, list | tuple) and all(type(card) is int and 1 <= card <= SIZE for card in cards)
