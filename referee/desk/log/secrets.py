"""Secrets of a game: the names under which the desk keeps them until the log reveals them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Secrets = Mapping[str, str]
"""Secrets of a game by name: its sealed moves, its seed, and its players' addresses."""

Chance = Callable[[str], bytes]
"""Thirty-two secret bytes for a name."""

CHANCE = "chance"
"""The name of a game's secret seed, which decides what is left to chance."""

MAILBOXES = "mailboxes"
"""The name of the desk's plain addresses, with blanks between them."""


def addresses_name(closings: int) -> str:
    """The name of the secrets of a game's addresses after this number of ends, with blanks between them."""
    return f"addresses/{closings}"


def letter_name(side: str, mark: str) -> str:
    """The name of a letter of a side that has done something; its value is the letter's digest."""
    return f"letter/{side}/{mark}"


def sealed_name(ply: int, side: str) -> str:
    """The name of a sealed move and its nonce."""
    return f"move/{ply}/{side}"


def signature_name(ply: int, side: str) -> str:
    """The name of the signature of a sealed move."""
    return f"signature/{ply}/{side}"


def plan_name(number: int, side: str) -> str:
    """The name of a plan, by its number among those of the game: its nonce, a blank, and its text."""
    return f"plan/{number}/{side}"


def engine_seed_name(side: str) -> str:
    """The name of the seed of the engine on a side."""
    return f"engine/{side}"


def address_name(side: str) -> str:
    """The name of a side's address."""
    return f"address/{side}"


def answered_name(side: str) -> str:
    """The name of the time when a side last wrote with its key: until then, letters have reached it."""
    return f"answered/{side}"


def asked_name(side: str) -> str:
    """The name of what a side was asked last, and of the words that it has not passed on."""
    return f"asked/{side}"


def meant_name(digest: str) -> str:
    """The name of the digest of the earlier letter that a letter refers to, by the digest of the later one."""
    return f"meant/{digest}"
