"""The desk's one facade: letters, pages and commands change games through `Desk`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Self

from referee.desk.law import hands, plans
from referee.desk.law.engine_seats import EngineSeats, EngineTurn, engine_turn
from referee.desk.law.seat_addresses import Seat, address_secrets, seat_of
from referee.desk.log import acts
from referee.desk.log.acts import Act, By, Order, SignedAct
from referee.desk.log.events import Joined
from referee.desk.log.log import Came, Entry
from referee.desk.log.seals import Key
from referee.desk.log.secrets import Secrets, address_name, addresses_name
from referee.desk.log.terms import Terms
from referee.desk.play import notices, progress, proposals
from referee.desk.play.decisions import Context
from referee.desk.play.progress import Progress
from referee.desk.play.proposals import Proposal
from referee.desk.play.setup import set_up
from referee.desk.records import Change, Held, Incoming, Outgoing
from referee.desk.state.state import State
from referee.errors import Refusal, shown
from referee.extras import extra
from referee.game import GameFile
from referee.rules.frozen import Frozen

if TYPE_CHECKING:
    from referee.desk.store.store import Store

EXTRA = "mail"
"""The extra of the package that brings the library for the store."""

Writer = Callable[[Progress], tuple[Outgoing, ...]]
"""Writes the letters for a result's notices; they are stored together with what happened."""


def no_letters(_: Progress) -> tuple[Outgoing, ...]:
    """No letters."""
    return ()


@dataclass(frozen=True, slots=True)
class Table:
    """A game within one transaction, for a player who has to be recognized before they act."""

    state: State
    secrets: Secrets = field(repr=False)
    key: Key
    mailboxes: tuple[str, ...] = ()

    @property
    def known(self) -> Secrets:
        """The secrets of the game, and those that its end reveals of its addresses."""
        return {**self.secrets, **address_secrets(self.key, self.state, self.secrets, self.mailboxes)}

    def seat(self, token: str) -> Seat | None:
        """The seat of a token; None if it has none."""
        return seat_of(self.key, self.state, token)

    def address(self, side: str) -> str:
        """The registered address of a side; empty if there is none."""
        return self.secrets.get(address_name(side), "")

    def act(self, by: By, wanted: Iterable[Act | SignedAct], at: datetime, *, came: Came | None = None) -> Progress:
        """Do a player's acts in their order; a refused act does nothing, and its answer gives the reason."""
        return self._with_news(progress.act(self._context(at, came), by, wanted))

    def join(
        self, side: str, name: str, address: str, at: datetime, *, word: str = "", came: Came | None = None
    ) -> Progress:
        """Let a player take an open seat; `word` is what they give to chance."""
        return self._with_news(progress.join(self._context(at, came), Joined(side, name, None, word), address))

    def rematch(self, by: str, until: datetime) -> tuple[Proposal, Mapping[str, str]]:
        """The same game again with other seats, and the players' addresses by these; see `proposals.rematch`."""
        return proposals.rematch(self.state, by, until), proposals.addresses_after(self.state, self.secrets)

    def engine(self, side: str, move: str, at: datetime) -> Progress:
        """Make the move that the engine on a side has found."""
        return self._with_news(progress.move_engine(self._context(at), side, move))

    def order(self, wanted: Order, at: datetime) -> Progress:
        """Do an order of the host or of the clock."""
        result = progress.execute(self._context(at), wanted)
        if isinstance(wanted, acts.Reopen) and result.state.closed is None:
            # The desk may have changed its key since the game ended; the old one is lost.
            result = progress.rekey(result, self.key.signer.public, self.key.signer, "", at)
        result = self._with_news(result)
        if isinstance(wanted, acts.Replace) and result.entries:
            given = notices.seat_given(result.state, wanted.side, self.secrets, {**self.secrets, **result.secrets})
            return replace(result, notices=(*result.notices, *given))
        return result

    def made_up(self, since: datetime, at: datetime, least: timedelta) -> Progress:
        """Give the game the time of an outage back."""
        return self._with_news(progress.give_back(self.state, since, at, self.known, least))

    def _context(self, at: datetime, came: Came | None = None) -> Context:
        return Context(self.state, at, self.known, self.key.draw, came)

    def _with_news(self, result: Progress) -> Progress:
        secrets = {**self.secrets, **result.secrets}
        return replace(result, notices=tuple(notices.news(result.before, result.state, result.entries, secrets)))


def expect_library() -> None:
    """RefereeError `missing-extra` without the library of the store, before anything else is looked at."""
    extra("sqlalchemy", EXTRA)


