"""The description of a game: its sides, options, secret, start and parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import NoneType
from typing import Any

from referee.data import data
from referee.errors import OptionError, expect, shown
from referee.rules.contract import Position
from referee.rules.cursor import Cursor
from referee.rules.frozen import Frozen, freezing
from referee.rules.guard import Methods, guard_class, guarded
from referee.rules.lane import Lane, LaneResult, Read
from referee.terminal import join_words

_NAME = re.compile("[a-z][a-z0-9]*")
_TAKEN = frozenset(("game", "id", "date", "event", "players", "position", "output", "color", "help"))
"""Words that are reserved in commands that also name sides and options."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a few named values."""

    name: str
    default: str | None
    values: tuple[str, ...]
    says: str

    def fault(self, value: object) -> str | None:
        """The fault of a value, or None."""
        if value in self.values:
            return None
        return f"{self.name} must be {join_words(self.values, 'or')}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Number:
    """An option that is a whole number between two bounds, both included."""

    name: str
    default: int
    low: int
    high: int
    says: str

    def fault(self, value: object) -> str | None:
        """The fault of a value, or None."""
        if type(value) is int and self.low <= value <= self.high:
            return None
        return f"{self.name} must be a whole number from {self.low} to {self.high}, not {shown(value)}"


@dataclass(frozen=True, slots=True)
class Data:
    """An option of a shape of its own, judged by the game; some of its values may have names."""

    name: str
    default: object
    says: str
    judge: Callable[[object], str | None]
    names: tuple[str, ...] = ()

    def fault(self, value: object) -> str | None:
        """The fault of a value, or None."""
        return self.judge(value)


Option = Choice | Number | Data


def value_names(option: Option) -> tuple[str, ...]:
    """The values of an option that have names."""
    match option:
        case Choice(values=names) | Data(names=names):
            return names
        case Number():
            return ()


_CURSORS: Methods = {
    "play": object,
    "position": Position,
    "sides": tuple,
    "to_move": frozenset,
    "any_move": object,
}
"""Attributes of cursors that a game defines."""

API = 1
"""Version of the plug-in API, which `referee.plugin` offers."""

FLIP = "flip"
"""Value of an option that a coin decides in a new game."""


@dataclass(frozen=True, slots=True)
class Secret:
    """The outcome of chance before a game, known to the referee alone until the game is over.

    Attributes:
        draw: gives a fresh secret.
        known: the public options of a game in a position (None is the start), given the secret; raises OptionError
            for a secret of another game.
        fits: true if, for some secret, options may be public in a position after the options that were public before
            (none at the start). It needs no secret.
        needed: true if a game with these options cannot be finished without its secret.
        whole: the position with everything hidden in it, given the secret and a public position, for games whose
            sides see different things (`Position.seen_by`). The desk judges moves by it; nothing else sees it.
    """

    draw: Callable[[], str]
    known: Callable[[Mapping[str, object], str, Position | None], Mapping[str, object]]
    fits: Callable[[Mapping[str, object], Mapping[str, object], Position | None], bool]
    needed: Callable[[Mapping[str, object]], bool]
    whole: Callable[[str, Position], Position] | None = None


_KINDS: tuple[tuple[type | tuple[type, ...], str, tuple[str, ...]], ...] = (
    (str, "a text", ("name", "title", "designer", "notation", "drawing", "engine", "print_set")),
    (tuple, "a tuple", ("sides", "options", "versions", "scored", "ends")),
    (Mapping, "a mapping", ("presets",)),
    (Path, "a path", ("examples",)),
    ((Path, NoneType), "a path or None", ("refusals", "lesson")),
    ((Secret, NoneType), "a Secret or None", ("secret",)),
    (bool, "True or False", ("silent", "trials")),
    (int, "a whole number", ("moves_per_round", "api")),
)
"""The types of a description's fields."""


