"""The kit of Laser Chess: the board with its helices, and a tile for every piece of the set-up; squares of 25 mm."""

from __future__ import annotations

from collections import Counter

from referee.draw.kit import CutOut, Kit, Sheet, empty, whole
from referee.draw.laser_chess.scene import board_grid, scene, tile
from referee.rules.laser_chess import LaserChessPosition, pieces

_UNIT = 25 / board_grid("blue").cell


def kit(position: LaserChessPosition) -> Kit:
    """The board, and the pieces of both sides."""
    board = empty(scene(position, view="blue"))
    found = Counter((one.side, one.kind) for one in position.squares if one is not None)
    tiles = tuple(
        CutOut(f"{side} {kind.name.lower()}", tuple(tile(pieces.Piece(side, kind, 0), (0, 0), 0)), number)
        for (side, kind), number in sorted(found.items())
    )
    says = "Tiles lie flat and are turned by hand. Mirrors reflect the beam, bars are shields, the muzzle fires."
    return Kit(board, whole(board), _UNIT, (Sheet("pieces", says, tiles, _UNIT),))
