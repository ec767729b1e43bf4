"""Where the desk keeps everything: logs, letters in and out, and secrets, in SQLite or PostgreSQL.

A letter is stored before anything of it is read. What it does (events, secrets, letters out, the mark that it is
dealt with) is one transaction: after a crash either all of it is there or nothing. A worker that finds its place in a
log taken begins again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Self

from sqlalchemy import Connection, select, update

from referee.desk.law.engine_seats import engine_to_seal
from referee.desk.log.log import GAME_ID, Entry, read_time, write_time
from referee.desk.log.seals import Key, digits
from referee.desk.state.fold import fold
from referee.desk.state.state import State
from referee.desk.store.catalogue import Catalogue
from referee.desk.store.copies import write_backup
from referee.desk.store.days import Days
from referee.desk.store.domain_keys import DomainKeys
from referee.desk.store.inbox import Inbox
from referee.desk.store.outbox import Outbox
from referee.desk.store.pairings import Pairings
from referee.desk.store.preferences import Preferences
from referee.desk.store.projections.dues import Dues
from referee.desk.store.projections.engine_turns import EngineTurns
from referee.desk.store.projections.glances import Glance, glance_of
from referee.desk.store.projections.snapshots import Snapshots, snapshot_between
from referee.desk.store.survey import Survey
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import (
    StoreError,
    again,
    engine_at,
    insert,
    keeping,
    log_ahead,
    make_file,
    store_faults,
)
from referee.desk.store.tables.records import Change, Held, Incoming, Outgoing, Work
from referee.desk.store.tables.schema import META, OUTBOX, SECRET
from referee.desk.store.tables.upgrades import UPGRADES, begin, expect_known
from referee.desk.store.tickets import Tickets
from referee.errors import RefereeError

__all__ = ["Change", "Held", "Incoming", "Outgoing", "Store", "StoreError", "Work"]

GLANCE = timedelta(minutes=1)
"""Minimum time between two records of the current time."""

_AT_ONCE = 100
"""Games that are looked at before what was found is stored."""

_REMEMBERED = 256
"""Maximum games whose states are kept in memory; the logs stay the truth."""


class _DoneBeforeError(Exception):
    """Another worker has dealt with the letter: nothing is stored."""


class Store(
    Catalogue,
    Days,
    DomainKeys,
    Dues,
    EngineTurns,
    Inbox,
    Outbox,
    Pairings,
    Preferences,
    Snapshots,
    Survey,
    Tickets,
):
    """A desk's store, for any number of threads and processes."""

    def __init__(self, where: str | Path, attic: Path | None = None) -> None:
        """Open a store: a file's path for SQLite, or a URL such as `postgresql://...`; and the folder of its attic.

        Raises:
            RefereeError: `store`: it cannot be opened, or is damaged; `no-desk`: there is none in this database;
                `older-desk`: its tables are of an older version, and `upgrade_store` comes first; `newer-desk`: their
                version is not known here.
        """
        super().__init__(where)
        self.attic = attic
        self._states: dict[str, State] = {}
        self._former: Key | None = None
        self._lock = Lock()
        self._keep_secret = keeping(self._engine, SECRET)
        self._queue = insert(self._engine, OUTBOX).on_conflict_do_nothing(index_elements=["id"])
        try:
            self._look_through()
            self.id = self._identity()
        except BaseException:
            self._engine.dispose()
            raise

    @classmethod
    def create(cls, where: str | Path) -> Self:
        """Create a desk in a database that has none, and open it; an existing one is opened as it is.

        Raises:
            RefereeError: `store`: it cannot be opened, or holds something else.
        """
        make_file(where)
        engine = engine_at(where)
        try:
            with store_faults(), engine.begin() as connection:
                if begin(connection):
                    connection.execute(SECRET.insert().values(game="", name="key", value=Key.drawn().secret.hex()))
        finally:
            engine.dispose()
        return cls(where)

    def _look_through(self) -> None:
        """Expect the tables of this version; a store of another one, or what is not a desk's, stays as it is."""
        with store_faults():
            with self._reading.begin() as connection:
                had = expect_known(connection)
            if had < len(UPGRADES):
                message = f"the tables of this desk have version {had}, and this referee needs {len(UPGRADES)}"
                ways = "referee desk upgrade", "referee desk serve"
                raise RefereeError("older-desk", f"{message}: both of these upgrade it", suggestions=ways)
            log_ahead(self._engine)
        _ = self.key  # a desk that has lost its key is not opened

    def _identity(self) -> str:
        found = self._read(rows.IDENTITY)
        if not found:
            raise StoreError("store", "the desk's id is missing from its store: restore a backup")
        return str(found[0].value)

    @property
    def key(self) -> Key:
        """The desk's key as it is now: another process may have had a new one drawn."""
        return Key(self._once(("key",), self._secret_key), self._former)

    def _secret_key(self) -> bytes:
        kept = [row.value for row in self._read(rows.KEY)]
        secret = digits(kept[0]) if kept and isinstance(kept[0], str) else None
        if secret is None:
            raise StoreError("store", "the desk's key is missing from its store: restore a backup")
        return bytes.fromhex(secret)

    def renew(self, key: Key) -> None:
        """Take another key: everything that followed from the one before is void."""
        mine = (SECRET.c.game == "", SECRET.c.name == "key")
        drawn = update(SECRET).where(*mine).values(value=key.secret.hex())
        self._write(lambda connection: connection.execute(drawn))

    @contextmanager
    def honouring(self, former: Key) -> Iterator[None]:
        """Let the tokens of the key before count meanwhile, for letters that came in its time."""
        self._former = former
        try:
            yield
        finally:
            self._former = None

    def backup(self, path: Path, settings: str | None = None) -> None:
        """Write a copy of the store as it is now, while others go on with it; `write_backup` says what is raised.

        Args:
            path: the file, which must not exist.
            settings: the text of the desk's settings, to go with the copy.
        """
        write_backup(self._engine, path, settings, _expect_whole)

    def backed_up(self) -> datetime | None:
        """The time of the last backup; None if there is none."""
        return self._noted("backed up")

    def note_backup(self, at: datetime) -> None:
        """Note that a backup was made."""
        noted = keeping(self._engine, META).values(name="backed up", value=write_time(at))
        self._write(lambda connection: connection.execute(noted))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        self._engine.dispose()

    def handle(self, letter: Incoming, game: str | None, at: datetime, work: Work) -> Change | None:
        """Store what a letter does, and the mark that it has been dealt with; None if that was done before.

        If `work` raises, the letter waits as before; then `postpone` it.
        """

        def marked(connection: Connection, change: Change) -> None:
            mark = {"letter": letter.digest, "at": write_time(at), "said": rows.plain(change.note)}
            if connection.execute(rows.DEALT_WITH, mark).rowcount != 1:
                raise _DoneBeforeError

        try:
            return self._change(game, at, work, marked)
        except _DoneBeforeError:
            return None

    def change(self, game: str | None, at: datetime, work: Work) -> Change:
        """Store a change that no letter asked for: by the host or by the clock."""
        return self._change(game, at, work, lambda _connection, _change: None)

    def all_games_of(self, address: str) -> list[str]:
        """All games in which a seat has an address (in small letters), running or not."""
        return self._once(("seats", address), lambda: self._seats(address))

    def _seats(self, address: str) -> list[str]:
        return self.playable(sorted(row.game for row in self._read(rows.SEATS, {"address": address})))

    def spelled(self, address: str) -> str | None:
        """An address (in small letters) with the capitals that a seat's has; None if no seat has it."""
        return next((row.value for row in self._read(rows.SPELLINGS, {"address": address})), None)

    def games_changed_by(self, letter: str, address: str) -> list[str]:
        """The games of an address (in small letters) in which a letter of this digest has done something."""
        return self.playable(row.game for row in self._read(rows.CHANGED_BY, {"letter": letter, "address": address}))

    def seats_in(self, domain: str) -> list[tuple[str, str]]:
        """The game and the address of every seat whose address is in a domain (in small letters)."""
        found = self._read(rows.SEATS_IN, {"domain": f"@{domain}"})
        usable = {*self.playable({row.game for row in found})}
        return [(row.game, row.value) for row in found if row.game in usable]

    def seen(self) -> datetime | None:
        """The last time that was noted; None if there is none."""
        return self._noted("seen")

    def _noted(self, name: str) -> datetime | None:
        found = self._read(select(META.c.value).where(META.c.name == name))
        with rows.row_faults("a time that the desk has noted"):
            return read_time(found[0].value) if found else None

    def see(self, at: datetime, *, anew: bool = False) -> None:
        """Note the time, unless one was noted less than `GLANCE` before it, or a later one; `anew`: in any case."""
        last = None if anew else self.seen()
        if last is not None and at - last < GLANCE:
            return
        note = insert(self._engine, META).values(name="seen", value=write_time(at))
        newer = None if anew else META.c.value <= write_time(at - GLANCE)
        noted = note.on_conflict_do_update(index_elements=["name"], set_={"value": write_time(at)}, where=newer)
        self._write(lambda connection: connection.execute(noted))

    def log(self, game: str) -> list[Entry]:
        """The log of a game; empty if there is no such game."""
        if not GAME_ID.fullmatch(game):
            return []
        with rows.row_faults(f"the log of {game}"):
            return [rows.entry_of(row) for row in self._read(rows.ENTRIES, {"of": game, "first": 0})]

    def looks(self, *, running: bool = False) -> list[Glance]:
        """What lists show of all games, or of those that are not over; the first look at one takes longer."""
        found = self.glances(running=running)
        unknown = self.playable(game for game, glance in found.items() if glance is None)
        for first in range(0, len(unknown), _AT_ONCE):
            held = (self.held(game).state for game in unknown[first : first + _AT_ONCE])
            states = [state for state in held if state is not None]
            found |= {state.id: glance_of(state) for state in states}
            self._write(partial(self._note_standings, states=states))
        return [glance for glance in found.values() if glance is not None]

    def held(self, game: str) -> Held:
        """Everything stored of a game."""
        return self._once(("held", game), lambda: self._found(game))

    def _found(self, game: str) -> Held:
        reading = f"the log of {game}"
        with self.waiting_if_broken(game), store_faults(), rows.row_faults(reading), self._reader() as connection:
            return self._held(connection, game)

    def _change(
        self, game: str | None, at: datetime, work: Work, also: Callable[[Connection, Change], None]
    ) -> Change:
        """Make a change from the stored game and store it; begin again if somebody has added to the log meanwhile.

        Slow work is done before the transaction: while one worker writes into SQLite, no other can.
        """

        def changed() -> Change:
            self._look_anew()
            held = Held(None, {}) if game is None else self.held(game)
            change = work(held)
            state = fold(change.entries, held.state)
            snapshot = snapshot_between(held.state, state) if state is not None else None
            with self._transaction() as connection:
                self._keep(connection, game, held.state, at, change)
                if state is not None:
                    self._note_due(connection, state)
                    self._note_engine_turn(connection, state)
                    if held.state is not None and engine_to_seal(held.state) and not engine_to_seal(state):
                        self._wake(connection, state.id, at)
                    self._note_standings(connection, (state,))
                if snapshot is not None:
                    self._keep_snapshot(connection, snapshot)
                also(connection, change)
            if state is not None:
                self._remember(state)
            return change

        with nullcontext() if game is None else self.waiting_if_broken(game):
            return again(changed)

    def _keep(
        self, connection: Connection, game: str | None, state: State | None, at: datetime, change: Change
    ) -> None:
        if change.ticket is not None:
            self._use(connection, change.ticket)
        rows.append(connection, game, state, change.entries)
        self._want(connection, change.signers, at)
        for name, value in change.secrets.items():
            connection.execute(self._keep_secret, {"game": game or "", "name": name, "value": value})
        for chosen in change.preferences:
            self._prefer(connection, chosen)
        for pairing in change.pairings:
            self._pair(connection, pairing)
        queued = {"queued": write_time(at), "next": write_time(at), "attempts": 0, "note": ""}
        letters = [
            {**queued, **{name: getattr(letter, name) for name in ("id", "game", "kind", "recipient", "draft")}}
            for letter in change.letters
        ]
        if letters:
            connection.execute(self._queue, letters)

    def _held(self, connection: Connection, game: str) -> Held:
        """A game's state from its log; if an earlier state is in memory, or a snapshot of one, only the rest is read.

        A text that is not the id of a game is never looked up: letters may name anything as a game.
        """
        if not GAME_ID.fullmatch(game):
            return Held(None, {})
        self.expect_playable(game)
        state = self._states.get(game) or self._snapshot(connection, game)
        found = connection.execute(rows.ENTRIES, {"of": game, "first": state.number if state else 0}).all()
        if state is not None and (not found or found[0].digest != state.head):
            state, found = None, connection.execute(rows.ENTRIES, {"of": game, "first": 0}).all()
        state = fold(map(rows.entry_of, found[1:] if state else found), state)
        if state is not None:
            self._remember(state)
        secrets = connection.execute(rows.SECRETS, {"of": game})
        return Held(state, {row.name: row.value for row in secrets})

    def _remember(self, state: State) -> None:
        with self._lock:
            self._states.pop(state.id, None)
            self._states[state.id] = state
            if len(self._states) > _REMEMBERED:
                self._states.pop(next(iter(self._states)))


def _expect_whole(copy: Path) -> None:
    """Read everything of the running games in a copy; RefereeError `store`, if something cannot be read."""
    with Store(copy) as store:
        for game in store.games(running=True):
            store.held(game)
