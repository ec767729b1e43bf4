"""Rows of games as data frames and as Parquet, by Arrow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, overload

from referee.archives.archive import ArchivedGame
from referee.archives.conversion import Converted, refused
from referee.archives.files.compression import writer
from referee.archives.files.forms import read_text
from referee.archives.files.shards import Shard
from referee.archives.rows import PlyRow, rows_of
from referee.errors import FileError, expect
from referee.extras import extra
from referee.game import GameFile
from referee.rules import Game, games

if TYPE_CHECKING:
    import pandas
    import polars

_KINDS = {
    "file": "text",
    "line": "number",
    "id": "text",
    "game": "text",
    "date": "text",
    "event": "text",
    "players": "text by side",
    "plies": "number",
    "winner": "text",
    "termination": "text",
    "ply": "number",
    "round": "number",
    "side": "texts",
    "move": "texts",
    "piece": "texts",
    "score": "number by side",
}
"""The kind of each column of `PlyRow`."""

_GAMES = "game files, such as read or loads gives, or those of an archive"

_GROUP = 100_000
"""Minimum rows of a group in a Parquet file, except for the last."""


@overload
def frame(
    games: GameFile | Iterable[GameFile | ArchivedGame], library: Literal["pandas"] = ...
) -> pandas.DataFrame: ...
@overload
def frame(games: GameFile | Iterable[GameFile | ArchivedGame], library: Literal["polars"]) -> polars.DataFrame: ...
def frame(games: GameFile | Iterable[GameFile | ArchivedGame], library: str = "pandas") -> object:
    """Games as a data frame with one row for each ply, in the columns of Parquet files.

    They are `file`, `line`, `id`, `game`, `date`, `event` and `players` of the game; its number of `plies`, its
    `winner` and `termination`; `ply` and `round`; `side`, `move` and `piece`, each with an entry for every move of
    the ply; and the `score` of each side.

    Args:
        games: one game, or many, such as an archive; their lines are those in it.
        library: "pandas" or "polars": the library of the frame, and the extra that installs it.

    Raises:
        FileError: a game does not hold.
        RefereeError: `missing-extra`.
        ValueError: there is no such library.
        TypeError: it is neither a game file nor several of them.

    >>> import referee
    >>> frame = referee.frame(referee.read("games/beams/opening.yaml"))
    >>> frame[["ply", "side", "move"]].explode(["side", "move"]).head(4)
       ply   side          move
    0    1  south   P M3 D13 10
    0    1  north   P M3 E10 10
    1    2  south  P M2V F11 12
    1    2  north   P M2V E6 10
    """
    if library not in ("pandas", "polars"):
        raise ValueError(f"expected a library: pandas or polars, not {library!r}")
    expect((GameFile, Iterable), games, _GAMES)
    several = (games,) if isinstance(games, GameFile) else tuple(games)
    for one in several:
        expect((GameFile, ArchivedGame), one, _GAMES)
    loaded = extra(library, library)
    placed = [(one, 0) if isinstance(one, GameFile) else (one.game, one.line) for one in several]
    rows = [row for game, line in placed for row in rows_of(game, line, suggest=True)]
    batch = _batch(rows, _schema(_sides([game.description for game, _ in placed])))
    return batch.to_pandas(integer_object_nulls=True) if library == "pandas" else loaded.from_arrow(batch)


def rows_shard(shard: Shard, bare: GameFile | None = None) -> list[Converted]:
    """The rows of the valid games of a shard, and the wrong games; bare move lists belong to the game `bare`."""
    rows: list[PlyRow] = []
    converted = []
    for part in shard.parts:
        for text in part.texts:
            try:
                rows += rows_of(read_text(part, text, bare, suggest=False), text.line)
            except FileError as error:
                converted.append(refused(error, part, text))
    if rows:
        converted.append(Converted(_batch(rows, _schema(_sides()))))
    return converted


class ParquetRows:
    """A Parquet file that takes batches of rows, and writes them in larger groups."""

    def __init__(self, file: Any) -> None:  # noqa: ANN401 - a pyarrow.parquet.ParquetWriter
        self._file = file
        self._waiting: list[Any] = []
        self._count = 0

    def add(self, rows: Any) -> None:  # noqa: ANN401 - a pyarrow.RecordBatch
        """Take a batch."""
        self._waiting.append(rows)
        self._count += rows.num_rows
        if self._count >= _GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the waiting batches as one group."""
        if self._count:
            table = extra("pyarrow", "parquet").Table.from_batches(self._waiting)
            self._file.write_table(table, row_group_size=self._count)
        self._waiting.clear()
        self._count = 0


@contextmanager
def parquet_rows(name: str) -> Iterator[ParquetRows]:
    """A Parquet file to write to, which appears when it is complete.

    Raises:
        OSError: the file cannot be written.
        RefereeError: `missing-extra`.
    """
    parquet = extra("pyarrow.parquet", "parquet")
    with writer(name) as file, parquet.ParquetWriter(file, _schema(_sides()), compression="zstd") as written:
        rows = ParquetRows(written)
        yield rows
        rows.flush()


def _sides(described: Collection[Game] = ()) -> dict[str, list[str]]:
    """The keys of each column by side: the sides of some games, or of all, and the owners of their scores."""
    known = described or games()
    named = {"players": (game.sides for game in known), "score": (game.scores for game in known)}
    return {name: [*dict.fromkeys(chain.from_iterable(keys))] for name, keys in named.items()}


def _schema(by_side: Mapping[str, list[str]]) -> Any:  # noqa: ANN401 - a pyarrow.Schema
    """The Arrow types of the columns; those by side are structs, which every library can read."""
    pyarrow = extra("pyarrow", "parquet")
    text, number = pyarrow.string(), pyarrow.int32()
    kinds = {"text": text, "number": number, "texts": pyarrow.list_(text)}

    def type_of(name: str, kind: str) -> Any:  # noqa: ANN401 - a pyarrow.DataType
        if kind in kinds:
            return kinds[kind]
        return pyarrow.struct([(key, kinds[kind.removesuffix(" by side")]) for key in by_side[name]])

    return pyarrow.schema([(name, type_of(name, kind)) for name, kind in _KINDS.items()])


def _batch(rows: list[PlyRow], schema: Any) -> Any:  # noqa: ANN401 - a pyarrow.RecordBatch of a pyarrow.Schema
    pyarrow = extra("pyarrow", "parquet")
    columns = [pyarrow.array([getattr(row, field.name) for row in rows], field.type) for field in schema]
    return pyarrow.record_batch(columns, schema=schema)
