"""The legal moves of a game as it stands, all or those that begin as somebody wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.errors import FileError, IllegalMove, NotationError, RefereeError, shown
from referee.game.gamefile import GameFile
from referee.game.judge import judge
from referee.notation import continuations, suggested


def completions(game: GameFile, side: str | None = None, prefix: str = "") -> Mapping[str, Iterable[Any]]:
    """Side -> legal moves after the last ply, of one side or of all that are to move.

    A move begins with `prefix` if its words are the prefix's, large and small letters being the same; the
    last word may be cut short.

    Raises:
        FileError: the game does not hold.
        NotationError: no move of the game's notation begins like this.
        IllegalMove: `game-over`, `not-your-turn`, or `no-legal-move` if none begins like this.
    """
    verdict = judge(game)
    if verdict.findings:
        raise FileError(game.file, verdict.findings)
    if verdict.outcome is not None:
        raise IllegalMove("game-over", f"the game is over ({verdict.outcome.termination}): there is no legal move")
    position = verdict.position
    if not position.to_move or (side is not None and side not in position.to_move):
        raise position.out_of_turn(side or "")
    due = [side] if side else [one for one in position.sides if one in position.to_move]
    moves = {one: position.legal_moves(one) for one in due}
    if not prefix.strip():
        return moves
    found = {one: [move for move in legal if _begins(move, prefix)] for one, legal in moves.items()}
    if not any(found.values()):
        raise _nothing(game.game, prefix, [move for one in due for move in position.legal_moves(one)])
    return found


def _begins(move: Any, prefix: str) -> bool:  # noqa: ANN401 - each game has its own moves
    words, begun = str(move).casefold().split(), prefix.casefold().split()
    cut = len(begun) - 1
    return len(words) > cut and words[:cut] == begun[:cut] and words[cut].startswith(begun[cut])


def _nothing(game: str, prefix: str, moves: list[Any]) -> RefereeError:
    """Why no legal move begins like this: it is no notation, or the rules forbid all such moves."""
    near = suggested(game, prefix, moves)
    try:
        continuations(game, prefix)
    except NotationError as error:
        return error.with_suggestions(near)
    return IllegalMove("no-legal-move", f"no legal move begins with {shown(prefix)}", suggestions=near)
