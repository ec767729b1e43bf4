"""The score sheet of a game on paper: all that is needed to play it again, and boards on the way."""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw import DealtDrawing, drawing, scene_of
from referee.draw.paper.blank_sheet import plain_options
from referee.draw.paper.book import heads, rows, unusual
from referee.draw.paper.columns import CUT, SMALL, STEP, Columns
from referee.draw.paper.rounds import LINE, SIZE, RoundRows
from referee.draw.scenes.chart import meaning, value_curve
from referee.draw.scenes.pdf import GREY, Box, PdfDocument
from referee.draw.scenes.scene import Scene
from referee.draw.text import result_text
from referee.game import GameFile, Ply, game_text, without_addresses, zeroth_ply

_MARGIN, _GUTTER, _COLUMNS = 15.0, 6.0, 3
_BOARDS = 12
"""Maximum small boards among the moves, at least five rounds apart, besides those that comments ask for."""

_CURVE = 46.0
"""The height of the curve of values with its heading, in millimetres."""

_LONGEST = 4
"""Maximum lines of a long name."""

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
        names = ", ".join(player.name for player in game.players.values()) or game.id or "a game"
        label = f"{game.description.title}: {names}"
        self.document = PdfDocument(paper, label)
        self.document.attach(f"{game.game}.yaml", game_text(without_addresses(game)).encode(), "the game file")
        self.right = self.document.width - _MARGIN
        self.columns = Columns(self.document, label, number=_COLUMNS, margin=_MARGIN, gutter=_GUTTER)

    def as_bytes(self) -> bytes:
        """The whole score sheet."""
        columns, document = self.columns, self.document
        columns.page()
        document.bookmark("The game")
        top = self._header()
        left = _MARGIN + columns.width + _GUTTER
        width = self.right - left
        board, curve = scene_of(self.plies[-1], self.view), value_curve(self.plies)
        legend = document.wrap(board.legend, width, SMALL) if board.legend else []
        explained = len(legend) * SMALL * 1.3 + 4
        below = explained + (_CURVE if curve is not None else 0)
        height = min(width * board.height / board.width, columns.bottom - top - 30 - below)
        said = f"The last position. {board.title}. {board.description}"
        document.draw(board, Box(left, top, width, height).fitting(board), alt=said)
        document.paragraph(legend, (left, top + height + 3), SMALL * 0.9, 1.4, colour=GREY)
        if curve is not None:
            self._curve(curve, Box(left, top + height + explained, width, _CURVE))
        columns.begin(top, top + height + below + 4)
        self._moves()
        return document.as_bytes()

    def _curve(self, curve: Scene, box: Box) -> None:
        """The values in the game's comments, under a line with their meaning."""
        self.document.text(curve.title, (box.left, box.top + 6), SMALL, bold=True)
        said = meaning(self.game.description)
        self.document.text(said, (box.left + box.width, box.top + 6), SMALL, align=1, colour=GREY)
        self.document.draw(curve, Box(box.left, box.top + 9, box.width, box.height - 9).fitting(curve))

    def _header(self) -> float:
        """Players, event, options and result; returns the height at which the header ends."""
        document, game = self.document, self.game
        document.text(game.description.title, (_MARGIN, _MARGIN + 3), 6.5, bold=True, kind="H1")
        y = _MARGIN + 10
        for heading, text in _about(game, self.plies):
            bold = heading == "result"
            # Only names may be cut: the game cannot be played again without the rest.
            whole = heading not in ("event", *game.description.sides)
            size = 2.9 if whole and len(text) > CUT / 12 else 3.4
            lines = document.wrap(text if whole else text[:CUT], self.right - _MARGIN - 26, size, bold=bold)
            if len(lines) > _LONGEST and not whole:
                lines = [*lines[: _LONGEST - 1], f"{lines[_LONGEST - 1]} \u2026"]
            with document.block("P"):
                document.text(heading, (_MARGIN, y), SMALL, colour=GREY)
                document.paragraph(lines, (_MARGIN + 20, y), size, 1.53, bold=bold)
            y += len(lines) * size * 1.53
        return y + 3

    def _moves(self) -> None:
        count, columns, over = len(self.game.rounds), self.columns, heads(self.plies)
        every, rounds = max(5, -(-count // _BOARDS)), RoundRows(columns, over)
        if unusual(self.game):
            columns.board(scene_of(self.plies[0], self.view), "the first position")
        ends = {ply.round: ply for ply in self.plies}
        for row in rows(self.plies, self.game, over):
            if row.number % _MARKED == 1:
                self.document.bookmark(f"Rounds from {row.number}", columns.y)
            rounds.add(row)
            if row.number % every == 0 and row.number and count - row.number > every // 2:
                columns.board(scene_of(ends[row.number], self.view), f"after round {row.number}")
        columns.y += LINE / 2
        result = self.document.wrap(result_text(self.plies[-1]), columns.width, SIZE, bold=True)
        columns.keep(len(result) * SIZE * STEP + len(self.game.description.sides) * _SIGNED)
        self.document.bookmark("Result", columns.y)
        columns.lines(result, SIZE, bold=True)
        for side in self.game.description.sides:
            left, y = columns.room(_SIGNED)
            self.document.line((left + 14, y + 7), (left + columns.width, y + 7))
            self.document.text(side, (left, y + 6), SMALL, colour=GREY)


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
    yield "result", result_text(plies[-1])
