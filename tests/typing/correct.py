"""Correct code of a user of the package: `mypy --strict` accepts it."""

from __future__ import annotations

from typing import assert_type

import referee
from referee.rules import LegalMoves, Move
from referee.rules.beams import BeamsPosition, Place, Rotate
from referee.rules.laser_chess import LaserChessPosition


def of_one_game() -> None:
    """A game by its name: everything has the types of that game."""
    position = referee.start("beams", mode="synchronous", columns=15)
    assert_type(position, BeamsPosition)
    move = referee.parse_move("beams", "p m1 b3 12")
    assert_type(move, Place | Rotate)
    position.check("south", move)
    assert_type(position.parse("south", "p m1 b3 12"), Place | Rotate)
    assert_type(position.legal_moves(), LegalMoves[Place | Rotate])
    after = position.play({"south": move})
    assert_type(after, BeamsPosition)
    assert_type(after.play_unchecked({"north": next(iter(after.legal_moves("north")))}), BeamsPosition)
    for legal in after.legal_moves():
        assert_type(legal, Place | Rotate)
        print(legal.cell)
    assert_type(referee.start("laser-chess"), LaserChessPosition)


def of_any_game(name: str) -> Move:
    """A game whose name is not known before: everything has the types of all games."""
    position = referee.start(name)
    assert_type(position, referee.Position)
    return next(iter(position.legal_moves(max(position.to_move))))


def first(position: referee.Position) -> Move:
    """A position of a game is a position of any game."""
    return next(iter(position.legal_moves()))


def of_files() -> None:
    """Game files and what their replay gives."""
    game = referee.loads("game: beams")
    for ply in game.replay():
        assert_type(ply.position, referee.Position)
        if isinstance(ply.position, BeamsPosition):
            print(ply.position.hands["south"])
        if ply.outcome is not None and ply.outcome.termination is referee.Termination.SCORE:
            print(ply.outcome.winner, ply.outcome.score["south"])
    print(first(referee.start("beams")), of_any_game("boundary"))


def of_games_as_values() -> None:
    """A game goes on, and its variations are games."""
    game = referee.new("boundary", players={"south": "Ada"}, first="north").play("P f1-e2").mark("!").comment("so")
    assert_type(game.variation(at=1).play("P f1-e1").whole.lines, tuple[referee.GameFile, ...])
    assert_type(referee.new("beams", event="Spring", columns=17, first=None), referee.GameFile)
    assert_type(referee.new(game.game, options=game.options, players=game.players), referee.GameFile)
    assert_type(game.undo().end("resignation", by="south").outcome, referee.Outcome | None)
    assert_type(referee.text(game) + referee.svg(game, colours="dark"), str)
    assert_type(referee.png(game.position, highlight=["a1"]), bytes)
    assert_type([one.game for one in referee.archive("games.jsonl")], list[referee.GameFile])
