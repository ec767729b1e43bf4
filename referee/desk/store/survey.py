"""What a desk's store holds: letters in and out, counted and listed for the host."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Table, func, or_, select, text

from referee.desk.log.log import read_time, write_time
from referee.desk.store.attic import Attic
from referee.desk.store.copies import damage_of
from referee.desk.store.outbox import GIVEN_UP, outgoing_of
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import StoreError
from referee.desk.store.tables.records import DealtWith, Incoming, Posted
from referee.desk.store.tables.schema import CAME_BACK, EVENT, FILED, LETTER_IN, OUTBOX, STANDING
from referee.errors import RefereeError

MOST_NOTED = 20
"""Maximum filed letters that are listed."""

ASIDE = (LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_(None))
"""The condition for letters that were set aside."""

MOST_TIMED = 10_000
"""Maximum letters whose times are looked at."""

MOST_RECENT = 20
"""Maximum letters of an account among which a copy is looked for."""

_BATCH = 20
"""Letters read at a time, with all their bytes."""


_BEGINNINGS = select(EVENT.c.game, EVENT.c.body).join(
    STANDING, (STANDING.c.game == EVENT.c.game) & (EVENT.c.number == 0)
)
"""The first entry of each log, found by its key."""


class TallyIn(NamedTuple):
    """How many letters have the same note and state; `cut` says that only their beginning was kept."""

    note: str
    done: bool
    waits: bool
    cut: bool
    number: int


class TallyOut(NamedTuple):
    """How many letters of a kind are in a state: `waiting`, `sent` or `given-up`."""

    kind: str
    state: str
    number: int


class Survey(Attic):
    """The letters of a desk, from the newest to the oldest; nothing here changes any."""

    def counts(self) -> dict[str, int]:
        """How many letters wait, were set aside, are to be sent, and were given up and not acknowledged."""
        wanted: dict[str, tuple[Table, tuple[ColumnElement[bool], ...]]] = {
            "waiting": (LETTER_IN, (LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_not(None))),
            "aside": (LETTER_IN, ASIDE),
            "to-send": (OUTBOX, (OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_not(None))),
            "unsent": (OUTBOX, (*GIVEN_UP, OUTBOX.c.acknowledged.is_(None))),
        }
        found = {}
        for name, (table, which) in wanted.items():
            ((number,),) = self._read(select(func.count()).select_from(table).where(*which))
            found[name] = number
        return found

    def oldest_waiting(self) -> tuple[datetime | None, datetime | None]:
        """When the oldest letter in came that waits, and since when the oldest letter out is to be sent."""
        came = select(func.min(LETTER_IN.c.received)).where(LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_not(None))
        queued = select(func.min(OUTBOX.c.queued)).where(OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_not(None))
        ((first,), (second,)) = (self._read(one)[0] for one in (came, queued))
        return first and read_time(first), second and read_time(second)

    def games_given_up(self) -> list[str]:
        """The games about which a letter was given up, or came back."""
        given_up = select(OUTBOX.c.game).where(*GIVEN_UP, OUTBOX.c.game.is_not(None))
        back = select(OUTBOX.c.game).where(text(CAME_BACK), OUTBOX.c.game.is_not(None))
        return sorted(row.game for row in self._read(given_up.union(back)))

    def tally_in(self) -> list[TallyIn]:
        """The letters that came, counted by what became of them."""
        ended, waits = LETTER_IN.c.done.is_not(None).label("ended"), LETTER_IN.c.next.is_not(None).label("waits")
        columns = (LETTER_IN.c.note, ended, waits, LETTER_IN.c.cut)
        found = self._read(select(*columns, func.count().label("number")).group_by(*columns))
        return [TallyIn(row.note, bool(row.ended), bool(row.waits), bool(row.cut), row.number) for row in found]

    def tally_out(self) -> list[TallyOut]:
        """The letters of the outbox, counted by kind and state."""
        gone, waits = OUTBOX.c.sent.is_not(None).label("gone"), OUTBOX.c.next.is_not(None).label("waits")
        columns = (OUTBOX.c.kind, gone, waits)
        found = self._read(select(*columns, func.count().label("number")).group_by(*columns))
        states = ("sent" if row.gone else "waiting" if row.waits else "given-up" for row in found)
        return [TallyOut(row.kind, state, row.number) for row, state in zip(found, states, strict=True)]

    def handling_seconds(self, since: datetime) -> list[float]:
        """How long the newest letters that came after a time waited until they were dealt with."""
        newest = select(LETTER_IN.c.received, LETTER_IN.c.done).order_by(LETTER_IN.c.number.desc()).limit(MOST_TIMED)
        times = [(read_time(row.received), read_time(row.done)) for row in self._read(newest) if row.done is not None]
        return [max(0.0, (done - came).total_seconds()) for came, done in times if came > since]

    def rules_of_games(self) -> dict[str, str]:
        """The rules by which each game is played."""
        found = self._read(_BEGINNINGS)
        with rows.row_faults("the beginning of a log"):
            return {row.game: str(json.loads(row.body)["game"]) for row in found}

    def first_opened(self) -> datetime | None:
        """The time at which the first game was opened; None if there is none."""
        ((first,),) = self._read(select(func.min(EVENT.c.at)).where(EVENT.c.number == 0))
        return first and read_time(first)

    def damage(self) -> list[str]:
        """What the database finds wrong with itself; empty if it is whole."""
        return damage_of(self._engine)

    def aside(self) -> list[tuple[Incoming, str]]:
        """The letters that were set aside, and why."""
        found = self._read(rows.LETTERS.where(*ASIDE))
        return [(self._letter(row), row.note) for row in found]

    def noted(self, kinds: Iterable[str]) -> list[tuple[str, str]]:
        """Digest and note of the letters filed with a note of one of these kinds, the newest first.

        The kinds are among `list`, `junk` and `bounce`; letters that the host has acknowledged are left out.
        """
        of = or_(*(LETTER_IN.c.note.startswith(f"{kind}:", autoescape=True) for kind in kinds))
        which = (text(FILED), of, LETTER_IN.c.acknowledged.is_(None))
        newest = select(LETTER_IN.c.digest, LETTER_IN.c.note).where(*which).order_by(LETTER_IN.c.number.desc())
        return [(row.digest, row.note) for row in self._read(newest.limit(MOST_NOTED))]

    def letters_in(self, digest: str = "") -> Iterator[DealtWith]:
        """The letters that came, or those whose digest begins like this, the newest first.

        Those of the attic that cannot be read there have their envelope alone, and say why.
        """
        newest = rows.LETTERS.order_by(LETTER_IN.c.number.desc()).limit(_BATCH)
        if digest:
            newest = newest.where(rows.begins(LETTER_IN.c.digest, digest))
        found = self._read(newest)
        while found:
            yield from map(self._dealt_with, found)
            found = self._read(newest.where(LETTER_IN.c.number < found[-1].number))

    def _dealt_with(self, row: Row[Any]) -> DealtWith:
        with rows.row_faults("a letter's row"):
            known = rows.dealt_with_of(row)
        try:
            return replace(known, letter=self._letter(row))
        except StoreError:
            raise
        except RefereeError as error:
            return replace(known, fault=error.message)

    def letter_in(self, digest: str) -> Incoming | None:
        """The letter with this digest, as it came; None if there is none.

        Raises:
            RefereeError: `attic`: its bytes are in a file that is missing, or damaged.
        """
        found = self._read(rows.LETTERS.where(LETTER_IN.c.digest == digest))
        return self._letter(found[0]) if found else None

    def recent_letters(self, account: str, since: datetime, said: bytes) -> list[Incoming]:
        """The letters of an account since a time that were dealt with, with these bytes in their beginning."""
        query = {"of": account, "since": write_time(since), "most": MOST_RECENT}
        digests = sorted(row.digest for row in self._read(rows.RECENT, query))
        begun = self._read(rows.BEGINNINGS, {"digests": digests}) if digests else []
        found = (row for row in begun if row.moved or said in (row.envelope or b"") + (row.content or b""))
        letters = (self.letter_in(row.digest) for row in found)
        return [one for one in letters if one is not None]

    def letters_out(self, game: str | None = None, most: int | None = None) -> Iterator[Posted]:
        """The letters of the outbox, or those about a game, the newest first; no more than `most`.

        Those that are in the attic come without their drafts.
        """
        newest = select(OUTBOX).order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id).limit(most)
        return map(_posted_of, self._read(newest if game is None else newest.where(OUTBOX.c.game == game)))

    def ids_out(self) -> list[str]:
        """The message ids of all letters of the outbox."""
        return [row.id for row in self._read(select(OUTBOX.c.id))]

    def letter_out(self, identity: str) -> Posted:
        """The letter of the outbox with a message id; RefereeError `attic` if its draft cannot be read there."""
        (row,) = self._read(select(OUTBOX).where(OUTBOX.c.id == identity))
        posted = _posted_of(row)
        if row.moved is None:
            return posted
        return replace(posted, letter=replace(posted.letter, draft=self._fetched(row.moved)))


def _posted_of(row: Row[Any]) -> Posted:
    """The letter that a row of the outbox is, and what became of it."""
    sent = row.sent and read_time(row.sent)
    return Posted(outgoing_of(row), read_time(row.queued), sent, row.next is not None, row.note, row.returned or "")