@freezing
@dataclass(frozen=True, slots=True)
class Game:
    """A game: its names, sides, options, start and parts.

    Attributes:
        name: as game files write it, in small letters.
        title: its name for people.
        designer: its author.
        sides: in the order in which simultaneous moves are written.
        options: the choices of a game file's header.
        begin: the first position, given all options; raises OptionError if they do not go together.
        notation: the module with its notation, described by `referee.notation.moves.Notation`; what it lacks is made
            of the forms of the moves.
        drawing: the module with its boards, described by `referee.draw.Drawing`.
        examples: the folder with example game files.
        engine: the module whose `search(position)` lets engines play it (`referee.engine.GameSearch`), if they can.
        print_set: the module whose `kit(position)` has its board and pieces to print (`referee.plugin.Kit`), if its
            scenes do not show them all.
        moves_per_round: moves in one numbered line of a move list: two, or all that are made at once.
        presets: sets of options under one name.
        versions: the versions of its rules, the newest last.
        scored: the owners of a score, if they are not the sides.
        ends: the ends of its own rules, by the names that outcomes have, such as "king".
        silent: true if the players may not talk to each other while a game runs.
        secret: the results of chance, which players learn step by step.
        refusals: the file that explains the codes of its rules, if there is one.
        lesson: the file that teaches it, described by `referee.notation.lesson.Lesson`, if there is one.
        trials: true if players may try moves before they make them.
        cursor: its way through a game from a position on, if it has a faster one than from position to position.
        lane: makes its fast lane from a first position and a reader of moves (`referee.rules.lane`), if it has one.
        api: the version of the plug-in API that it is written for (`referee.plugin.API`); 0 for referee's own games.

    Raises:
        TypeError: a field has a value of another type.
        ValueError: there is no version, a preset has no such option, or a side or option has a name that cannot be
            written in a command.

    >>> import referee
    >>> game = referee.read("games/the-beam/running.yaml").description
    >>> game.title, game.sides
    ('The Beam', ('p1', 'p2', 'p3', 'p4'))
    """

    name: str
    title: str
    designer: str
    sides: tuple[str, ...]
    options: tuple[Option, ...]
    begin: Callable[[Mapping[str, object]], Position]
    drawing: str
    examples: Path
    notation: str = ""
    engine: str = ""
    print_set: str = ""
    moves_per_round: int = 2
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=Frozen)
    versions: tuple[int, ...] = (1,)
    scored: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    silent: bool = False
    secret: Secret | None = None
    refusals: Path | None = None
    lesson: Path | None = None
    trials: bool = True
    cursor: Callable[..., Cursor] = Cursor
    lane: Callable[..., Lane] | None = None
    api: int = 0

    def __post_init__(self) -> None:
        for kind, what, names in _KINDS:
            for name in names:
                expect(kind, getattr(self, name), f"{what} as {name}")
        if not self.versions or self.moves_per_round < 1:
            raise ValueError("expected at least one version, such as (1,), and at least one move in a round")
        for option in self.options:
            expect((Choice, Number, Data), option, "options")
            expect(str, option.says, f"a text as `says` of the option {option.name}")
            fixed = None if isinstance(option, Data) else option.default
            if fixed is not None and (fault := option.fault(fixed)):
                raise ValueError(f"the default of an option is wrong: {fault}")
        names = (*self.sides, *(option.name for option in self.options))
        for name in names:
            if not _NAME.fullmatch(name) or name in _TAKEN or names.count(name) > 1:
                raise ValueError(f"{shown(name)} cannot be a side or an option: expected a small word of its own")
        for preset, values in self.presets.items():
            expect(Mapping, values, f"a mapping as the preset {preset}")
            if strange := sorted(values.keys() - {option.name for option in self.options}):
                raise ValueError(f"the preset {preset} has an option that the game has not: {strange[0]}")

    @property
    def scores(self) -> tuple[str, ...]:
        """The owners of a score: the sides, or a team of them."""
        return self.scored or self.sides

    @property
    def chance(self) -> frozenset[str]:
        """The names of the options that chance decides."""
        return frozenset() if self.secret is None else frozenset(self.secret.known({}, self.secret.draw(), None))

    def takes_flip(self, option: Option) -> bool:
        """True if an option names one of the sides, so that a coin can decide it."""
        return isinstance(option, Choice) and option.values == self.sides

    def flips(self, options: Mapping[str, object]) -> dict[str, str]:
        """The options that are `flip`, each decided by a fair coin between the sides."""
        import secrets

        wanted = (option.name for option in self.options if self.takes_flip(option))
        return {name: secrets.choice(self.sides) for name in wanted if options.get(name) == FLIP}

    def start(self, options: Mapping[str, object]) -> Position:
        """The position before the first ply.

        Raises:
            OptionError: with every fault of the options.
        """
        try:
            completed = self.completed(options)
        except OptionError as error:
            raise OptionError((*error.faults, *self._further_faults(options, error))) from None
        return self.begin(completed)

    def _further_faults(self, options: Mapping[str, object], error: OptionError) -> Iterator[tuple[str, str]]:
        """The faults of the other options, which only the game itself finds."""
        wrong = {name for name, _ in error.faults}
        others = {name: value for name, value in options.items() if name not in wrong}
        try:
            self.begin(self.completed(others))
        except OptionError as further:
            yield from (fault for fault in further.faults if fault[0] in others)

    def completed(self, options: Mapping[str, object]) -> dict[str, object]:
        """The options, with defaults for missing ones; OptionError for wrong ones."""
        known = {option.name: option for option in self.options}
        faults = []
        for name, value in options.items():
            if name not in known:
                names = ", ".join(known) or "none"
                faults.append((name, f"{self.name} has no option {shown(name)}; its options are: {names}"))
            elif (fault := known[name].fault(value)) is not None:
                faults.append((name, fault))
        if faults:
            raise OptionError(tuple(faults))
        return {name: options.get(name, option.default) for name, option in known.items()}


def own_parts(name: str) -> dict[str, Any]:
    """The name of a game that comes with referee, and its parts, each in the place that all such games have."""
    module = name.replace("-", "_")
    rules = Path(__file__).with_name(module)
    return {
        "name": name,
        "notation": f"referee.notation.{module}",
        "drawing": f"referee.draw.{module}",
        "print_set": f"referee.draw.{module}.print_set",
        "engine": f"referee.engine.{module}",
        "examples": data("games") / name,
        "refusals": rules / "refusals.yaml",
        "lesson": rules / "lesson.yaml",
    }


def guarded_game(game: Game) -> Game:
    """The same description with its functions guarded."""

    def name(*_: object) -> str:
        return game.name

    judged = (replace(one, judge=guarded(one.judge, name)) if isinstance(one, Data) else one for one in game.options)
    parts = {one.name: getattr(game.secret, one.name) for one in fields(Secret)} if game.secret else {}
    drawn = game.secret and Secret(**{part: work and guarded(work, name) for part, work in parts.items()})
    begin, found = guarded(game.begin, name), guarded(game.cursor, name, Cursor)

    def cursor(position: Position) -> Cursor:
        made = found(position)
        guard_class(type(made), _CURSORS, name)
        return made

    def lane(start: Position, read: Read) -> Lane:
        assert game.lane is not None
        made: Lane = guarded(game.lane, name)(start, read)
        guard_class(type(made), {"run": (LaneResult, NoneType)}, name)
        return made

    own = game.cursor if game.cursor is Cursor else cursor
    fast = None if game.lane is None else lane
    return replace(game, begin=begin, cursor=own, lane=fast, options=tuple(judged), secret=drawn)