def unpack_backup(backup: Path, place: Path) -> str | None:
    """Copy the store of a backup to a new file, and return the text of the settings in it, if there is any.

    RefereeError `missing-extra`, `no-desk` or `store`; FileError `unreadable`, or of the new file `exists` or
    `unwritable`.
    """
    expect_library()
    from referee.desk.store.copies import read_backup

    return read_backup(backup, place)


class Desk:
    """A desk: its parts, and what happens in its games.

    Whatever a call does to a game, and the letters about it, are stored in one transaction. Times are aware; the
    log's own time is never set back.
    """

    def __init__(self, store: Store, mailboxes: Iterable[str] = ()) -> None:
        """The games of a store; `mailboxes` are the plain addresses, in small letters, at which letters come in."""
        self.id = store.id
        self.games = store.games
        self.catalogue = store.catalogue
        self.engine_turns = store.engine_turns
        self.inbox = store.inbox
        self.outbox = store.outbox
        self.attic = store.attic
        self.people = store.people
        self.keys = store.keys
        self.domain_keys = store.domain_keys
        self.days = store.days
        self.upkeep = store.upkeep
        self.reading = store.database.reading
        self._mailboxes = tuple(mailboxes)

    @classmethod
    @contextmanager
    def opened(cls, place: str | Path, attic: Path, mailboxes: Iterable[str] = ()) -> Iterator[Self]:
        """The desk whose store is at a place, a file or the address of a database, with the folder of its attic.

        RefereeError `missing-extra`; or `store`, `no-desk` or `newer-desk` if its store cannot be opened.
        """
        expect_library()
        from referee.desk.store.store import Store

        with Store(place, attic) as store:
            yield cls(store, mailboxes)

    @classmethod
    @contextmanager
    def created(cls, place: str | Path) -> Iterator[Self]:
        """A new desk with its store at a place, or the one that is there; RefereeError as `opened`."""
        expect_library()
        from referee.desk.store.store import Store

        with Store.create(place) as store:
            yield cls(store)

    @property
    def key(self) -> Key:
        """The desk's key as it is now."""
        return self.keys.current

    def open(
        self,
        game_id: str,
        game: GameFile,
        at: datetime,
        *,
        terms: Terms | None = None,
        addresses: Mapping[str, str] | None = None,
        secret: str | None = None,
        engines: EngineSeats | None = None,
        writer: Writer = no_letters,
    ) -> State:
        """Open a game under an id; raises as `set_up` does, and RefereeError `game-id` if the id is taken."""
        begun = _announced(
            set_up(
                game_id,
                game,
                at,
                terms=terms,
                addresses=addresses,
                secret=secret,
                desk=self.key.signer.public,
                engines=engines,
                chance=self.key.draw,
            )
        )

        def change(held: Held) -> Change:
            if held.state is not None:
                raise Refusal("game-id", f"there is a game {game_id} already")
            return Change(begun.entries, begun.secrets, writer(begun))

        self.games.change(game_id, at, change)
        return begun.state

    def propose(
        self,
        game_id: str,
        proposal: Proposal,
        at: datetime,
        *,
        addresses: Mapping[str, str],
        word: str = "",
        came: Came | None = None,
    ) -> Progress:
        """The beginning of a proposed game, as `proposals.propose`, with notices; nothing is stored."""
        key = self.key
        begun = proposals.propose(
            game_id, proposal, at, addresses=addresses, chance=key.draw, word=word, came=came, desk=key.signer.public
        )
        return _announced(begun)

    def act(
        self,
        game_id: str,
        by: By,
        wanted: Iterable[Act | SignedAct],
        at: datetime,
        *,
        came: Came | None = None,
        kept: Secrets = Frozen(),
        writer: Writer = no_letters,
    ) -> Progress:
        """Do what a known player wants; if anything is done, `kept` is stored too; RefereeError `unknown-game`."""
        asked = tuple(wanted)

        def acted(table: Table) -> Progress:
            result = table.act(by, asked, at, came=came)
            return replace(result, secrets={**result.secrets, **kept}) if result.entries else result

        return self._change(game_id, at, acted, writer)

    def order(self, game_id: str, wanted: Order, at: datetime, *, writer: Writer = no_letters) -> Progress:
        """Do an order of the host; RefereeError `unknown-game`, or why it is refused; then nothing has changed."""
        return self._change(game_id, at, lambda table: progress.done(table.order(wanted, at)), writer)

    def tick(self, at: datetime, *, writer: Writer = no_letters) -> int:
        """Do what is due by the clock in all games, such as reminders; return the number of events."""

        def ticked(name: str) -> int:
            return len(self._change(name, at, lambda table: table.order(acts.Tick(), at), writer).entries)

        return sum(self.catalogue.each(self.catalogue.due(at), ticked))

    def make_up(
        self, game_id: str, since: datetime, at: datetime, least: timedelta, *, writer: Writer = no_letters
    ) -> Progress:
        """Give a game the time of an outage back, if it is more than `least`; RefereeError `unknown-game`."""
        return self._change(game_id, at, lambda table: table.made_up(since, at, least), writer)

    def play_engine(self, turn: EngineTurn, move: str, at: datetime, *, writer: Writer = no_letters) -> bool:
        """Make the move that an engine has found; False if it owes that move no more, as in a game that is over."""

        def played(table: Table) -> Progress:
            owed = engine_turn(table.state, table.secrets) == turn
            return table.engine(turn.side, move, at) if owed else Progress(table.state, table.state)

        return bool(self._change(turn.game, at, played, writer).entries)

    def visit(
        self, letter: Incoming, game_id: str, token: str, at: datetime, work: Callable[[Table, Seat | None], Change]
    ) -> None:
        """Deal with a stored letter to a game; its token may be empty.

        `work` gets the token's seat, acts for the letter's sender, and answers. It may be called again, from a newer
        state; if it raises, the letter waits as before.
        """

        def change(held: Held) -> Change:
            table = self.table_of(held, game_id)
            return work(table, table.seat(token))

        self.games.handle(letter, game_id, at, change)

    def keep_addresses(self, at: datetime) -> None:
        """Keep the secrets of addresses of all running games for their ends, before the key changes."""

        def kept(held: Held) -> Change:
            assert held.state is not None
            name = addresses_name(held.state.closings)
            return Change(secrets={name: self.table_of(held).known[name]})

        for _ in self.catalogue.each_running(lambda name: self.games.change(name, at, kept)):
            pass

    def tell_key(self, former: Key, reason: str, at: datetime, *, writer: Writer = no_letters) -> int:
        """Enter the new key, signed by the `former` one, in all running games; return the number of letters."""

        def told(held: Held) -> Change:
            assert held.state is not None
            before = Progress(held.state, held.state)
            result = progress.rekey(before, self.key.signer.public, former.signer, reason, at)
            news = tuple(notices.new_key(held.state, result.state, held.secrets))
            return Change(result.entries, letters=writer(replace(result, notices=news)))

        return sum(self.catalogue.each_running(lambda name: len(self.games.change(name, at, told).letters)))

    def game_of(self, names: Iterable[str], address: str) -> str | None:
        """The first of these names that a game has, or else the only game of an address (in small letters)."""
        for name in names:
            if self.catalogue.rules(name) is not None:
                return name
        games = self.catalogue.games_of(address) if address else []
        return games[0] if len(games) == 1 else None

    def state(self, game_id: str) -> State:
        """The state of a game; RefereeError `unknown-game` if no game has this id."""
        state = self.games.held(game_id).state
        if state is None:
            raise _unknown(game_id)
        return state

    def seen_by(self, state: State, side: str, address: str) -> State:
        """A game, now or before, as its side sees it if this is the side's address; else as all do."""
        if not hands.has_hands(state.description):
            return state
        table = self.table(state.id)
        return hands.seen_by(state, side, table.secrets) if table.address(side) == address else state

    def kept_plan(self, state: State, side: str, secrets: Secrets = Frozen()) -> str | None:
        """The rest of a side's plan as text, for its player alone; None without a plan."""
        if (deposit := state.plan(side)) is None:
            return None
        left = plans.plan_left(state, deposit, {**self.table(state.id).secrets, **secrets})
        return str(left) if left.branches else None

    def table(self, game_id: str) -> Table:
        """A game as it is now, with the desk's secrets; RefereeError `unknown-game`."""
        return self.table_of(self.games.held(game_id), game_id)

    def table_of(self, held: Held, game_id: str = "") -> Table:
        """The game that the store has found under an id; RefereeError `unknown-game` if it has found none."""
        if held.state is None:
            raise _unknown(game_id)
        return Table(held.state, held.secrets, self.key, self._mailboxes)

    def log(self, game_id: str) -> list[Entry]:
        """The log of a game; empty if there is no such game."""
        return self.games.log(game_id)

    def _change(self, game_id: str, at: datetime, work: Callable[[Table], Progress], writer: Writer) -> Progress:
        result: Progress | None = None

        def change(held: Held) -> Change:
            nonlocal result
            result = work(self.table_of(held, game_id))
            return Change(result.entries, result.secrets, writer(result))

        self.games.change(game_id, at, change)
        assert result is not None
        return result


def _announced(begun: Progress) -> Progress:
    return replace(begun, notices=tuple(notices.news(None, begun.state, begun.entries, begun.secrets)))


def _unknown(game_id: str) -> Refusal:
    return Refusal("unknown-game", f"there is no game {shown(game_id)} on this desk")
