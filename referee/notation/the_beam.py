"""The notation of The Beam: moves (grammar/the-beam.lark) and positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from referee.notation.fields import Fields, Part
from referee.notation.habits import Unusual
from referee.rules.frozen import Frozen
from referee.rules.the_beam import Allocate, Place, PlaceMirror, Slash, TakeMirror, TheBeamPosition, TurnMirror
from referee.rules.the_beam.deal import ROUNDS
from referee.rules.the_beam.pieces import COLOURS, GRID, ROW, SIZE, BeamWalk, walked

GRAMMAR = "the-beam"
WORDS: Mapping[str, str] = Frozen(
    _ALLOCATE="A to allocate the cards",
    _PLACE="P to place a mirror",
    _TURN="R to turn one",
    _TAKE="X to take one away",
    MIRROR_CARD="the mirror's card, such as M3",
    BEAM_CARD="the beam's card, such as B5",
    SLASH="a mirror: / or \\",
    NUMBER="a square: its row, a comma and its column, such as 3,1",
    _COMMA="a comma between row and column",
)

BEGINNINGS: Mapping[str, str] = Frozen(
    A="allocate|assign|give|split|share",
    P="place|put|set|add",
    R="rotate|turn|flip",
    X="take|remove|capture|clear|delete",
)
PARTS: Mapping[str, str] = Frozen(
    {
        r"mirror:? (?:gets |takes |is |to |on )?(?:row )?([1-6])(?! ?,\s?\d)": r"m\1",
        r"beam:? (?:gets |takes |is |to |on )?(?:column |col )?([1-6])(?! ?,\s?\d)": r"b\1",
        r"([1-6]) (?:to |for )?(?:the )?mirror": r"m\1",
        r"([1-6]) (?:to |for )?(?:the )?beam": r"b\1",
        r"back[ -]?slash|falling": r"\\",
        r"(?:forward )?slash|rising": "/",
        r"mirror": "",
        r"([1-6])\.([1-6])": r"\1,\2",
    }
)

ALIASES: Mapping[str, tuple[str, ...]] = Frozen(
    {
        r"back[ -]?slash|falling": ("backslash", "backslash"),
        r"(?:forward )?slash|rising": ("slash", "slash"),
    }
)
ENOUGH = r"[a-z]\d|\d\W+\d|[\\/]\W*\d"
HEADINGS: Mapping[str, str] = Frozen({r"seed\W{1,3}([\w.-]{1,100})": r'deal: {seed: "\1"}'})


class ToMove:
    """A method or a class for each rule and terminal of the grammar; none of them raises."""

    allocate = Allocate
    place = PlaceMirror
    turn = TurnMirror
    take = TakeMirror
    square = Place
    MIRROR_CARD = BEAM_CARD = NUMBER = staticmethod(lambda text: int(text[-1]))
    SLASH = staticmethod(lambda text: Slash.RISING if text.lower() in ("/", "slash") else Slash.FALLING)


HABITS: Mapping[str, Unusual] = Frozen(
    square=Unusual(
        r"\(?\b([0-9])\s*[. ;x-]\s*([0-9])\b\)?|\(([0-9]),\s?([0-9])\)",
        "{found} is not a square of this notation: write {text}",
        lambda found: f"{found[1] or found[3]},{found[2] or found[4]}",
    ),
    double=Unusual(r"([/\\])\1", "{found} is one sign too many: write {text}", r"\1"),
)

FIELDS = ("round", "cards", "allocated", "discs", "mirrors", "collected", "beam", "turn")

_OVER = "over"
_ALLOCATED = re.compile(r"M([1-6]) B([1-6])")
_MIRROR = re.compile(r"([/\\])([1-6]),([1-6])")
_COLOURS = {colour: colour for colour in COLOURS}


def position_fields(position: TheBeamPosition) -> Mapping[str, str]:
    """The open cards, discs and mirrors; cards to come are only in the option `deal`."""
    return {
        "round": _OVER if position.round > ROUNDS else str(position.round),
        "cards": " ".join(map(str, position.cards or ())),
        "allocated": str(position.allocated).removeprefix("A ") if position.allocated else "",
        "discs": ", ".join(_discs_text(position, colour) for colour in COLOURS),
        "mirrors": " ".join(f"{slash}{square}" for square, slash in sorted(position.mirrors.items())),
        "collected": " ".join(position.collected),
        "beam": str(position.walk.column) if position.walk else "",
        "turn": " ".join(position.to_move),
    }


def standing(position: TheBeamPosition, side: str) -> Mapping[str, str | None]:
    """The squares, each with "" if a disc or a mirror is on it, for they have no owner."""
    return {str(one): "" if one in position.discs or one in position.mirrors else None for one in GRID}


def _discs_text(position: TheBeamPosition, colour: str) -> str:
    """The columns of a colour's discs, in brackets where they are collected."""
    places = sorted(place for place in position.barriers if place.row == ROW[colour])
    return " ".join([colour, *(f"{one.column}" if one in position.discs else f"({one.column})" for one in places)])


