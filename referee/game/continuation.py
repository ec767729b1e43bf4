"""Games as values: start one or continue another, play and undo moves, end it, comment on it and mark it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, Literal, TypedDict, Unpack, overload

from referee.errors import FileError, IllegalMove, RefereeError, expect, shown
from referee.game.amend.move_lines import MARKS, judge_comment
from referee.game.file.document import DEEPEST
from referee.game.file.gamefile import (
    AnnotatedMove,
    BranchPoint,
    End,
    GameFile,
    Player,
    Round,
    Variation,
    in_braces,
    new_game,
    ply_at,
    with_move,
    with_ply,
)
from referee.game.file.header import ENDINGS
from referee.game.file.judge import ending
from referee.game.file.loader import dumps
from referee.game.file.variations import joined, judge_variations, positions
from referee.notation.positions import position_text
from referee.rules import NO_OPTIONS, Move, Side, Termination, movers
from referee.rules.frozen import Frozen

MOST_NESTED = (DEEPEST - 1) // 2
"""Maximum depth of variations, each of which is a mapping within a list within another one."""

_NO_PLAYERS: Mapping[str, Player | str] = Frozen()


class Header(TypedDict, total=False):
    """The keys of a new game's header besides its options."""

    players: Mapping[str, Player | str]
    position: str | None
    id: str | None
    date: str | None
    event: str | None


@overload
def new(
    game: Literal["beams"],
    /,
    *,
    mode: Literal["asynchronous", "synchronous"] = ...,
    columns: int = ...,
    rows: int = ...,
    pieces: Literal["standard", "beginner"] = ...,
    barriers: Literal["crossing", "facing"] = ...,
    first: Side | None = ...,
    **header: Unpack[Header],
) -> GameFile: ...
@overload
def new(game: Literal["boundary"], /, *, first: Side = ..., **header: Unpack[Header]) -> GameFile: ...
@overload
def new(game: Literal["the-beam"], /, *, deal: Mapping[str, object] = ..., **header: Unpack[Header]) -> GameFile: ...
@overload
def new(
    game: Literal["laser-chess"],
    /,
    *,
    setup: str | Sequence[str] = ...,
    kings: Literal["fixed", "turn"] = ...,
    **header: Unpack[Header],
) -> GameFile: ...
@overload
def new(game: str, /, *, options: Mapping[str, object] = ..., **header: Unpack[Header]) -> GameFile: ...
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

    `players` are those of the sides, or their names; `id`, `date` and `event` are lines of text. The file names every
    option.

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
    for text in (id, date, event):
        expect((str, NoneType), text, "a text as id, date or event")
    seats = {side: Player(one) if isinstance(one, str) else one for side, one in players.items()}
    if twice := [*options.keys() & named]:
        raise TypeError(f"{twice[0]} is given twice: as an option of its own, and in the mapping")
    begun = new_game(game, {**options, **named}, seats, id=id, date=date, event=event, start_text=position)
    start = begun.start()
    for side in seats:
        start.expect_side(side)
    dumps(begun)
    return begun


def sequel(game: GameFile, *, number: int | None = None, swap: bool = False) -> GameFile:
    """A game before its first ply with the options and players (moved on if `swap`) of another one after a ply.

    RefereeError `no-such-ply`, `game-over`, or `position` if the game's positions have no notation.
    """
    ply = ply_at(game, number or 0)
    begun = GameFile(
        game.game,
        rules=game.description.versions[-1],
        players=_moved_on(game) if swap else game.players,
        options=game.options,
        start_text=game.start_text,
    )
    if not ply.number:
        return begun
    if ply.position.outcome is not None:
        over = f"the game is over after ply {ply.number}: no move is left to make from there"
        raise RefereeError("game-over", over)
    return replace(begun, start_text=position_text(ply.position))


def _moved_on(game: GameFile) -> dict[str, Player]:
    """The players, each on the side after their own; the last one on the first."""
    sides = game.description.sides
    seats = dict(zip(sides, (*sides[1:], sides[0]), strict=True))
    moved = {seats[side]: player for side, player in game.players.items()}
    return {side: moved[side] for side in sides if side in moved}


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
        game = _changed(with_ply(game, tuple(map(AnnotatedMove, made.values()))))
        over = position.outcome
        del waiting[: len(sides)]
    return game


def undone(game: GameFile, plies: int) -> GameFile:
    """As `GameFile.undo`."""
    expect(int, plies, "a number of plies")
    own = len(game.plies) - game.first_own_ply + 1
    if not 0 <= plies <= own:
        which = "game" if game.branch is None else "variation"
        raise RefereeError("no-such-ply", f"the {which} has {own} plies to take back, not {plies}")
    kept = game.plies[: len(game.plies) - plies]
    rounds = _first_moves(game.rounds, sum(len(ply.annotated) for ply in kept))
    notes = (*(text for one in game.rounds[len(rounds) :] for text in one.comments), *game.trailing_comments)
    shorter = _changed(game, rounds=rounds, trailing_comments=notes, ending=None, result=None)
    known = positions(shorter) if game.variations else ()
    return replace(shorter, variations=tuple(one for one in game.variations if (one.round, one.made) in known))


