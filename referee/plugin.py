"""Everything that a game of another package may use: the plug-in API, whose version is `API`.

A game names the version that it is written for, as `Game.api`. Within a version names are only added.
"""

from referee.draw.boards import BoardDrawing, Content
from referee.draw.kit import CutOut, Kit, Sheet
from referee.draw.scenes.grid import INK, LAST_MOVE_PAINTS, PAPER, SQUARE_PAINTS, Grid, HexGrid
from referee.draw.scenes.ink import Line, Run
from referee.draw.scenes.pdf import Box
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Paints, Point, Polygon, Polyline, Scene, Shape
from referee.draw.scenes.target import Composition, Target, Wording
from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.evaluation import Evaluation, lead
from referee.engine.search.prospect import GameSearch, Prospect
from referee.errors import IllegalMove, NotationError, OptionError
from referee.notation.fields import Fields, Part
from referee.notation.habits import Unusual
from referee.rules.contract import Event, Made, Move, Position
from referee.rules.cursor import Cursor
from referee.rules.description import API, Choice, Data, Game, Number, Secret
from referee.rules.frozen import Frozen
from referee.rules.outcome import Facts, Outcome, Termination
from referee.rules.squares import Board, Square
from referee.rules.turns import TwoSided

__all__ = [
    "API",
    "INK",
    "LAST_MOVE_PAINTS",
    "PAPER",
    "SQUARE_PAINTS",
    "AlphaBeta",
    "Board",
    "BoardDrawing",
    "Box",
    "Choice",
    "Circle",
    "Composition",
    "Content",
    "Cursor",
    "CutOut",
    "Data",
    "Evaluation",
    "Event",
    "Facts",
    "Fields",
    "Frozen",
    "Game",
    "GameSearch",
    "Grid",
    "Group",
    "HexGrid",
    "IllegalMove",
    "Kit",
    "Label",
    "Line",
    "Made",
    "Move",
    "NotationError",
    "Number",
    "OptionError",
    "Outcome",
    "Paint",
    "Paints",
    "Part",
    "Point",
    "Polygon",
    "Polyline",
    "Position",
    "Prospect",
    "Run",
    "Scene",
    "Secret",
    "Shape",
    "Sheet",
    "Square",
    "Target",
    "Termination",
    "TwoSided",
    "Unusual",
    "Wording",
    "lead",
]
