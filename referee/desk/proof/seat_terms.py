"""Checks of a seat and its ply, as the command in a letter names them, before anything is sealed or signed."""

from __future__ import annotations

from referee.desk.log.heads import heads_in
from referee.desk.log.log import GAME_ID
from referee.desk.log.seals import digits
from referee.desk.log.signatures import Past
from referee.errors import Refusal
from referee.rules import game_named


def expect_seat(game: str, side: str, rules: str) -> str:
    """The name of the game that a seat plays; RefereeError `unknown-game`, or `wrong-paste` for no such seat."""
    if not GAME_ID.fullmatch(game):
        raise _wrong(f"expected the game's id as in letters, such as spring-7, not {game!r}")
    name, _, version = rules.partition(" ")
    description = game_named(name)
    if version not in map(str, description.versions):
        newest = f"{name} {description.versions[-1]}"
        raise _wrong(f"expected a name and a version of rules, such as {newest!r}, not {rules!r}")
    if side not in description.sides:
        raise _wrong(f"there is no side {side!r}; the sides are: {', '.join(description.sides)}")
    return name


def seat_past(opening: str, head: str) -> Past | None:
    """The past in the digests of a letter; None if a letter shows neither; Refusal `wrong-paste` if one is wrong."""
    if not opening.strip() and not head.strip():
        return None
    first, last = digits(opening), digits(head)
    if first is None or last is None:
        raise _wrong("--opening and --head go together, 64 hexadecimal digits each: copy both from the letter")
    return Past(first, last)


def head_of(text: str) -> str | None:
    """The digest of a log head, in digits or a letter's line; None without text; Refusal `wrong-paste`."""
    if not text.strip() or digits(text) is not None:
        return digits(text)
    shown = {head.digest for head in heads_in(text)}
    if len(shown) != 1:
        raise _wrong("expected a log head: its 64 hexadecimal digits, or the line of a letter that has them")
    return shown.pop()


def _wrong(message: str) -> Refusal:
    return Refusal("wrong-paste", message)
