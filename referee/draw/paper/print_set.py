"""A set to print and play with, as a PDF document: board, pieces, set-up, rules and an empty score sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import ceil, prod
from typing import Any

from referee.draw import drawing
from referee.draw.kit import CUT_PAINTS, Kit, kit_of, rectangle, whole
from referee.draw.paper.blank_sheet import blank_sheet, plain_options
from referee.draw.paper.leaflet import leaflet
from referee.draw.scenes.pdf import GREY, Box, PdfDocument, Placement
from referee.draw.scenes.scene import Polyline, Scene, extent, moved
from referee.notation.lesson import lesson_of
from referee.rules import Game, game_named, part

PARTS = ("board", "pieces", "setup", "rules", "sheet")
"""The parts of a set, in the order of its pages."""

_MARGIN, _HEAD, _FOOT, _SIDE = 14.0, 26.0, 22.0, 8.0
"""Room for text at the side, for the heading above, for the ruler below, and beside a board."""

_GAP, _NAME, _NAMED, _SMALL = 3.5, 3.5, 2.4, 2.8
"""Room between pieces and for their names, and the sizes of names and of other small text."""
_CARD, _CARD_TEXT = 128.0, 2.7
"""The width of the set-up's card, and the size of its text."""


def print_set(
    game: str,
    *,
    paper: str = "a4",
    options: Mapping[str, Any] | None = None,
    parts: Collection[str] = PARTS,
    black: bool = False,
) -> bytes:
    """A set of any game at true size as a PDF document, always the same bytes.

    Args:
        game: its name.
        paper: "a4", "letter" or "a3".
        options: those of the game to play.
        parts: the PARTS to print.
        black: in black and white instead of colours.

    Raises:
        OptionError: an option is wrong.
        RefereeError: `unknown-game`, `unknown-paper` or `missing-extra`.
    """
    return _Set(game_named(game), options or {}, paper, black=black).as_bytes(parts)


