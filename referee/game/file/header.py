"""The header of a game file: its keys, their values, and the game that begins with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from referee.errors import shown
from referee.game.file.document import HIDDEN, KeyPath
from referee.game.file.gamefile import End, GameFile, Player
from referee.rules import Frozen, Game, Termination
from referee.rules.outcome import OPEN_ENDS

ENDINGS = tuple(how for how in Termination if how in OPEN_ENDS and how is not Termination.ABANDONED)
"""The ends that a header can name."""

LONGEST_TEXT = 200

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_KINDS = {dict: "a mapping of keys to values", int: "a whole number", str: "text", tuple: "a list"}


class Fault(NamedTuple):
    """A wrong value in a header; `known` are the possible names."""

    key: KeyPath
    code: str
    message: str
    value: object
    known: tuple[str, ...] = ()


class _Shape(NamedTuple):
    """The shape of a value: its type, and what else it must be, or `each` in it; of `keys`, the first is needed."""

    kind: type
    reason: Callable[[str], str] | None = None
    choices: Collection[object] = ()
    each: _Shape | None = None
    keys: Mapping[str, _Shape] | None = None


def is_text(value: object) -> bool:
    """True for one line of text, neither empty nor too long nor with hidden characters."""
    return isinstance(value, str) and not line_fault(value)


def is_address(value: object) -> bool:
    """True for a text in the shape of an e-mail address."""
    return isinstance(value, str) and not address_fault(value)


def line_fault(text: str) -> str:
    """The reason why a text is not one line of text; empty if it is one."""
    if len(text) > LONGEST_TEXT:
        return f"expected at most {LONGEST_TEXT} characters"
    return "" if text.strip() and not HIDDEN.search(text) else "expected one line of text, without hidden characters"


def address_fault(text: str) -> str:
    """The reason why a text is no e-mail address; empty if it is one."""
    return "" if _ADDRESS.fullmatch(text) and not line_fault(text) else f"{shown(text)} is not an e-mail address"


def faults(data: object, shape: _Shape | None = None, key: KeyPath = ()) -> Iterator[Fault]:
    """The faults of a header's keys and values; of the value at a key, those that its shape finds."""
    kind, reason, choices, each, keys = shape or _HEADER
    name = "" if not key else key[-1] if isinstance(key[-1], str) else f"each of {key[-2]}"
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        yield Fault(key, "wrong-type", wrong_type(name, _KINDS[kind], data), data)
    elif choices and data not in choices:
        *others, last = choices
        message = f"{name} must be {', '.join(map(str, others))} or {last}, not {shown(data)}"
        yield Fault(key, "wrong-value", message, data)
    elif reason and isinstance(data, str) and (said := reason(data)):
        yield Fault(key, "wrong-value", f"{name}: {said}", data)
    elif each and isinstance(data, dict | tuple):
        for one, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from faults(value, each, (*key, one))
    elif keys and isinstance(data, dict):
        needed = next(iter(keys))
        if needed not in data:
            yield Fault((*key, needed), "missing-key", f"the key '{needed}' is missing", data)
        for one, inner in keys.items():
            if one in data and (one == needed or data[one] is not None):
                yield from faults(data[one], inner, (*key, one))
        for one, value in data.items():
            # An optional key without a value counts as missing; at the top of a file, so does an unknown one.
            if one not in keys and (key or value is not None):
                message = f"there is no key {shown(one)} here; the keys are: {', '.join(keys)}"
                yield Fault((*key, one), "unknown-key", message, value, tuple(keys))


def begun(data: Mapping[str, Any], file: str) -> partial[GameFile]:
    """The game of a valid header, to be completed with its moves."""
    end = data.get("end")
    plain: dict[str, Any] = {name: data.get(name) for name in ("game", "rules", "id", "date", "event", "result")}
    players = {side: Player(one["name"], one.get("email")) for side, one in (data.get("players") or {}).items()}
    return partial(
        GameFile,
        **plain,
        players=Frozen(players),
        options=data.get("options") or Frozen(),
        start_text=data.get("start"),
        ending=None if end is None else End(Termination(end["how"]), end.get("by")),
        file=file,
    )


def misfits(game: GameFile, description: Game) -> Iterator[Fault]:
    """The faults of a header that does not fit its game: sides and version of the rules."""
    sides, scores, versions = description.sides, description.scores, description.versions
    end = {("end", "by"): game.ending.by} if game.ending and game.ending.by is not None else {}
    for key, side in {**{("players", side): side for side in game.players}, **end}.items():
        if side not in sides:
            message = f"{game.game} has no side {shown(side)}; its sides are: {', '.join(sides)}"
            yield Fault(key, "wrong-value", message, side, sides)
    for side in (game.result or {}).keys() - set(scores):
        message = f"{shown(side)} has no score here, only {', '.join(scores)}"
        yield Fault(("result", side), "wrong-value", message, side)
    if game.rules is not None and game.rules not in versions:
        known = ", ".join(map(str, versions))
        message = f"this referee knows version {known} of the rules of {game.game}, not {shown(game.rules)}"
        yield Fault(("rules",), "unknown-rules", message, game.rules)


def wrong_type(name: object, kind: str, value: object) -> str:
    """The sentence about a value that is not of the kind it should be."""
    hint = "; put it in quotes" if kind == "text" and isinstance(value, int | float) else ""
    return f"{name or 'all of it'} must be {kind}, not {described(value)}{hint}"


def described(value: object) -> str:
    """A value in a sentence that says what it is."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {shown(value)}"
        case str():
            return f"the text {shown(value)}"
        case list() | tuple():
            return "a list"
        case _:
            return "a mapping"


_LINE = _Shape(str, line_fault)
_PLAYER = _Shape(dict, keys={"name": _LINE, "email": _Shape(str, address_fault)})
_END = _Shape(dict, keys={"how": _Shape(object, choices=ENDINGS), "by": _LINE})
_VARIATION = {"moves": _Shape(str)}
_VARIATIONS = _Shape(tuple, each=_Shape(dict, keys=_VARIATION))
_VARIATION["variations"] = _VARIATIONS
_HEADER = _Shape(
    dict,
    keys={
        "game": _LINE,
        "rules": _Shape(int),
        "id": _LINE,
        "date": _LINE,
        "event": _LINE,
        "players": _Shape(dict, each=_PLAYER),
        "options": _Shape(dict),
        "start": _Shape(str),
        "end": _END,
        "result": _Shape(dict, each=_Shape(int)),
        "moves": _Shape(str),
        "variations": _VARIATIONS,
    },
)
KEYS_IN_ORDER = tuple(_HEADER.keys or ())
KEYS = frozenset(KEYS_IN_ORDER)
