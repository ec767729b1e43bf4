"""A set to print and play with, as a PDF document: board, pieces, set-up, rules and an empty score sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import ceil
from typing import Any

from referee.draw import drawing
from referee.draw.blank_sheet import blank_sheet, plain_options
from referee.draw.kit import CUT_PAINTS, Kit, Piece, Sheet, extent, kit_of, moved, rectangle
from referee.draw.scenes.pdf import GREY, Box, PdfDocument, Placement
from referee.draw.scenes.scene import Point, Polyline, Scene, Shape
from referee.notation.lesson import Lesson, lesson_of
from referee.rules import Game, Position, game_named, part
from referee.rules.description import Data, value_names

PARTS = ("board", "pieces", "setup", "rules", "sheet")
"""The parts of a set, in the order of its pages."""

_MARGIN, _HEAD, _FOOT, _SIDE = 14.0, 26.0, 22.0, 8.0
"""Room for text at the side, for the heading above, for the ruler below, and beside a board."""

_GAP, _NAME, _NAMED, _SMALL = 4.5, 3.5, 2.4, 2.8
"""Room between pieces and for their names, and the sizes of names and of other small text."""
_CARD, _SMALL_CARD, _CARD_TEXT = 128.0, 88.0, 2.7
"""The width of the set-up's card, and of one of several, and the size of its text."""

