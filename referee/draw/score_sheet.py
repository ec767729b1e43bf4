"""The score sheet of a game on paper, with its final board, all its moves, and a board every few rounds."""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw import scene_of
from referee.draw.scenes.pdf import GREY, INK, Box, PdfDocument
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.value_curve import meaning, value_curve
from referee.draw.text import ending_text, score_after
from referee.game import GameFile, Ply
from referee.game.file.gamefile import Round, zeroth_ply
from referee.game.valuations import notable
from referee.rules import score_text

_MARGIN, _GUTTER, _COLUMNS = 15.0, 6.0, 3
_SIZE, _SMALL, _LINE = 2.9, 2.5, 4.4
"""The size of moves and of comments, and the distance between lines, in millimetres."""

_BOARDS = 12
"""Maximum small boards among the moves, at least five rounds apart."""

_CURVE = 46.0
"""The height of the curve of values with its heading, in millimetres."""

_TOGETHER, _LONGEST, _CUT = 6, 4, 1000
"""Maximum lines of an undivided comment, and lines and characters of a long name in the header."""


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
        self.right = self.document.width - _MARGIN
        self.bottom = self.document.height - _MARGIN - 4
        self.width = (self.right - _MARGIN - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
        self.tops = [_MARGIN] * _COLUMNS
        self.column, self.y = 0, _MARGIN

    def as_bytes(self) -> bytes:
        """The whole score sheet."""
        self._page()
        top = self._header()
        left = self._left(1)
        width = self.right - left
        board, curve = scene_of(self.plies[-1], self.view), value_curve(self.plies)
        below = _CURVE if curve is not None else 0
        height = min(width * board.height / board.width, self.bottom - top - 30 - below)
        self.document.draw(board, Box(left, top, width, height).fitting(board))
        if curve is not None:
            self._curve(curve, Box(left, top + height, width, below))
        self.tops = [top, *[top + height + below + 4] * (_COLUMNS - 1)]
        self.y = top
        self._moves()
        return self.document.as_bytes()

    def _curve(self, curve: Scene, box: Box) -> None:
        """The values in the game's comments, under a line with their meaning."""
        self.document.text(curve.title, (box.left, box.top + 6), _SMALL, bold=True)
        said = meaning(self.game.description)
        self.document.text(said, (box.left + box.width, box.top + 6), _SMALL, align=1, colour=GREY)
        self.document.draw(curve, Box(box.left, box.top + 9, box.width, box.height - 9).fitting(curve))

    def _header(self) -> float:
        """Players, event, options and result; returns the height at which the header ends."""
        document, game = self.document, self.game
        document.text(game.description.title, (_MARGIN, _MARGIN + 3), 6.5, bold=True)
        y = _MARGIN + 10
        for heading, text in _about(game, self.plies):
            document.text(heading, (_MARGIN, y), _SMALL, colour=GREY)
            bold = heading == "result"
            lines = document.wrap(text[:_CUT], self.right - _MARGIN - 26, 3.4, bold=bold)
            if len(lines) > _LONGEST:
                lines = [*lines[: _LONGEST - 1], f"{lines[_LONGEST - 1]} \u2026"]
            for line in lines:
                document.text(line, (_MARGIN + 20, y), 3.4, bold=bold)
                y += 5.2
        return y + 3

    def _moves(self) -> None:
        heads = _heads(self.plies)
        rounds = len(self.game.rounds)
        every = max(5, -(-rounds // _BOARDS))
        by_round: dict[int, list[Ply]] = {}
        for ply in self.plies:
            by_round.setdefault(ply.round, []).append(ply)
        if heads:
            self._row("", heads, bold=True)
        for number, one in enumerate(self.game.rounds, 1):
            plies = by_round[number]
            self._round(number, one, plies)
            if number % every == 0 and number < rounds:
                self._small_board(plies[-1], f"after round {number}")
        for comment in self.game.trailing_comments:
            self._comment(comment)
        self.y += _LINE / 2
        self._lines(_result(self.plies), _SIZE, 0, bold=True)

    def _round(self, number: int, one: Round, plies: list[Ply]) -> None:
        for comment in one.comments:
            self._comment(comment)
        self._row(f"{number}.", [f"{noted.move} {noted.mark}".rstrip() for noted in one.moves])
        for ply in plies:
            for side, noted in ply.annotated.items():
                for comment in notable(noted.comments, self.game.game):
                    self._comment(f"{side}: {comment}")

    def _row(self, number: str, moves: list[str], *, bold: bool = False) -> None:
        left, y = self._room(_LINE)
        width = (self.width - 8) / self.game.description.moves_per_round
        self.document.text(number, (left + 6.5, y), _SMALL, align=1, colour=GREY)
        for place, move in enumerate(moves):
            size = _SIZE * min(1, (width - 1.5) / self.document.width_of(move, _SIZE))
            self.document.text(move, (left + 8 + place * width, y), size, bold=bold, colour=GREY if bold else INK)

    def _comment(self, text: str) -> None:
        self._lines(text, _SMALL, 8, colour=GREY)

    def _lines(self, text: str, size: float, indent: float, *, bold: bool = False, colour: str = INK) -> None:
        lines, step = self.document.wrap(text, self.width - indent, size, bold=bold), size * 1.4
        together = len(lines) if len(lines) <= _TOGETHER else 1
        for place, line in enumerate(lines):
            if place % together == 0:
                left, middle = self._room(together * step)
                y = middle - (together - 1) * step / 2
            self.document.text(line, (left + indent, y + place % together * step), size, bold=bold, colour=colour)

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
            self.column += 1
            if self.column == _COLUMNS:
                self._page()
                self.tops, self.column = [_MARGIN] * _COLUMNS, 0
            self.y = self.tops[self.column]
        self.y += height
        return self._left(self.column), self.y - height / 2

    def _left(self, column: int) -> float:
        return _MARGIN + column * (self.width + _GUTTER)

    def _page(self) -> None:
        document = self.document
        document.page()
        y = document.height - _MARGIN
        label = f"{self.game.description.title}: {_names(self.game)}"
        (first, *_) = document.wrap(label[:_CUT], self.right - _MARGIN - 20, _SMALL)
        document.text(first, (_MARGIN, y), _SMALL, colour=GREY)
        document.text(f"page {document.pages}", (self.right, y), _SMALL, align=1, colour=GREY)


def _names(game: GameFile) -> str:
    return ", ".join(player.name for player in game.players.values()) or game.id or "a game"


def _about(game: GameFile, plies: list[Ply]) -> Iterator[tuple[str, str]]:
    for side, player in game.players.items():
        yield side, player.name
    place = ", ".join(text for text in (game.event, game.date, game.id) if text)
    if place:
        yield "event", place
    # An option of another shape may be secret.
    options = ", ".join(f"{name} {value}" for name, value in game.options.items() if isinstance(value, str | int))
    if options:
        yield "options", options
    if game.start_text:
        yield "start", game.start_text
    yield "result", _result(plies)


def _result(plies: list[Ply]) -> str:
    ply = plies[-1]
    end = ending_text(ply.outcome, ply.position.sides) if ply.outcome else "not over yet"
    return f"{score_text(score_after(ply))} \u2013 {end}"


def _heads(plies: list[Ply]) -> list[str]:
    """The sides in the order of their moves in a round, if all rounds have the same."""
    order: dict[int, list[str]] = {}
    for ply in plies:
        order.setdefault(ply.round, []).extend(ply.annotated)
    first = order.get(1, [])
    return first if all(sides == first[: len(sides)] for sides in order.values()) else []
