"""The text board of beams: narrow, plain, and with all public information."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import pytest

from referee import start
from referee.draw import drawing
from referee.draw.text import report_text, text_board
from referee.game import AnnotatedMove, GameFile, Player, Ply, Round
from referee.rules import Event
from referee.rules.beams import BeamsPosition, Cell, Clock, PieceType, PlacedPiece, events
from referee.rules.beams.board import Exit
from referee.rules.beams.light import Beam
from tests.draw.golden_reports import FOLDER, reports
from tests.draw.test_scene_ways import cells_of
from tests.oracles.text_board import expected, read_board
from tests.support.examples import sampled
from tests.support.strategies import facts_of, random_play

VIEWS = ("south", "north")
SIZES = [
    *((7, 16), (7, 26), (9, 12), (11, 26), (17, 13), (15, 13), (17, 26)),
    *((19, 6), (23, 5), (33, 7), (51, 5), (35, 8), (51, 26)),
]


def some_game(columns: int, rows: int, plies: int = 10, seed: int = 1, **options: Any) -> GameFile:  # noqa: ANN401
    """A game of random moves."""
    options = {"columns": columns, "rows": rows, **options}
    made = [tuple(map(AnnotatedMove, ply.moves.values())) for ply in random_play("beams", seed, options, plies)]
    return GameFile("beams", tuple(Round(moves) for moves in made), options=options)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("columns", "rows"), sampled(SIZES, 7))
def test_every_board_fits_into_78_columns(columns: int, rows: int, view: str) -> None:
    *_, last = some_game(columns, rows, plies=4).replay()
    for unicode in (False, True):
        lines = report_text(some_game(columns, rows, plies=4), last, view=view, unicode=unicode).split("\n")
        assert max(map(len, lines)) <= 78
        assert all(line == line.rstrip() and line.isprintable() for line in lines)
        assert "".join(lines).isascii() != unicode


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("columns", "rows"), sampled(SIZES, 7))
def test_every_piece_and_every_counter_is_on_the_board(columns: int, rows: int, view: str) -> None:
    game = some_game(columns, rows)
    for ply in game.replay():
        assert isinstance(ply.position, BeamsPosition)
        facts = facts_of(ply.position)
        board = read_board(report_text(game, ply, view=view), view, columns)
        moves: Mapping[str, Any] = ply.moves
        moved = {(side, str(move.cell)) for side, move in moves.items()}
        assert sorted(board.pieces, key=str) == sorted(expected(facts, moved), key=str)
        assert board.counters == facts["counters"]
        taken = {(one["side"], one["cell"]) for one in facts["pieces"]}
        assert board.ways == {cell for beam in changed_beams(ply) for cell in cells_of(ply.position, beam)} - taken
        assert board.changed == changed_counters(ply)
        cells = {(side, str(cell)) for side, sites in ply.position.board.sites.items() for cell in sites}
        assert board.empty == cells - taken


def changed_beams(ply: Ply) -> list[Beam]:
    """The beams of the pieces that moved, and those that leave at a new column."""
    assert isinstance(ply.position, BeamsPosition)
    moves: Mapping[str, Any] = ply.moves
    moved = {(side, move.cell) for side, move in moves.items()}
    gained = [event.beam for event in ply.events if isinstance(event, events.BeamGained)]
    return [beam for beam in ply.position.beams if (beam.side, beam.cell) in moved or beam in gained]


def changed_counters(ply: Ply) -> set[tuple[str, int]]:
    """The columns at which a beam leaves that did not, or that left and does not."""
    kinds = events.BeamGained | events.BeamLost
    return {(event.exit.boundary, event.exit.column) for event in ply.events if isinstance(event, kinds)}


@pytest.mark.parametrize("options", [{}, {"mode": "synchronous", "pieces": "beginner", "barriers": "facing"}])
def test_a_whole_game_is_drawn(options: dict[str, str]) -> None:
    game = some_game(15, 13, plies=60, seed=5, **options)
    *_, last = game.replay()
    board = read_board(report_text(game, last, view="south"), "south", 15)
    assert len(board.pieces) == len(facts_of(last.position)["pieces"]) > 20
    assert board.counters == facts_of(last.position)["counters"]
    text = report_text(game, last, view="south")
    assert "result        " in text
    assert "south holds   nothing" in text


def test_powers_up_to_four_are_shown() -> None:
    position = start("beams")
    for move in ("P M3 C4 10", "P S D3", "P S D5", "P S E4"):
        position = position.play({"south": parse(move), "north": parse(move)})
    text = "\n".join(text_board(position, "south", (), unicode=False))
    assert "M3.10^4" in text
    assert "m3.10^4" in text


def parse(text: str) -> Any:  # noqa: ANN401
    from referee import parse_move

    return parse_move("beams", text)


def test_full_cells_side_by_side_stay_apart() -> None:
    """The longest names next to each other, all moved: the star of one follows the last sign of the other."""
    position = start("beams")
    moved: list[Event] = []
    for move in ("P R2V C4 10", "P R2Y C6 10", "P R3 C8 10", "P S D5", "P S D7", "P S E4", "P S E6"):
        after = position.play({"south": parse(move), "north": parse(move)})
        moved += position.events({"south": parse(move), "north": parse(move)}, after)
        position = after
    text = "\n".join(text_board(position, "south", tuple(moved), unicode=False))
    assert "*R2V10^3*R2Y10^4*R3.10^2" in text
    board = read_board(text, "south", 15)
    assert {seen for seen in board.pieces if seen.piece != "S"} == {
        seen
        for seen in expected(facts_of(position), {(side, f"C{n}") for side in VIEWS for n in (4, 6, 8)})
        if seen.clock
    }


@pytest.mark.parametrize("view", VIEWS)
def test_arrows_point_where_the_lines_go_on_the_page(view: str) -> None:
    position = start("beams").play({"south": parse("P M3 C4 12"), "north": parse("P M2Y C4 6")})
    text = "\n".join(text_board(position, view, (), unicode=True))
    own, far = (
        ("M3\u2191\u2197\u2198", "m2y\u2191\u2198")
        if view == "south"
        else ("m2y\u2193\u2196", "M3\u2193\u2199\u2196")
    )
    assert text.index(far) < text.index("\u2500") < text.index(own)


def test_reports_are_plain_ascii_when_names_are() -> None:
    game = some_game(9, 12, plies=2)
    *_, last = game.replay()
    assert report_text(game, last, view="south").isascii()
    named = GameFile("beams", game.rounds, players={"south": Player("Zo\u00eb")}, options=game.options)
    assert "south: Zo\u00eb" in report_text(named, last, view="south").split("\n")


def test_long_names_and_comments_are_wrapped() -> None:
    players = {side: Player(" ".join([side] * 30)) for side in VIEWS}
    comment = " ".join(["so much to say"] * 40)
    *_, ply = some_game(9, 12, plies=1).replay()
    noted = {side: one._replace(comments=(comment, "x" * 200), mark="!?") for side, one in ply.annotated.items()}
    game = GameFile("beams", players=players, options={"columns": 9, "rows": 12}, event="e " * 60, id="i" * 100)
    text = report_text(game, ply._replace(annotated=noted), view="north")
    assert max(map(len, text.split("\n"))) <= 78
    assert " ".join(text.split()).count("so much to say") == 80


@pytest.mark.parametrize(("name", "text"), list(reports()), ids=lambda value: value if value.endswith(".txt") else "")
def test_golden_report(name: str, text: str) -> None:
    """`python -m tests.draw.golden_reports` rewrites them; look at every change."""
    assert text == (FOLDER / name).read_text(encoding="utf-8")


def test_no_golden_report_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("beams-*.txt")} == {name for name, _ in reports()}


CELL, OUT = Cell(2, 3), Exit("north", 13)
M1, S = PlacedPiece(PieceType.M1, Clock.TEN), PlacedPiece(PieceType.S, None)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Placed("south", CELL, M1), "south placed M1 at 10 on B3"),
        (events.Placed("north", CELL, S), "north placed a booster on B3"),
        (events.Rotated("south", CELL, M1), "south turned the piece on B3, now M1 at 10"),
        (events.PowerChanged("north", CELL, M1, 3), "north's M1 on B3 now has power 3"),
        (
            events.BeamGained(Beam("south", CELL, Clock.TWELVE, 1, OUT), OUT),
            "south's beam from B3 (12 o'clock) now scores in north's column 13",
        ),
        (
            events.BeamLost("north", CELL, Clock.TWO, OUT),
            "north's beam from B3 (2 o'clock) no longer scores in north's column 13",
        ),
        (events.ScoreChanged("south", 0, 2), "south's score: 0 -> 2"),
    ],
)
def test_an_event_in_words(event: Event, sentence: str) -> None:
    assert drawing("beams").sentence(event) == sentence


def test_no_event_is_without_its_sentence() -> None:
    kinds = {kind for _, kind in inspect.getmembers(events, inspect.isclass) if issubclass(kind, Event)} - {Event}
    (marked,) = [one for one in test_an_event_in_words.pytestmark if one.name == "parametrize"]  # type: ignore[attr-defined]
    assert {type(event) for event, _ in marked.args[1]} == kinds
    with pytest.raises(TypeError, match="no event of beams"):
        drawing("beams").sentence(Event())


def test_every_event_of_a_ply_is_listed() -> None:
    game = some_game(15, 13, plies=30)
    for ply in game.replay():
        text = " ".join(report_text(game, ply, view="south").split())
        for event in ply.events:
            assert f"- {drawing('beams').sentence(event)}" in text
