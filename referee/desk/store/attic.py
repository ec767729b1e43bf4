"""The attic of a desk: the bytes of old letters, moved from the store into ZIP files next to it, and read there.

The rows of the letters stay, with the digests of what was moved. A file is whole, in its place and read again before
anything leaves the store: if the work stops, each letter is in the store or in a file, or in both.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Row, Select, bindparam, delete, exists, func, or_, select, update

from referee.desk.errors import StoreError
from referee.desk.glances import NOT_OVER
from referee.desk.log.log import write_time
from referee.desk.records import AtticFile, Incoming, PutAway
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database, T, keeping, store_faults
from referee.desk.store.tables.schema import ATTIC, CONTENT, EVENT, LETTER_IN, OUTBOX, STANDING
from referee.errors import RefereeError
from referee.game import unwritten
from referee.game.amend.gate import sync_folder

if TYPE_CHECKING:
    from zipfile import ZipFile

MOST_IN_A_FILE = 50_000

MOST_IN_A_SEARCH = 1_000_000
"""Maximum letters looked for at once; their digests take about 100 MB."""

LETTER, DRAFT = ".eml", ".json"
"""The ends of the names in a file, after digests: letters in without their envelopes, and drafts of letters out."""

UNFINISHED, _LOCK = "unfinished", ".lock"
"""The names of a file that is not all there yet, and of the one whose lock is held by who moves letters."""

AT_ONCE, _READ_AT_ONCE = 200, 20
"""Letters that leave the store in one transaction, for which others wait, and those read with all their bytes."""

_ROWS = 1_000
"""Rows fetched at a time where there may be a million."""

_HEADER = struct.Struct("<18xI4xHH")
"""The start of a file in a ZIP file: the packed size, and the sizes of its name and its extra field."""

_PLACE = select(ATTIC.c.file, ATTIC.c.place).where(ATTIC.c.digest == bindparam("wanted"))


class _Piece(NamedTuple):
    """Bytes that leave the store: their digest, and the letter out that they draft, if they are no letter in."""

    digest: str
    draft_of: str | None = None


class Attic:
    """The letters whose bytes have left the store; `folder` has them, if it is known."""

    def __init__(self, database: Database, folder: Path | None) -> None:
        self.database = database
        self._place = folder

    def put_away(self, before: datetime, name: str) -> Iterator[PutAway]:
        """Move the bytes of letters handled or sent before a time into new files, of `MOST_IN_A_FILE` letters each.

        Letters that did something in a game that is not over stay, and so does the last one about a game to each
        address, which may have to be sent again. RefereeError `attic` or `store`; FileError `unwritable`.
        """
        with _alone(self._folder()) as folder:
            for came, went in self._old(before):
                yield self._moved(folder, name, chain(self._contents(came), self._drafts(went)))

    def _moved(self, folder: Path, name: str, pieces: Iterable[tuple[_Piece, bytes]]) -> PutAway:
        moved, places, size = list[_Piece](), dict[str, int](), 0
        path = _free(folder, name, {row.file for row in self.database.read(select(ATTIC.c.file).distinct())})
        with _written(path) as file:
            for piece, content in pieces:
                if piece.digest not in places:
                    within = f"{piece.digest}{LETTER if piece.draft_of is None else DRAFT}"
                    file.writestr(within, content)
                    places[piece.digest] = file.getinfo(within).header_offset
                moved.append(piece)
                size += len(content)
        for digest, place in places.items():
            _content(path, place, digest)
        for some in _portions(moved, AT_ONCE):
            self._leave(some, path.name, places)
        return PutAway(len(moved), size, path)

    def files(self, *, whole: bool = True) -> list[AtticFile]:
        """The files that have letters of this desk, and whether all can be read there; else only if each is there."""
        found = self.database.read(select(ATTIC.c.file, func.count().label("number")).group_by(ATTIC.c.file))
        return [
            AtticFile(path, row.number, self._fault(path, whole=whole))
            for row in sorted(found, key=lambda one: str(one.file))
            if (path := self._folder() / row.file)
        ]

    def strays(self) -> list[Path]:
        """The files in the folder that have no letter of this desk, or are not all there: a move was stopped."""
        known = {_LOCK, *(row.file for row in self.database.read(select(ATTIC.c.file).distinct()))}
        folder = self._folder()
        return sorted(one for one in folder.iterdir() if one.name not in known) if folder.is_dir() else []

    def _fault(self, path: Path, *, whole: bool) -> str:
        from zipfile import is_zipfile

        if not whole:
            return "" if path.is_file() else f"{path} is missing"
        try:
            for row in self.database.read(select(ATTIC).where(ATTIC.c.file == path.name)):
                _content(path, row.place, row.digest)
        except RefereeError as error:
            return error.message
        return "" if is_zipfile(path) else f"{path} is no whole ZIP file: put a good copy in its place"

    def letter(self, row: Row[Any]) -> Incoming:
        """The letter of a row with its bytes, wherever these are; RefereeError `attic` if their file is damaged."""
        with rows.row_faults("a letter's row"):
            letter = rows.letter_of(row)
        if row.content is None or row.bytes is not None:
            return letter
        return replace(letter, raw=letter.raw + self.fetched(row.content))

    def fetched(self, digest: str) -> bytes:
        """The bytes with a digest, from the attic."""
        found = self.database.read(_PLACE, {"wanted": digest})
        if not found:
            raise StoreError("store", "the bytes of a letter are neither in the store nor in the attic")
        return _content(self._folder() / found[0].file, found[0].place, digest)

    def _folder(self) -> Path:
        if self._place is None:
            raise RefereeError("attic", "old letters of this desk are in files, but their folder was not given")
        return self._place

    def _old(self, before: datetime) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """Contents of old letters in and ids of letters out, in portions for a file; a search serves several."""
        while True:
            ((newest,),) = self.database.read(select(func.coalesce(func.max(LETTER_IN.c.number), 0)))
            running = self._not_over()
            came = self._old_in(before, MOST_IN_A_SEARCH)
            went = self._old_out(before, MOST_IN_A_SEARCH - len(came))
            if not (came or went):
                return
            for first in range(0, len(came) + len(went), MOST_IN_A_FILE):
                last, after = first + MOST_IN_A_FILE, len(came)
                stay = self._wanted_since(newest, running, before)
                some_in = [one for one in came[first:last] if one not in stay]
                some_out = went[max(0, first - after) : max(0, last - after)]
                if some_in or some_out:
                    yield some_in, some_out
            if len(came) + len(went) < MOST_IN_A_SEARCH:
                return

    def _old_in(self, before: datetime, most: int) -> list[str]:
        """The digests of the contents of old letters in, the oldest first, which no other letter needs."""
        last = write_time(before)
        needed = self._needed(last)
        letter = select(LETTER_IN.c.digest, LETTER_IN.c.content, LETTER_IN.c.done)
        shared = select(LETTER_IN.c.content).group_by(LETTER_IN.c.content).having(func.count() > 1)
        copies = self.database.read(letter.where(LETTER_IN.c.content.in_(shared)))
        stay = {one.content for one in copies if one.done is None or one.done >= last or one.digest in needed}
        old = letter.join(CONTENT, CONTENT.c.digest == LETTER_IN.c.content).where(LETTER_IN.c.done < last)
        found = dict[str, None]()
        for row in self._each(old.order_by(LETTER_IN.c.number)):
            if len(found) == most:
                break
            if row.digest not in needed and row.content not in stay:
                found[row.content] = None
        return [*found]

    def _needed(self, last: str, games: Collection[str] | None = None) -> set[str]:
        """The digests of the letters that did something before a time in games, or in all that are not over."""
        acts = select(EVENT.c.came).join(STANDING, STANDING.c.game == EVENT.c.game)
        wanted = acts.where(STANDING.c.phase.in_(NOT_OVER), EVENT.c.came.is_not(None), EVENT.c.at < last)
        if games is not None:
            wanted = wanted.where(EVENT.c.game.in_(games))
        ways = (json.loads(row.came) for row in self._each(wanted))
        return {way["letter"] for way in ways if way is not None}

    def _not_over(self) -> set[str]:
        return {row.game for row in self._each(select(STANDING.c.game).where(STANDING.c.phase.in_(NOT_OVER)))}

    def _wanted_since(self, newest: int, running: Collection[str], before: datetime) -> set[str]:
        """The contents wanted since a search: those of newer letters, and of reopened games."""
        contents = select(LETTER_IN.c.content)
        found = {row.content for row in self._each(contents.where(LETTER_IN.c.number > newest))}
        for games in _portions([*(self._not_over() - {*running})], AT_ONCE):
            for letters in _portions([*self._needed(write_time(before), games)], AT_ONCE):
                found |= {row.content for row in self.database.read(contents.where(LETTER_IN.c.digest.in_(letters)))}
        return found

    def _old_out(self, before: datetime, most: int) -> list[str]:
        later = OUTBOX.alias("later")
        about = (later.c.game == OUTBOX.c.game, later.c.recipient == OUTBOX.c.recipient)
        follows = exists().where(*about, later.c.queued > OUTBOX.c.queued)
        old = (OUTBOX.c.sent < write_time(before), OUTBOX.c.moved.is_(None), or_(OUTBOX.c.game.is_(None), follows))
        oldest = select(OUTBOX.c.id).where(*old).order_by(OUTBOX.c.queued, OUTBOX.c.id).limit(most)
        return [row.id for row in self.database.read(oldest)]

    def _each(self, wanted: Select[Any]) -> Iterator[Row[Any]]:
        """Rows that need not be in memory at once."""
        streamed = wanted.execution_options(yield_per=_ROWS)
        with store_faults(), self.database.reader() as connection, connection.execute(streamed) as found:
            yield from found

    def _contents(self, digests: Sequence[str]) -> Iterator[tuple[_Piece, bytes]]:
        for some in _portions(digests, _READ_AT_ONCE):
            for row in self.database.read(select(CONTENT).where(CONTENT.c.digest.in_(some))):
                if sha256(row.bytes).hexdigest() != row.digest:
                    raise StoreError("store", f"the letter {row.digest} was changed in the store: restore a backup")
                yield _Piece(row.digest), row.bytes

    def _drafts(self, letters: Sequence[str]) -> Iterator[tuple[_Piece, bytes]]:
        for some in _portions(letters, _READ_AT_ONCE):
            for row in self.database.read(select(OUTBOX.c.id, OUTBOX.c.draft).where(OUTBOX.c.id.in_(some))):
                yield _Piece(sha256(row.draft).hexdigest(), row.id), row.draft

    def _leave(self, pieces: Sequence[_Piece], file: str, places: Mapping[str, int]) -> None:
        """Note where some bytes are, and delete them from the store; a letter that is to be sent again stays."""
        found = [{"digest": one, "file": file, "place": places[one]} for one in {piece.digest for piece in pieces}]
        contents = [one.digest for one in pieces if one.draft_of is None]
        drafts = [{"letter": one.draft_of, "of": one.digest} for one in pieces if one.draft_of is not None]
        here = (OUTBOX.c.id == bindparam("letter"), OUTBOX.c.sent.is_not(None), OUTBOX.c.moved.is_(None))

        def moved(connection: Connection) -> None:
            connection.execute(keeping(self.database.engine, ATTIC), found)
            connection.execute(delete(CONTENT).where(CONTENT.c.digest.in_(contents)))
            if drafts:
                connection.execute(update(OUTBOX).where(*here).values(draft=b"", moved=bindparam("of")), drafts)

        self.database.write(moved)


def _portions(all_: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (all_[first : first + size] for first in range(0, len(all_), size))


@contextmanager
def _alone(folder: Path) -> Iterator[Path]:
    """Hold the lock of a folder, which is made if missing: one process at a time makes files there."""
    import fcntl

    try:
        if not folder.is_dir():
            folder.mkdir(0o700, parents=True, exist_ok=True)
            sync_folder(folder.parent)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise unwritten(folder, error) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(lock)


def _free(folder: Path, name: str, known: Collection[str]) -> Path:
    """An unused path in a folder; a known name is never used again, because its file may be put back."""
    paths = (folder / f"{name}{end}.zip" for end in chain([""], (f"-{number}" for number in count(2))))
    return next(path for path in paths if path.name not in known and not path.exists())


@contextmanager
def _written(path: Path) -> Iterator[ZipFile]:
    """A new private ZIP file, in its place once it is whole and on the disk."""
    from zipfile import ZIP_DEFLATED, ZipFile

    unfinished = path.with_name(UNFINISHED)
    try:
        unfinished.unlink(missing_ok=True)  # what is left of a process that was killed
        unfinished.touch(0o600)
        with unfinished.open("r+b") as content:
            with ZipFile(content, "w", ZIP_DEFLATED) as file:
                yield file
            content.flush()
            os.fsync(content.fileno())
        unfinished.rename(path)
        sync_folder(path.parent)
    except OSError as error:
        raise unwritten(path, error) from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _content(path: Path, place: int, digest: str) -> bytes:
    """The bytes with a digest at a place of a file of the attic; RefereeError `attic` if they are not there."""
    try:
        with path.open("rb") as file:
            file.seek(place)
            size, name, extra = _HEADER.unpack(file.read(_HEADER.size))
            file.seek(name + extra, os.SEEK_CUR)
            content = zlib.decompress(file.read(size), wbits=-zlib.MAX_WBITS)
    except FileNotFoundError:
        raise RefereeError("attic", f"{path} is missing, which has old letters of the desk: put it back") from None
    except OSError as error:
        raise RefereeError("attic", f"{path} cannot be read: {(error.strerror or 'it fails').lower()}") from None
    except (struct.error, zlib.error):
        content = b""
    if sha256(content).hexdigest() != digest:
        raise RefereeError("attic", f"{path} lacks a letter that was moved there: put a good copy in its place")
    return content
