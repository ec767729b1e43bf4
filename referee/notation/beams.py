"""The notation of Beams, Boosters and Barriers: moves (grammar/beams.lark) and positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.notation.fields import Fields, Part
from referee.notation.habits import Unusual
from referee.rules.beams import BeamsPosition, Cell, Clock, PieceType, Place, PlacedPiece, Rotate, Turn
from referee.rules.beams.board import SIDES
from referee.rules.beams.light import lit
from referee.rules.beams.pieces import GENERATORS
from referee.rules.frozen import Frozen

GRAMMAR = "beams"
WORDS: Mapping[str, str] = Frozen(
    _PLACE="P to place a piece",
    _ROTATE="R to rotate one",
    PIECE="a piece: M1, M2V, M2Y, M3, R1, R2V, R2Y, R3",
    BOOSTER="S for a booster",
    CELL="a cell: a letter and a column, such as B3",
    CLOCK="a clock: 12, 2, 4, 6, 8 or 10",
    TURN="a turn: L or R",
)

BEGINNINGS: Mapping[str, str] = Frozen(
    P="place|put|set|add|drop|play",
    R="rotate|turn|spin|twist",
)
PARTS: Mapping[str, str] = Frozen(
    {
        r"boosters?": "S",
        r"(?:p(?:lace|ut)? )?([a-z]\d{1,2})[ :=]*([mr](?:[13]|2[vy]))[ :=]*(12|10|[2468])": r"P \2 \1 \3",
        r"generator ([123][vy]?)": r"m\1",
        r"barrier ([123][vy]?)": r"r\1",
        r"\d+ degrees?": "",
        r"(?:counter|anti)[ -]?clockwise|ccw|left": "L",
        r"clockwise|cw|right": "R",
        r"([a-z]\d{1,2}):? (?:rotate|turn|spin|twist)(?:s|ed|d)? ([LR])": r"R \1 \2",
        r"(rotate|turn|spin|twist) (?:the |it |my )?([LR]) (.+)": r"\1 \3 \2",
        r"([LR]) (?:rotation|turn|spin|twist) (?:of |on )?([a-z]\d{1,2})": r"R \2 \1",
        r"(?:a |one |1 )?(?:step|notch|click)": "",
        r"straight (?:ahead|on|up)(?: \(?12\)?)?|forwards?(?: \(?12\)?)?": "12",
    }
)

ALIASES: Mapping[str, tuple[str, ...]] = Frozen(
    {
        r"(?<!,)(\d{1,2}) ?(?::00|h|o' ?clock|oclock)": (r"\1",),
        r"(?:narrow|v) double (?:beam[ -]?)?generators?": ("m2v",),
        r"(?:wide|y) double (?:beam[ -]?)?generators?": ("m2y",),
        r"(?:narrow|v) double barriers?": ("r2v",),
        r"(?:wide|y) double barriers?": ("r2y",),
        r"triple (?:beam[ -]?)?generators?": ("m3",),
        r"triple barriers?": ("r3",),
        r"single (?:beam[ -]?)?generators?": ("m1",),
        r"single barriers?": ("r1",),
        r"double (?:beam[ -]?)?generators?": ("m2v", "m2y"),
        r"double barriers?": ("r2v", "r2y"),
        r"(?:beam[ -]?)?generators?(?= [a-z]\d)": ("m1", "m2v", "m2y", "m3"),
        r"barriers?(?= [a-z]\d)": ("r1", "r2v", "r2y", "r3"),
        r"narrow doubles?": ("m2v", "r2v"),
        r"wide doubles?": ("m2y", "r2y"),
        r"triples?": ("m3", "r3"),
        r"singles?": ("m1", "r1"),
    }
)
HEADINGS: Mapping[str, str] = Frozen(
    {
        r"one after (?:the other|another)|(?:take|taking|in) turns?|turn by turn": "mode: synchronous",
        r"alternat(?:e|es|ing)(?!\w)": "mode: synchronous",
        r"beginners?'?s?'? (?:set|pieces)": "pieces: beginner",
        r"(?:both|sides|players|all)(?: \w+)? at once|moves? at once|simultaneous\w*": "mode: asynchronous",
        r"(\d{1,2}) ?[xX\u00d7] ?(\d{1,2})\b": "columns: \\1\nrows: \\2",
    }
)

NAMES = (r"bbb", r"beams\s+and\s+boosters")


class ToMove:
    """A method or a class for each rule and terminal of the grammar; none of them raises."""

    place = Place
    rotate = Rotate

    PIECE = BOOSTER = staticmethod(lambda text: PieceType(text.upper()))
    CELL = staticmethod(lambda text: Cell(ord(text[0].upper()) - 64, int(text[1:])))
    CLOCK = staticmethod(lambda text: Clock(int(text.removesuffix(":00"))))
    TURN = staticmethod(lambda text: Turn(text.upper()))


HABITS: Mapping[str, Unusual] = Frozen(
    {
        "clock": Unusual(
            r"(?<= )(1[0-2]|[1-9])(?:[.:h]0+|\s*o'?\s?clock|\s*(?:h|hrs?|hours?))$",
            "{found} is not a clock of this notation: write {text}",
            r"\1",
        ),
        "day-clock": Unusual(
            r"(?<= )(?:1[3-9]|2[0-4])(?::00)?$",
            "a clock has twelve hours, so {found} is not one: write {text}",
            lambda found: str(int(found[0][:2]) - 12),
        ),
    }
)

FIELDS = ("board", "south", "north", "south-hand", "north-hand", "rotated", "left", "turn")

_SIZE = re.compile(r"(?P<columns>[0-9]{1,2})x(?P<rows>[0-9]{1,2})")
_HELD = re.compile(r"(?P<piece>[A-Z0-9]+?)(?:x(?P<number>[0-9]))?")
_CELL = re.compile(r"[A-Z][0-9]{1,2}")
_CLOCKS = {str(int(clock)): clock for clock in Clock}
_TYPES = {str(piece): piece for piece in PieceType}


def position_fields(position: BeamsPosition) -> Mapping[str, str]:
    """The pieces of each side as in its moves, its hand, and whose turn it is."""
    board = position.board
    fields = {
        "board": f"{board.columns}x{board.rows}",
        "rotated": " ".join(side for side in SIDES if side in position.rotated),
        "left": "" if position.left is None else str(position.left),
        "turn": position.mover or " ".join(SIDES),
    }
    for side in SIDES:
        fields[side] = ", ".join(_piece_texts(position, side))
        hand = ((piece, number) for piece, number in position.hands[side].items() if number)
        fields[f"{side}-hand"] = " ".join(f"{piece}x{number}" if number > 1 else piece for piece, number in hand)
    return fields


def _piece_texts(position: BeamsPosition, side: str) -> Iterator[str]:
    """The pieces of a side, each written as the move that places it, without its P."""
    for cell, site in position.board.sites[side].items():
        if site in position.stones:
            piece, clock = position.stones[site]
            yield str(Place(piece, cell, clock)).removeprefix("P ")


def standing(position: BeamsPosition, side: str) -> Mapping[str, str | None]:
    """The cells of a side's territory, each with the side if a piece of it is there."""
    sites = position.board.sites[side].items()
    return {str(cell).casefold(): side if site in position.stones else None for cell, site in sites}


