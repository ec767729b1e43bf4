"""The score sheet of a game on paper: all that is needed to play it again, and boards on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from referee.draw import DealtDrawing, drawing, scene_of
from referee.draw.paper.blank_sheet import plain_options
from referee.draw.paper.book import Block, by_round, heads, told, unusual, variation, variations, written
from referee.draw.paper.columns import CUT, SMALL, STEP, Columns
from referee.draw.scenes.pdf import GREY, Box, PdfDocument
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.value_curve import meaning, value_curve
from referee.draw.text import result_text
from referee.game import GameFile, Ply
from referee.game.file.dumper import game_text
from referee.game.file.gamefile import Round, without_addresses, zeroth_ply
from referee.game.valuations import notable

_MARGIN, _GUTTER, _COLUMNS = 15.0, 6.0, 3
_SIZE, _LINE = 2.9, 4.4
"""The size of moves, and the distance between lines, in millimetres."""

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
        self.document = PdfDocument(paper, f"{game.description.title}: {_names(game)}")
        self.document.attach(f"{game.game}.yaml", game_text(without_addresses(game)).encode(), "the game file")
        self.heads = heads(self.plies)
        self.right = self.document.width - _MARGIN
        label = f"{game.description.title}: {_names(game)}"
        self.columns = Columns(self.document, label, number=_COLUMNS, margin=_MARGIN, gutter=_GUTTER)
        self.headed: tuple[int, int] | None = None

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
        columns.begin([top, *[top + height + below + 4] * (_COLUMNS - 1)])
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
        rounds, columns = len(self.game.rounds), self.columns
        every = max(5, -(-rounds // _BOARDS))
        made, more = by_round(self.plies), defaultdict[int, list[Block]](list)
        more[rounds] += told(self.game.trailing_comments, self.plies[-1], self.view)
        for number, line in variations(self.game):
            more[min(number, rounds)] += variation(line, self.view)
        if unusual(self.game):
            columns.board(scene_of(self.plies[0], self.view), "the first position")
        for number, one in enumerate(self.game.rounds, 1):
            if number % _MARKED == 1:
                self.document.bookmark(f"Rounds from {number}", columns.y)
            self._round(number, one, made[number], more[number])
            if number % every == 0 and number < rounds:
                columns.board(scene_of(made[number][-1], self.view), f"after round {number}")
        if not rounds:
            self._tell(more[0])
        columns.y += _LINE / 2
        result = self.document.wrap(result_text(self.plies[-1]), columns.width, _SIZE, bold=True)
        columns.keep(len(result) * _SIZE * STEP + len(self.game.description.sides) * _SIGNED)
        self.document.bookmark("Result", columns.y)
        columns.lines(result, _SIZE, bold=True)
        for side in self.game.description.sides:
            left, y = columns.room(_SIGNED)
            self.document.line((left + 14, y + 7), (left + columns.width, y + 7))
            self.document.text(side, (left, y + 6), SMALL, colour=GREY)

    def _column_heads(self) -> None:
        """At the head of a column, the sides over their moves; the round is over the numbers."""
        if self.columns.place == self.headed:
            return
        left, top = self.columns.room(_LINE)
        with self.document.block("P"):
            y = top + _LINE / 2
            self.document.text("no.", (left + 6.5, y), SMALL * 0.9, align=1, colour=GREY)
            width = (self.columns.width - 8) / self.game.description.moves_per_round
            for place, head in enumerate(self.heads):
                self.document.text(head, (left + 8 + place * width, y), SMALL, bold=True, colour=GREY)
        self.headed = self.columns.place

    def _round(self, number: int, one: Round, plies: list[Ply], more: Iterable[Block]) -> None:
        """A round with what is told about it, whose text stays together if a column can hold it."""
        before = [*told(one.comments, self.plies[plies[0].number - 1], self.view)]
        after = [
            block
            for ply in plies
            for side, noted in ply.annotated.items()
            for block in told(notable(noted.comments, self.game.game), ply, self.view, f"{side}: ")
        ]
        after += more
        text = (line for block in before + after if block.scene is None for line in self._wrapped(block))
        self.columns.keep(2 * _LINE + sum(1 for _ in text) * SMALL * STEP)
        self._column_heads()
        self._tell(before)
        self._row(f"{number}.", plies)
        self._tell(after)

    def _tell(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if block.scene is None:
                self.columns.lines(self._wrapped(block), SMALL, indent=8, colour=GREY)
            else:
                self.columns.board(block.scene, block.text)

    def _wrapped(self, block: Block) -> list[str]:
        return self.document.wrap(block.text, self.columns.width - 8, SMALL)

    def _row(self, number: str, plies: list[Ply]) -> None:
        self._column_heads()
        left, top = self.columns.room(_LINE)
        y, width = top + _LINE / 2, (self.columns.width - 8) / self.game.description.moves_per_round
        with self.document.block("P"):
            self.document.text(number, (left + 6.5, y), SMALL, align=1, colour=GREY)
            for place, text in enumerate(written(plies, self.heads)):
                size = _SIZE * min(1, (width - 1.5) / self.document.width_of(text, _SIZE))
                self.document.text(text, (left + 8 + place * width, y), size)


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
    yield "result", result_text(plies[-1])
