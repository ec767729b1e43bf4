"""A real desk in a temporary folder, whose letters go into mailboxes in memory, and whose clock can be turned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock

from referee.desk import HOLD
from referee.errors import Refusal, shown
from referee.mail.addresses import small
from referee.mail.host.engine_room import EngineRoom, play_on
from referee.mail.host.host import tick_games
from referee.mail.letters.render import render
from referee.mail.office import Office, create_office, now, office_in
from referee.mail.transport.receipt import receive
from referee.tryout.mailboxes import PEOPLE, SERVER, Draft, KeptLetter, Person, read_letter, written

ADDRESS = "referee@example.com"

_SETTINGS = """
open: vouched
trust: {{authserv: [{server}], strips: true}}
pages: {url}
web: {{moves: submit}}
"""
"""Everyone may begin games by letter, because the mail server vouches for senders; and move on the pages."""

_HOUR = timedelta(hours=1)

_DAY = 24
"""Hours after which the clock stops on its way, even if no game has anything due."""


class TryOut:
    """A desk and its people; each call leaves no letter waiting. Any number of threads may use it."""

    def __init__(self, office: Office, room: EngineRoom) -> None:
        self.office, self._room = office, room
        self._ahead = timedelta()
        self._lock = RLock()
        self._boxes: dict[str, tuple[KeptLetter, ...]] = {person.address: () for person in PEOPLE}

    def now(self) -> datetime:
        """The time by the clock of the try-out."""
        return now() + self._ahead

    def letters(self, person: Person) -> tuple[KeptLetter, ...]:
        """The letters in a mailbox, the newest first."""
        return self._boxes[person.address]

    def write(self, person: Person, draft: Draft) -> None:
        """Send a letter and have it handled; Refusal `address` if it goes elsewhere than to the desk."""
        if not self.office.mailbox.owns(small(draft.to)):
            raise Refusal("address", f"only letters to {ADDRESS} are delivered here, not to {shown(draft.to)}")
        with self._lock:
            raw = written(person, draft, self.now())
            receive(self.office, raw, self.now(), recipient=draft.to, sender=person.address)
            self._put(person.address, raw, own=True)
            self.settle()

    def turn(self, hours: int) -> None:
        """Turn the clock forward, and do everything on the way in the hour when it is due."""
        with self._lock:
            for passed in range(1, hours + 1):
                self._ahead += _HOUR
                if passed % _DAY == 0 or self.office.desk.catalogue.due(self.now()):
                    self.settle()
            self.settle()

    def settle(self) -> None:
        """Handle all letters, do what is due, let engines move, and deliver."""
        with self._lock:
            self.office.desk.upkeep.see(self.now())
            tick_games(self.office, self.now())
            play_on(self._room, self.office, self.now)
            while letters := self.office.desk.outbox.take(self.now() + HOLD):  # what they would wait for has happened
                for letter in letters:
                    self._put(small(letter.recipient), render(self.office, letter), own=False)
                self.office.desk.outbox.sent(letters, self.now())

    def _put(self, address: str, raw: bytes, *, own: bool) -> None:
        """Put a letter into a mailbox; one to another address is lost."""
        if (kept := self._boxes.get(address)) is not None:
            self._boxes[address] = (read_letter(raw, len(kept) + 1, own=own), *kept)


@contextmanager
def opened(url: str, room: EngineRoom) -> Iterator[TryOut]:
    """A new try-out with pages at an address, and engines in a room; its folder is removed at the end."""
    with TemporaryDirectory(prefix="referee-try-") as name:
        settings = create_office(Path(name), ADDRESS, "desk.sqlite")
        with settings.open("a", encoding="utf-8") as file:
            file.write(_SETTINGS.format(server=SERVER, url=url))
        with office_in(Path(name)) as office:
            yield TryOut(office, room)
