"""The outbox of a desk's store: letters to be sent, letters sent, and letters given up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, or_, select, text, update

from referee.desk.log.log import read_time, write_time
from referee.desk.records import HOLD, LEASE, Outgoing, Posted, Returned, TallyOut
from referee.desk.store.attic import Attic
from referee.desk.store.tables.database import Database, insert
from referee.desk.store.tables.rows import NOTES, plain
from referee.desk.store.tables.schema import CAME_BACK, OUTBOX, RARE

_TAKEN = "being sent"
"""The note of a letter that belongs to a worker."""

LONGEST_REST = timedelta(hours=5)
"""Maximum time until a letter is tried again; a longer one comes from a clock that was ahead."""

GIVEN_UP = (OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_(None))

_HELD = (
    OUTBOX.c.sent.is_(None),
    OUTBOX.c.attempts == 0,
    OUTBOX.c.note == "",
    OUTBOX.c.next > OUTBOX.c.queued,
    OUTBOX.c.game == bindparam("of"),
    OUTBOX.c.recipient == bindparam("whose"),
)
"""The condition for the letter about a game to an address that waits for an engine's answer, and no worker took."""

_HELD_ONE = select(OUTBOX).where(*_HELD)
_GIVE_WAY = delete(OUTBOX).where(*_HELD, OUTBOX.c.id == bindparam("instead"))
_GO_BEFORE = update(OUTBOX).where(*_HELD).values(next=bindparam("at"))

_DUE = (
    OUTBOX.c.sent.is_(None),
    or_(OUTBOX.c.next <= bindparam("at"), OUTBOX.c.next > bindparam("beyond")),
)
_NEXT = select(OUTBOX).where(*_DUE).order_by(OUTBOX.c.next, OUTBOX.c.id).limit(bindparam("most"))
_THESE = OUTBOX.c.id.in_(bindparam("ids", expanding=True))
_TAKE = (
    update(OUTBOX)
    .where(_THESE, *_DUE)
    .values(next=bindparam("until"), note=_TAKEN, attempts=OUTBOX.c.attempts + 1)
    .returning(OUTBOX.c.id, OUTBOX.c.attempts)
)
_SENT = update(OUTBOX).where(_THESE).values(sent=bindparam("at"), next=None, note="")

_ANSWERS = select(func.count().label("number"), func.min(OUTBOX.c.queued).label("first")).where(
    OUTBOX.c.recipient == bindparam("recipient"),
    OUTBOX.c.queued > bindparam("since"),
    or_(
        OUTBOX.c.kind == bindparam("kind"),
        func.substr(OUTBOX.c.kind, 1, bindparam("length")) == bindparam("below"),
    ),
)
"""The number of letters of a kind, or below it, to an address since a time, and when the first was queued."""


