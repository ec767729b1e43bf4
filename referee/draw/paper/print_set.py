"""A set to print and play with, as a PDF document: board, pieces, set-up, rules and an empty score sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from math import ceil, prod
from typing import Any, NamedTuple

from referee.draw import drawing, scene_of
from referee.draw.kit import CUT_PAINTS, Kit, extent, kit_of, moved, rectangle
from referee.draw.paper.blank_sheet import blank_sheet, plain_options
from referee.draw.scenes.pdf import GREY, Box, PdfDocument, Placement
from referee.draw.scenes.scene import Polyline, Scene, Shape
from referee.draw.scenes.thumbnail import cropped
from referee.game.lesson import shown_ply
from referee.notation.lesson import Lesson, lesson_of
from referee.rules import Game, game_named, part

PARTS = ("board", "pieces", "setup", "rules", "sheet")
"""The parts of a set, in the order of its pages."""

_MARGIN, _HEAD, _FOOT, _SIDE = 14.0, 26.0, 22.0, 8.0
"""Room for text at the side, for the heading above, for the ruler below, and beside a board."""

_GAP, _NAME, _NAMED, _SMALL = 3.5, 3.5, 2.4, 2.8
"""Room between pieces and for their names, and the sizes of names and of other small text."""
_CARD, _CARD_TEXT = 128.0, 2.7
"""The width of the set-up's card, and the size of its text."""

_LARGEST, _STEP = 0.028, 1.4
"""The size of the rules' text in widths of a page, smaller if they would not fit, and the distance of its lines."""

_TITLE, _SHORT = 9.0, 3.8
"""The sizes of the title of the rules, and of the game in a sentence below its picture."""