def position_options(fields: Fields) -> Mapping[str, tuple[object, Part]]:
    """The size of the board, and the mode of play."""
    board, turn = fields["board"], fields["turn"]
    size = _SIZE.fullmatch(board.text)
    if size is None:
        raise board.expected("the columns and rows of the board, such as 15x13")
    due = turn.sides(SIDES)
    if not due:
        raise turn.expected("whose turn it is: south, north, or 'south north'")
    mode = "asynchronous" if len(due) > 1 else "synchronous"
    return {"columns": (int(size["columns"]), board), "rows": (int(size["rows"]), board), "mode": (mode, turn)}


def position_from(fields: Fields, start: BeamsPosition) -> BeamsPosition:
    """The position of these fields; NotationError if it is impossible."""
    placed = {side: _pieces(fields[side], start, side) for side in SIDES}
    stones = {site: piece for pieces in placed.values() for site, piece in pieces.items()}
    light = lit(start.board, facing=start.light.facing, stones=stones)
    hands = {side: _hand(fields, start, side, Counter(one.piece for one in placed[side].values())) for side in SIDES}
    position = replace(
        start,
        stones=Frozen(stones),
        light=light,
        hands=Frozen(hands),
        mover=None if start.mover is None else fields["turn"].text,
        rotated=frozenset(fields["rotated"].sides(SIDES)),
    )
    return replace(position, left=_left(fields["left"], position))


