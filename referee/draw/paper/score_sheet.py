"""The score sheet of a game on paper: all that is needed to play it again, and boards on the way."""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw import DealtDrawing, drawing, scene_of
from referee.draw.paper.blank_sheet import plain_options
from referee.draw.scenes.pdf import GREY, INK, Box, PdfDocument
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.value_curve import meaning, value_curve
from referee.draw.text import ending_text, score_after
from referee.game import GameFile, Ply
from referee.game.file.dumper import game_text
from referee.game.file.gamefile import Round, without_addresses, zeroth_ply
from referee.game.valuations import notable
from referee.rules import score_text
from referee.rules.description import Data

_MARGIN, _GUTTER, _COLUMNS = 15.0, 6.0, 3
_SIZE, _SMALL, _LINE = 2.9, 2.5, 4.4
"""The size of moves and of comments, and the distance between lines, in millimetres."""

_BOARDS = 12
"""Maximum small boards among the moves, at least five rounds apart."""

_CURVE = 46.0
"""The height of the curve of values with its heading, in millimetres."""

_TOGETHER, _LONGEST, _CUT = 6, 4, 1000
"""Maximum lines of a part of a comment that a column cannot hold, and lines and characters of a long name."""

_WHOLE = ("start", "options", "discs", "cards", "setup")
"""Headings of texts that are never cut, as the game cannot be played again without them."""

_SIGNED = 8.0
"""The height of a line for a signature, in millimetres."""

_MARKED = 10
"""Rounds from one bookmark to the next."""


def score_sheet(game: GameFile, *, paper: str = "a4") -> bytes:
    """A game as a PDF document to print and file; the same game always gives the same bytes.

    Raises:
        FileError: for a move that is not legal.
        RefereeError: `unknown-paper` or `missing-extra`.
    """
    return _Sheet(game, paper).as_bytes()


