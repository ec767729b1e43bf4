"""The difference between two versions of one game: header, notes, and the place where their moves part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from referee.errors import FileError
from referee.game.file.dumper import as_mapping, value_text
from referee.game.file.gamefile import AnnotatedMove, GameFile
from referee.notation.nearest import alike
from referee.rules import Move, cursor_at
from referee.terminal import counted

NAMES = ("first", "second")
"""The two versions in JSON."""

_NONE = "(none)"
_SAME = "the two are the same game: the same header, moves, marks and comments"
_WRITTEN_DIFFERENTLY = "; only the layout of the files differs, or their comments after #"


class ChangedKey(NamedTuple):
    """A key of the header, such as `players.south.name`, and its two values; None if a version lacks it."""

    key: str
    values: tuple[object, object]


class MadeMove(NamedTuple):
    """A move with its round and, as far as the game holds, its side."""

    round: int
    side: str | None
    noted: AnnotatedMove


class Parting(NamedTuple):
    """The first place where the moves differ: round, side, and the two moves; None where a version ends."""

    round: int
    side: str | None
    moves: tuple[Move | None, Move | None]


class ChangedNote(NamedTuple):
    """Different marks or comments: of a move, of a round if there is no side, or after the last round."""

    round: int | None
    side: str | None
    notes: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two versions of a game; `after` counts the moves of each from the parting on."""

    header: tuple[ChangedKey, ...] = ()
    notes: tuple[ChangedNote, ...] = ()
    parting: Parting | None = None
    after: tuple[int, int] = (0, 0)
    layout: bool = False

    def __bool__(self) -> bool:
        return bool(self.header or self.notes or self.parting)

    def as_json(self) -> dict[str, object]:
        """The difference as `referee diff --format json` prints it."""
        parting = self.parting and {
            "round": self.parting.round,
            "side": self.parting.side,
            **_both([move and str(move) for move in self.parting.moves]),
        }
        return {
            "same": not self,
            "header": [{"key": one.key, **_both(one.values)} for one in self.header],
            "notes": [{"round": one.round, "side": one.side, **_both(one.notes)} for one in self.notes],
            "parting": parting,
            "after": _both(self.after),
        }

    def as_text(self, names: tuple[str, str]) -> str:
        """The difference for people; `names` are those of the two files."""
        lines = [f"{one.key}: {_told(one.values)}" for one in self.header]
        lines += [f"{_where(one.round, one.side)}, notes: {_told(one.notes)}" for one in self.notes]
        if self.parting is not None:
            first, second = self.parting.moves
            lines.append(f"{_where(self.parting.round, self.parting.side)}: {first or _NONE} -> {second or _NONE}")
            lines += [
                f"{name}: {counted(number, 'move', 'moves')} from there on"
                for name, number in zip(names, self.after, strict=True)
            ]
        return "\n".join(lines) or _SAME + _WRITTEN_DIFFERENTLY * self.layout


def difference(first: GameFile, second: GameFile) -> Difference:
    """The differences between two versions of a game, whose moves need not be legal."""
    ones, others = tuple(_moves(first)), tuple(_moves(second))
    first_moves, second_moves = ([str(one.noted.move) for one in made] for made in (ones, others))
    same = alike(first_moves, second_moves)
    after = (len(ones) - same, len(others) - same)
    parting = None
    if any(after):
        one, other = (made[same] if same < len(made) else None for made in (ones, others))
        place = one or other
        assert place is not None
        side = (one.side if one else None) or (other.side if other else None)
        parting = Parting(place.round, side, (one and one.noted.move, other and other.noted.move))
    notes = (*_notes(ones[:same], others[:same]), *_remarks(first, second, parting and parting.round))
    texts = {game.source.text for game in (first, second) if game.source is not None}
    return Difference(tuple(_header(first, second)), notes, parting, after, layout=len(texts) > 1)


def _moves(game: GameFile) -> Iterator[MadeMove]:
    """Every move of a game in order, with its side as far as the game holds."""
    here = cursor_at(game.start())
    sides: list[str] = []
    try:
        for _, _, moves in game.turns(here, suggest=False):
            sides += moves
    except FileError:
        pass
    noted = [(line, one) for line, each in enumerate(game.rounds, 1) for one in each.moves]
    for (line, one), side in zip_longest(noted, sides[: len(noted)]):
        yield MadeMove(line, side, one)


def _header(first: GameFile, second: GameFile) -> Iterator[ChangedKey]:
    """The keys with different values, in the order of the format."""
    ones, others = (dict(_keys(as_mapping(game))) for game in (first, second))
    for key in dict.fromkeys((*ones, *others)):
        if ones.get(key) != others.get(key):
            yield ChangedKey(key, (ones.get(key), others.get(key)))


def _keys(data: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    """Every key with a value that is no mapping."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield from _keys(value, f"{above}{name}.")
        elif above or name != "moves":
            yield f"{above}{name}", value


def _notes(ones: Sequence[MadeMove], others: Sequence[MadeMove]) -> Iterator[ChangedNote]:
    for one, other in zip(ones, others, strict=True):
        if one.noted != other.noted:
            yield ChangedNote(one.round, one.side or other.side, (_noted(one.noted), _noted(other.noted)))


def _remarks(first: GameFile, second: GameFile, last: int | None) -> Iterator[ChangedNote]:
    """The comments above rounds, as far as round `last`, and after the last round, where they differ."""
    for number, (one, other) in enumerate(zip(first.rounds[:last], second.rounds[:last], strict=False), 1):
        if one.comments != other.comments:
            yield ChangedNote(number, None, (_braced(one.comments), _braced(other.comments)))
    if first.trailing_comments != second.trailing_comments:
        yield ChangedNote(None, None, (_braced(first.trailing_comments), _braced(second.trailing_comments)))


def _noted(noted: AnnotatedMove) -> str:
    return f"{noted.mark} {_braced(noted.comments)}".strip()


def _braced(comments: Sequence[str]) -> str:
    return " ".join(f"{{{text}}}" for text in comments)


def _both(values: Sequence[object]) -> dict[str, object]:
    return dict(zip(NAMES, values, strict=True))


def _told(values: tuple[object, object]) -> str:
    return " -> ".join(_NONE if value in (None, "") else _as_text(value) for value in values)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else value_text(value)


def _where(line: int | None, side: str | None) -> str:
    if line is None:
        return "after the last round"
    return f"round {line}, {side}" if side else f"round {line}"