def position_from(fields: Fields, start: TheBeamPosition) -> TheBeamPosition:
    """The position of these fields; NotationError if it is impossible, or of another deal."""
    number = _round(fields["round"])
    discs = _discs(fields["discs"], start)
    mirrors = _mirrors(fields["mirrors"], discs, number)
    position = replace(
        start,
        round=number,
        discs=Frozen(discs),
        mirrors=Frozen(mirrors),
        collected=_collection(fields["collected"], start.discs, discs),
    )
    position = replace(position, walk=_walk(fields["beam"], position), allocated=_allocation(fields, position))
    due = " ".join(position.to_move)
    if fields["turn"].text != due:
        raise fields["turn"].expected(due or "no turn, because no player is to move")
    return position


def _round(part: Part) -> int:
    if part.text == _OVER:
        return ROUNDS + 1
    return part.number(1, ROUNDS, f"the round, '{_OVER}' or a number")


def _discs(part: Part, start: TheBeamPosition) -> dict[Place, str]:
    """The discs left on the grid; with the collected ones they must be those of the deal."""
    lying: dict[Place, str] = {}
    laid: dict[Place, str] = {}
    for one in part.split(","):
        name, *columns = one.words() or (one,)
        colour = name.one_of(_COLOURS, f"a colour: {', '.join(COLOURS)}")
        for word in columns:
            inside = re.fullmatch(r"\((.)\)", word.text)
            column = replace(word, text=inside[1] if inside else word.text).number(1, SIZE, "a column, a number")
            place = Place(ROW[colour], column)
            if place in laid:
                raise word.wrong(f"a {colour} disc in column {column} is named twice")
            laid[place] = colour
            if not inside:
                lying[place] = colour
    if laid != start.discs:
        dealt = ", ".join(_discs_text(start, colour) for colour in COLOURS)
        raise part.wrong(f"expected the discs of the deal: {dealt}, in brackets where they are collected")
    return lying


def _mirrors(part: Part, discs: Mapping[Place, str], number: int) -> dict[Place, Slash]:
    mirrors: dict[Place, Slash] = {}
    for word in part.words():
        found = _MIRROR.fullmatch(word.text)
        if found is None:
            raise word.expected("a mirror and its square, such as /3,1")
        place = Place(int(found[2]), int(found[3]))
        if place in mirrors or place in discs:
            raise word.wrong(f"a {'mirror' if place in mirrors else 'disc'} is on {place} already")
        mirrors[place] = Slash(found[1])
    if len(mirrors) >= number:
        raise part.wrong(f"a round adds one mirror at most: there cannot be {len(mirrors)} of them yet")
    return mirrors


def _collection(part: Part, laid: Mapping[Place, str], lying: Mapping[Place, str]) -> tuple[str, ...]:
    collected = tuple(word.one_of(_COLOURS, f"a colour: {', '.join(COLOURS)}") for word in part.words())
    gone = Counter(laid.values()) - Counter(lying.values())
    if Counter(collected) != gone:
        colours = ", ".join(f"{number} {colour}" for colour, number in gone.items()) or "none"
        raise part.expected(f"the colours of the discs that are collected ({colours})")
    return collected


def _walk(part: Part, position: TheBeamPosition) -> BeamWalk | None:
    """The walk of the last beam, over the present mirrors: none has changed since."""
    if position.round == 1:
        if not part:
            return None
        raise part.wrong("no beam has come in before the end of the first round")
    column = part.number(1, SIZE, "the column of the last beam, a number")
    walk = walked(column, position.mirrors, position.barriers)
    for place in walk.path:
        if place in position.discs:
            raise part.wrong(f"the last beam would have collected the disc on {place}")
    return walk


def _allocation(fields: Fields, position: TheBeamPosition) -> Allocate | None:
    """The allocation of the round's cards, which must be those of the deal."""
    cards, part = " ".join(map(str, position.cards or ())), fields["allocated"]
    if fields["cards"].text != cards:
        raise fields["cards"].expected(f"the cards of the deal in this round: {cards or 'none'}")
    if not part:
        return None
    found = _ALLOCATED.fullmatch(part.text)
    if found is None or sorted(found.groups()) != sorted(cards.split()):
        raise part.expected(f"the cards {cards} as the mirror's row and the beam's column, such as M4 B2")
    return Allocate(int(found[1]), int(found[2]))
