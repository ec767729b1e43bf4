"""Where the desk keeps everything: logs, letters in and out, and secrets, in SQLite or PostgreSQL.

A letter is stored before anything of it is read. What it does (events, secrets, letters out, the mark that it is
dealt with) is one transaction: after a crash either all of it is there or none. A worker that finds its place in a
log taken by another one begins again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Row, func, or_, select, update
from sqlalchemy.exc import DBAPIError

from referee.desk.database import conflict, connected, insert
from referee.desk.events import body, canonical, event_of, kind_of
from referee.desk.kept import Change, Held, Letter, Outgoing, Work
from referee.desk.log import GAME_ID, Entry, read_time, written
from referee.desk.schema import EVENT, LETTER_IN, OUTBOX, SECRET, prepare
from referee.desk.state import State, began
from referee.desk.statements import DEALT_WITH, LOG, SECRETS, WAITING
from referee.desk.tokens import Key

__all__ = ["Change", "Held", "Letter", "Outgoing", "Store", "Work"]

T = TypeVar("T")

ATTEMPTS = 100
"""So often a transaction is begun again when other workers were first."""

LEASE = timedelta(minutes=10)
"""So long a letter out belongs to the worker that took it; then another one may try."""

MOST_NOTED = 20
"""So many filed letters are told of."""

REMEMBERED = 256
"""So many games' states are kept at hand; the logs are the truth all the same."""


class _DoneBeforeError(Exception):
    """Another worker has dealt with the letter: what was to be stored is not."""


