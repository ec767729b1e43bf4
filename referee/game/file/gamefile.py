"""The content of a game file: header, moves, marks and comments; and its replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple, cast

from referee.above import above
from referee.errors import LONGEST_SHOWN, FileError, Finding, IllegalMove, NotationError, RefereeError, cut, shown
from referee.game.file.document import Document
from referee.notation.movelist import MoveLine, WrittenMove, parse_move_line
from referee.notation.moves import move_text
from referee.rules import (
    Event,
    Facts,
    Game,
    Move,
    Moves,
    Outcome,
    Position,
    Termination,
    cursor_at,
    first_position,
    game_named,
)
from referee.rules.cursor import Cursor
from referee.rules.frozen import Frozen, freezing


class AnnotatedMove(NamedTuple):
    """A move with a mark such as `!?` and comments."""

    move: Move
    mark: str = ""
    comments: tuple[str, ...] = ()


class Round(NamedTuple):
    """One numbered line: `Game.moves_per_round` moves, or fewer in the last round; `comments` precede its moves."""

    moves: tuple[AnnotatedMove, ...]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variation:
    """Other moves from a place of a game on, in rounds; `variations` are other moves than these.

    `round` numbers the first of its rounds, and `made` counts the moves of that round that were made before it.
    `comments` follow the last round.
    """

    round: int
    made: int
    rounds: tuple[Round, ...]
    comments: tuple[str, ...] = ()
    variations: tuple[Variation, ...] = ()

    @property
    def label(self) -> str:
        """The number of its first round as it is written, with dots for the moves made before."""
        return f"{self.round}. {'... | ' * self.made}".rstrip()


class BranchPoint(NamedTuple):
    """The game that a line leaves, and where: in a round, after `made` moves of it.

    `number` is the line's place among the variations of that game, from 0.
    """

    game: GameFile
    round: int
    made: int
    number: int


def rounds_of(moves: Sequence[AnnotatedMove], size: int) -> tuple[Round, ...]:
    """Moves in rounds of a size; the last one may be smaller."""
    return tuple(Round(tuple(moves[start : start + size])) for start in range(0, len(moves), size))


@dataclass(frozen=True, slots=True)
class Player:
    """The player of a side."""

    name: str
    email: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """An end that the moves do not show.

    `by` is the side that resigned, ran out of time, claimed the repetition, or lost by adjudication. An agreement,
    or an adjudication without `by`, is a draw.
    """

    how: Termination
    by: str | None = None


class Ply(NamedTuple):
    """One step of play: the moves made at once, and their result.

    `number` counts from 1, `round` is the line of the move list; `annotated` has the moves of each side with
    their marks and comments. `outcome` is that of the game once this ply has ended it.

    >>> import referee
    >>> *_, last = referee.read("games/beams/opening.yaml").replay()
    >>> last.number, str(last.moves["south"]), last.outcome
    (5, 'P R1 B15 10', None)
    """

    number: int
    round: int
    annotated: Mapping[str, AnnotatedMove]
    before: Position
    position: Position
    outcome: Outcome | None

    @property
    def moves(self) -> Moves:
        """Side -> move."""
        return Frozen({side: one.move for side, one in self.annotated.items()})

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the ply."""
        return self.before.events(self.moves, self.position) if self.annotated else ()

    def as_json(self) -> Facts:
        """The ply as data for JSON: `ply`, `round`, `moves`, `position`, `to_move` and `outcome`."""
        return {
            "ply": self.number,
            "round": self.round,
            "moves": {side: str(one.move) for side, one in self.annotated.items()},
            "position": self.position.facts(),
            "to_move": [] if self.outcome else sorted(self.position.to_move),
            "outcome": self.outcome and self.outcome.as_json(),
        }

    def __repr__(self) -> str:
        moves = ", ".join(f"{side} {one.move}" for side, one in self.annotated.items())
        over = f"; over ({self.outcome.termination})" if self.outcome else ""
        return f"<Ply {self.number}: {cut(moves, LONGEST_SHOWN)}{over}>"

    def _repr_svg_(self) -> str:
        """The board after the ply as a picture, for notebooks."""
        return cast(str, above("svg")(self))