class _Sheet:
    """The pages of a score sheet while they are filled, column by column."""

    def __init__(self, game: GameFile, paper: str) -> None:
        self.game = game
        self.plies = [zeroth_ply(game), *game.replay()]
        self.view = game.description.sides[0]
        self.document = PdfDocument(paper, f"{game.description.title}: {_names(game)}")
        self.document.attach(f"{game.game}.yaml", game_text(without_addresses(game)).encode(), "the game file")
        self.heads = _heads(self.plies)
        self.right = self.document.width - _MARGIN
        self.bottom = self.document.height - _MARGIN - 4
        self.width = (self.right - _MARGIN - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
        self.tops = [_MARGIN] * _COLUMNS
        self.column, self.y = 0, _MARGIN
        self.headless = True

    def as_bytes(self) -> bytes:
        """The whole score sheet."""
        self._page()
        self.document.bookmark("The game")
        top = self._header()
        left = self._left(1)
        width = self.right - left
        board, curve = scene_of(self.plies[-1], self.view), value_curve(self.plies)
        legend = self.document.wrap(board.legend, width, _SMALL) if board.legend else []
        explained = len(legend) * _SMALL * 1.3 + 4
        below = explained + (_CURVE if curve is not None else 0)
        height = min(width * board.height / board.width, self.bottom - top - 30 - below)
        said = f"The last position. {board.title}. {board.description}"
        self.document.draw(board, Box(left, top, width, height).fitting(board), alt=said)
        self.document.paragraph(legend, (left, top + height + 3), _SMALL * 0.9, 1.4, colour=GREY)
        if curve is not None:
            self._curve(curve, Box(left, top + height + explained, width, _CURVE))
        self.tops = [top, *[top + height + below + 4] * (_COLUMNS - 1)]
        self.y = top
        self._moves()
        return self.document.as_bytes()

    @property
    def _unusual(self) -> bool:
        """True if the game began elsewhere than usual, by a set-up, a deal or a position of its own."""
        named = {option.name for option in self.game.description.options if isinstance(option, Data)}
        other = named & self.game.options.keys() and self.game.start() != self.game.description.start({})
        return bool(other or self.game.start_text)

    def _curve(self, curve: Scene, box: Box) -> None:
        """The values in the game's comments, under a line with their meaning."""
        self.document.text(curve.title, (box.left, box.top + 6), _SMALL, bold=True)
        said = meaning(self.game.description)
        self.document.text(said, (box.left + box.width, box.top + 6), _SMALL, align=1, colour=GREY)
        self.document.draw(curve, Box(box.left, box.top + 9, box.width, box.height - 9).fitting(curve))

    def _header(self) -> float:
        """Players, event, options and result; returns the height at which the header ends."""
        document, game = self.document, self.game
        document.text(game.description.title, (_MARGIN, _MARGIN + 3), 6.5, bold=True, kind="H1")
        y = _MARGIN + 10
        for heading, text in _about(game, self.plies):
            bold = heading == "result"
            whole = heading in _WHOLE
            size = 2.9 if whole and len(text) > _CUT / 12 else 3.4
            lines = document.wrap(text if whole else text[:_CUT], self.right - _MARGIN - 26, size, bold=bold)
            if len(lines) > _LONGEST and not whole:
                lines = [*lines[: _LONGEST - 1], f"{lines[_LONGEST - 1]} \u2026"]
            with document.block("P"):
                document.text(heading, (_MARGIN, y), _SMALL, colour=GREY)
                document.paragraph(lines, (_MARGIN + 20, y), size, 1.53, bold=bold)
            y += len(lines) * size * 1.53
        return y + 3

    def _moves(self) -> None:
        rounds = len(self.game.rounds)
        every = max(5, -(-rounds // _BOARDS))
        by_round: dict[int, list[Ply]] = {}
        for ply in self.plies:
            by_round.setdefault(ply.round, []).append(ply)
        if self._unusual:
            self._small_board(self.plies[0], "the first position")
        for number, one in enumerate(self.game.rounds, 1):
            plies = by_round[number]
            if number % _MARKED == 1:
                self.document.bookmark(f"Rounds from {number}", self.y)
            self._round(number, one, plies, last=number == rounds)
            if number % every == 0 and number < rounds:
                self._small_board(plies[-1], f"after round {number}")
        self.y += _LINE / 2
        result = self.document.wrap(_result(self.plies), self.width, _SIZE, bold=True)
        self._keep(len(result) * _SIZE * 1.4 + len(self.game.description.sides) * _SIGNED)
        self.document.bookmark("Result", self.y)
        self._lines(result, _SIZE, 0, bold=True)
        for side in self.game.description.sides:
            left, y = self._room(_SIGNED)
            self.document.line((left + 14, y + 3), (left + self.width, y + 3))
            self.document.text(side, (left, y + 2), _SMALL, colour=GREY)

    def _column_heads(self) -> None:
        """The sides over their moves; the round is over the numbers."""
        left, y = self._left(self.column), self.y + _LINE / 2
        with self.document.block("P"):
            self.document.text("no.", (left + 6.5, y), _SMALL * 0.9, align=1, colour=GREY)
            width = (self.width - 8) / self.game.description.moves_per_round
            for place, head in enumerate(self.heads):
                self.document.text(head, (left + 8 + place * width, y), _SMALL, bold=True, colour=GREY)
        self.y, self.headless = self.y + _LINE, False

    def _round(self, number: int, one: Round, plies: list[Ply], *, last: bool) -> None:
        """A round with its comments, undivided if a column can hold it."""
        after = [
            f"{side}: {comment}"
            for ply in plies
            for side, noted in ply.annotated.items()
            for comment in notable(noted.comments, self.game.game)
        ]
        after += self.game.trailing_comments if last else ()
        before, behind = (
            [self.document.wrap(text, self.width - 8, _SMALL) for text in texts] for texts in (one.comments, after)
        )
        self._keep((1 + self.headless) * _LINE + sum(map(len, before + behind)) * _SMALL * 1.4)
        if self.headless:
            self._column_heads()
        for lines in before:
            self._lines(lines, _SMALL, 8, colour=GREY)
        self._row(f"{number}.", plies)
        for lines in behind:
            self._lines(lines, _SMALL, 8, colour=GREY)

    def _row(self, number: str, plies: list[Ply]) -> None:
        left, y = self._room(_LINE)
        width = (self.width - 8) / self.game.description.moves_per_round
        named = _EACH in self.heads
        moves = [(side, noted) for ply in plies for side, noted in ply.annotated.items()]
        with self.document.block("P"):
            self.document.text(number, (left + 6.5, y), _SMALL, align=1, colour=GREY)
            for place, (side, noted) in enumerate(moves):
                text = f"{side if named else ''} {noted.move} {noted.mark}".strip()
                size = _SIZE * min(1, (width - 1.5) / self.document.width_of(text, _SIZE))
                self.document.text(text, (left + 8 + place * width, y), size)

    def _lines(self, lines: list[str], size: float, indent: float, *, bold: bool = False, colour: str = INK) -> None:
        step = size * 1.4
        together = len(lines) if len(lines) <= _TOGETHER else 1
        for start in range(0, len(lines), together):
            part = lines[start : start + together]
            left, middle = self._room(len(part) * step)
            y = middle - (len(part) - 1) * step / 2
            self.document.paragraph(part, (left + indent, y), size, 1.4, bold=bold, colour=colour)

    def _keep(self, height: float) -> None:
        """Go on in the next column if what follows fits into that one undivided, and not into this one."""
        if self.y + height > self.bottom and height <= self.bottom - _MARGIN - _LINE:
            while self.y + height > self.bottom:
                self._next_column()

    def _small_board(self, ply: Ply, caption: str) -> None:
        scene = scene_of(ply, self.view)
        height = self.width * scene.height / scene.width
        left, middle = self._room(height + _LINE + 4)
        top = middle - (height + _LINE) / 2
        self.document.draw(scene, Box(left, top, self.width, height).fitting(scene))
        self.document.text(caption, (left + self.width / 2, top + height + _LINE / 2), _SMALL, align=0.5, colour=GREY)

    def _room(self, height: float) -> tuple[float, float]:
        """The left end and the middle of the next free millimetres, in this column or in a later one."""
        while self.y + height > self.bottom:
            self._next_column()
        self.y += height
        return self._left(self.column), self.y - height / 2

    def _next_column(self) -> None:
        self.column += 1
        if self.column == _COLUMNS:
            self._page()
            self.tops, self.column = [_MARGIN] * _COLUMNS, 0
        self.y, self.headless = self.tops[self.column], True

    def _left(self, column: int) -> float:
        return _MARGIN + column * (self.width + _GUTTER)

    def _page(self) -> None:
        document = self.document
        document.page()
        y = document.height - _MARGIN
        label = f"{self.game.description.title}: {_names(self.game)}"
        (first, *_) = document.wrap(label[:_CUT], self.right - _MARGIN - 20, _SMALL)
        document.text(first, (_MARGIN, y), _SMALL, colour=GREY, kind="")
        document.text(f"page {document.pages}", (self.right, y), _SMALL, align=1, colour=GREY, kind="")


def _names(game: GameFile) -> str:
    return ", ".join(player.name for player in game.players.values()) or game.id or "a game"


def _about(game: GameFile, plies: list[Ply]) -> Iterator[tuple[str, str]]:
    for side, player in game.players.items():
        yield side, player.name
    yield from ((name, text) for name, text in (("event", game.event), ("date", game.date), ("id", game.id)) if text)
    if options := plain_options(game.options).removeprefix("options "):
        yield "options", options
    for name, value in game.options.items():
        if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
            yield name, " / ".join(value)
    drawn = drawing(game.game)
    if isinstance(drawn, DealtDrawing):
        yield from drawn.dealt(plies[0].position, plies[-1].position)
    if game.start_text:
        yield "start", game.start_text
    if (end := game.ending) is not None:
        yield "end", f"{end.how} by {end.by}" if end.by else str(end.how)
    yield "result", _result(plies)


def _result(plies: list[Ply]) -> str:
    ply = plies[-1]
    end = ending_text(ply.outcome, ply.position.sides) if ply.outcome else "not over yet"
    return f"{score_text(score_after(ply))} \u2013 {end}"


_EACH = "player, move"


def _heads(plies: list[Ply]) -> list[str]:
    """The sides in the order of their moves in a round, if all rounds have the same; else moves name their sides."""
    order: dict[int, list[str]] = {}
    for ply in plies[1:]:
        order.setdefault(ply.round, []).extend(ply.annotated)
    first = order.get(1, [*plies[0].position.sides])
    same = all(sides == first[: len(sides)] for sides in order.values())
    return first if same else [_EACH] * len(first)