_LARGEST = 5.0
"""The size of the rules' text, which is set smaller until they fit on a folded sheet."""


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
        self.document = PdfDocument(paper, f"{game.title}: a set to print", black=black)
        kit = part(game, game.print_set).kit if game.print_set else kit_of
        self.kit: Kit = kit(self.position)

    def as_bytes(self, parts: Collection[str]) -> bytes:
        """The document."""
        if "board" in parts:
            self._board()
        if "pieces" in parts:
            for sheet in self.kit.sheets:
                self._pieces(sheet)
        if "setup" in parts:
            self._setup()
        if "rules" in parts:
            self._rules()
        if "sheet" in parts:
            blank_sheet(self.document, self.game, self.options)
        return self.document.as_bytes()

    def _page(self, title: str, says: str, *, lying: bool = False, bookmark: bool = True) -> None:
        """Begin a page with a heading and a scale to check."""
        document = self.document
        document.page(lying=lying)
        if bookmark:
            document.bookmark(title)
        document.text(f"{self.game.title}: {title}", (_MARGIN, 11), 4.5, bold=True, kind="H1")
        document.text(says, (_MARGIN, 17), _SMALL, colour=GREY)
        y = document.height - 10
        ticks = [
            Polyline(((14 + x, y - 1.5), (14 + x, y + (x % 50 == 0) * 1.5)), ("cut",)) for x in range(0, 101, 10)
        ]
        self._lines([Polyline(((14, y), (114, y)), ("cut",)), *ticks])
        document.text("Print at 100 %: this line is 100 mm long.", (118, y), _SMALL, colour=GREY)

    def _lines(self, shapes: Iterable[Shape]) -> None:
        """Shapes in millimetres."""
        scene = Scene(1, 1, "", "", tuple(shapes), CUT_PAINTS)
        self.document.draw(scene, Placement((0, 0), 1))

    # --- The board -----------------------------------------------------------------------------------------------

    def _board(self) -> None:
        """The empty board, on as few sheets as possible."""
        area, unit = self.kit.area, self.kit.unit
        layouts = [(self._tiles(lying), lying) for lying in (False, True)]
        (across, down), lying = min(layouts, key=lambda one: one[0][0] * one[0][1])
        width, height = area.width / across, area.height / down
        many = across * down
        advice = "Cut along the marks, and tape the sheets together from behind." if many > 1 else ""
        # The near half comes first, then the far one as its owner sees it, each from the left.
        rows = [*range(down - 1, -1, -1)]
        for row in rows:
            turned = self.kit.facing and row < down / 2
            columns = range(across - 1, -1, -1) if turned else range(across)
            for column in columns:
                number = self._number(row, column, across, down)
                sheet = f", sheet {number} of {many}" if many > 1 else ""
                self._page(f"board{sheet}", f"{self.kit.measure} {advice}", lying=lying, bookmark=number == 1)
                tile = Box(area.left + column * width, area.top + row * height, width, height)
                self._tile(tile, unit, turned=turned)
                self._joins(tile, unit, row, column, (across, down), turned=turned)

    def _tiles(self, lying: bool) -> tuple[int, int]:
        """The numbers of sheets across and down."""
        page_width, page_height = self.document.page_size(lying=lying)
        area, unit = self.kit.area, self.kit.unit
        across = ceil(area.width * unit / (page_width - 2 * _SIDE) - 0.001)
        down = ceil(area.height * unit / (page_height - _HEAD - _FOOT) - 0.001)
        return across, down + (self.kit.facing and down % 2)

    def _number(self, row: int, column: int, across: int, down: int) -> int:
        turned = self.kit.facing and row < down / 2
        return (down - 1 - row) * across + (across - column if turned else column + 1)

    def _place(self, tile: Box, unit: float) -> Box:
        """The place of a tile on its page."""
        width, height = tile.width * unit, tile.height * unit
        room = self.document.height - _HEAD - _FOOT
        return Box((self.document.width - width) / 2, _HEAD + (room - height) / 2, width, height)

    def _tile(self, tile: Box, unit: float, *, turned: bool) -> None:
        box, sign = self._place(tile, unit), -1 if turned else 1
        left = box.left + box.width if turned else box.left
        top = box.top + box.height if turned else box.top
        origin = (left - sign * tile.left * unit, top - sign * tile.top * unit)
        self.document.draw(self.kit.board, Placement(origin, unit, turned), within=box, alt="The empty board")
        self._lines(_cuts(box))

    def _joins(self, tile: Box, unit: float, row: int, column: int, size: tuple[int, int], *, turned: bool) -> None:
        """The number of each sheet that this one joins, beside the middle of the edge."""
        box, (across, down), sign = self._place(tile, unit), size, -1 if turned else 1
        middle = box.left + box.width / 2, box.top + box.height / 2
        for right, low in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = column + sign * right, row + sign * low
            if 0 <= x < across and 0 <= y < down:
                text = f"\u2192 {self._number(y, x, across, down)}"
                at = (
                    middle[0] + right * (box.width / 2 + 3.5),
                    middle[1] + low * (box.height / 2 + 3),
                )
                self.document.text(text, at, _SMALL, align=0.5, colour=GREY)

    # --- The pieces ----------------------------------------------------------------------------------------------

    def _pieces(self, sheet: Sheet) -> None:
        """Everything to cut out, row by row, each thing with its name."""
        unit, document = sheet.unit, self.document
        self._page(sheet.title, sheet.says)
        x, y, tall = _MARGIN, _HEAD, 0.0
        for piece in (one for one in sheet.pieces for _ in range(one.number)):
            left, top, right, bottom = (end * unit for end in extent(piece.shapes))
            width = max(right - left, document.width_of(piece.name, _NAMED))
            height = bottom - top + (_NAME if piece.name else 0)
            if x + width > document.width - _MARGIN:
                x, y, tall = _MARGIN, y + tall + _GAP, 0.0
            if y + height > document.height - _FOOT:
                self._page(f"{sheet.title}, continued", sheet.says, bookmark=False)
                x, y, tall = _MARGIN, _HEAD, 0.0
            self._piece(
                piece,
                Placement((x + (width - right - left) / 2, y - top), unit),
                (x + width / 2, y + height - _NAME / 2),
            )
            x, tall = x + width + _GAP, max(tall, height)

    def _piece(self, piece: Piece, placing: Placement, name: Point) -> None:
        scene = Scene(1, 1, piece.name or "a piece", "", piece.shapes, self.kit.board.paints)
        self.document.draw(scene, placing)
        if piece.name:
            self.document.text(piece.name, name, _NAMED, align=0.5, colour=GREY, kind="")

    # --- Set-up and rules ----------------------------------------------------------------------------------------

    def _setup(self) -> None:
        """A card for the start, or for each start that has a name; what chance decides is not on it."""
        self._page("set-up", "A card for each start, to cut out.")
        starts, document = [*self._starts()], self.document
        wide, size = (_CARD if len(starts) == 1 else _SMALL_CARD), _CARD_TEXT
        told = (*lesson_of(self.game, self.options).setup, plain_options(self.options))
        lines = [line for text in told for line in document.wrap(text, wide - 10, size)]
        drawn = not self.game.chance - self.options.keys()
        x, y = _MARGIN, _HEAD
        for title, position in starts:
            scene = drawing(self.game.name).scene(position, view=position.sides[0])
            picture = min(120.0, (wide - 10) * scene.height / scene.width) if drawn else 0.0
            height = 14 + picture + len(lines) * 1.4 * size + 3
            if x + wide > document.width - _MARGIN:
                x, y = _MARGIN, y + height + _GAP
            if y + height > document.height - _FOOT:
                self._page("set-up, continued", "A card for each start, to cut out.", bookmark=False)
                x, y = _MARGIN, _HEAD
            self._lines([moved(rectangle(wide, height), (x + wide / 2, y + height / 2))])
            document.text(title, (x + 5, y + 6), 3.8, bold=True, kind="H2")
            if drawn:
                document.draw(scene, Box(x + 5, y + 10, wide - 10, picture).fitting(scene))
            with document.block("P"):
                for place, line in enumerate(lines):
                    document.text(line, (x + 5, y + 14 + picture + place * 1.4 * size), size)
            x += wide + _GAP

    def _starts(self) -> Iterator[tuple[str, Position]]:
        named = [one for one in self.game.options if isinstance(one, Data) and value_names(one)]
        free = [one for one in named if one.name not in self.options]
        if not free:
            yield f"{self.game.title}: set-up", self.position
        for option in free:
            for name in option.names:
                yield f"{self.game.title}: {name}", self.game.start({**self.options, option.name: name})

    def _rules(self) -> None:
        """The rules on both sides of a lying sheet, to fold in the middle: pages 1 and 4 outside, 2 and 3 inside."""
        said, size = [*_said(self.game, lesson_of(self.game, self.options))], _LARGEST
        self._folded_page()
        self.document.bookmark("rules")
        while len(panels := self._panels(said, size)) > 4:
            size *= 0.97
        panels += [[] for _ in range(4 - len(panels))]
        self._panel(panels[0], size, right=True)
        self._panel(panels[3], size, right=False)
        if panels[1]:
            self._folded_page()
            self._panel(panels[1], size, right=False)
            self._panel(panels[2], size, right=True)

    def _folded_page(self) -> None:
        self.document.page(lying=True)
        fold = self.document.width / 2
        self._lines([Polyline(((fold, y), (fold, y + 4)), ("fold",)) for y in (4, self.document.height - 8)])

    def _panel(self, lines: list[tuple[str, bool, float]], size: float, *, right: bool) -> None:
        left = _MARGIN + (self.document.width / 2 if right else 0)
        for line, bold, y in lines:
            self.document.text(line, (left, y), size, bold=bold, kind="H2" if bold else "P")

    def _panels(self, said: Iterable[tuple[str, bool]], size: float) -> list[list[tuple[str, bool, float]]]:
        """The lines of each quarter of the sheet, with their heights."""
        width, height = self.document.page_size(lying=True)
        panels: list[list[tuple[str, bool, float]]] = [[]]
        y = _MARGIN
        for text, bold in said:
            lines = self.document.wrap(text, width / 2 - 2 * _MARGIN, size, bold=bold)
            y += size * (0.9 if bold else 0.4)
            # A heading stays with its first lines.
            if y + (size * 1.35) * (min(len(lines), 2) + 3 * bold) > height - _MARGIN:
                panels.append([])
                y = _MARGIN
            for line in lines:
                if y > height - _MARGIN:
                    panels.append([])
                    y = _MARGIN
                panels[-1].append((line, bold, y))
                y += size * 1.35
        return panels


def _said(game: Game, told: Lesson) -> Iterator[tuple[str, bool]]:
    """The headings and paragraphs of the rules."""
    forms = [f"{form.write}: {form.says}" for form in told.forms] or [*told.words]
    yield game.title, True
    yield told.credit, False
    parts = {"The aim": told.aim, "The start": told.setup, "A turn": told.turn, "In detail": told.play}
    for heading, texts in {**parts, "The end": told.ends, "How moves are written": forms}.items():
        if texts:
            yield heading, True
            yield from ((text, False) for text in texts)


def _cuts(box: Box) -> Iterator[Polyline]:
    """Marks at the corners of a part to cut out."""
    for x, outward in ((box.left, -1), (box.left + box.width, 1)):
        for y, down in ((box.top, -1), (box.top + box.height, 1)):
            yield Polyline(((x, y + down), (x, y + down * 5)), ("cut",))
            yield Polyline(((x + outward, y), (x + outward * 5, y)), ("cut",))
