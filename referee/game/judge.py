"""The verdict on a whole game: every move, then the end and the result that the file tells of."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import FileError, Finding
from referee.game.ends import BY_A_SIDE
from referee.game.gamefile import GameFile
from referee.rules import Outcome, Position, Termination
from referee.rules.cursor import cursor


@dataclass(frozen=True, slots=True)
class Verdict:
    """What judging a game gave: how many plies hold, what is wrong, and where the game stands after them."""

    plies: int
    findings: tuple[Finding, ...]
    position: Position
    outcome: Outcome | None


def judge(game: GameFile, *, suggest: bool = True) -> Verdict:
    """Play a game from its start; the findings end with the first move that is refused.

    For such a move others are suggested only if `suggest` says so: there may be thousands to choose from.
    """
    here, plies = cursor(game.start()), 0
    try:
        for _ in game.turns(here, here.play, suggest=suggest):
            plies += 1
    except FileError as error:
        return Verdict(plies, error.findings, here.position, None)
    position = here.position
    outcome = game.outcome_at(position)
    return Verdict(plies, final_findings(game, position, outcome), position, outcome)


def final_findings(game: GameFile, position: Position, outcome: Outcome | None) -> tuple[Finding, ...]:
    """What is wrong with the end and the result that a game tells of, after its last ply."""
    return (*_end_findings(game, position), *_result_findings(game, position, outcome))


def _end_findings(game: GameFile, position: Position) -> tuple[Finding, ...]:
    end = game.end
    if end is None:
        return ()
    sides = " or ".join(position.sides)
    if position.outcome is not None:
        message = f"the moves end the game themselves ({position.outcome.termination}); leave 'end' out"
    elif end.how in BY_A_SIDE and end.by is None:
        message = f"say whose {end.how} it is: by: {sides}"
    elif end.how is Termination.REPETITION and end.how not in position.claims(end.by or ""):
        message = f"{end.by} cannot claim a repetition here"
    else:
        return ()
    return (_finding(game, "end", message, ("end",)),)


def _result_findings(game: GameFile, position: Position, outcome: Outcome | None) -> tuple[Finding, ...]:
    if game.result is None:
        return ()
    score = dict(outcome.score if outcome else position.score)
    if dict(game.result) == score:
        return ()
    found = ", ".join(f"{side}: {points}" for side, points in score.items())
    message = f"the moves give another result: {{{found}}}"
    return (_finding(game, "wrong-result", message, ("result",), (f"result: {{{found}}}",)),)


def _finding(game: GameFile, code: str, message: str, key: tuple[str], suggestions: tuple[str, ...] = ()) -> Finding:
    if game.source is None:
        return Finding(code, message, suggestions=suggestions)
    return game.source.finding(code, message, key, suggestions)