class Store:
    """A desk's store, for any number of threads and processes."""

    def __init__(self, where: str | Path) -> None:
        """Open a store, or begin one: a file's path for SQLite, or a URL such as `postgresql://...`.

        Raises:
            RefereeError: `store`: it cannot be opened; `newer-desk`: it is of a version not known here.
        """
        self._engine = connected(where)
        self._reading = self._engine.execution_options(reads=True)
        self._states: dict[str, State] = {}
        self._lock = Lock()
        self._turn: AbstractContextManager[object] = (
            Lock() if self._engine.dialect.name == "sqlite" else nullcontext()
        )
        self._write(prepare)
        self.key = self._write(_key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    def receive(self, raw: bytes, at: datetime) -> tuple[Letter, bool]:
        """Store a letter before it is read; and whether it is a new one, not the same bytes once more."""
        digest = hashlib.sha256(raw).hexdigest()
        row = {"digest": digest, "received": written(at), "raw": raw, "next": written(at), "attempts": 0, "note": ""}
        add = insert(self._engine, LETTER_IN).values(row).on_conflict_do_nothing(index_elements=["digest"])
        added = add.returning(LETTER_IN.c.digest)
        new = self._write(lambda connection: connection.execute(added).first() is not None)
        return Letter(digest, at, raw), new

    def waiting(self, at: datetime, most: int = 100) -> list[Letter]:
        """The letters that are to be dealt with now, in the order in which they came."""
        rows = self._read(WAITING, {"at": written(at), "most": most})
        return [_letter(row) for row in rows]

    def handle(self, letter: Letter, game: str | None, at: datetime, work: Work) -> Change | None:
        """Store what a letter does together with the mark that it is dealt with; None if that was done before.

        If `work` raises, the letter waits as it did; `postpone` it then.
        """

        def marked(connection: Connection, change: Change) -> None:
            mark = {"letter": letter.digest, "at": written(at), "said": _plain(change.note)}
            if connection.execute(DEALT_WITH, mark).rowcount != 1:
                raise _DoneBeforeError

        try:
            return self._change(game, at, work, marked)
        except _DoneBeforeError:
            return None

    def postpone(self, letter: Letter, until: datetime | None, note: str) -> None:
        """Note what went wrong with a letter, and try it again at a time, or set it aside."""
        mark = update(LETTER_IN).where(LETTER_IN.c.digest == letter.digest, LETTER_IN.c.done.is_(None))
        values = {"next": until and written(until), "attempts": LETTER_IN.c.attempts + 1, "note": _plain(note)}
        self._write(lambda connection: connection.execute(mark.values(values)))

    def postponed(self, at: datetime) -> bool:
        """Whether a letter is to be tried again later."""
        later = select(LETTER_IN.c.number).where(LETTER_IN.c.done.is_(None), LETTER_IN.c.next > written(at))
        return bool(self._read(later.limit(1)))

    def aside(self) -> list[tuple[Letter, str]]:
        """The letters that were set aside, and why."""
        rows = self._read(select(LETTER_IN).where(LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_(None)))
        return [(_letter(row), row.note) for row in rows]

    def noted(self, kinds: Iterable[str]) -> list[tuple[str, str]]:
        """Digest and note of the letters that were filed with a note of one of these kinds, the newest first."""
        which = or_(*(LETTER_IN.c.note.startswith(f"{kind}:", autoescape=True) for kind in kinds))
        newest = select(LETTER_IN.c.digest, LETTER_IN.c.note).where(which).order_by(LETTER_IN.c.number.desc())
        return [(row.digest, row.note) for row in self._read(newest.limit(MOST_NOTED))]

    def change(self, game: str | None, at: datetime, work: Work) -> Change:
        """Store a change that no letter asked for: of the host, or of the time."""
        return self._change(game, at, work, lambda _connection, _change: None)

    def due(self, at: datetime) -> bool:
        """Whether letters are to be sent now."""
        due = (OUTBOX.c.sent.is_(None), OUTBOX.c.next <= written(at))
        return bool(self._read(select(OUTBOX.c.id).where(*due).limit(1)))

    def take(self, at: datetime, most: int = 20) -> list[Outgoing]:
        """Letters that are to be sent now; nobody else gets them until `LEASE` is over."""

        def taken(connection: Connection) -> list[Outgoing]:
            due = (OUTBOX.c.sent.is_(None), OUTBOX.c.next <= written(at))
            rows = connection.execute(select(OUTBOX).where(*due).order_by(OUTBOX.c.next, OUTBOX.c.id).limit(most))
            mine = []
            for row in rows.all():
                claim = update(OUTBOX).where(
                    OUTBOX.c.id == row.id, OUTBOX.c.next == row.next, OUTBOX.c.sent.is_(None)
                )
                leased = claim.values(next=written(at + LEASE), attempts=row.attempts + 1)
                if connection.execute(leased).rowcount == 1:
                    mine.append(Outgoing(row.id, row.recipient, row.draft, row.game, row.attempts + 1, row.kind))
            return mine

        return self._write(taken)

    def sent(self, letter: Outgoing, at: datetime) -> None:
        """Mark a letter as sent."""
        mark = update(OUTBOX).where(OUTBOX.c.id == letter.id).values(sent=written(at), next=None)
        self._write(lambda connection: connection.execute(mark))

    def unsent(self, letter: Outgoing, until: datetime | None, note: str) -> None:
        """Note why a letter could not be sent, and try it again at a time, or give it up."""
        mark = update(OUTBOX).where(OUTBOX.c.id == letter.id, OUTBOX.c.sent.is_(None))
        noted = mark.values(next=until and written(until), note=_plain(note))
        self._write(lambda connection: connection.execute(noted))

    def answered(self, recipient: str, kind: str, since: datetime) -> tuple[int, datetime | None]:
        """How many letters of a kind went to an address since then, and when the first of them was queued.

        `unasked` stands for all kinds that begin with `unasked/`, too.
        """
        of = or_(OUTBOX.c.kind == kind, OUTBOX.c.kind.startswith(f"{kind}/", autoescape=True))
        which = (OUTBOX.c.recipient == recipient, OUTBOX.c.queued > written(since), of)
        wanted = select(func.count().label("number"), func.min(OUTBOX.c.queued).label("first")).where(*which)
        (row,) = self._read(wanted)
        return row.number, row.first and read_time(row.first)

    def notes(self, since: datetime) -> list[tuple[str, datetime]]:
        """To whom notes were queued since then that belong to no game, and when."""
        # The first condition always holds; with it the times are found in an index, and no old letter is touched.
        which = (OUTBOX.c.recipient > "", OUTBOX.c.queued > written(since), OUTBOX.c.kind == "note")
        rows = self._read(select(OUTBOX.c.recipient, OUTBOX.c.queued).where(*which))
        return [(row.recipient, read_time(row.queued)) for row in rows]

    def games_of(self, address: str) -> list[str]:
        """The running games in which a seat has this address; if there are none, those that are over."""
        mine = (SECRET.c.name.startswith("address/"), func.lower(SECRET.c.value) == func.lower(address))
        found = [row.game for row in self._read(select(SECRET.c.game).where(*mine).distinct())]
        running = {*self.games(running=True)} if found else set()
        return sorted(running.intersection(found) or found)

    def refusal(self, game: str, recipient: str) -> str | None:
        """Why the last letter about a game to an address was given up; None if it was sent, or still waits."""
        mine = (OUTBOX.c.game == game, OUTBOX.c.recipient == recipient)
        settled = or_(OUTBOX.c.sent.is_not(None), OUTBOX.c.next.is_(None))
        last = select(OUTBOX.c.sent, OUTBOX.c.note).where(*mine, settled)
        rows = self._read(last.order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id).limit(1))
        return next((row.note for row in rows if row.sent is None), None)

    def again(self, game: str, recipient: str, at: datetime) -> bool:
        """Queue the last letter about a game to an address once more; whether there is one."""
        mine = (OUTBOX.c.game == game, OUTBOX.c.recipient == recipient)
        last = select(OUTBOX.c.id).where(*mine).order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id).limit(1)
        queue = update(OUTBOX).where(OUTBOX.c.id == last.scalar_subquery())
        queued = queue.values(sent=None, next=written(at), attempts=0, note="")
        return bool(self._write(lambda connection: connection.execute(queued).rowcount))

    def games(self, *, running: bool = False) -> list[str]:
        """The ids of all games, or of those that are not over."""
        games = select(EVENT.c.game).where(EVENT.c.number == 0).order_by(EVENT.c.game)
        if running:
            games = games.where(EVENT.c.game.not_in(select(EVENT.c.game).where(EVENT.c.kind == "closed")))
        return [row.game for row in self._read(games)]

    def log(self, game: str) -> list[Entry]:
        """The log of a game; empty if there is no such game."""
        if not GAME_ID.fullmatch(game):
            return []
        return [_entry(row) for row in self._read(LOG, {"of": game, "first": 0})]

    def rules(self, game: str) -> str | None:
        """Which game's rules are played by under an id; None if there is no such game."""
        state = self._states.get(game) or self.held(game).state
        return state.game if state is not None else None

    def held(self, game: str) -> Held:
        """What there is of a game."""
        with self._reading.begin() as connection:
            return self._held(connection, game)

    def counts(self) -> dict[str, int]:
        """How many letters wait, are set aside, are to be sent and were given up."""
        wanted = {
            "waiting": (LETTER_IN, LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_not(None)),
            "aside": (LETTER_IN, LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_(None)),
            "to-send": (OUTBOX, OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_not(None)),
            "unsent": (OUTBOX, OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_(None)),
        }
        found = {}
        for name, (table, *which) in wanted.items():
            ((number,),) = self._read(select(func.count()).select_from(table).where(*which))
            found[name] = number
        return found

    def _change(
        self, game: str | None, at: datetime, work: Work, also: Callable[[Connection, Change], None]
    ) -> Change:
        """Make a change from what there is, and store it if nobody has added to the log meanwhile; else again.

        What takes long is done before the transaction: while one writes into SQLite, nobody else can.
        """

        def changed() -> Change:
            held = Held(None, {}) if game is None else self.held(game)
            change = work(held)
            with self._writing() as connection:
                self._keep(connection, game, held.state, at, change)
                also(connection, change)
            return change

        return _again(changed)

    def _keep(
        self, connection: Connection, game: str | None, state: State | None, at: datetime, change: Change
    ) -> None:
        _append(connection, game, state, change.entries)
        for name, value in change.secrets.items():
            keep = insert(self._engine, SECRET).values(game=game or "", name=name, value=value)
            replaced = keep.on_conflict_do_update(index_elements=["game", "name"], set_={"value": value})
            connection.execute(replaced)
        queued = {"queued": written(at), "next": written(at), "attempts": 0, "note": ""}
        rows = [
            {**queued, **{name: getattr(letter, name) for name in ("id", "game", "kind", "recipient", "draft")}}
            for letter in change.letters
        ]
        if rows:
            connection.execute(insert(self._engine, OUTBOX).on_conflict_do_nothing(index_elements=["id"]), rows)

    def _held(self, connection: Connection, game: str) -> Held:
        """A game's state from its log; of one that is at hand only the rest is read.

        A text that is no game's id is looked up nowhere: letters may name anything as a game.
        """
        if not GAME_ID.fullmatch(game):
            return Held(None, {})
        state = self._states.get(game)
        rows = connection.execute(LOG, {"of": game, "first": state.number if state else 0}).all()
        if state is not None and (not rows or rows[0].digest != state.head):
            state, rows = None, connection.execute(LOG, {"of": game, "first": 0}).all()
        for row in rows[1:] if state else rows:
            entry = _entry(row)
            state = began(entry) if state is None else state.after(entry)
        if state is not None:
            self._remember(game, state)
        secrets = connection.execute(SECRETS, {"of": game})
        return Held(state, {row.name: row.value for row in secrets})

    def _remember(self, game: str, state: State) -> None:
        with self._lock:
            self._states.pop(game, None)
            self._states[game] = state
            if len(self._states) > REMEMBERED:
                self._states.pop(next(iter(self._states)))

    def _read(self, wanted: Any, values: Mapping[str, Any] | None = None) -> list[Row[Any]]:  # noqa: ANN401 - a select
        with self._reading.begin() as connection:
            return list(connection.execute(wanted, values).all())

    def _write(self, work: Callable[[Connection], T]) -> T:
        """Do something in one transaction; again, if another worker was first."""

        def written_down() -> T:
            with self._writing() as connection:
                return work(connection)

        return _again(written_down)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that writes.

        SQLite has one writer at a time, and those that wait for it sleep: the threads of a process take turns.
        """
        with self._turn, self._engine.begin() as connection:
            yield connection


def _again(attempt: Callable[[], T]) -> T:
    """What an attempt gives that no other worker came before."""
    for number in range(1, ATTEMPTS + 1):
        try:
            return attempt()
        except DBAPIError as error:
            if number == ATTEMPTS or not conflict(error):
                raise
    raise AssertionError


def _key(connection: Connection) -> Key:
    """The desk's key; it is drawn when it is wanted for the first time."""
    own = (SECRET.c.game == "", SECRET.c.name == "key")
    kept = connection.execute(select(SECRET.c.value).where(*own)).scalar_one_or_none()
    if kept is not None:
        return Key(bytes.fromhex(kept))
    key = Key.drawn()
    connection.execute(SECRET.insert().values(game="", name="key", value=key.secret.hex()))
    return key


def _append(connection: Connection, game: str | None, state: State | None, entries: Iterable[Entry]) -> None:
    number, head = (state.number, state.head) if state else (-1, None)
    rows = []
    for entry in entries:
        if (entry.game, entry.number) != (game, number + 1) or head not in (None, entry.before):
            raise ValueError(f"entry {entry.number} of {entry.game} does not follow entry {number}")
        number, head = entry.number, entry.digest
        rows.append({**entry.as_json(), "kind": kind_of(entry.event), "body": canonical(body(entry.event))})
    if rows:
        connection.execute(EVENT.insert(), rows)


def _entry(row: Row[Any]) -> Entry:
    event = event_of(row.kind, json.loads(row.body))
    return Entry(row.game, row.number, read_time(row.at), event, row.before, row.digest)


def _letter(row: Row[Any]) -> Letter:
    return Letter(row.digest, read_time(row.received), row.raw, row.attempts)


def _plain(note: str) -> str:
    """A note as any database takes it, whatever was in the letter that it speaks of."""
    return note.encode(errors="replace").decode().replace("\0", "?")
