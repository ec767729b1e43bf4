"""Faults of the moves of a list: one finding for each cause, with the number of moves that share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.errors import Finding, NotationError, RefereeError
from referee.game.file.ends import spoken_ending
from referee.game.file.gamefile import GameFile
from referee.game.file.judge import judge
from referee.game.file.rounds import MoveFault, Unread
from referee.notation.habits import Habit, fits_board, habit
from referee.notation.moves import move_text, parse_move
from referee.notation.spoken import suggested
from referee.rules import Position, games, movers, unless_broken
from referee.terminal import counted

_TRIED = 500
"""Maximum unparsable moves of a list for which a habit is looked for."""

_FEWEST, _LOOKED_AT = 4, 40
"""Minimum moves of a list that may be one of another game, and the number of those that are read as its moves."""

_FOLDED = frozenset(("half-round",))
"""Codes reported once in a list, because further findings follow from the first or have the same cause."""


def known_faults(faults: Sequence[MoveFault], game: GameFile, start: Position | None) -> list[MoveFault]:
    """The faults, with sentences for ends and known habits; a habit counts only if the board may allow it."""
    return [
        fault if fault.text is None else _known(fault, fault.text, game, start, number <= _TRIED)
        for number, fault in enumerate(faults)
    ]


def _known(fault: MoveFault, text: str, game: GameFile, start: Position | None, tried: bool) -> MoveFault:
    sides = game.description.sides
    if said := spoken_ending(text, sides, None):
        return fault._replace(finding=replace(fault.finding, message=said.message))
    known = habit(game.game, text, sides) if tried else None
    if known is None or (start is not None and not fits_board(known, start)):
        return fault
    message = known.message or fault.finding.message
    return fault._replace(finding=replace(fault.finding, message=message, suggestions=(known.text,)), habit=known)


def _cause(fault: MoveFault) -> str | None:
    """The cause that a fault shares with others, such as the same text; None if it is reported alone."""
    if fault.habit is not None:
        return fault.habit.cause
    if fault.text is not None:
        return f"{fault.text}: {fault.finding.message}"
    return fault.finding.code if fault.finding.code in _FOLDED else None


def told_once(faults: Sequence[MoveFault], *, whole: bool) -> list[MoveFault]:
    """The faults, each cause once with its number; `whole` is false if reading stopped before the end of the list."""
    times = Counter(map(_cause, faults))
    folded: list[MoveFault] = []
    seen: set[str] = set()
    for fault in faults:
        cause = _cause(fault)
        if cause is None:
            folded.append(fault)
        elif cause not in seen:
            seen.add(cause)
            folded.append(_counted(fault, times[cause] - 1, whole=whole))
    return folded


def _counted(fault: MoveFault, more: int, *, whole: bool) -> MoveFault:
    if not more:
        return fault
    one, many = ("move is", "moves are") if fault.text is not None else ("round is", "rounds are")
    said = f"{'' if whole else 'at least '}{counted(more, f'more {one}', f'more {many}')} like this"
    if fault.text is None:
        said += ": write the moves of a round on one line, divided by bars"
    return fault._replace(finding=replace(fault.finding, message=f"{fault.finding.message}; {said}"))


def of_another_game(game: GameFile, faults: Sequence[MoveFault]) -> Finding | None:
    """The one finding about a list whose moves are all of another game."""
    moves = [one.move for each in game.rounds for one in each.moves]
    unread = [move.text for move in moves if isinstance(move, Unread)]
    if len(unread) < max(_FEWEST, len(moves)):
        return None
    first = next(fault.finding for fault in faults if fault.text is not None)

    def holds(other: str) -> str:
        return other if all(move_text(other, text) for text in unread[:_LOOKED_AT]) else ""

    others = (one.name for one in games() if one.name != game.game)
    if not (other := next(filter(None, unless_broken(holds, others)), "")):
        return None
    message = f"this and all other moves are moves of {other}, not of {game.game}"
    return replace(first, message=message, suggestions=(f"game: {other}",))


def with_suggestions(game: GameFile, faults: Sequence[MoveFault], *, suggest: bool) -> list[Finding]:
    """The findings, with legal moves for a first unparsable move; the moves before it are judged on the way."""
    first = next((number for number, one in enumerate(faults) if one.finding.code != "round-number"), 0)
    findings = [one.finding for one in faults]
    fault = faults[first]
    if fault.text is None:
        return findings
    known = replace(game, rounds=game.rounds[: fault.round], rules=None, players={}, ending=None, result=None)
    before = judge(known, suggest=suggest)
    position = before.position
    if before.findings:
        return [*findings, *before.findings]
    moves = game.rounds[fault.round].moves
    for place, noted in enumerate(moves[: fault.place]):
        if len(position.to_move) != 1:
            break
        try:
            position = position.play(dict.fromkeys(position.to_move, noted.move))
        except RefereeError as error:
            return [*findings, game.finding_at(error.code, error.message, fault.round + 1, place)]
    due = movers(position)
    if not suggest or not due:
        return findings
    side = due[min(fault.place, len(due) - 1)]
    said = spoken_ending(fault.text, position.sides, side)
    if fault.habit and _can_be_written(fault.habit, position, side):
        return findings
    meant = fault.habit.text if fault.habit else fault.text
    near = said.lines if said else suggested(game.game, meant, position.legal_moves(side))
    findings[first] = replace(fault.finding, suggestions=near)
    return findings


def _can_be_written(known: Habit, position: Position, side: str) -> bool:
    """True if what a habit means is a legal move of a side, or more than a move."""
    try:
        return parse_move(position.game, known.text) in position.legal_moves(side)
    except NotationError:
        return True