class Outbox:
    """The letters out of a desk."""

    def __init__(self, database: Database, attic: Attic) -> None:
        self.database = database
        self._attic = attic
        self._queue = insert(database.engine, OUTBOX).on_conflict_do_nothing(index_elements=["id"])

    def add(self, connection: Connection, letters: Iterable[Outgoing], at: datetime) -> None:
        """Queue letters in a transaction that is under way; one that is there already stays as it is.

        A letter that is held goes before the next one about its game to its recipient, or gives way to it.
        """
        queued = {"queued": write_time(at), "attempts": 0, "note": ""}
        names = ("id", "game", "kind", "recipient", "draft")
        found = []
        for letter in letters:
            held = {"of": letter.game, "whose": letter.recipient}
            if letter.instead:
                connection.execute(_GIVE_WAY, {**held, "instead": letter.instead})
            if letter.game is not None:
                connection.execute(_GO_BEFORE, {**held, "at": write_time(at)})
            sent = {"next": write_time(at + HOLD if letter.held else at)}
            found.append({**queued, **sent, **{name: getattr(letter, name) for name in names}})
        if found:
            connection.execute(self._queue, found)

    def held(self, game: str, recipient: str) -> Outgoing | None:
        """The letter about a game to an address that waits for an engine's answer; None if there is none."""
        found = self.database.read(_HELD_ONE, {"of": game, "whose": recipient})
        return next(map(_outgoing_of, found), None)

    def due(self, at: datetime) -> bool:
        """True if letters are to be sent now."""
        return bool(self.database.read(_NEXT, {**_due(at), "most": 1}))

    def take(self, at: datetime, most: int = 20) -> list[Outgoing]:
        """Letters that are to be sent now; for `LEASE` they are this worker's, or longer if it keeps them."""
        due = _due(at)

        def taken(connection: Connection) -> list[Outgoing]:
            found = connection.execute(_NEXT, {**due, "most": most}).all()
            wanted = {**due, "ids": [row.id for row in found], "until": write_time(at + LEASE)}
            mine = {row.id: row.attempts for row in connection.execute(_TAKE, wanted)} if found else {}
            return [replace(_outgoing_of(row), attempts=mine[row.id]) for row in found if row.id in mine]

        return self.database.write(taken)

    def keep(self, letters: Iterable[Outgoing], at: datetime) -> None:
        """Keep letters that this worker has taken, while it is still sending them."""
        kept = {"next": write_time(at + LEASE)}
        self.database.execute(*(update(OUTBOX).where(*_taken(letter)).values(kept) for letter in letters))

    def taken(self, at: datetime) -> tuple[int, datetime | None]:
        """Number of letters that belong to workers, which may have ended, and the last time until which they do."""
        waits = (OUTBOX.c.sent.is_(None), OUTBOX.c.next > write_time(at), OUTBOX.c.note == _TAKEN)
        found = select(func.count().label("number"), func.max(OUTBOX.c.next).label("until")).where(*waits)
        (row,) = self.database.read(found)
        return row.number, row.until and read_time(row.until)

    def sent(self, letters: Iterable[Outgoing], at: datetime) -> None:
        """Mark letters as sent, in one transaction."""
        sent = {"ids": [letter.id for letter in letters], "at": write_time(at)}
        self.database.write(lambda connection: connection.execute(_SENT, sent))

    def unsent(self, letter: Outgoing, until: datetime | None, note: str) -> None:
        """Note why a letter could not be sent, and try it again at a time, or give it up."""
        mark = update(OUTBOX).where(OUTBOX.c.id == letter.id, OUTBOX.c.sent.is_(None))
        self.database.execute(mark.values(next=until and write_time(until), note=plain(note)))

    def acknowledge(self, at: datetime) -> int:
        """Note that the host has seen all letters that were given up; return how many are new."""
        which = (*GIVEN_UP, OUTBOX.c.acknowledged.is_(None))
        seen = update(OUTBOX).where(*which).values(acknowledged=write_time(at))
        return self.database.write(lambda connection: connection.execute(seen).rowcount)

    def give_back(self, letters: Iterable[Outgoing], at: datetime) -> None:
        """Let letters that were taken, and not tried, be taken again at once; none of them has lost an attempt."""
        back = {"next": write_time(at), "note": "", "attempts": OUTBOX.c.attempts - 1}
        self.database.execute(*(update(OUTBOX).where(*_taken(letter)).values(back) for letter in letters))

    def answer_count(self, recipient: str, kind: str, since: datetime) -> tuple[int, datetime | None]:
        """Number of letters of a kind, or below it, to an address since a time, and when the first was queued."""
        below = f"{kind}/"
        wanted = {"recipient": recipient, "since": write_time(since), "kind": kind}
        (row,) = self.database.read(_ANSWERS, {**wanted, "below": below, "length": len(below)})
        return row.number, row.first and read_time(row.first)

    def notes(self, since: datetime) -> list[tuple[str, datetime]]:
        """Recipients and times of the notes about no game that were queued since a time."""
        found = self.database.read(NOTES, {"since": write_time(since)})
        return [(row.recipient, read_time(row.queued)) for row in found]

    def queued(self, kind: str, since: datetime) -> list[tuple[str, str]]:
        """Recipients and full kinds of letters of a kind queued since a time; not for `news` and `answer`."""
        of_kind = or_(OUTBOX.c.kind == kind, OUTBOX.c.kind.startswith(f"{kind}/", autoescape=True))
        which = (text(RARE), OUTBOX.c.queued > write_time(since), of_kind)
        rows = self.database.read(select(OUTBOX.c.recipient, OUTBOX.c.kind).where(*which))
        return [(row.recipient, row.kind) for row in rows]

    def refusal(self, game: str, recipient: str) -> str | None:
        """The reason why the last letter about a game to an address was given up; None if it was not."""
        mine = (OUTBOX.c.game == game, OUTBOX.c.recipient == recipient)
        settled = or_(OUTBOX.c.sent.is_not(None), OUTBOX.c.next.is_(None))
        last = select(OUTBOX.c.sent, OUTBOX.c.note).where(*mine, settled)
        rows = self.database.read(last.order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id).limit(1))
        return next((row.note for row in rows if row.sent is None), None)

    def ids_to(self, game: str, recipient: str, since: datetime) -> list[str]:
        """The message ids of the letters about a game that were queued for an address since a time."""
        which = (OUTBOX.c.recipient == recipient, OUTBOX.c.queued >= write_time(since), OUTBOX.c.game == game)
        return [row.id for row in self.database.read(select(OUTBOX.c.id).where(*which))]

    def came_back(self, letter: str, said: str) -> None:
        """Note the report about a letter, perhaps before it is marked as sent; a permanent report stays."""
        open_ = or_(OUTBOX.c.returned.is_(None), OUTBOX.c.returned.not_like("5%"))
        self.database.execute(update(OUTBOX).where(OUTBOX.c.id == letter, open_).values(returned=plain(said)))

    def returned(self, game: str, recipient: str, since: datetime | None) -> list[Returned]:
        """Reports about the letters of a game to an address, queued since a time, the newest first."""
        which = (text(CAME_BACK), OUTBOX.c.game == game, OUTBOX.c.recipient == recipient)
        newest = select(OUTBOX.c.queued, OUTBOX.c.returned).where(*which).order_by(OUTBOX.c.queued.desc())
        letters = (Returned(read_time(row.queued), row.returned) for row in self.database.read(newest))
        return [one for one in letters if since is None or one.queued >= since]

    def again(self, game: str, recipient: str, at: datetime, changed: Callable[[bytes], bytes] = bytes) -> bool:
        """Queue the last letter about a game to an address again, its draft `changed`; True if there is one."""
        mine = (OUTBOX.c.game == game, OUTBOX.c.recipient == recipient)
        last = select(OUTBOX.c.id, OUTBOX.c.draft).where(*mine).order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id).limit(1)
        fresh = {"sent": None, "attempts": 0, "note": "", "returned": None, "acknowledged": None}

        def queued(connection: Connection) -> bool:
            row = connection.execute(last).one_or_none()
            if row is not None:
                again = {**fresh, "next": write_time(at), "draft": changed(row.draft)}
                connection.execute(update(OUTBOX).where(OUTBOX.c.id == row.id).values(again))
            return row is not None

        return self.database.write(queued)

    def history(self, game: str | None = None, most: int | None = None) -> Iterator[Posted]:
        """Up to `most` letters of the outbox, or about a game, newest first; without drafts that are in the attic."""
        newest = select(OUTBOX).order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id).limit(most)
        return map(_posted_of, self.database.read(newest if game is None else newest.where(OUTBOX.c.game == game)))

    def ids(self) -> list[str]:
        """The message ids of all letters of the outbox."""
        return [row.id for row in self.database.read(select(OUTBOX.c.id))]

    def letter(self, identity: str) -> Posted:
        """The letter of the outbox with a message id; RefereeError `attic` if its draft cannot be read there."""
        (row,) = self.database.read(select(OUTBOX).where(OUTBOX.c.id == identity))
        posted = _posted_of(row)
        if row.moved is None:
            return posted
        return replace(posted, letter=replace(posted.letter, draft=self._attic.fetched(row.moved)))

    def tally(self) -> list[TallyOut]:
        """The letters of the outbox, counted by kind and state."""
        gone, waits = OUTBOX.c.sent.is_not(None).label("gone"), OUTBOX.c.next.is_not(None).label("waits")
        columns = (OUTBOX.c.kind, gone, waits)
        found = self.database.read(select(*columns, func.count().label("number")).group_by(*columns))
        states = ("sent" if row.gone else "waiting" if row.waits else "given-up" for row in found)
        return [TallyOut(row.kind, state, row.number) for row, state in zip(found, states, strict=True)]

    def games_given_up(self) -> list[str]:
        """The games about which a letter was given up, or came back."""
        given_up = select(OUTBOX.c.game).where(*GIVEN_UP, OUTBOX.c.game.is_not(None))
        back = select(OUTBOX.c.game).where(text(CAME_BACK), OUTBOX.c.game.is_not(None))
        return sorted(row.game for row in self.database.read(given_up.union(back)))


def _outgoing_of(row: Row[Any]) -> Outgoing:
    return Outgoing(row.id, row.recipient, row.draft, row.game, row.attempts, row.kind)


def _taken(letter: Outgoing) -> tuple[ColumnElement[bool], ...]:
    """The condition for a letter that this worker, and no later one, has taken."""
    return (
        OUTBOX.c.id == letter.id,
        OUTBOX.c.sent.is_(None),
        OUTBOX.c.note == _TAKEN,
        OUTBOX.c.attempts == letter.attempts,
    )


def _due(at: datetime) -> dict[str, str]:
    return {"at": write_time(at), "beyond": write_time(at + LONGEST_REST)}


def _posted_of(row: Row[Any]) -> Posted:
    sent = row.sent and read_time(row.sent)
    return Posted(_outgoing_of(row), read_time(row.queued), sent, row.next is not None, row.note, row.returned or "")