@freezing
@dataclass(frozen=True, repr=False)
class GameFile:
    """A game file's content; equal to any other with the same content.

    `options` are those in the file. `start_text` is the text of the first position, if it is not the usual one.
    `trailing_comments` follow the last round. `source` is the document it was read from, and `file` the name of
    that, if it was read. `branch` is where a line leaves its game.

    >>> import referee
    >>> game = referee.read("games/laser-chess/curiosity.yaml")
    >>> game.description.title, dict(game.options), game.players["red"].name
    ('Laser Chess', {'setup': 'curiosity'}, 'Rosa Lind')
    """

    game: str
    rounds: tuple[Round, ...] = ()
    rules: int | None = None
    id: str | None = None
    date: str | None = None
    event: str | None = None
    players: Mapping[str, Player] = field(default_factory=Frozen)
    options: Mapping[str, object] = field(default_factory=Frozen)
    start_text: str | None = None
    ending: End | None = None
    result: Mapping[str, int] | None = None
    trailing_comments: tuple[str, ...] = ()
    variations: tuple[Variation, ...] = ()
    source: Document | None = field(default=None, compare=False, repr=False)
    file: str = field(default="", compare=False, repr=False)
    branch: BranchPoint | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        named = f" {shown(self.id)}" if self.id else ""
        who = "".join(f", {side} {cut(one.name, 20)}" for side, one in self.players.items())
        rounds = "1 round" if len(self.rounds) == 1 else f"{len(self.rounds)} rounds"
        return f"<GameFile {self.game}{named}: {rounds}{who}>"

    def _repr_svg_(self) -> str | None:
        """The board after the last ply as a picture, for notebooks; None if the game does not hold."""
        return cast(str | None, above("game_svg")(self))

    @property
    def description(self) -> Game:
        """The game's sides, options and title."""
        return game_named(self.game)

    def start(self) -> Position:
        """The position before the first ply; NotationError `position`, or OptionError with every faulty option."""
        return self._start

    @cached_property
    def _start(self) -> Position:
        if self.start_text is not None:
            from referee.notation.positions import parse_position

            return parse_position(self.game, self.start_text, self.options)
        return first_position(self.game, self.options)

    def replay(self) -> Iterator[Ply]:
        """Judge and play every move, ply by ply.

        Raises:
            FileError: the move that is not legal, or whose partner in the ply is missing, with its place; or `end`.
            NotationError, OptionError: the game cannot start, as by `start`.

        >>> import referee
        >>> for ply in referee.read("games/beams/opening.yaml").replay():
        ...     print(ply.round, ply.moves["south"], dict(ply.position.score))
        1 P M3 D13 10 {'south': 3, 'north': 3}
        2 P M2V F11 12 {'south': 5, 'north': 5}
        3 P M2Y D9 10 {'south': 4, 'north': 5}
        4 P S F13 {'south': 6, 'north': 7}
        5 P R1 B15 10 {'south': 4, 'north': 5}
        """
        start = self.start()
        here, before, done = cursor_at(start), start, 0
        moves_in_all = sum(len(one.moves) for one in self.rounds)
        for number, (line, place, moves) in enumerate(self.turns(here), 1):
            after = here.position
            noted = self.rounds[line - 1].moves
            annotated = Frozen({side: noted[at] for at, side in enumerate(moves, place)})
            done += len(moves)
            outcome = self.outcome_at(after) if done == moves_in_all else after.outcome
            yield Ply(number, line, annotated, before, after, outcome)
            before = after

    def turns(self, here: Cursor[Move], *, suggest: bool = True) -> Iterator[tuple[int, int, Moves]]:
        """Judge and play every move: for each ply its round, its place there (from 0) and its moves.

        `here` is a cursor before the first ply, which goes past each. FileError as `replay`, with the moves nearest
        to a refused one if `suggest`.
        """
        for line, (moves_in_line, _) in enumerate(self.rounds, 1):
            done = 0
            while done < len(moves_in_line):
                moves = _next_ply(here, moves_in_line[done:] if done else moves_in_line)
                try:
                    here.play(moves)
                except IllegalMove as error:
                    refusal = self._refusal(error, here.position, line, done, moves, suggest=suggest)
                    raise FileError(self.file, (refusal,)) from None
                yield line, done, moves
                done += len(moves)

    @cached_property
    def plies(self) -> tuple[Ply, ...]:
        """All plies, judged and played as by `replay`."""
        return tuple(self.replay())

    @property
    def position(self) -> Position:
        """The position after the last ply; errors as `replay`."""
        return self._last.position

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, by the moves or by `ending`, None while the game runs; errors as `replay`."""
        return self._last.outcome

    @cached_property
    def _last(self) -> Ply:
        return ply_at(self)

    def play(self, *moves: Move | str) -> GameFile:
        """The game with more moves, ply by ply; those that are made at once are in the order of the sides.

        Raises:
            NotationError, IllegalMove: the first move that is refused, with legal moves near to it.
            FileError: a move before them is wrong.

        >>> import referee
        >>> game = referee.new("boundary").play("P a1-b2", "P f1-e2")
        >>> len(game.plies), sorted(game.position.to_move), len(game.undo().plies)
        (2, ['south'], 1)
        """
        return cast(GameFile, above("played")(self, moves))

    def undo(self, plies: int = 1) -> GameFile:
        """The game without its last plies, its end, its result, and variations that begin later.

        Marks and comments of those plies go with them; comments on lines of their own stay.

        RefereeError `no-such-ply`.
        """
        return cast(GameFile, above("undone")(self, plies))

    def end(self, how: Termination | str, by: str | None = None) -> GameFile:
        """The game with an end that its moves do not show.

        `how` is "resignation", "agreement", "repetition", "timeout" or "adjudication". `by` is the side that
        resigned, ran out of time, claimed the repetition, or lost by adjudication. An agreement, or an adjudication
        without `by`, is a draw.

        Raises:
            RefereeError: `end`, if it cannot end so, or is over already.
            ValueError: there is no such end.

        >>> import referee
        >>> referee.new("boundary").play("P a1-b2").end("resignation", by="north").outcome.winner
        'south'
        """
        return cast(GameFile, above("ended")(self, how, by))

    def comment(self, text: str, ply: int | None = None) -> GameFile:
        """The game with a comment behind a ply, the last one if none is named; ply 0 is the beginning.

        Behind a move a comment is in braces, so it has no closing brace itself; at the beginning it may. RefereeError
        `comment` for a text that no comment may have, or `no-such-ply`; a line has the plies from where it leaves its
        game.
        """
        return cast(GameFile, above("commented")(self, text, ply))

    def mark(self, mark: str, ply: int | None = None, side: str | None = None) -> GameFile:
        """The game with a mark such as `!?` on the move of a ply, the last one if none is named; "" takes it away.

        `side` names whose move it is where several sides move at once.

        Raises:
            RefereeError: `no-such-ply` or `no-such-move`.
            ValueError: there is no such mark.
        """
        return cast(GameFile, above("marked")(self, mark, ply, side))

    def variation(self, at: int) -> GameFile:
        """A line that leaves the game before ply `at`, the next one or an earlier; it is a game to go on with.

        It begins with the plies before, which cannot be changed in it, and has no end of its own. Its `whole` is the
        game with it among the variations. RefereeError `no-such-ply`.

        >>> import referee
        >>> game = referee.new("boundary").play("P a1-b2", "P f1-e2")
        >>> game = game.variation(at=2).play("P f1-e1").mark("!?").whole
        >>> print(game, end="")
        game: boundary
        rules: 1
        options: {first: south}
        moves: |
          1. P a1-b2 | P f1-e2
        variations:
          - moves: |
              1. ... | P f1-e1 !?
        """
        return cast(GameFile, above("varied")(self, at))

    @property
    def lines(self) -> tuple[GameFile, ...]:
        """The variations as games to go on with, with all moves from the first ply on; FileError if any is wrong."""
        return above("lines")(self) if self.variations else ()

    @property
    def first_own_ply(self) -> int:
        """The number of the first ply of a line that is not that of the game it leaves; 1 for a whole game."""
        return above("first_own_ply")(self) if self.branch else 1

    @property
    def whole(self) -> GameFile:
        """The whole game, with a line and the lines that lead to it among the variations; itself if it is no line."""
        return cast(GameFile, above("whole")(self))

    def __str__(self) -> str:
        """The text of the game's file (YAML)."""
        return cast(str, above("game_text")(self))

    def outcome_at(self, position: Position) -> Outcome | None:
        """The outcome in the last position, by the rules or the file's `end`; FileError `end` if no game ends so."""
        if position.outcome is not None or self.ending is None:
            return position.outcome
        try:
            return position.ended(self.ending.how, self.ending.by)
        except (RefereeError, ValueError) as error:
            message = error.message if isinstance(error, RefereeError) else str(error)
            raise FileError(self.file, (Finding("end", message),)) from None

    def _refusal(
        self, error: IllegalMove, before: Position, line: int, first: int, moves: Moves, *, suggest: bool
    ) -> Finding:
        """The finding about the first move of a ply that is refused."""
        from referee.notation.nearest import nearest

        for place, (side, move) in enumerate(moves.items(), first):
            try:
                before.check(side, move)
            except IllegalMove as refused:
                suggestions = nearest(str(move), before.legal_moves(side)) if suggest else ()
                return self.finding_at(refused.code, refused.message, line, place, suggestions)
        return self.finding_at(error.code, error.message, line, first + len(moves) - 1)

    def finding_at(
        self, code: str, message: str, line: int, place: int, suggestions: tuple[str, ...] = ()
    ) -> Finding:
        """A finding about the move at `place` (from 0) of round `line` (from 1).

        It points into the file that the game was read from, unless the round was changed since.
        """
        if self.source is None or (found := self._as_read(line)) is None:
            return Finding(code, f"round {line}: {message}", line, 1, suggestions)
        number, text, written = found
        return self.source.in_moves(Finding(code, message, number, written[place].column, suggestions, text))

    def _as_read(self, line: int) -> tuple[int, str, tuple[WrittenMove, ...]] | None:
        """The line of a round (from 1) in the source: number, text and moves; None if it has other moves."""
        assert self.source is not None
        size, moves = self.description.moves_per_round, self.rounds[line - 1].moves
        lines = ((at, text, line_of(text, size).moves) for at, text in enumerate(self.source.moves.split("\n"), 1))
        found = next(islice((one for one in lines if one[2]), line - 1, None), None)
        if found is None or len(found[2]) != len(moves):
            return None
        same = (
            str(noted.move) in (one.text, move_text(self.game, one.text))
            for one, noted in zip(found[2], moves, strict=True)
        )
        return found if all(same) else None


