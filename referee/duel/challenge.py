"""The opening of a duel: the game, its rules and options, and the sides of the players."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.desk.log.bodies import canonical, same
from referee.errors import RefereeError, Refusal, shown
from referee.game.file.gamefile import new_game
from referee.game.file.header import is_text
from referee.rules import Game, Position, first_position, game_named
from referee.rules.frozen import freezing

LARGEST_CHALLENGE = 1500
"""Maximum bytes of an opening."""

_LONGEST_NAME = 40
"""Maximum characters of a player's name."""

_MOST_BRACKETS = 100
_TYPES = {"game": str, "name": str, "options": dict, "rules": int, "side": str}


@freezing
@dataclass(frozen=True, slots=True)
class Challenge:
    """The opener's proposal: the game, the version of its rules, its options, their side, name (or "") and key."""

    game: str
    rules: int
    options: Mapping[str, Any] = field(hash=False)
    side: str
    name: str
    key: str

    @property
    def text(self) -> str:
        """The proposal without the key as canonical JSON, which is signed."""
        return canonical({name: getattr(self, name) for name in _TYPES})

    @property
    def description(self) -> Game:
        """The game's sides, options and title."""
        return game_named(self.game)

    @property
    def sides(self) -> tuple[str, str]:
        """The opener's side, and the joiner's."""
        (other,) = (side for side in self.description.sides if side != self.side)
        return self.side, other

    @property
    def protocol(self) -> str:
        """Name and version of the rules."""
        return f"{self.game} {self.rules}"

    def start(self) -> Position:
        """The position before the first ply."""
        return first_position(self.game, self.options)


def new_challenge(game: str, options: Mapping[str, object], side: str, name: str, key: str) -> Challenge:
    """An opening with every option written out.

    RefereeError `unknown-game`, `no-duel`, `unknown-side`, `name` or `too-large`; OptionError as `new_game`.
    """
    description = game_named(game)
    if (refusal := duel_refusal(description)) is not None:
        raise refusal
    if side not in description.sides:
        raise Refusal("unknown-side", f"the sides of {description.title} are {' and '.join(description.sides)}")
    chosen = dict(sorted(new_game(game, options).options.items()))
    opening = Challenge(game, description.versions[-1], chosen, side, name, key)
    expect_name(name)
    if len(opening.text.encode()) > LARGEST_CHALLENGE:
        raise Refusal("too-large", f"an opening has at most {LARGEST_CHALLENGE} bytes: choose shorter options")
    return opening


def challenge_of(text: str, key: str) -> Challenge:
    """The opening in a text; RefereeError `malformed`, `rules`, or as `new_challenge`."""
    data = _data(text)
    description = game_named(data["game"])
    if data["rules"] not in description.versions:
        raise Refusal("rules", f"there is no version {shown(data['rules'])} of the rules of {description.title} here")
    opening = new_challenge(data["game"], data["options"], data["side"], data["name"], key)
    said = Challenge(key=key, **data)
    if said.text != text or not same(dict(opening.options), data["options"]):
        raise malformed("an opening is canonical, with every option written out")
    return said


def expect_name(name: str) -> None:
    """Raise Refusal `name` unless a name is empty, or a short line of text."""
    if name and (not is_text(name) or len(name) > _LONGEST_NAME):
        raise Refusal("name", f"a player's name is a line of at most {_LONGEST_NAME} characters")


def duel_refusal(description: Game) -> Refusal | None:
    """The refusal `no-duel` of a game that two people cannot play without a referee; None if they can."""
    if description.secret is not None:
        message = f"{description.title} needs a dealer: the results of chance have to be kept from all players"
        return Refusal("no-duel", message)
    if len(description.sides) != 2:
        return Refusal("no-duel", f"{description.title} has {len(description.sides)} sides, and a duel has two")
    return None


def malformed(message: str) -> RefereeError:
    """The error for a message that no program of this version has written."""
    return RefereeError("malformed", message)


def _data(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text) if text.count("{") + text.count("[") <= _MOST_BRACKETS else None
    except ValueError:
        data = None
    if (
        not isinstance(data, dict)
        or data.keys() != _TYPES.keys()
        or any(type(data[name]) is not kind for name, kind in _TYPES.items())
    ):
        raise malformed(f"an opening is a JSON object with {', '.join(_TYPES)}")
    return data
