"""Games with one planted slip each, as people make them, and a check of the repairs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from referee.archives.generate import Generation, random_game
from referee.errors import FileError
from referee.game import GameFile, game_text, judge, loads
from referee.game.file.explanation import DraftError
from referee.notes.repair.repair import Repair

VARIANTS: tuple[tuple[str, Mapping[str, Any], int], ...] = (
    ("beams", {}, 300),
    ("beams", {"mode": "synchronous", "first": "north"}, 300),
    ("boundary", {}, 60),
    ("the-beam", {}, 300),
    ("laser-chess", {}, 60),
)
"""Games, options, and the number of plies: random play of some hardly ever ends."""

Rows = list[list[str]]
_FAR = 12
"""Rounds that a missing one may be away from where a repair puts one in, if the numbers do not show it."""
_CELL = re.compile(r"\b([A-Za-z])([0-9]{1,2})\b|\b([0-9]),([0-9])\b")
_CLOCK = re.compile(r"(?<= )(2|4|6|8|10|12)$")
_OTHERS = (
    {"M2V": "M2Y", "M2Y": "M2V", "R2V": "R2Y", "R2Y": "R2V", "M1": "M3", "M3": "M1", "R1": "R3", "R3": "R1"},
    {" L": " R", " R": " L"},
    {"/": "\\", "\\": "/"},
    {"M1": "M2", "M2": "M3", "M3": "M4", "B1": "B2", "B2": "B3", "B3": "B4"},
)
_PARTS = (
    (re.compile(r"^S (\S+) P (\S+)$"), r"P \2 S \1"),
    (re.compile(r"^S (\S+) P (\S+)$"), r"S \2 P \1"),
    (re.compile(r"^A M([0-9]) B([0-9])$"), r"A M\2 B\1"),
)


class Gap(NamedTuple):
    """A place with moves missing; a round that is missing without a sign of it may be missing `within` some moves."""

    at: int
    moves: int = 1
    within: int = 0


class Planted(NamedTuple):
    """A game, the same with a slip, the kind of slip, and the place of missing moves."""

    kind: str
    right: GameFile
    text: str
    gap: Gap | None = None


class _Slip(NamedTuple):
    rows: Rows
    options: Mapping[str, Any] | None = None
    gap: Gap | None = None
    numbers: Sequence[int] = ()


def planted(variant: int, number: int, kinds: Collection[str] = ()) -> Iterator[Planted]:
    """The games with a slip of each kind, or of some, that can be planted in one random game."""
    game, options, plies = VARIANTS[variant]
    right = random_game(Generation(game, "slips", options, plies), number)
    for kind in kinds or KINDS:
        slip = KINDS[kind]
        chance = random.Random(f"{game}/{variant}/{number}/{kind}")
        for _ in range(20):
            rows = [[str(one.move) for one in each.moves] for each in right.rounds]
            made = slip(right, rows, chance)
            if made is None:
                continue
            text = _text(right, made)
            if _stops(text, right, only_result=kind == "option"):
                yield Planted(kind, right, text, made.gap)
                break


def draft(text: str) -> GameFile:
    """The game of a text, whether it holds or not."""
    try:
        return loads(text, suggest=False)
    except DraftError as error:
        return error.draft


def undoes(repair: Repair, one: Planted) -> bool:
    """True if a repair gives the original game; any moves will do for missing ones."""
    after, right = _flat(repair.game), _flat(one.right)
    if one.gap is not None and len(after) == len(right):
        at, moves, within = one.gap
        rest = right[:at] + right[at + moves :]
        for begin in range(max(0, at - within), min(at + within, len(rest)) + 1):
            if after[:begin] + after[begin + moves :] == rest:
                return repair.holds or not within
    options = one.right.description.completed(one.right.options)
    return after == right and repair.game.description.completed(repair.game.options) == options


def _flat(game: GameFile) -> list[str]:
    return [str(one.move) for each in game.rounds for one in each.moves]


def _text(right: GameFile, made: _Slip) -> str:
    options = right.options if made.options is None else made.options
    head = game_text(replace(right, rounds=(), options=options)).rstrip("\n").removesuffix("moves: |").rstrip("\n")
    numbers = made.numbers or range(1, len(made.rows) + 1)
    moves = "".join(f"  {number}. {' | '.join(row)}\n" for number, row in zip(numbers, made.rows, strict=True))
    return f"{head}\nmoves: |\n{moves}"


def _stops(text: str, right: GameFile, *, only_result: bool) -> bool:
    """True if a text does not hold, which is not seen in its result alone."""
    try:
        findings = judge(loads(text, suggest=False), suggest=False).findings
    except DraftError as error:
        findings = error.findings
    except FileError:
        return False
    return bool(findings) and (only_result or findings[0].code != "wrong-result")


# --- The kinds ---


def _changed(rows: Rows, chance: random.Random, change: Callable[[str], str | None]) -> _Slip | None:
    """The rows with one move written otherwise."""
    row = chance.choice(rows)
    place = chance.randrange(len(row))
    new = change(row[place])
    if new is None or new == row[place]:
        return None
    row[place] = new
    return _Slip(rows)


def _cell(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    def change(move: str) -> str | None:
        cells = list(_CELL.finditer(move))
        found = chance.choice(cells) if cells else None
        if found is None or (" M" in move[found.start() - 1 : found.start() + 1] and move[0] == "A"):
            return None
        letter, number, across, up = found.groups()
        step = chance.choice((-1, 1))
        if letter is None:
            first, second = int(across), int(up)
            new = f"{first + step},{second}" if chance.random() < 0.5 else f"{first},{second + step}"
        elif chance.random() < 0.5:
            new = f"{chr(ord(letter) + step)}{number}"
        else:
            new = f"{letter}{int(number) + step}"
        return move[: found.start()] + new + move[found.end() :]

    return _changed(rows, chance, change)


def _clock(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    step = chance.choice((-1, 1))
    return _changed(rows, chance, lambda move: _CLOCK.sub(lambda found: str(int(found[1]) + step), move))


def _word(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    def change(move: str) -> str | None:
        for others in _OTHERS:
            here = [one for one in others if re.search(rf"{re.escape(one)}(?!\w)", move)]
            if here:
                one = chance.choice(here)
                return move.replace(one, others[one], 1)
        return None

    return _changed(rows, chance, change)


def _swapped(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    row = chance.choice(rows)
    if len(row) < 2:
        return None
    row.reverse()
    return _Slip(rows)


def _missing(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    """A move is missing: its place is empty, or all that follow move up, where the sides move in turn."""
    number = chance.randrange(len(rows))
    place = chance.randrange(len(rows[number]))
    gap = sum(map(len, rows[:number])) + place
    del rows[number][place]
    if not rows[number]:
        return None
    if len(right.start().to_move) == 1 and chance.random() < 0.5:
        rows = _in_rows([move for row in rows for move in row], right.description.moves_per_round)
    return _Slip(rows, gap=Gap(gap))


def _doubled(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    flat = [move for row in rows for move in row]
    at = chance.randrange(len(flat))
    return _Slip(_in_rows([*flat[: at + 1], *flat[at:]], right.description.moves_per_round))


def _round_twice(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    at = chance.randrange(len(rows))
    return _Slip([*rows[: at + 1], *rows[at:]])


def _round_missing(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    """A round is missing, as the numbers show."""
    at = chance.randrange(len(rows))
    gap = Gap(sum(map(len, rows[:at])), len(rows[at]))
    numbers = [number for number in range(1, len(rows) + 1) if number != at + 1]
    return _Slip([*rows[:at], *rows[at + 1 :]], gap=gap, numbers=numbers)


def _round_lost(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    """A round is missing, and the numbers go on as if it were not."""
    found = _round_missing(right, rows, chance)
    assert found is not None
    assert found.gap is not None
    size = right.description.moves_per_round
    return _Slip(found.rows, gap=found.gap._replace(within=_FAR * size))


def _rounds_exchanged(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    at = chance.randrange(len(rows))
    following = rows[at + 1 : at + 2]
    return _Slip([*rows[:at], *following, rows[at], *rows[at + 2 :]]) if following else None


def _parts(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    """Parts of one move have changed places: the legs of a long one, or its two numbers."""
    pattern, instead = chance.choice(_PARTS)
    return _changed(rows, chance, lambda move: pattern.sub(instead, move))


def _exchanged(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    at = chance.randrange(len(rows))
    return _Slip([*rows[:at], *(row[::-1] for row in rows[at:])])


def _option(right: GameFile, rows: Rows, chance: random.Random) -> _Slip | None:
    others = {
        "mode": ("asynchronous", "synchronous"),
        "barriers": ("crossing", "facing"),
        "pieces": ("standard", "beginner"),
        "first": right.description.sides,
        "setup": ("ace", "curiosity", "grail", "mercury", "sophie"),
    }
    names = [name for name in right.options if name in others]
    if not names:
        return None
    name = chance.choice(names)
    value = chance.choice([value for value in others[name] if value != right.options[name]])
    return _Slip(rows, {**right.options, name: value})


def _in_rows(flat: list[str], size: int) -> Rows:
    return [flat[at : at + size] for at in range(0, len(flat), size)]


KINDS: Mapping[str, Callable[[GameFile, Rows, random.Random], _Slip | None]] = {
    "cell": _cell,
    "clock": _clock,
    "word": _word,
    "swapped": _swapped,
    "missing": _missing,
    "doubled": _doubled,
    "round twice": _round_twice,
    "round missing": _round_missing,
    "round lost": _round_lost,
    "rounds exchanged": _rounds_exchanged,
    "parts": _parts,
    "exchanged": _exchanged,
    "option": _option,
}