def continues_round(game: GameFile, moves: int) -> bool:
    """True if this many further moves belong to the last round."""
    return bool(game.rounds) and len(game.rounds[-1].moves) + moves <= game.description.moves_per_round


def with_ply(game: GameFile, made: tuple[AnnotatedMove, ...]) -> GameFile:
    """The game with one more ply, whose moves are in the order of the sides; every comment stays where it is.

    One with more behind it is in braces, where it has no closing brace itself.
    """
    if continues_round(game, len(made)):
        *rounds, last = game.rounds
        *before, noted = last.moves
        return replace(game, rounds=(*rounds, last._replace(moves=(*before, in_braces(noted), *made))))
    return replace(game, rounds=(*game.rounds, Round(made, game.trailing_comments)), trailing_comments=())


def in_braces(noted: AnnotatedMove) -> AnnotatedMove:
    """The move with its comments as they are when more follows them on the line."""
    return (
        noted._replace(comments=tuple(one.replace("}", ")") for one in noted.comments)) if noted.comments else noted
    )


def with_move(game: GameFile, line: int, place: int, noted: AnnotatedMove) -> tuple[Round, ...]:
    """The rounds of a game with another move at `place` (from 0) of round `line` (from 1)."""
    here = game.rounds[line - 1]
    changed = here._replace(moves=(*here.moves[:place], noted, *here.moves[place + 1 :]))
    return (*game.rounds[: line - 1], changed, *game.rounds[line:])


