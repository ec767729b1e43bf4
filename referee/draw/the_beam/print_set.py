"""The kit of The Beam: the grid, discs, barriers and mirrors, cards, and tasks; squares of 28 mm."""

from __future__ import annotations

from referee.draw.kit import CutOut, Kit, Sheet, empty, rectangle, whole
from referee.draw.scenes.scene import Label
from referee.draw.the_beam.scene import BOARD, barrier, disc, mirror, scene
from referee.rules.the_beam import TheBeamPosition
from referee.rules.the_beam.pieces import COLOURS, SIZE
from referee.rules.the_beam.position import MIRRORS

_UNIT = 28 / BOARD.cell
_CARD = 32 / _UNIT, 40 / _UNIT
_TASKS = ("1: turn two cards", "2: row and column", "3: change a mirror", "4: walk the beam")
_ASIDE = ("discs", "barriers", "mirrors", "moves", "walks", "cards", "tasks", "collected")


def kit(position: TheBeamPosition) -> Kit:
    """The grid without anything on it, and everything else."""
    board = empty(scene(position, view=position.sides[0]), aside=_ASIDE)
    discs = (CutOut("", tuple(disc(colour, (0, 0), 22)), 3) for colour in COLOURS)
    tasks = (CutOut("", (rectangle(40 / _UNIT, 12 / _UNIT), Label((0, 0), text, 9, ("label",)))) for text in _TASKS)
    mirrors = CutOut("", (rectangle(68, 16), *mirror(((-28, 0), (28, 0)))), MIRRORS)
    things = (*discs, mirrors, CutOut("", barrier((0, 0)), 3 * len(COLOURS)), *tasks)
    faces = (Label((0, 0), str(number), 40, ("card-number",)) for number in range(1, SIZE + 1))
    cards = tuple(CutOut("", (rectangle(*_CARD), face), 4) for face in faces)
    columns = "First six different cards, shuffled for each row of discs, name their columns; then shuffle all 24."
    sheets = (
        Sheet("pieces", "Discs, mirrors, barriers, and the tasks, which go round the table.", things, _UNIT),
        Sheet("cards", columns, cards, _UNIT),
    )
    return Kit(board, whole(board), _UNIT, sheets)
