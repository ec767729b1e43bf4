"""Gaps in a list that does not hold: moves and whole rounds that may be missing, and moves that would fill them."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from referee.errors import IllegalMove
from referee.notation.nearest import words_of
from referee.notes.repair.corrections import move_insertion, round_insertion
from referee.notes.repair.trials import Attempt, Grade, PlyStart, Trials
from referee.rules import Move, Position, movers

_MOVES_BACK = 10
"""Maximum moves that are gone back from the fault for a missing one."""

_ROUNDS_BACK = 6
"""Maximum rounds that are gone back for a missing one."""

_FAR_ROUNDS = 3
"""Rounds that must hold after one that may be missing, if not all do: any two moves lead a little further."""

_SAMPLE, _THOROUGH, _PROMISING = 24, 400, 3
"""Moves tried in a gap at first, those tried in a promising one, and the number of promising ones."""

_AKIN = 48
"""Maximum moves tried in a missing round because they have words of the refused ones."""

_SORTS = 48
"""Maximum other moves tried there."""

_SHORT = attrgetter("short_of_all")


class _Gap(NamedTuple):
    """A place where a move of a side may be missing, its legal moves there, and the best attempt so far."""

    at: int
    side: str
    place: PlyStart
    moves: list[Move]
    best: Attempt


# --- A move ---


def missing_moves(trials: Trials) -> Iterator[Attempt]:
    """A move more where one may be missing: some at first, and more where they lead far."""
    gaps = [gap for gap in (_gap(trials, at) for at in _places(trials)) if gap.moves]
    for gap in sorted(gaps, key=lambda gap: gap.best.short_of_all)[:_PROMISING]:
        best = gap.best
        for move in _spread(gap.moves, _THOROUGH):
            if best.grade == Grade.RIGHT:
                break
            best = min(best, _with_move(trials, gap.place, gap.side, gap.at, move), key=_SHORT)
        yield best


def _places(trials: Trials) -> list[int]:
    """Places where a move may be missing: in rounds that are too short, and shortly before the fault."""
    near = range(trials.fault, max(trials.fault - _MOVES_BACK, trials.line[0].begin) - 1, -1)
    holes = [at for at in sorted(trials.sheet.holes) if trials.known(at)]
    return [at for at in dict.fromkeys((*holes, *near)) if trials.side_of(at)[1]]


def _gap(trials: Trials, at: int) -> _Gap:
    """A place where a move may be missing, and the best of some moves there."""
    place, side = trials.side_of(at)
    moves = list(place.position.legal_moves(side))
    tried = (_with_move(trials, place, side, at, move) for move in _spread(moves, _SAMPLE))
    return _Gap(at, side, place, moves, min(tried, key=_SHORT, default=trials.base))


def _with_move(trials: Trials, place: PlyStart, side: str, at: int, move: Move) -> Attempt:
    return trials.judged(move_insertion(trials.sheet, at, side, move), place)


# --- Rounds ---


def rounds_left_out(trials: Trials) -> Iterator[Attempt]:
    """The rounds that the numbers leave out; each is reported even if nothing is known of its moves."""
    for at, rounds in trials.sheet.missing.items():
        if trials.known(at) and trials.place_of(at).begin == at:
            yield from _best_rounds(trials, at, rounds)


def missing_rounds(trials: Trials) -> Iterator[Attempt]:
    """A round more before the fault, nearest first, up to the first one after which the list holds."""
    sheet, begin = trials.sheet, trials.sheet.round_at(min(trials.fault, len(trials.sheet.moves) - 1))
    for at in range(begin, begin - _ROUNDS_BACK * sheet.size - 1, -sheet.size):
        if at < 0 or not trials.known(at) or trials.place_of(at).begin != at:
            continue
        for attempt in _best_rounds(trials, at, 1):
            if attempt.grade < Grade.REFUSED:
                yield attempt
                return
            if attempt.gained - trials.fault >= _FAR_ROUNDS * sheet.size:
                yield attempt


def _best_rounds(trials: Trials, at: int, rounds: int) -> Iterator[Attempt]:
    """The best rounds found for a gap; none if the game would be over there.

    It begins with any legal moves. Then another move takes the place of one of them as long as that leads further:
    one of those that have words in common with the moves refused so far, as they move what these need, or any.
    """
    place, count = trials.place_of(at), rounds * trials.sheet.size
    moves = _legal_run(place.position, (), count)
    if moves is None:
        return
    best: Attempt | None = trials.judged(round_insertion(trials.sheet, at, moves), place)
    words: set[str] = set()
    while best is not None:
        found = best
        trials.look_at_the_time()
        if found.grade < Grade.REFUSED or trials.are_over:
            break
        refused = trials.sheet.moves[found.gained : found.gained + trials.sheet.size]
        words.update(word for move in refused for word in words_of(str(move).casefold()))
        put = found.correction.put
        runs = (run for slot in range(count) for run in _other_runs(place.position, put, slot, words))
        attempts = (trials.judged(round_insertion(trials.sheet, at, run), place) for run in runs)
        best = next((one for one in attempts if one.short_of_all < found.short_of_all), None)
    yield found


def _other_runs(
    start: Position, run: Sequence[Move], slot: int, words: Collection[str]
) -> Iterator[tuple[Move, ...]]:
    """Runs of legal moves with another move in one place; those after it stay if they can."""
    for move in _worth_trying(_legal_at(start, run, slot), words):
        if move != run[slot]:
            other = _legal_run(start, (*run[:slot], move, *run[slot + 1 :]), len(run))
            if other is not None:
                yield other


def _worth_trying(legal: list[Move], words: Collection[str]) -> list[Move]:
    """Those of the moves that share most words with others, and some of the rest that have all sorts of words."""
    parts = {move: set(words_of(str(move).casefold())) for move in legal}
    common = {move: len(parts[move].intersection(words)) for move in legal}
    akin = sorted((move for move in legal if common[move]), key=lambda move: -common[move])[:_AKIN]
    return list(dict.fromkeys((*akin, *islice(_all_sorts(legal, parts), _SORTS))))


def _all_sorts(moves: Sequence[Move], parts: Mapping[Move, set[str]]) -> Iterator[Move]:
    """Those of the moves, in a mixed order that is always the same, that have a word which those before have not."""
    seen = set[str]()
    for move in random.Random(len(moves)).sample(moves, len(moves)):
        if not parts[move] <= seen:
            seen |= parts[move]
            yield move


def _legal_at(start: Position, run: Sequence[Move], slot: int) -> list[Move]:
    """The legal moves in one place of a run."""
    position, done = start, 0
    while len(due := movers(position)) <= slot - done:
        position = position.play(dict(zip(due, run[done:], strict=False)))
        done += len(due)
    return list(position.legal_moves(due[slot - done]))


def _legal_run(start: Position, wished: Sequence[Move], count: int) -> tuple[Move, ...] | None:
    """As many legal moves, ply by ply: those that are wished for, or any; None if there are none."""
    position, run = start, list[Move]()
    while len(run) < count:
        ply: dict[str, Move] = {}
        for side in movers(position):
            legal = position.legal_moves(side)
            wish = wished[len(run)] if len(run) < len(wished) else None
            move = wish if wish is not None and wish in legal else next(iter(legal), None)
            if move is None:
                return None
            ply[side] = move
            run.append(move)
        if not ply:
            return None
        try:
            position = position.play(ply)
        except IllegalMove:
            return None
    return tuple(run) if len(run) == count else None


def _spread(moves: list[Move], most: int) -> list[Move]:
    """Some of the moves, evenly over all of them."""
    return moves[:: len(moves) // most + 1]
