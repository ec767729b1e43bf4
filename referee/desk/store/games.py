"""Games in a store: logs, states and changes; a worker that finds its place in a log taken begins again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from sqlalchemy import Connection, select

from referee.desk.errors import StoreError
from referee.desk.glances import Glance, glance_of, people_in
from referee.desk.law.engine_seats import engine_to_seal
from referee.desk.log.log import GAME_ID, Entry, write_time
from referee.desk.records import Change, Held, Incoming, Work
from referee.desk.state.fold import fold
from referee.desk.state.state import State
from referee.desk.store.catalogue import Catalogue
from referee.desk.store.domain_keys import DomainKeys
from referee.desk.store.inbox import Inbox
from referee.desk.store.outbox import Outbox
from referee.desk.store.people import People
from referee.desk.store.projections.projections import LOGS, Projections, projections_of
from referee.desk.store.projections.snapshots import zone_rules
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database, OvertakenError, again, insert, keeping, store_faults
from referee.desk.store.tables.schema import META, SECRET

_AT_ONCE = 100
"""Games that are looked at before what was found is stored."""

_REMEMBERED = 256
"""Maximum games whose states are kept in memory; the logs stay the truth."""

_TICKET = "ticket"
_LAST_TICKET = select(META.c.value).where(META.c.name == _TICKET)


class _DoneBeforeError(Exception):
    """Another worker has handled the letter: nothing is stored."""


@dataclass(eq=False, repr=False)
class StoredGames:
    """The games of a desk."""

    database: Database
    projections: Projections
    _catalogue: Catalogue
    _inbox: Inbox
    _outbox: Outbox
    _people: People
    _domain_keys: DomainKeys
    _states: dict[str, State] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._keep_secret = keeping(self.database.engine, SECRET)

    def handle(self, letter: Incoming, game: str | None, at: datetime, work: Work) -> Change | None:
        """Store a letter's effects, and that it is handled; None if it was already. It waits if `work` raises."""

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

    def ticket(self) -> int:
        """The ticket for a change that has to keep within limits; draw it before you look at what they leave.

        It is the number of changes with a ticket so far. Of two workers that look at the same rest of a limit, the
        second one has to look again.
        """
        (kept,) = [row.value for row in self.database.read(_LAST_TICKET)] or ["0"]
        if not (kept.isascii() and kept.isdigit()):
            raise StoreError("store", "the number of the last ticket is damaged: restore a backup")
        return int(kept)

    def log(self, game: str) -> list[Entry]:
        """The log of a game; empty if there is no such game."""
        if not GAME_ID.fullmatch(game):
            return []
        with rows.row_faults(f"the log of {game}"):
            return [rows.entry_of(row) for row in self.database.read(rows.ENTRIES, {"of": game, "first": 0})]

    def glances(self, *, running: bool = False) -> list[Glance]:
        """Glances of all games, or of those that are not over; missing ones are made from their logs first."""
        found = self._catalogue.known_glances(running=running)
        unknown = [game for game, glance in found.items() if glance is None]
        for first in range(0, len(unknown), _AT_ONCE):
            held = self._catalogue.each(unknown[first : first + _AT_ONCE], lambda game: self.held(game).state)
            states = [state for state in held if state is not None]
            found |= {state.id: glance_of(state) for state in states}
            self.note(*states)
        return [glance for glance in found.values() if glance is not None]

    def note(self, *states: State) -> None:
        """Keep what follows from the logs of games up to these states."""
        found = [one for state in states for one in projections_of(state, state)]
        self.database.write(lambda connection: self.projections.write(connection, found))

    def rebuild(self) -> None:
        """Rebuild all projections from the logs; those of games that wait for their packages stay."""
        games = self._catalogue.playable(row.game for row in self.database.read(LOGS))
        for first in range(0, len(games), _AT_ONCE):
            self.projections.rebuild(games[first : first + _AT_ONCE], self._folded)

    def _folded(self, connection: Connection, game: str) -> State | None:
        with rows.row_faults(f"the log of {game}"):
            return fold(map(rows.entry_of, connection.execute(rows.ENTRIES, {"of": game, "first": 0})), None)

    def follow_zones(self) -> None:
        """Have the next tick look at all games if time zones have other rules than at the last start."""
        glances = self._catalogue.known_glances(running=True).values()
        zones = {glance.zone if glance is not None else "" for glance in glances}
        self.projections.expect_rules({zone: zone_rules(zone) for zone in zones})

    def held(self, game: str) -> Held:
        """Everything stored of a game."""
        return self.database.once(("held", game), lambda: self._found(game))

    def _found(self, game: str) -> Held:
        """A game's state from a state in memory, a snapshot or its log; a text that is no id is not looked up."""
        if not GAME_ID.fullmatch(game):
            return Held(None, {})
        waiting, reading = self._catalogue.waiting_if_broken(game), rows.row_faults(f"the log of {game}")
        with waiting, store_faults(), reading, self.database.reader() as connection:
            self._catalogue.expect_playable(game)
            state = self._states.get(game) or self.projections.snapshot(connection, game)
            found = connection.execute(rows.ENTRIES, {"of": game, "first": state.number if state else 0}).all()
            if state is not None and (not found or found[0].digest != state.head):
                state, found = None, connection.execute(rows.ENTRIES, {"of": game, "first": 0}).all()
            state = fold(map(rows.entry_of, found[1:] if state else found), state)
            if state is not None:
                self._remember(state)
            return Held(state, {row.name: row.value for row in connection.execute(rows.SECRETS, {"of": game})})

    def _change(
        self, game: str | None, at: datetime, work: Work, also: Callable[[Connection, Change], None]
    ) -> Change:
        """Make and store a change, again if the log has grown; slow work is done before the transaction."""

        def changed() -> Change:
            held = Held(None, {}) if game is None else self.held(game)
            change = work(held)
            state = fold(change.entries, held.state)
            found = projections_of(held.state, state) if state is not None else []
            with self.database.transaction() as connection:
                self._keep(connection, game, held.state, at, change)
                if state is not None:
                    self.projections.write(connection, found)
                    self._number(connection, held, change, state)
                    if held.state is not None and engine_to_seal(held.state) and not engine_to_seal(state):
                        self._inbox.wake_for_engine(connection, state.id, at)
                also(connection, change)
            if state is not None:
                self._remember(state)
            return change

        with self._catalogue.waiting_if_broken(game):
            return again(changed)

    def _keep(
        self, connection: Connection, game: str | None, state: State | None, at: datetime, change: Change
    ) -> None:
        if change.ticket is not None:
            self._use_up(connection, change.ticket)
        rows.append(connection, game, state, change.entries)
        self._domain_keys.want(connection, change.signers, at)
        if change.secrets:
            kept = [{"game": game or "", "name": name, "value": value} for name, value in change.secrets.items()]
            connection.execute(self._keep_secret, kept)
        for chosen in change.preferences:
            self._people.keep_choice(connection, chosen)
        if change.unpaired:
            self._people.unpair_all(connection, change.unpaired)
        for pairing in change.pairings:
            self._people.keep_pairing(connection, pairing)
        self._outbox.add(connection, change.letters, at)

    def _number(self, connection: Connection, held: Held, change: Change, state: State) -> None:
        """Number the players who take a seat, which keeps them apart from others of the same name."""
        before = {*people_in(held.state, held.secrets)} if held.state is not None else set()
        for side, name, address in people_in(state, {**held.secrets, **change.secrets}):
            if (side, name, address) not in before:
                self._people.keep_number(connection, name, address)

    def _use_up(self, connection: Connection, ticket: int) -> None:
        following = str(ticket + 1)
        row = insert(self.database.engine, META).values(name=_TICKET, value=following)
        mine = META.c.value == str(ticket)
        used = row.on_conflict_do_update(index_elements=["name"], set_={"value": following}, where=mine)
        if connection.execute(used.returning(META.c.value)).first() is None:
            raise OvertakenError

    def _remember(self, state: State) -> None:
        with self._lock:
            self._states.pop(state.id, None)
            self._states[state.id] = state
            if len(self._states) > _REMEMBERED:
                self._states.pop(next(iter(self._states)))
