"""The tree of moves of an archive: the number of games after each, and their results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.archives.files.shards import Shard
from referee.archives.valid_games import LeftOutGames, ValidGame, valid_games_of
from referee.game import GameFile
from referee.rules import game_named
from referee.rules.frozen import frozen_data
from referee.terminal import counted

MOST_PLACES = 200_000
"""Maximum places held: beyond it the rarer half is dropped, to save memory."""


DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
"""A year, a month or a day."""


class GameStart(NamedTuple):
    """The start of games: the game, all its options, and the text of a position if one is given."""

    game: str
    options: Mapping[str, object]
    text: str | None = None


class Wanted(NamedTuple):
    """The games to count: those of a player, between two dates, with a result; what is empty leaves none out.

    A date is a year, a month or a day, as in `2026-05`; a game without such a date is in no period. The result is as
    in statistics, or the name of a winner.
    """

    player: str = ""
    since: str = ""
    until: str = ""
    result: str = ""

    def has(self, game: ValidGame) -> bool | None:
        """True if the game is among them; None if its date does not tell."""
        result = self.result.casefold().removesuffix(" wins")
        if self.player and self.player.casefold() not in map(str.casefold, game.names):
            return False
        if self.result and result != game.result.removesuffix(" wins"):
            return False
        if (self.since or self.until) and not DATE.fullmatch(game.date):
            return None
        since, until = (game.date[: len(limit)] for limit in (self.since, self.until))
        return since >= self.since and until <= self.until

    def as_text(self) -> str:
        """The same in words, or nothing."""
        said = (
            (self.player, "with"),
            (self.since, "from"),
            (self.until, "until"),
            (self.result, "result"),
        )
        return ", ".join(f"{word} {text}" for text, word in said if text)


EVERY_GAME = Wanted()


@dataclass(eq=False, slots=True)
class MoveTree:
    """A place in a tree of moves: the results of its games, and their next steps.

    `beside` are the results of a second archive.

    A step is one ply as in a move list, such as `P M1 B3 12 | P S A2` if two sides move at once.
    """

    results: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    replies: dict[str, MoveTree] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """The number of games through this place, of both archives."""
        return self.results.total() + self.beside.total()

    def add(self, steps: Iterable[str], result: str, games: int, *, beside: bool = False) -> int:
        """Add games that continue with these steps; return the number of new places."""
        here, new = self, 0
        here._count(result, games, beside)
        for step in steps:
            after = here.replies.get(step)
            if after is None:
                here.replies[step] = after = MoveTree()
                new += 1
            after._count(result, games, beside)
            here = after
        return new

    def _count(self, result: str, games: int, beside: bool) -> None:
        (self.beside if beside else self.results)[result] += games

    def keep(self, wanted: Callable[[MoveTree], bool]) -> int:
        """Drop unwanted places after this one, and put the most frequent first; return the number left."""
        kept = [(step, tree) for step, tree in self.replies.items() if wanted(tree)]
        self.replies = dict(sorted(kept, key=lambda one: -one[1].games))
        return sum(1 + tree.keep(wanted) for tree in self.replies.values())

    def places(self, depth: int = 0) -> Iterator[tuple[int, int, MoveTree]]:
        """This place and all after it: the number of games, negative, then the depth, then the place."""
        yield -self.games, depth, self
        for tree in self.replies.values():
            yield from tree.places(depth + 1)


@dataclass
class FirstSteps:
    """The beginnings of some games: their number by start, first steps and result; `undated` have no usable date."""

    starts: dict[GameStart, Counter[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    left: LeftOutGames = field(default_factory=LeftOutGames)
    undated: int = 0


class Explorer:
    """A tree of moves for each start of an archive's games, and the games that were left out."""

    def __init__(self) -> None:
        self.games = 0
        self.left = LeftOutGames()
        self._undated = 0
        self._trees: dict[GameStart, MoveTree] = {}
        self._places = 0
        self._hidden = 0
        self._least = 1
        self._forgotten = 0

    def add(self, more: FirstSteps, *, beside: bool = False) -> None:
        """Add the beginnings of more games, of the first archive or of the one beside it."""
        self.left.add(more.left)
        self._undated += more.undated
        for start, counts in more.starts.items():
            tree = self._trees.get(start)
            if tree is None:
                self._trees[start] = tree = MoveTree()
                self._places += 1
            for (steps, result), games in counts.items():
                self._places += tree.add(steps, result, games, beside=beside)
                self.games += games
        if self._places > MOST_PLACES:
            middle = sorted(-games for games, _, _ in self._ranks())[self._places // 2]
            before = self._places
            self._keep(lambda tree: tree.games > middle)
            self._forgotten += before - self._places

    def cut(self, least: int, most: int) -> None:
        """Drop starts and steps of fewer than `least` games, and keep the `most` frequent places of the others.

        Of equally frequent places, the earlier ones in their games are kept.
        """
        self._least = least
        self._keep(lambda tree: tree.games >= least)
        self._hidden = max(0, self._places - most)
        ranks = sorted(self._ranks(), key=lambda rank: rank[:2])
        kept = {tree for _, _, tree in ranks[:most]}
        self._keep(kept.__contains__)

    def left_out(self) -> list[str]:
        """Notes on wrong games, and on those whose date does not tell whether they are wanted."""
        lines = self.left.as_text() if self.left.games else []
        if self._undated:
            games = counted(self._undated, "game has", "games have")
            lines.append(f"left out: {games} no date that can be compared, such as 2027-03-05")
        return lines

    def notes(self) -> list[str]:
        """Notes on games that were left out, and on places and starts that were dropped."""
        shown = sum(tree.games for tree in self._trees.values())
        rare = self.games - shown
        lines = self.left_out()
        if self._hidden:
            lines.append(f"rare moves: {counted(self._hidden, 'position', 'positions')} beyond the most frequent")
        if self._forgotten:
            places = counted(self._forgotten, "position was forgotten", "positions were forgotten")
            lines.append(f"rare moves: {places} to save memory, so the counts of rare moves may be too low")
        if rare:
            games = counted(rare, "game begins", "games begin")
            lines.append(f"rare starts: {games} with options or a position that fewer than {self._least} games share")
        return lines

    def openings(self) -> list[tuple[GameFile, MoveTree]]:
        """Each start, as a game before its first ply, with its tree; the most frequent start first."""
        found = sorted(self._trees.items(), key=lambda one: -one[1].games)
        return [(GameFile(start.game, options=start.options, start_text=start.text), tree) for start, tree in found]

    def _ranks(self) -> Iterator[tuple[int, int, MoveTree]]:
        """All places, as `MoveTree.places` gives them."""
        return (rank for tree in self._trees.values() for rank in tree.places())

    def _keep(self, wanted: Callable[[MoveTree], bool]) -> None:
        self._trees = {start: tree for start, tree in self._trees.items() if wanted(tree)}
        self._places = sum(1 + tree.keep(wanted) for tree in self._trees.values())


def first_steps(shard: Shard, depth: int, wanted: Wanted = EVERY_GAME) -> FirstSteps:
    """The first `depth` steps of each valid game of a shard that is wanted; every game is judged to its end."""
    found = FirstSteps()
    starts: dict[GameStart, GameStart] = {}
    for game in valid_games_of(shard, found.left):
        if not (has := wanted.has(game)):
            found.undated += has is None
            continue
        given = GameStart(game.game, game.options, game.start_text)
        if given not in starts:
            starts[given] = _completed(given)
        found.starts.setdefault(starts[given], Counter())[game.steps(depth), game.result] += 1
    return found


def _completed(start: GameStart) -> GameStart:
    options = game_named(start.game).completed(start.options)
    given = {name: value for name, value in options.items() if value is not None}
    return start._replace(options=frozen_data(given))