def _pieces(part: Part, start: BeamsPosition, side: str) -> dict[int, PlacedPiece]:
    board, generators = start.board, 0
    placed: dict[int, PlacedPiece] = {}
    for item in part.split(","):
        move = _placement(item)
        site = board.sites[side].get(move.cell)
        if site is None:
            raise item.wrong(f"there is no cell {move.cell}: {board.missing(move.cell)}")
        if site in placed:
            raise item.wrong(f"{placed[site].piece} stands on {move.cell} already")
        if move.piece in GENERATORS:
            if board.near[site] & generators:
                raise item.wrong(f"a generator on {move.cell} would touch another of {side}'s")
            generators |= 1 << site
        placed[site] = PlacedPiece(move.piece, move.clock)
    return placed


def _placement(item: Part) -> Place:
    words = item.words()
    piece, cell, clock = (*words, item.end, item.end, item.end)[:3]
    kind = piece.one_of(_TYPES, f"a piece: {', '.join(_TYPES)}")
    if not _CELL.fullmatch(cell.text):
        raise cell.expected("a cell: a letter and a column, such as B3")
    facing = None if kind is PieceType.S else clock.one_of(_CLOCKS, f"a clock: {', '.join(_CLOCKS)}")
    if len(words) > (2 if facing is None else 3):
        raise words[-1].expected("a comma before the next piece")
    return Place(kind, Cell(ord(cell.text[0]) - 64, int(cell.text[1:])), facing)


def _hand(fields: Fields, start: BeamsPosition, side: str, placed: Counter[PieceType]) -> Frozen[PieceType, int]:
    """The hand of a side: with its placed pieces, no more of a piece than at the start."""
    whole, held = start.hands[side], Counter[PieceType]()
    for word in fields[f"{side}-hand"].words():
        found = _HELD.fullmatch(word.text)
        piece = replace(word, text=found["piece"] if found else word.text).one_of(
            _TYPES, "a piece, such as M1 or R2Vx2"
        )
        if piece in held:
            raise word.wrong(f"{piece} is counted twice")
        held[piece] = int(found["number"] or 1) if found else 1
    for piece in PieceType:
        if placed[piece] + held[piece] > whole[piece]:
            part = fields[f"{side}-hand" if held[piece] else side]
            raise part.wrong(f"{side} has {whole[piece]} {piece} in all, not {placed[piece] + held[piece]}")
    if not any(count and piece is not PieceType.S for piece, count in (placed + held).items()):
        raise fields[side].wrong(f"{side} has no piece that can be turned: it would have no move at the end")
    return Frozen({piece: held[piece] for piece in whole})


def _left(part: Part, position: BeamsPosition) -> int | None:
    """The plies left once both hands are empty."""
    if any(any(hand.values()) for hand in position.hands.values()):
        if part:
            raise part.wrong("plies are counted down only once both hands are empty")
        return None
    return part.number(0, 1 if position.mover is None else 2, "how many plies are left, a number")