def ended(game: GameFile, how: str, by: str | None) -> GameFile:
    """As `GameFile.end`."""
    if game.branch is not None:
        raise RefereeError("end", "a variation has no end of its own: only its moves can end it")
    if how not in [*Termination, *game.description.ends]:
        raise ValueError(f"expected an end, one of {', '.join(ENDINGS)}, not {shown(how)}")
    if game.outcome is not None:
        raise RefereeError("end", f"the game is over ({game.outcome.termination})")
    if how not in ENDINGS:
        raise RefereeError("end", f"no game file can say that its game ended by {how}")
    over = _changed(game, ending=End(Termination(how), by), result=None)
    for finding in ending(over, game.position)[1]:
        raise RefereeError(finding.code, finding.message)
    return over


def varied(game: GameFile, at: int) -> GameFile:
    """As `GameFile.variation`."""
    expect(int, at, "the number of a ply")
    plies = game.plies
    own = game.first_own_ply
    if not own <= at <= len(plies) + 1:
        raise RefereeError("no-such-ply", f"a variation can begin with ply {own} to {len(plies) + 1}, not {at}")
    if _nested(game) >= MOST_NESTED:
        raise RefereeError("variation", f"a game file holds variations of variations up to {MOST_NESTED} deep")
    rounds = _first_moves(game.rounds, sum(len(ply.annotated) for ply in plies[: at - 1]))
    made = len(rounds[-1].moves) % game.description.moves_per_round if rounds else 0
    branch = BranchPoint(game, len(rounds) + (not made), made, len(game.variations))
    return _changed(game, rounds=rounds, trailing_comments=(), ending=None, result=None, variations=(), branch=branch)


def _nested(game: GameFile) -> int:
    return 0 if game.branch is None else 1 + _nested(game.branch.game)


def lines(game: GameFile) -> tuple[GameFile, ...]:
    """As `GameFile.lines`."""
    if wrong := tuple(judge_variations(game)):
        raise FileError(game.file, wrong)
    return tuple(
        _changed(
            game,
            rounds=joined(game, one),
            trailing_comments=one.comments,
            ending=None,
            result=None,
            variations=one.variations,
            branch=BranchPoint(game, one.round, one.made, number),
        )
        for number, one in enumerate(game.variations)
    )


def whole(line: GameFile) -> GameFile:
    """As `GameFile.whole`."""
    while line.branch is not None:
        line = rejoined(line)
    return line


def rejoined(line: GameFile) -> GameFile:
    """The game or line that a line leaves, with it as a variation; RefereeError `variation` if it has no move."""
    assert line.branch is not None
    game, first, made, number = line.branch
    rounds = line.rounds[first - 1 :]
    if made:
        said = game.rounds[first - 1].comments
        rounds = (Round(rounds[0].moves[made:], rounds[0].comments[len(said) :]), *rounds[1:])
    if not rounds or not rounds[0].moves:
        raise RefereeError("variation", "a variation has at least one move")
    variation = Variation(first, made, rounds, line.trailing_comments, line.variations)
    return _changed(game, variations=(*game.variations[:number], variation, *game.variations[number + 1 :]))


def first_own_ply(line: GameFile) -> int:
    """As `GameFile.first_own_ply`."""
    assert line.branch is not None
    _, first, made, _ = line.branch
    left = sum(len(one.moves) for one in line.rounds[: first - 1]) + made
    for ply in line.plies:
        if left <= 0:
            return ply.number
        left -= len(ply.annotated)
    return len(line.plies) + 1


def commented(game: GameFile, text: str, number: int | None) -> GameFile:
    """As `GameFile.comment`."""
    expect(str, text, "the text of a comment")
    judge_comment(text)
    before = game.first_own_ply - 1
    if before == len(game.plies) and number in (None, before):
        return _changed(game, trailing_comments=(*game.trailing_comments, text.strip()))
    if number == before:
        place = game.branch.round - 1 if game.branch else 0
        first = game.rounds[place]
        noted = first._replace(comments=(*first.comments, text.strip()))
        return _changed(game, rounds=(*game.rounds[:place], noted, *game.rounds[place + 1 :]))
    if "}" in text:
        said = "a comment behind a move is in braces, where a closing brace ends it: write ( and ) in it"
        raise RefereeError("comment", said)
    return _noted(
        game, number, None, lambda noted: noted._replace(comments=(*in_braces(noted).comments, text.strip()))
    )


def marked(game: GameFile, mark: str, number: int | None, side: str | None) -> GameFile:
    """As `GameFile.mark`."""
    expect(str, mark, "a mark")
    if mark and mark not in MARKS:
        raise ValueError(f"expected a mark, one of {', '.join(MARKS)}, not {shown(mark)}")
    return _noted(game, number, side, lambda noted: noted._replace(mark=mark))


def _changed(game: GameFile, **changes: Any) -> GameFile:  # noqa: ANN401 - values of any field
    """A game with changes, which was read from no text."""
    return replace(game, source=None, file="", **changes)


def _first_moves(rounds: Iterable[Round], moves: int) -> tuple[Round, ...]:
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
    expect(int, number, "the number of a ply")
    first = game.first_own_ply
    if not first <= number <= len(plies):
        known = f"the game has {len(plies)}" if first == 1 else f"the variation has {first} to {len(plies)}"
        raise RefereeError("no-such-ply", f"there is no ply {number}: {known}")
    ply = plies[number - 1]
    sides = [*ply.annotated]
    if side is not None and side not in sides:
        raise RefereeError("no-such-move", f"{shown(side)} made no move in ply {number}")
    before = sum(len(one.annotated) for one in plies[: number - 1] if one.round == ply.round)
    place = before + (len(sides) - 1 if side is None else sides.index(side))
    noted = change(game.rounds[ply.round - 1].moves[place])
    return _changed(game, rounds=with_move(game, ply.round, place, noted))
