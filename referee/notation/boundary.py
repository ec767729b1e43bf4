"""The notation of Boundary: moves (grammar/boundary.lark) and positions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby

from referee.notation.fields import Fields, Part, board_text, parse_square, read_board
from referee.notation.habits import Unusual
from referee.rules.boundary import BoundaryPosition, Momentum, Pyramid, Walk
from referee.rules.boundary.pieces import BASE_OWNER, OWNER, SIDES, SIZE, SQUARES, WORLD, Size
from referee.rules.frozen import Frozen

GRAMMAR = "boundary"
WORDS: Mapping[str, str] = Frozen(
    _PYRAMID="P to move a pyramid",
    _STONE="S to move a stone-bop first",
    SQUARE="a square such as c3",
    _TO="a hyphen",
    _DIVIDER="a comma",
)

BEGINNINGS: Mapping[str, str] = Frozen(
    P="walk|move|go|pyramids?",
    S="push|momentum|stone-?bops?|stones?|bops?",
)
PARTS: Mapping[str, str] = Frozen(
    {
        r"(?:move|push|walk) (?:the |my |an? )?(stone-?bop|stone|bop|pyramid)": r"\1",
        r"([a-f][1-6]) ?x ?([a-f][1-6])": r"\1-\2",
        r"([a-f][1-6]) ?(?:to|takes|captures) ?([a-f][1-6])": r"\1-\2",
        r"to|takes|captures": "-",
        r"(?:small|medium|large) (?:blue|green|red|yellow)": "P",
    }
)

SHORT_FORMS: Mapping[str, str] = Frozen(
    {r"(?:s )?([a-f][1-6])[ -]*([a-f][1-6])[ ,;/]*(?:p )?([a-f][1-6])[ -]*([a-f][1-6])": r"S \1-\2 P \3-\4"}
)

HABITS: Mapping[str, Unusual] = Frozen(
    legs=Unusual(
        r"^p(?:yramid)? ([a-f][1-6]-[a-f][1-6])[ ,/]+s(?:tone)? ([a-f][1-6]-[a-f][1-6])$",
        "the stone-bop moves first: write {text}",
        r"S \2 P \1",
    )
)


class ToMove:
    """A method or a class for each rule and terminal of the grammar; none of them raises."""

    walk = Walk
    momentum = Momentum
    SQUARE = staticmethod(parse_square)


FIELDS = ("board", "turn")

_STONES = {"(S)": "south", "(n)": "north"}
_STONE_OF = {side: text for text, side in _STONES.items()}
_COLOURS = {(colour[0].upper() if side == "south" else colour[0]): colour for colour, side in OWNER.items()}
_LETTERS = {colour: letter for letter, colour in _COLOURS.items()}
_STACK = re.compile(r"([GBry][LMS]+)+")
_TREE = re.compile(r"([GBry])([LMS]+)")


def position_fields(position: BoundaryPosition) -> Mapping[str, str]:
    """The board as reports show it, and whose turn it is."""
    squares = [_STONE_OF[position.stones[n]] if n in position.stones else "" for n in range(len(SQUARES))]
    for number, stack in position.stacks.items():
        squares[number] = stack_text(stack)
    return {"board": board_text(squares, SIZE), "turn": position.mover}


def standing(position: BoundaryPosition, side: str) -> Mapping[str, str | None]:
    """The squares, each with the owner of its stone-bop or top pyramid."""
    tops = {number: OWNER[stack[-1].colour] for number, stack in position.stacks.items()}
    return {str(square): tops.get(number, position.stones.get(number)) for number, square in enumerate(SQUARES)}


def stack_text(stack: tuple[Pyramid, ...]) -> str:
    """A stack from the bottom: each colour's letter, then the sizes that follow in that colour."""
    runs = groupby(stack, key=lambda pyramid: pyramid.colour)
    return "".join(_LETTERS[colour] + "".join(str(one.size) for one in run) for colour, run in runs)


def position_from(fields: Fields, start: BoundaryPosition) -> BoundaryPosition:
    """The position of these fields; NotationError if it is impossible."""
    stacks: dict[int, tuple[Pyramid, ...]] = {}
    stones: dict[int, str] = {}
    for number, part in read_board(fields["board"], SIZE, SIZE).items():
        if part.text in _STONES:
            stones[number] = _stone(part, number, stones)
        else:
            stacks[number] = _stack(part, number, stacks)
    mover = fields["turn"].one_of({side: side for side in SIDES}, "whose turn it is: south or north")
    position = replace(start, stacks=Frozen(stacks), stones=Frozen(stones), mover=mover)
    if position.won(mover):
        raise fields["turn"].wrong(f"{mover} has rebuilt both trees: the game would be over before this turn")
    return position.judged()


def _stone(part: Part, number: int, stones: Mapping[int, str]) -> str:
    """The owner of a stone-bop; each side always has one in each world."""
    side = _STONES[part.text]
    if any(owner == side and WORLD[one] == WORLD[number] for one, owner in stones.items()):
        raise part.wrong(f"{side} has one stone-bop in each world, and another stands in this one")
    _refuse_base(part, number, side)
    return side


def _refuse_base(part: Part, number: int, side: str) -> None:
    if (owner := BASE_OWNER.get(number, side)) != side:
        raise part.wrong(f"{SQUARES[number]} is a base of {owner}'s: no piece of {side}'s can stand there")


def _stack(part: Part, number: int, stacks: Mapping[int, tuple[Pyramid, ...]]) -> tuple[Pyramid, ...]:
    """The pyramids on a square; only a base can have several, and each is on the board once."""
    if not _STACK.fullmatch(part.text):
        raise part.expected("a stack such as GLMS, a stone-bop (S) or (n), or a number of empty squares")
    stack = tuple(
        Pyramid(_COLOURS[letter], Size(size)) for letter, sizes in _TREE.findall(part.text) for size in sizes
    )
    elsewhere = {pyramid for other in stacks.values() for pyramid in other}
    for place, pyramid in enumerate(stack):
        if pyramid in elsewhere or pyramid in stack[:place]:
            raise part.wrong(f"there is only one {pyramid}, and it is on the board already")
        _refuse_base(part, number, OWNER[pyramid.colour])
    if len(stack) > 1 and number not in BASE_OWNER:
        raise part.wrong(f"{SQUARES[number]} is not a base: at most one pyramid can stand there")
    return stack
