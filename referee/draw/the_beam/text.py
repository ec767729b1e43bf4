"""The Beam in plain text: the grid with the last walk, the cards, the tasks, and what happened in a ply."""

from __future__ import annotations

from referee.rules import Event
from referee.rules.the_beam import Place, TheBeamPosition
from referee.rules.the_beam.deal import ROUNDS
from referee.rules.the_beam.events import Allocated, BeamWalked, CardsTurned, DiscCollected, MirrorChanged
from referee.rules.the_beam.pieces import SIZE
from referee.rules.the_beam.position import ALLOCATING, MIRRORING, player_of
from referee.terminal import counted

_WIDTH = 8
_MIRRORS = {"/": "\u2571", "\\": "\u2572"}


def board(position: TheBeamPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
    """The grid, row 6 on top, the same for every player; the last beam's squares have a star."""
    path = set(position.walk.path) if position.walk else set()
    lines = []
    for row in range(SIZE, 0, -1):
        squares = [Place(row, column) for column in range(1, SIZE + 1)]
        cells = (_cell(position, square, path, unicode=unicode) for square in squares)
        lines.append(f"{row} " + "".join(f"{cell:^{_WIDTH}}" for cell in cells).rstrip())
        edge = "\u2501" if unicode else "="
        edges = (edge * (_WIDTH - 2) if square in position.barriers else "" for square in squares)
        lines.append(("  " + "".join(f"{one:^{_WIDTH}}" for one in edges)).rstrip())
    entry = position.walk.column if position.walk else 0
    names = (f"{'^' if column == entry else ''}{column}" for column in range(1, SIZE + 1))
    return [
        *lines,
        "  " + "".join(f"{name:^{_WIDTH}}" for name in names).rstrip(),
        "",
        "Y yellow 1, B blue 2, G green 3, R red 4 points; / \\ mirrors; === barriers;",
        "* the last beam, which came in at ^",
    ]


def _cell(position: TheBeamPosition, square: Place, path: set[Place], *, unicode: bool) -> str:
    star = "*" if square in path else ""
    if square in position.mirrors:
        mirror = position.mirrors[square]
        return star + (_MIRRORS[mirror] if unicode else mirror)
    if square in position.discs:
        return star + position.discs[square][0].upper()
    return star + ("\u00b7" if unicode else ".")


def standing(position: TheBeamPosition) -> list[tuple[str, str]]:
    """The cards, who does what with them, and what has been collected."""
    return [
        ("cards", _cards(position)),
        ("tasks", _tasks(position)),
        ("collected", ", ".join(position.collected) or "nothing"),
    ]


def _cards(position: TheBeamPosition) -> str:
    if position.cards is None:
        return "none left" if position.outcome else f"those of round {position.round} are not turned over yet"
    if position.allocated:
        return f"round {position.round}: the mirror's row is {position.allocated.mirror}, " + (
            f"the beam's column {position.allocated.beam}"
        )
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
