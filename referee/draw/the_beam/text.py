"""The Beam in plain text and in words: the grid with the last walk, the cards, the tasks, and the events of a ply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.draw.scenes.ink import Line, Run, boxed, centred
from referee.draw.text import REPORT_WIDTH, legend
from referee.rules import Event
from referee.rules.the_beam import Place, Slash, TheBeamPosition
from referee.rules.the_beam.deal import ROUNDS
from referee.rules.the_beam.events import Allocated, BeamWalked, CardsTurned, DiscCollected, MirrorChanged
from referee.rules.the_beam.pieces import COLOURS, POINTS, SIZE, TEAM, BeamWalk
from referee.rules.the_beam.position import ALLOCATING, MIRRORING, MIRRORS, player_of
from referee.terminal import counted

_WIDTH = 8
_NARROW = 7
_LEGEND = (
    "Y yellow 1, B blue 2, G green 3, R red 4 points; / \\ mirrors; === barriers;",
    "> the mirror changed last; * the last beam, which came in at ^",
)
_MIRRORS = {"/": "\u2571", "\\": "\u2572"}
_NAMES = {Slash.RISING: "rising mirrors (/)", Slash.FALLING: "falling mirrors (\\)"}


def board_lines(
    position: TheBeamPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
) -> list[Line]:
    """The grid, row 6 on top, the same for every player.

    The mirror that was changed last has a >, the last beam's squares have a star. Below 78 columns the grid is 43
    wide, and each square has one mark at most.
    """
    narrow = width < REPORT_WIDTH
    room = _NARROW if narrow else _WIDTH
    changed = {event.square for event in events if isinstance(event, MirrorChanged)}
    path = set(position.walk.path) if position.walk else set()
    edge = Run(("\u2501" if unicode else "=") * (room - 2), "barrier")
    lines: list[Line] = []
    for row in range(SIZE, 0, -1):
        squares = [Place(row, column) for column in range(1, SIZE + 1)]
        line, edges = [Run(f"{row} ", "label")], [Run("  ")]
        for square in squares:
            marks = (*[Run(">", "last-head")] * (square in changed), *[Run("*", "walk")] * (square in path))
            text = _cell(position, square, unicode=unicode)
            line += boxed(marks, (text._replace(cell=str(square)),), room, narrow=narrow)
            edges += centred((edge,) if square in position.barriers else (), room)
        lines += [tuple(line), tuple(edges)]
    names = [Run("  ")]
    for column in range(1, SIZE + 1):
        entered = (Run("^", "walk"),) * (position.walk is not None and position.walk.column == column)
        names += boxed(entered, (Run(str(column), "label"),), room, narrow=narrow)
    return [*lines, tuple(names), (), *legend(_LEGEND, width)]


def _cell(position: TheBeamPosition, square: Place, *, unicode: bool) -> Run:
    if square in position.mirrors:
        mirror = position.mirrors[square]
        return Run(_MIRRORS[mirror] if unicode else mirror, "mirror-frame")
    if square in position.discs:
        colour = position.discs[square]
        return Run(colour[0].upper(), f"disc-{colour}")
    return Run("\u00b7" if unicode else ".")


def standing(position: TheBeamPosition) -> list[tuple[str, str]]:
    """The cards, the tasks, the collected discs, and the mirrors left."""
    return [
        ("cards", _cards(position)),
        ("tasks", _tasks(position)),
        ("collected", ", ".join(position.collected) or "nothing"),
        ("mirrors", f"{MIRRORS - len(position.mirrors)} left"),
    ]


def _cards(position: TheBeamPosition) -> str:
    if position.cards is None:
        return "none left" if position.outcome else f"those of round {position.round} are not turned over yet"
    if position.allocated:
        mirror, beam = position.allocated.mirror, position.allocated.beam
        return f"round {position.round}: the mirror's row is {mirror}, the beam's column {beam}"
    first, second = position.cards
    return f"round {position.round}: {first} and {second}"


def _tasks(position: TheBeamPosition) -> str:
    if position.round > ROUNDS:
        return "all done"
    allocates, mirrors = (player_of(task, position.round) for task in (ALLOCATING, MIRRORING))
    return f"{allocates} allocates the cards, then {mirrors} does the mirror, then the beam is walked"


def sentence(event: Event) -> str:
    """An event in words."""
    match event:
        case Allocated(mirror, beam):
            return f"the mirror gets row {mirror}, the beam column {beam}"
        case MirrorChanged(square, slash, new):
            if slash is None:
                return f"the mirror on {square} was taken away"
            return f"a mirror was placed on {square}" if new else f"the mirror on {square} was turned"
        case BeamWalked(walk):
            way = " ".join(map(str, walk.path)) or "no square"
            return f"the beam went {way}, to {'a barrier' if walk.end == 'barrier' else 'the edge'}"
        case DiscCollected(colour, square, points):
            return f"collected the {colour} disc on {square}: {counted(points, 'point', 'points')}"
        case CardsTurned(first, second):
            return f"turned over: {first} and {second}"
        case _:
            raise TypeError(f"no event of The Beam: {event}")


def words(position: TheBeamPosition, *, view: str) -> Iterator[str]:
    """The open cards, discs and mirrors, each sentence a line; every player sees the same."""
    texts = (
        f"round {min(position.round, ROUNDS)} of {ROUNDS}",
        cards_text(position),
        tasks_text(position),
        "squares are named by row, then column; the beam enters below row 1",
        *(
            f"{colour} discs, {counted(POINTS[colour], 'point', 'points')} each: {_list(position.discs, colour)}"
            for colour in COLOURS
        ),
        f"barriers below {'; '.join(map(str, sorted(position.barriers)))}",
        *(f"{name}: {_list(position.mirrors, slash)}" for slash, name in _NAMES.items()),
        *([walk_text(position.walk)] if position.walk else []),
        collection_text(position),
    )
    return (f"{one[0].upper()}{one[1:]}." for one in texts)


def dealt(first: TheBeamPosition, last: TheBeamPosition) -> Iterator[tuple[str, str]]:
    """The columns of the discs, and the cards of each round so far."""
    yield "discs", "; ".join(f"{colour} {' '.join(map(str, first.deal.discs[colour]))}" for colour in COLOURS)
    cards = (first.deal.cards(number) for number in range(1, min(last.round, ROUNDS) + 1))
    yield "cards", ", ".join(f"{pair[0]}-{pair[1]}" for pair in cards if pair)


def _list(things: Mapping[Place, str], wanted: str) -> str:
    return "; ".join(str(place) for place, thing in sorted(things.items()) if thing == wanted) or "none"


def cards_text(position: TheBeamPosition) -> str:
    """The cards of the round, and their tasks once they are allocated."""
    if position.cards is None:
        return "no cards are left" if position.outcome else "the cards are not turned over yet"
    cards = f"the cards are {position.cards[0]} and {position.cards[1]}"
    if position.allocated is None:
        return cards
    return f"{cards}: the mirror's row is {position.allocated.mirror}, the beam's column {position.allocated.beam}"


def tasks_text(position: TheBeamPosition) -> str:
    """The tasks of the round."""
    if position.round > ROUNDS:
        return "all rounds are played"
    allocates, mirrors = (player_of(task, position.round) for task in (ALLOCATING, MIRRORING))
    return f"{allocates} allocates the cards, {mirrors} does the mirror"


def walk_text(walk: BeamWalk) -> str:
    """The last beam's way."""
    way = " ".join(map(str, walk.path)) or "no square"
    end = "stopped by a barrier" if walk.end == "barrier" else "off the grid"
    return f"the last beam: in at column {walk.column}, {way}, {end}"


def collection_text(position: TheBeamPosition) -> str:
    """The collected discs, in order, and their points."""
    return f"collected: {', '.join(position.collected) or 'nothing'}, {points_text(position)}"


def points_text(position: TheBeamPosition) -> str:
    """The team's points."""
    return counted(position.score[TEAM], "point", "points")
