"""What a desk's store holds: letters in and out, counted and listed for the host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from sqlalchemy import func, or_, select

from referee.desk import rows
from referee.desk.copies import damage_of
from referee.desk.database import Transactions
from referee.desk.log import read_time
from referee.desk.outbox import outgoing_of
from referee.desk.records import DealtWith, Incoming, Posted
from referee.desk.schema import LETTER_IN, OUTBOX

MOST_NOTED = 20
"""Maximum filed letters that are listed."""

ASIDE = (LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_(None))
"""The condition for letters that were set aside."""

_BATCH = 20
"""Letters read at a time, with all their bytes."""


class Survey(Transactions):
    """The letters of a desk, from the newest to the oldest; nothing here changes any."""

    def counts(self) -> dict[str, int]:
        """How many letters wait, were set aside, are to be sent, and were given up."""
        wanted = {
            "waiting": (LETTER_IN, LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_not(None)),
            "aside": (LETTER_IN, *ASIDE),
            "to-send": (OUTBOX, OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_not(None)),
            "unsent": (OUTBOX, OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_(None)),
        }
        found = {}
        for name, (table, *which) in wanted.items():
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
        """The games about which a letter was given up."""
        which = (OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_(None), OUTBOX.c.game.is_not(None))
        return [row.game for row in self._read(select(OUTBOX.c.game).where(*which).distinct())]

    def damage(self) -> list[str]:
        """What the database finds wrong with itself; empty if it is whole."""
        return damage_of(self._engine)

    def aside(self) -> list[tuple[Incoming, str]]:
        """The letters that were set aside, and why."""
        found = self._read(rows.LETTERS.where(*ASIDE))
        return [(rows.letter_of(row), row.note) for row in found]

    def noted(self, kinds: Iterable[str]) -> list[tuple[str, str]]:
        """Digest and note of the letters filed with a note of one of these kinds, the newest first."""
        which = or_(*(LETTER_IN.c.note.startswith(f"{kind}:", autoescape=True) for kind in kinds))
        newest = select(LETTER_IN.c.digest, LETTER_IN.c.note).where(which).order_by(LETTER_IN.c.number.desc())
        return [(row.digest, row.note) for row in self._read(newest.limit(MOST_NOTED))]

    def letters_in(self, digest: str = "") -> Iterator[DealtWith]:
        """The letters that came, or those whose digest begins like this, the newest first."""
        newest = rows.LETTERS.order_by(LETTER_IN.c.number.desc()).limit(_BATCH)
        if digest:
            newest = newest.where(LETTER_IN.c.digest.startswith(digest, autoescape=True))
        found = self._read(newest)
        while found:
            with rows.row_faults("a letter's row"):
                yield from map(rows.dealt_with_of, found)
            found = self._read(newest.where(LETTER_IN.c.number < found[-1].number))

    def letters_out(self, game: str | None = None) -> Iterator[Posted]:
        """The letters of the outbox, or those about a game, the newest first."""
        newest = select(OUTBOX).order_by(OUTBOX.c.queued.desc(), OUTBOX.c.id)
        for row in self._read(newest if game is None else newest.where(OUTBOX.c.game == game)):
            sent = row.sent and read_time(row.sent)
            yield Posted(outgoing_of(row), read_time(row.queued), sent, row.next is not None, row.note)