def line_of(text: str, size: int) -> MoveLine:
    """A line of a move list; an empty one if it cannot be read."""
    try:
        return parse_move_line(text, size)
    except NotationError:
        return MoveLine()


def _next_ply(here: Cursor[Move], waiting: tuple[AnnotatedMove, ...]) -> Moves:
    """The moves of the next ply by side: one for each side to move, in the order of the sides."""
    due = here.to_move
    if len(due) == 1:
        (side,) = due
        return {side: waiting[0].move}
    # Once the game is over, no side is to move, and any side will do.
    sides = here.sides
    if len(due) != len(sides):
        sides = tuple(side for side in sides if side in due) or sides[:1]
    if len(waiting) == 1:
        return {sides[0]: waiting[0].move}
    return {side: one.move for side, one in zip(sides, waiting, strict=False)}


def new_game(
    name: str,
    options: Mapping[str, object],
    players: Mapping[str, Player] | None = None,
    *,
    id: str | None = None,  # noqa: A002 - the key of the game file
    date: str | None = None,
    event: str | None = None,
    start_text: str | None = None,
) -> GameFile:
    """A new game before its first ply, with every option written out except those that are None.

    With the text of a position to begin in, only the options given are written: the text implies others. RefereeError
    `unknown-game`, or OptionError with every fault of the options.
    """
    description = game_named(name)
    if start_text is None:
        description.start(options)
    named = description.completed(options) if start_text is None else options
    chosen = {key: value for key, value in named.items() if value is not None}
    return GameFile(
        name,
        rules=description.versions[-1],
        id=id,
        date=date,
        event=event,
        players=players or {},
        options=chosen,
        start_text=start_text,
    )


def without_addresses(game: GameFile) -> GameFile:
    """The same game, for the public."""
    return replace(game, players={side: Player(player.name) for side, player in game.players.items()})


def zeroth_ply(game: GameFile) -> Ply:
    """A game before its first ply, as a ply without moves whose number is 0."""
    position = game.start()
    outcome = position.outcome if game.rounds else game.outcome_at(position)
    return Ply(0, 0, Frozen(), position, position, outcome)


def ply_at(game: GameFile, number: int | None = None) -> Ply:
    """The last ply, or ply `number` (0 is the start); FileError, or RefereeError `no-such-ply`."""
    last = zeroth_ply(game)
    if number != 0:
        for last in game.replay():
            if last.number == number:
                break
    if number and last.number != number:
        raise RefereeError("no-such-ply", f"there is no ply {number}: the game has {last.number}")
    return last