class _Set:
    """The pages of a set while they are drawn."""

    def __init__(self, game: Game, options: Mapping[str, Any], paper: str, *, black: bool) -> None:
        self.game, self.options = game, options
        self.position = game.start(options)
        kit = part(game, game.print_set).kit if game.print_set else kit_of
        self.kit: Kit = kit(self.position)
        self.document = PdfDocument(paper, f"{game.title}: a set to print", black=black)

    def as_bytes(self, parts: Collection[str]) -> bytes:
        """The document, with the parts in their order."""
        own = {"board": self._board, "pieces": self._pieces, "setup": self._setup}
        shared = {"rules": leaflet, "sheet": blank_sheet}
        for name in PARTS:
            if name in parts and name in own:
                own[name]()
            elif name in parts:
                shared[name](self.document, self.game, self.options)
        return self.document.as_bytes()

    def _page(self, title: str, says: str, *, lying: bool = False) -> None:
        """Begin a page with a bookmark, a heading, and a scale to check."""
        document = self.document
        document.page(lying=lying)
        document.bookmark(title)
        document.text(f"{self.game.title}: {title}", (_MARGIN, 11), 4.5, bold=True, kind="H1")
        document.text(says, (_MARGIN, 17), _SMALL, colour=GREY)
        y = document.height - 10
        ticks = (Polyline(((14 + x, y - 1.5), (14 + x, y)), ("cut",)) for x in range(0, 101, 10))
        self.document.shapes(CUT_PAINTS, Polyline(((14, y), (114, y)), ("cut",)), *ticks)
        document.text("Print at 100 %: this line is 100 mm long.", (118, y), _SMALL, colour=GREY)

    # --- The board -----------------------------------------------------------------------------------------------

    def _board(self) -> None:
        """The empty board, on as few sheets as possible; the near half first, each row of sheets from its left."""
        kit = self.kit
        (across, down), lying = min(
            ((self._tiles(lying), lying) for lying in (False, True)), key=lambda one: prod(one[0])
        )
        wide, tall = kit.area.width * kit.unit / across, kit.area.height * kit.unit / down
        sheets = [
            (row, column if row >= down / 2 or not kit.facing else across - 1 - column)
            for row in reversed(range(down))
            for column in range(across)
        ]
        for number, (row, column) in enumerate(sheets, 1):
            turned = kit.facing and row < down / 2
            told = kit.measure, "Cut along the marks, and tape the sheets together from behind." * (len(sheets) > 1)
            title = "board" + f", sheet {number} of {len(sheets)}" * (len(sheets) > 1)
            self._page(title, " ".join(told), lying=lying)
            room = self.document.height - _HEAD - _FOOT
            box = Box((self.document.width - wide) / 2, _HEAD + (room - tall) / 2, wide, tall)
            step, scale = (-1, -kit.unit) if turned else (1, kit.unit)
            left, top = box.left - step * (column + turned) * wide, box.top - step * (row + turned) * tall
            origin = (left - scale * kit.area.left, top - scale * kit.area.top)
            self.document.draw(kit.board, Placement(origin, kit.unit, turned), within=box, alt="The empty board")
            self.document.shapes(CUT_PAINTS, *_cuts(box))
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if (joined := (row + step * y, column + step * x)) in sheets:
                    at = (box.left + wide / 2 + x * (wide / 2 + 3.5), box.top + tall / 2 + y * (tall / 2 + 3))
                    text = f"\u2192 {sheets.index(joined) + 1}"
                    self.document.text(text, at, _SMALL, align=0.5, colour=GREY)

    def _tiles(self, lying: bool) -> tuple[int, int]:
        """The numbers of sheets across and down."""
        width, height = self.document.page_size(lying=lying)
        area, unit = self.kit.area, self.kit.unit
        down = ceil(area.height * unit / (height - _HEAD - _FOOT) - 0.001)
        return ceil(area.width * unit / (width - 2 * _SIDE) - 0.001), down + (self.kit.facing and down % 2)

    # --- The pieces ----------------------------------------------------------------------------------------------

    def _pieces(self) -> None:
        """Everything to cut out, row by row, things of one height together, each with its name."""
        document = self.document
        for sheet in self.kit.sheets:
            self._page(sheet.title, sheet.says)
            x, y, tall = _MARGIN, _HEAD, 0.0
            for piece in (one for one in sheet.pieces for _ in range(one.number)):
                left, top, right, bottom = (end * sheet.unit for end in extent(piece.shapes))
                width = max(right - left, document.width_of(piece.name, _NAMED))
                height = bottom - top + (_NAME if piece.name else 0)
                if x + width > document.width - _MARGIN or (tall and abs(height - tall) > 1):
                    x, y, tall = _MARGIN, y + tall + _GAP, 0.0
                if y + height > document.height - _FOOT:
                    self._page(f"{sheet.title}, continued", sheet.says)
                    x, y, tall = _MARGIN, _HEAD, 0.0
                scene = Scene(1, 1, piece.name or "a piece", "", piece.shapes, self.kit.board.paints)
                document.draw(scene, Placement((x + (width - right - left) / 2, y - top), sheet.unit))
                at = (x + width / 2, y + height - _NAME / 2)
                document.text(piece.name, at, _NAMED, align=0.5, colour=GREY, kind="")
                x, tall = x + width + _GAP, max(tall, height)

    # --- The set-up ----------------------------------------------------------------------------------------------

    def _setup(self) -> None:
        """A card with the start; for a deal that is not an option, with the empty board."""
        self._page("set-up", "A card to cut out.")
        game, options, document = self.game, self.options, self.document
        told = (*lesson_of(game, options).setup, plain_options(options))
        lines = [line for text in told for line in document.wrap(text, _CARD - 10, _CARD_TEXT)]
        dealt = bool(game.chance - options.keys())
        scene = self.kit.board if dealt else drawing(game.name).scene(self.position, view=game.sides[0])
        board = whole(scene)
        picture = min(120.0, (_CARD - 10) * board.height / board.width)
        document.draw_part(scene, board, Box(_MARGIN + 5, _HEAD + 5, _CARD - 10, picture))
        document.paragraph(lines, (_MARGIN + 5, _HEAD + 10 + picture), _CARD_TEXT, 1.4)
        height = 12 + picture + len(lines) * 1.4 * _CARD_TEXT
        self.document.shapes(CUT_PAINTS, moved(rectangle(_CARD, height), (_MARGIN + _CARD / 2, _HEAD + height / 2)))


def _cuts(box: Box) -> Iterator[Polyline]:
    """Marks at the corners of a part to cut out."""
    for x, outward in ((box.left, -1), (box.left + box.width, 1)):
        for y, down in ((box.top, -1), (box.top + box.height, 1)):
            yield Polyline(((x, y + down), (x, y + down * 5)), ("cut",))
            yield Polyline(((x + outward, y), (x + outward * 5, y)), ("cut",))
