"""The valid games of an archive, for counting: judged by their lanes, or else the usual way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.archives.files.forms import read_text
from referee.archives.files.shards import FilePart, GameText, Shard
from referee.archives.lane import canonical_line
from referee.errors import FileError
from referee.game.file.judge import ending
from referee.rules import Move, Outcome, Position, cursor_at
from referee.terminal import counted, visible

DRAW, RUNNING = "draw", "not over"

_NAMED = 10
"""Maximum files named for games that were left out; the others are counted."""


@dataclass
class LeftOutGames:
    """Wrong games, which were left out.

    `codes` counts them by the code of their first finding, `files` by file, in order; `broken` counts the unreadable.
    """

    broken: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """Their number."""
        return self.codes.total()

    @property
    def exit_status(self) -> int:
        """0 all well, 1 a game is wrong, 2 something cannot be read."""
        return 2 if self.broken else int(bool(self.games))

    def add(self, other: LeftOutGames) -> None:
        """Add other counts."""
        self.broken += other.broken
        self.codes += other.codes
        self.files.update(other.files)

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        return {"codes": dict(self.codes.most_common()), "files": dict(self.files)}

    def as_text(self) -> list[str]:
        """The number of games, the reasons, and the files."""
        codes = ", ".join(f"{code} {games:,}" for code, games in self.codes.most_common())
        why = f" ({codes})" if codes else ""
        head = f"left out because something is wrong with them: {counted(self.games, 'game', 'games')}{why}"
        named = [
            f"  {visible(file)}: {counted(games, 'game', 'games')}" for file, games in [*self.files.items()][:_NAMED]
        ]
        more = len(self.files) - len(named)
        return [head, *named, *([f"  and {counted(more, 'more file', 'more files')}"] if more else [])]


class ValidGame(NamedTuple):
    """A valid game: its options as given, the position in which it begins, and its moves, ply by ply.

    `names` are those of its players; the date is empty if the header has none.
    """

    game: str
    options: Mapping[str, Any]
    start_text: str | None
    start: Position
    plies: Sequence[Sequence[Move]]
    outcome: Outcome | None
    names: tuple[str, ...] = ()
    date: str = ""

    @property
    def result(self) -> str:
        """The result in statistics: "south wins", DRAW or RUNNING."""
        if self.outcome is None:
            return RUNNING
        return f"{self.outcome.winner} wins" if self.outcome.winner else DRAW

    def steps(self, most: int) -> tuple[str, ...]:
        """The first plies as in a move list, such as `P M1 B3 12 | P S A2` if two sides move at once."""
        return tuple(" | ".join(map(str, moves)) for moves in self.plies[:most])


def valid_games_of(shard: Shard, left: LeftOutGames) -> Iterator[ValidGame]:
    """The valid games of a shard; the others are counted as left out."""
    for part in shard.parts:
        for text in part.texts:
            try:
                yield _fast_game(text) or _judged_game(part, text)
            except FileError as error:
                left.add(LeftOutGames(int(error.unreadable), Counter([error.code]), Counter([part.file])))


def _fast_game(text: GameText) -> ValidGame | None:
    """The game of a canonical line; None if it is wrong or doubtful."""
    line = canonical_line(text)
    run = line and line.run()
    if not line or not run or line.faults(run) != ():
        return None
    course, moves = line.course, (known.move for known in map(line.course.known, line.texts) if known)
    plies = [*zip(*[moves] * (len(line.texts) // run.plies), strict=True)]
    names, date = tuple(player["name"] for player in line.players.values()), line.fields["date"] or ""
    return ValidGame(course.start.game, course.options, None, course.start, plies, run.outcome, names, date)


def _judged_game(part: FilePart, text: GameText) -> ValidGame:
    """The game of any text, judged the usual way; FileError if it is wrong."""
    game = read_text(part, text, suggest=False)
    here = cursor_at(game.start())
    plies = [tuple(moves.values()) for *_, moves in game.turns(here, suggest=False)]
    outcome, findings = ending(game, here.position)
    if findings:
        raise FileError(game.file, findings)
    names = tuple(player.name for player in game.players.values())
    return ValidGame(game.game, game.options, game.start_text, game.start(), plies, outcome, names, game.date or "")
