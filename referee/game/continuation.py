"""A game as a value: begun, then with more moves or fewer, an end, comments and marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from referee.errors import IllegalMove, RefereeError, expect, shown
from referee.game.amend.move_lines import MARKS, judge_comment
from referee.game.file.gamefile import AnnotatedMove, End, GameFile, Player, Round, new_game, with_move, with_ply
from referee.game.file.judge import ending
from referee.game.file.loader import dumps
from referee.rules import NO_OPTIONS, Move, Termination, movers
from referee.rules.frozen import Frozen

_NO_PLAYERS: Mapping[str, Player | str] = Frozen()


def new(
    game: str,
    /,
    *,
    players: Mapping[str, Player | str] = _NO_PLAYERS,
    position: str | None = None,
    id: str | None = None,  # noqa: A002 - the key of the game file
    date: str | None = None,
    event: str | None = None,
    options: Mapping[str, object] = NO_OPTIONS,
    **named: object,
) -> GameFile:
    """A new game before its first ply, with options and a position to begin in as `start` takes them.

    `players` are those of the sides, or their names; the file names every option.

    Raises:
        RefereeError: `unknown-game`, `unknown-side`.
        FileError: a name, the id, the date or the event is no line of text.
        PackageFault, NotationError, OptionError, TypeError: as `start`.

    >>> import referee
    >>> game = referee.new("boundary", players={"south": "Ada", "north": "Ben"}, first="north")
    >>> print(game.play("P f1-e2").comment("The usual step.").mark("!"), end="")
    game: boundary
    rules: 1
    players:
      south: {name: Ada}
      north: {name: Ben}
    options: {first: north}
    moves: |
      1. P f1-e2 ! {The usual step.}
    """
    expect(str, game, "the name of a game")
    expect(Mapping, players, "a mapping of sides to their players")
    expect(Mapping, options, "a mapping of options to their values")
    for one in players.values():
        expect((Player, str), one, "a player, or a name")
    seats = {side: Player(one) if isinstance(one, str) else one for side, one in players.items()}
    begun = new_game(game, {**options, **named}, seats, id=id, date=date, event=event, start_text=position)
    start = begun.start()
    for side in seats:
        start.expect_side(side)
    dumps(begun)
    return begun


def played(game: GameFile, moves: Iterable[Move | str]) -> GameFile:
    """As `GameFile.play`."""
    position, over, waiting = game.position, game.outcome, list(moves)
    while waiting:
        if over is not None:
            raise IllegalMove("game-over", f"the game is over ({over.termination}): no more moves can be made")
        sides = movers(position)
        made = {
            side: position.parse(side, move) if isinstance(move, str) else move
            for side, move in zip(sides, waiting, strict=False)
        }
        position = position.play(made)
        game = _changed(game, rounds=with_ply(game, tuple(map(AnnotatedMove, made.values()))))
        over = position.outcome
        del waiting[: len(sides)]
    return game


def undone(game: GameFile, plies: int) -> GameFile:
    """As `GameFile.undo`."""
    kept = game.plies[: len(game.plies) - plies]
    if not 0 <= plies <= len(game.plies):
        raise RefereeError("no-such-ply", f"{plies} plies cannot be taken back: the game has {len(game.plies)}")
    rounds = _first_moves(game.rounds, sum(len(ply.annotated) for ply in kept))
    return _changed(game, rounds=rounds, trailing_comments=(), ending=None, result=None)


def ended(game: GameFile, how: str, by: str | None) -> GameFile:
    """As `GameFile.end`."""
    whole = _changed(game, ending=End(Termination(how), by), result=None)
    for finding in ending(whole, game.position)[1]:
        raise RefereeError(finding.code, finding.message)
    return whole


def commented(game: GameFile, text: str, number: int | None) -> GameFile:
    """As `GameFile.comment`."""
    judge_comment(text)
    if number == 0 and game.rounds:
        first, *rest = game.rounds
        return _changed(game, rounds=(first._replace(comments=(*first.comments, text.strip())), *rest))
    if not game.rounds and not number:
        return _changed(game, trailing_comments=(*game.trailing_comments, text.strip()))
    return _noted(game, number, None, lambda noted: noted._replace(comments=(*noted.comments, text.strip())))


def marked(game: GameFile, mark: str, number: int | None, side: str | None) -> GameFile:
    """As `GameFile.mark`."""
    if mark and mark not in MARKS:
        raise ValueError(f"expected a mark, one of {', '.join(MARKS)}, not {shown(mark)}")
    return _noted(game, number, side, lambda noted: noted._replace(mark=mark))


def _changed(game: GameFile, **changes: Any) -> GameFile:  # noqa: ANN401 - values of any field
    """A game with changes, which was read from no text."""
    return replace(game, source=None, file="", **changes)


def _first_moves(rounds: Iterable[Round], moves: int) -> tuple[Round, ...]:
    """The rounds of the first moves of a game."""
    kept = []
    for one in rounds:
        if moves <= 0:
            break
        kept.append(one._replace(moves=one.moves[:moves]))
        moves -= len(one.moves)
    return tuple(kept)


def _noted(
    game: GameFile, number: int | None, side: str | None, change: Callable[[AnnotatedMove], AnnotatedMove]
) -> GameFile:
    """The game with a change of the move of a side in a ply; of the last move there if no side is named."""
    plies = game.plies
    if number is None:
        number = len(plies)
    if not 0 < number <= len(plies):
        raise RefereeError("no-such-ply", f"there is no ply {number}: the game has {len(plies)}")
    ply = plies[number - 1]
    sides = [*ply.annotated]
    if side is not None and side not in sides:
        raise RefereeError("no-such-move", f"{shown(side)} made no move in ply {number}")
    before = sum(len(one.annotated) for one in plies[: number - 1] if one.round == ply.round)
    place = before + (len(sides) - 1 if side is None else sides.index(side))
    noted = change(game.rounds[ply.round - 1].moves[place])
    return _changed(game, rounds=with_move(game, ply.round, place, noted))
