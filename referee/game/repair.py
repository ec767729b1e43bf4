"""Repairs: the smallest changes after which a list of moves that does not hold is legal again.

A slip may lie before the place where the list stops: from there the search goes back, move by move. A repair is
a suggestion; nothing is ever changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from referee.errors import IllegalMove, NotationError, OptionError, Span
from referee.game.corrections import Correction, MovePlace, Sheet, option_changes
from referee.game.draft import Unread
from referee.game.gamefile import AnnotatedMove, GameFile, rounds_of
from referee.game.judge import final_findings
from referee.rules import Move, Position
from referee.rules.cursor import Cursor, cursor
from referee.terminal import counted

MOST_REPAIRS = 3

_MOST_PLIES = 40_000
"""Maximum plies that a search plays."""

_LONGEST_LIST = 2_000
"""Maximum moves of a list for which repairs are searched for."""

_BACK = 200
"""Maximum plies that it goes back."""

_GAP_BACK = 10
"""Maximum moves that it goes back for a missing one."""

_SAMPLE, _THOROUGH, _PROMISING = 24, 400, 3
"""Moves tried in a gap at first, those tried in a promising one, and the number of promising ones."""

_RIGHT, _DIFFERENT, _REFUSED = range(3)
"""Grades: all is right; all moves are, but the end or the result is not; a move is refused."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One change of a game, and how far the list holds after it.

    `round` counts from 1, and is 0 for a change of the options. `rounds` is the number of rounds that hold; `holds`
    is true if all do, `result` if the end and the result in the header are right too. `game` is the game after it.
    """

    line: int
    column: int
    round: int
    change: str
    rounds: int
    holds: bool
    result: bool
    game: GameFile

    def as_json(self) -> dict[str, object]:
        """The repair as `referee check --repair --format jsonl` prints it."""
        names = ("line", "column", "round", "change", "rounds", "holds", "result")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        where = f"round {self.round}: " if self.round else ""
        if not self.holds:
            return f"{where}{self.change}: holds up to round {self.rounds}"
        hold = "the one round holds" if self.rounds == 1 else f"all {counted(self.rounds, 'round', 'rounds')} hold"
        return f"{where}{self.change}: {hold}{'' if self.result else ', but not the result'}"


class _Ply(NamedTuple):
    """A ply of the list: the position before it, and where it begins."""

    position: Position
    begin: int


class _Attempt(NamedTuple):
    """A change, its grade, and the number of moves after it that hold."""

    grade: int
    reach: int
    correction: Correction


class _Gap(NamedTuple):
    """A place where a move of a side may be missing, its legal moves there, and the best attempt so far."""

    at: int
    side: str
    ply: _Ply
    moves: list[Move]
    best: _Attempt


def repairs(draft: GameFile) -> tuple[Repair, ...]:
    """Up to three repairs of a game that does not hold, the likeliest first.

    Those come first after which everything holds; of them the smallest, then the nearest to the place where the
    list stops. The draft is a game, or that of a `DraftError`.
    """
    if sum(len(each.moves) for each in draft.rounds) > _LONGEST_LIST:
        return ()
    return tuple(_Search(draft).repairs())


class _Search:
    """The search for one game; it ends after a fixed number of plies, so that it always finds the same."""

    def __init__(self, draft: GameFile) -> None:
        self._draft = draft
        self._sheet = Sheet.of(draft)
        self._plies_left = _MOST_PLIES
        self._attempts: list[_Attempt] = []
        self._line: deque[_Ply] = deque(maxlen=_BACK)
        try:
            start = draft.start()
        except (OptionError, NotationError):
            self._base = _Attempt(_REFUSED, 0, Correction(0, "", None))
            return
        for here, done in self._plies(start, self._sheet.moves, 0):
            self._line.append(_Ply(here.position, done))
        grade = _REFUSED if self._sheet.short else self._grade(draft, here.position, done, len(self._sheet.moves))
        self._base = _Attempt(grade, done, Correction(0, "", None))

    def repairs(self) -> Iterator[Repair]:
        """The best changes, each of which gives another game."""
        if self._base.grade == _RIGHT:
            return
        self._try_options()
        if self._line:
            if self._base.grade == _REFUSED:
                self._try_gaps()
            self._try_changes()
        games: list[GameFile] = []
        for attempt in sorted(self._likely(), key=self._rank):
            game = self._after(attempt.correction)
            if game not in games:
                games.append(game)
                yield self._repair(attempt, game)
            if len(games) == MOST_REPAIRS:
                return

    def _likely(self) -> list[_Attempt]:
        """The attempts; if the moves hold after one, not those after which they do not.

        Where only the result is wrong and many moves might be others, none of those is likely.
        """
        whole = [one for one in self._attempts if one.grade < _REFUSED]
        others = [one for one in whole if not one.correction.is_substitution]
        if self._base.grade == _DIFFERENT and len(whole) - len(others) > MOST_REPAIRS:
            return others
        return whole or self._attempts

    # --- What is tried ---

    def _try_options(self) -> None:
        if self._draft.start_text is not None:
            return
        for correction in option_changes(self._draft.description, self._draft.options):
            assert correction.options is not None
            game = replace(self._draft, options=correction.options)
            try:
                start = game.start()
            except OptionError:
                continue
            self._try(correction, game, _Ply(start, 0))

    def _try_gaps(self) -> None:
        """Try to add a move: some at first, and more where they lead far."""
        gaps = [gap for gap in map(self._gap, self._gaps()) if gap.moves]
        for gap in sorted(gaps, key=lambda gap: _far(gap.best))[:_PROMISING]:
            best = gap.best
            for move in gap.moves[:: len(gap.moves) // _THOROUGH + 1]:
                if best.grade == _RIGHT:
                    break
                best = min(best, self._filled(gap.ply, gap.side, gap.at, move), key=_far)
            self._keep(best)

    def _gap(self, at: int) -> _Gap:
        """A place where a move may be missing, and the best of some moves there."""
        ply, side = self._ply_of(at)
        moves = list(ply.position.legal_moves(side))
        sample = moves[:: len(moves) // _SAMPLE + 1]
        return _Gap(
            at,
            side,
            ply,
            moves,
            min((self._filled(ply, side, at, move) for move in sample), key=_far, default=self._base),
        )

    def _filled(self, ply: _Ply, side: str, at: int, move: Move) -> _Attempt:
        return self._judged(self._sheet.insertion(at, side, move), self._draft, ply)

    def _gaps(self) -> list[int]:
        """Where a move may be missing: in rounds that are too short, and shortly before the fault."""
        near = range(self._fault, max(self._fault - _GAP_BACK, self._line[0].begin) - 1, -1)
        holes = [at for at in sorted(self._sheet.holes) if self._line[0].begin <= at <= self._line[-1].begin + 1]
        return [at for at in dict.fromkeys((*holes, *near)) if self._is_due(at)]

    def _try_changes(self) -> None:
        for at in range(min(self._fault, len(self._sheet.moves) - 1), self._line[0].begin - 1, -1):
            ply, side = self._ply_of(at)
            changes = [self._sheet.exchanges(at), self._sheet.substitutions(at, ply.position, side)]
            if self._base.grade == _REFUSED:
                changes.append(self._sheet.omissions(at))
            for correction in chain(*changes):
                self._try(correction, self._draft, ply)

    # --- Judging ---

    def _try(self, correction: Correction, game: GameFile, ply: _Ply) -> None:
        self._keep(self._judged(correction, game, ply))

    def _keep(self, attempt: _Attempt) -> None:
        """Keep an attempt that leads further than one move past the fault, and leaves no short round behind."""
        correction = attempt.correction
        if self._sheet.short_after(correction):
            return
        gained = attempt.reach - len(correction.put) + correction.removed - self._fault
        if attempt.grade < self._base.grade or (attempt.grade == _REFUSED and gained > 1):
            self._attempts.append(attempt)

    def _judged(self, correction: Correction, game: GameFile, ply: _Ply) -> _Attempt:
        """What comes of a change, from the ply on in which it begins."""
        sheet = self._sheet.moves
        rest = (sheet[at] for at in range(correction.at + correction.removed, len(sheet)))
        moves = chain(sheet[ply.begin : correction.at], correction.put, rest)
        *_, (here, done) = self._plies(ply.position, moves, ply.begin)
        length = len(sheet) + len(correction.put) - correction.removed
        return _Attempt(self._grade(game, here.position, done, length), done, correction)

    def _plies(self, start: Position, moves: Iterable[Move], done: int) -> Iterator[tuple[Cursor[Move], int]]:
        """A cursor before the first ply and after each that holds, with the number of moves so far."""
        here, waiting = cursor(start), iter(moves)
        yield here, done
        while due := here.to_move:
            ply = tuple(islice(waiting, len(due)))
            self._plies_left -= 1
            if not ply or self._plies_left < 0 or any(isinstance(move, Unread) for move in ply):
                return
            try:
                here.play(dict(zip((side for side in here.sides if side in due), ply, strict=False)))
            except IllegalMove:
                return
            done += len(ply)
            yield here, done

    def _grade(self, game: GameFile, position: Position, done: int, length: int) -> int:
        if done < length:
            return _REFUSED
        return _DIFFERENT if final_findings(game, position, game.outcome_at(position)) else _RIGHT

    def _rank(self, attempt: _Attempt) -> tuple[int, ...]:
        correction = attempt.correction
        far = -attempt.reach if attempt.grade == _REFUSED else 0
        return attempt.grade, far, correction.size, abs(self._fault - correction.at), correction.steps

    # --- The place of a fault ---

    @cached_property
    def _fault(self) -> int:
        """The first move that is refused; past the last one if none is, or if one is missing."""
        if not self._line:
            return 0
        (position, begin), moves = self._line[-1], self._sheet.moves
        for at, side in enumerate(_due(position), begin):
            if at >= len(moves):
                break
            if isinstance(moves[at], Unread) or moves[at] not in position.legal_moves(side):
                return at
        return len(moves) if position.to_move else begin

    def _is_due(self, at: int) -> bool:
        """True if somebody is to move where move `at` is or would be."""
        position, begin = self._line_at(at)
        return at - begin < len(_due(position))

    def _ply_of(self, at: int) -> tuple[_Ply, str]:
        """The ply of the list in which a move is or would be, and the side whose move it is."""
        ply = self._line_at(at)
        due = _due(ply.position)
        return ply, due[at - ply.begin] if at - ply.begin < len(due) else ""

    def _line_at(self, at: int) -> _Ply:
        return next(ply for ply in reversed(self._line) if ply.begin <= at)

    # --- What is told ---

    def _after(self, correction: Correction) -> GameFile:
        """The game after a change."""
        if correction.options is not None:
            return replace(self._draft, options=correction.options)
        noted = [one for each in self._draft.rounds for one in each.moves]
        noted[correction.at : correction.at + correction.removed] = map(AnnotatedMove, correction.put)
        return replace(self._draft, rounds=rounds_of(noted, self._sheet.size))

    def _repair(self, attempt: _Attempt, game: GameFile) -> Repair:
        correction, place = attempt.correction, attempt.correction.place
        at = self._place(place)
        return Repair(
            line=at.line,
            column=at.column,
            round=place.round + 1 if place else 0,
            change=correction.words,
            rounds=attempt.reach // self._sheet.size if attempt.grade == _REFUSED else len(game.rounds),
            holds=attempt.grade < _REFUSED,
            result=attempt.grade == _RIGHT,
            game=game,
        )

    def _place(self, place: MovePlace | None) -> Span:
        """The place in the file; that of the options if it is no move's."""
        if self._draft.source is None:
            return Span(1, 1)
        if place is None:
            return self._draft.source.place(("options",))
        found = self._draft.finding_at("", "", place.round + 1, place.column)
        return Span(found.line, found.column)


def _due(position: Position) -> list[str]:
    return [side for side in position.sides if side in position.to_move]


def _far(attempt: _Attempt) -> tuple[int, int]:
    return attempt.grade, -attempt.reach
