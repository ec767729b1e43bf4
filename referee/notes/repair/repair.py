"""Repairs: the smallest changes after which a list of moves that does not hold is legal again.

A slip may lie before the place where the list stops: from there the search goes back, move by move. A repair is
a suggestion; nothing is ever changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from referee.errors import OptionError, Span
from referee.game import AnnotatedMove, GameFile, rounds_of
from referee.notation.slips import LARGE, SMALL
from referee.notes.repair.corrections import (
    LEFT_OPEN,
    UNLIKELY,
    Correction,
    exchanges,
    leaves_short,
    omissions,
    option_changes,
    renumbering,
    substitutions,
)
from referee.notes.repair.gaps import missing_moves, missing_rounds, rounds_left_out
from referee.notes.repair.sheet import DraftMoves, MovePlace
from referee.notes.repair.trials import Attempt, Grade, PlyStart, Trials
from referee.terminal import counted

MOST_REPAIRS = 3

_OTHER_MOVES = 2
"""Maximum repairs that replace a move by another one, if there are other repairs."""

_LONGEST_LIST = 2_000
"""Maximum moves of a list for which repairs are searched for."""

_FAR_BACK = 40
"""Maximum moves that the search goes back for large changes of one move."""

_FOR_OPTIONS, _FOR_GAPS, _FOR_SMALL, _FOR_LARGE, _FOR_MORE = 8_000, 8_000, 12_000, 8_000, 4_000
"""Maximum plies for options, for gaps (twice), for small changes, for large ones, and for those if small ones do."""

_ENOUGH = 2 * MOST_REPAIRS
"""Small changes after which everything holds that end the search; some may give the same game."""


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
        hold = "the only round holds" if self.rounds == 1 else f"all {counted(self.rounds, 'round', 'rounds')} hold"
        return f"{where}{self.change}: {hold}{'' if self.result else ', but not the result'}"


def repairs(draft: GameFile) -> tuple[Repair, ...]:
    """Up to three repairs of a game that does not hold, the likeliest first.

    Those come first after which everything holds; of them the smallest, then the nearest to the place where the
    list stops. The draft is a game, or that of a `DraftError`.
    """
    if sum(len(each.moves) for each in draft.rounds) > _LONGEST_LIST:
        return ()
    return tuple(_Search(draft).repairs())


class _Search:
    """The search for one game."""

    def __init__(self, draft: GameFile) -> None:
        self._draft = draft
        self._sheet = DraftMoves.of(draft)
        self._trials = Trials(draft, self._sheet)
        self._attempts: list[Attempt] = []

    def repairs(self) -> Iterator[Repair]:
        """The best changes; each gives another game."""
        self._try_all()
        games: list[GameFile] = []
        for attempt in self._in_order():
            game = self._after(attempt.correction)
            if game not in games:
                games.append(game)
                yield self._repair(attempt, game)
            if len(games) == MOST_REPAIRS:
                return

    def _in_order(self) -> list[Attempt]:
        """The likeliest attempts first, but of other moves only two before what does as well without one.

        Often several other moves will do, above all in one place; an exchange or a gap after which everything holds
        hardly ever does by chance.
        """
        times, keys = Counter[int](), list[tuple[int, ...]]()
        attempts = sorted(self._likely(), key=self._rank)
        for attempt in attempts:
            correction = attempt.correction
            is_more = int(correction.size > SMALL)
            if correction.is_substitution and correction.size <= LARGE:
                is_more = (times[correction.at] >= _OTHER_MOVES) + (times.total() >= _OTHER_MOVES)
                times[correction.at] += 1
            keys.append((*self._rank(attempt)[:2], is_more))
        return [attempts[place] for place in sorted(range(len(keys)), key=keys.__getitem__)]

    def _likely(self) -> list[Attempt]:
        """The attempts; if the moves hold after one, not those after which they do not.

        If only the result is wrong and many moves might be others, one of those represents them all, and comes last.
        """
        whole = [one for one in self._attempts if one.grade < Grade.REFUSED]
        moves = [one for one in whole if one.correction.is_substitution]
        if self._trials.base.grade == Grade.DIFFERENT and len(moves) > MOST_REPAIRS:
            others = [one for one in self._attempts if not one.correction.is_substitution]
            one = min(moves, key=self._rank)
            words = f"many changes would do, such as {one.correction.words}"
            return [*others, one._replace(correction=replace(one.correction, words=words, size=UNLIKELY + 1))]
        proved = [one for one in self._attempts if one.grade == Grade.REFUSED and self._is_proved(one.correction)]
        return [*whole, *proved] if whole else self._attempts

    def _is_proved(self, correction: Correction) -> bool:
        """True for rounds that the numbers leave out."""
        return correction.size == LEFT_OPEN and correction.at in self._sheet.missing and bool(correction.put)

    # --- Attempts ---

    def _try_all(self) -> None:
        trials = self._trials
        if trials.base.grade == Grade.RIGHT:
            if self._sheet.misnumbered:  # other numbers are right, or a round that they leave out
                self._attempts += rounds_left_out(trials)
                self._attempts.append(trials.base._replace(correction=renumbering(self._sheet)))
            return
        trials.allow(_FOR_OPTIONS)
        self._try_options()
        if not trials.line:
            return
        trials.allow(_FOR_GAPS)
        self._attempts += rounds_left_out(trials)
        if self._found(Grade.DIFFERENT, LEFT_OPEN):
            return
        if trials.base.grade == Grade.REFUSED:
            for attempt in missing_moves(trials):
                self._keep(attempt)
        larger = self._try_small_changes()
        self._try_large_changes(larger)
        trials.allow(_FOR_GAPS)
        if trials.base.grade == Grade.REFUSED and not self._found(Grade.RIGHT, SMALL):
            for attempt in missing_rounds(trials):
                self._keep(attempt)

    def _try_options(self) -> None:
        """Try other options: two at once only if no single one will do."""
        if self._draft.start_text is not None:
            return
        for correction in option_changes(self._draft.description, self._draft.options):
            if correction.size >= UNLIKELY and self._found(Grade.RIGHT):
                return
            assert correction.options is not None
            game = replace(self._draft, options=correction.options)
            try:
                start = game.start()
            except OptionError:
                continue
            self._keep(self._trials.judged(correction, PlyStart(start, 0), game))

    def _try_small_changes(self) -> list[tuple[Correction, PlyStart]]:
        """Try small changes all the way back, up to enough that will do; the larger ones on the way."""
        trials, larger = self._trials, list[tuple[Correction, PlyStart]]()
        trials.allow(_FOR_SMALL)
        for at in range(min(trials.fault, len(self._sheet.moves) - 1), trials.line[0].begin - 1, -1):
            trials.look_at_the_time()
            if trials.are_over or self._are_enough():
                break
            place, side = trials.side_of(at)
            changes = [exchanges(self._sheet, at), substitutions(self._sheet, at, place.position, side)]
            if trials.base.grade == Grade.REFUSED:
                changes.append(omissions(self._sheet, at))
            for correction in chain(*changes):
                if correction.size == SMALL:
                    self._keep(trials.judged(correction, place))
                elif trials.fault - at <= _FAR_BACK or not correction.is_substitution:
                    larger.append((correction, place))
        return larger

    def _try_large_changes(self, larger: list[tuple[Correction, PlyStart]]) -> None:
        self._trials.allow(_FOR_MORE if self._found(Grade.RIGHT) else _FOR_LARGE)
        for correction, place in sorted(larger, key=lambda one: (one[0].size, one[0].is_substitution)):
            if self._trials.are_over or self._are_enough():
                return
            self._keep(self._trials.judged(correction, place))

    def _keep(self, attempt: Attempt) -> None:
        """Keep an attempt that leads past the fault and past the change, and leaves no short round behind."""
        correction, base = attempt.correction, self._trials.base.grade
        if leaves_short(self._sheet, correction):
            return
        changed = correction.at + min(correction.removed, 2 * self._sheet.size)
        far = attempt.gained > max(self._trials.fault + 1, changed)
        if attempt.grade < base or (attempt.grade == base == Grade.REFUSED and far):
            self._attempts.append(attempt)

    def _found(self, grade: Grade, size: int = UNLIKELY) -> bool:
        """True if some attempt has this grade or a better one, and at most this size."""
        return any(one.grade <= grade and one.correction.size <= size for one in self._attempts)

    def _are_enough(self) -> bool:
        """True if larger or more distant changes would not be among the first.

        If only the result is wrong, other moves are not likely, and do not count.
        """
        if self._trials.base.grade == Grade.DIFFERENT:
            return False
        found = [one.correction for one in self._attempts if one.grade == Grade.RIGHT]
        times = Counter(one.at for one in found if one.size <= SMALL)
        return sum(min(number, _OTHER_MOVES) for number in times.values()) >= _ENOUGH

    def _rank(self, attempt: Attempt) -> tuple[int, ...]:
        """Less for what is likelier: what leads further, what the list leaves room for, what is small and near.

        A result says nothing against a move or round that is missing, as another one may lead to it.
        """
        correction, is_whole = attempt.correction, attempt.grade < Grade.REFUSED
        return (
            not self._is_proved(correction),
            Grade.RIGHT if is_whole and not correction.removed and correction.put else attempt.grade,
            correction.size != LEFT_OPEN,
            0 if is_whole else -attempt.gained,
            correction.size,
            self._distance(correction),
            correction.steps,
        )

    def _distance(self, correction: Correction) -> int:
        """The number of moves from a change to the fault; 0 within a round or two that change places."""
        fault, last = self._trials.fault, correction.at + max(correction.removed, 1) - 1
        if correction.at <= fault <= last < correction.at + 2 * self._sheet.size:
            return 0
        return abs(fault - correction.at)

    # --- Results ---

    def _after(self, correction: Correction) -> GameFile:
        """The game after a change."""
        if correction.options is not None:
            return replace(self._draft, options=correction.options)
        noted = [one for each in self._draft.rounds for one in each.moves]
        noted[correction.at : correction.at + correction.removed] = map(AnnotatedMove, correction.put)
        return replace(self._draft, rounds=rounds_of(noted, self._sheet.size))

    def _repair(self, attempt: Attempt, game: GameFile) -> Repair:
        correction, place = attempt.correction, attempt.correction.place
        at = self._place(place)
        return Repair(
            line=at.line,
            column=at.column,
            round=place.round + 1 if place else 0,
            change=correction.words,
            rounds=attempt.reach // self._sheet.size if attempt.grade == Grade.REFUSED else len(game.rounds),
            holds=attempt.grade < Grade.REFUSED,
            result=attempt.grade == Grade.RIGHT,
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