_NOTATION, _ACROSS = "How moves are written", 3
"""The heading on the back of the rules, and the pictures beside each other below it."""


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
        drawers = (self._board, self._pieces, self._setup, self._rules, self._sheet)
        for name, draw in zip(PARTS, drawers, strict=True):
            if name in parts:
                draw()
        return self.document.as_bytes()

    def _sheet(self) -> None:
        blank_sheet(self.document, self.game, self.options)

    def _page(self, title: str, says: str, *, lying: bool = False) -> None:
        """Begin a page with a bookmark, a heading, and a scale to check."""
        document = self.document
        document.page(lying=lying)
        document.bookmark(title)
        document.text(f"{self.game.title}: {title}", (_MARGIN, 11), 4.5, bold=True, kind="H1")
        document.text(says, (_MARGIN, 17), _SMALL, colour=GREY)
        y = document.height - 10
        ticks = (Polyline(((14 + x, y - 1.5), (14 + x, y)), ("cut",)) for x in range(0, 101, 10))
        self._lines(Polyline(((14, y), (114, y)), ("cut",)), *ticks)
        document.text("Print at 100 %: this line is 100 mm long.", (118, y), _SMALL, colour=GREY)

    def _lines(self, *shapes: Shape) -> None:
        """Shapes in millimetres."""
        self.document.draw(Scene(1, 1, "", "", shapes, CUT_PAINTS), Placement((0, 0), 1))

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
            self._lines(*_cuts(box))
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

    # --- Set-up and rules ----------------------------------------------------------------------------------------

    def _setup(self) -> None:
        """A card with the start; for a deal that is not an option, with the empty board."""
        self._page("set-up", "A card to cut out.")
        game, options, document = self.game, self.options, self.document
        told = (*lesson_of(game, options).setup, plain_options(options))
        lines = [line for text in told for line in document.wrap(text, _CARD - 10, _CARD_TEXT)]
        dealt = bool(game.chance - options.keys())
        scene = self.kit.board if dealt else drawing(game.name).scene(self.position, view=game.sides[0])
        _, _, wide, tall = board = _board_of(scene)
        picture = min(120.0, (_CARD - 10) * tall / wide)
        self._picture(scene, board, Box(_MARGIN + 5, _HEAD + 5, _CARD - 10, picture))
        document.paragraph(lines, (_MARGIN + 5, _HEAD + 10 + picture), _CARD_TEXT, 1.4)
        height = 12 + picture + len(lines) * 1.4 * _CARD_TEXT
        self._lines(moved(rectangle(_CARD, height), (_MARGIN + _CARD / 2, _HEAD + height / 2)))

    def _rules(self) -> None:
        """The rules on both sides of a lying sheet to fold: outside the title and the notation, inside the rules."""
        told = lesson_of(self.game, self.options)
        forms = [f"{form.write}: {form.says}" for form in told.forms] or [*told.words]
        half = self._lying()
        size = _LARGEST * half
        self.document.bookmark("rules")
        while True:
            back, inside = self._panels({_NOTATION: forms}, size, 1), self._panels(told.parts, size, 2)
            if len(back) < 2 and len(inside) < 3:
                break
            size *= 0.97
        self._panel(back[0], _MARGIN, size)
        self._steps(told, _MARGIN + (back[0][-1].top + len(back[0][-1].lines) + 1.5) * _STEP * size)
        self._cover(told, half + _MARGIN)
        for place, panel in enumerate(inside if told.parts else ()):
            if not place:
                self._lying()
            self._panel(panel, _MARGIN + place * half, size)

    def _lying(self) -> float:
        """Begin a lying page with marks to fold it in the middle, which is returned."""
        self.document.page(lying=True)
        half, low = self.document.width / 2, self.document.height
        self._lines(*(Polyline(((half, y), (half, y + 4)), ("fold",)) for y in (4.5, low - 8.5)))
        return half

    def _steps(self, told: Lesson, top: float) -> None:
        """The pictures of the first lesson below the notation, each with its thought."""
        document = self.document
        width = (document.width / 2 - 2 * _MARGIN - (_ACROSS - 1) * _GAP) / _ACROSS
        room = (document.height - _MARGIN - top) / max(1, ceil(len(told.steps) / _ACROSS))
        pictures = [cropped(self._shown(number)) for number, _ in enumerate(told.steps)]
        height = min(room - 4 * _SMALL, max((width * tall / wide for _, (_, _, wide, tall) in pictures), default=0))
        for number, (picture, step) in enumerate(zip(pictures, told.steps, strict=True)):
            row, column = divmod(number, _ACROSS)
            box = Box(_MARGIN + column * (width + _GAP), top + row * (height + 4 * _SMALL), width, height)
            self._picture(*picture, box)
            for place, line in enumerate(document.wrap(step.title, width, _SMALL)):
                at = (box.left + width / 2, box.top + height + (place + 1) * 1.3 * _SMALL)
                document.text(line, at, _SMALL, align=0.5)

    def _shown(self, number: int) -> Scene:
        """The picture of a step of the first lesson."""
        return scene_of(shown_ply(self.game, number), self.game.sides[0])

    def _picture(self, scene: Scene, part: tuple[float, ...], box: Box) -> None:
        """A part of a scene (left, top, width and height) in the middle of a box."""
        left, top, width, height = part
        placed = box.fitting(replace(scene, width=width, height=height))
        (x, y), scale = placed.origin, placed.scale
        placing = Placement((x - left * scale, y - top * scale), scale)
        self.document.draw(scene, placing, within=Box(x, y, width * scale, height * scale))

    def _cover(self, told: Lesson, left: float) -> None:
        """The title, a picture, the game in a sentence, and its author."""
        document, middle = self.document, left + (self.document.width / 2 - 2 * _MARGIN) / 2
        width, y = 2 * (middle - left), 2 * _MARGIN
        lines = document.wrap(told.short, width - 20, _SHORT)
        for line in document.wrap(self.game.title, width, _TITLE, bold=True):
            document.text(line, (middle, y), _TITLE, bold=True, align=0.5, kind="H1")
            y += 1.3 * _TITLE
        box = Box(left + 5, y, width - 10, document.height - y - 2 * _MARGIN - (2 + len(lines)) * 1.5 * _SHORT)
        scene = self._shown(-1)
        self._picture(scene, _board_of(scene), box)
        y = box.top + box.height + 1.5 * _SHORT
        for row, line in enumerate(lines):
            document.text(line, (middle, y + row * 1.5 * _SHORT), _SHORT, align=0.5)
        document.text(told.credit, (middle, document.height - _MARGIN - 5), _SMALL, align=0.5, colour=GREY)

    def _panel(self, panel: Iterable[_Paragraph], left: float, size: float) -> None:
        for one in panel:
            at, kind = (left, _MARGIN + (one.top + 0.5) * _STEP * size), "H2" if one.bold else "P"
            self.document.paragraph(one.lines, at, size, _STEP, bold=one.bold, kind=kind)

    def _panels(self, parts: Mapping[str, Iterable[str]], size: float, most: int) -> list[list[_Paragraph]]:
        """The paragraphs of each half of a page; if they fit on so many halves, those are even."""
        width, height = self.document.page_size(lying=True)
        said = [
            (self.document.wrap(text, width / 2 - 2 * _MARGIN, size, bold=bold), bold)
            for heading, texts in parts.items()
            for text, bold in ((heading, True), *((text, False) for text in texts))
        ]
        limit = int((height - 2 * _MARGIN) / (_STEP * size))
        panels = _filled(said, limit)
        while limit > 1 and len(panels) <= most and len(fewer := _filled(said, limit - 1)) <= most:
            panels, limit = fewer, limit - 1
        return panels


def _board_of(scene: Scene) -> tuple[float, ...]:
    return 0, 0, scene.board_width or scene.width, scene.height


class _Paragraph(NamedTuple):
    """Lines on a panel; `top` is how many others would be above them."""

    top: float
    lines: list[str]
    bold: bool


def _filled(said: Iterable[tuple[list[str], bool]], limit: int) -> list[list[_Paragraph]]:
    """Paragraphs on panels of `limit` lines; a heading stays with what follows."""
    panels, top = list[list[_Paragraph]]([[]]), 0.0
    for lines, bold in said:
        top += (1.0 if bold else 0.4) * bool(panels[-1])
        while lines:
            free = int(limit - top)
            if panels[-1] and free < min(2, len(lines)) + 2 * bold:
                panels.append([])
                top = 0.0
                continue
            panels[-1].append(_Paragraph(top, lines[: max(1, free)], bold))
            top += len(panels[-1][-1].lines)
            lines = lines[max(1, free) :]
    return panels


def _cuts(box: Box) -> Iterator[Polyline]:
    """Marks at the corners of a part to cut out."""
    for x, outward in ((box.left, -1), (box.left + box.width, 1)):
        for y, down in ((box.top, -1), (box.top + box.height, 1)):
            yield Polyline(((x, y + down), (x, y + down * 5)), ("cut",))
            yield Polyline(((x + outward, y), (x + outward * 5, y)), ("cut",))
