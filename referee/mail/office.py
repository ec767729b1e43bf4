"""The office of a desk that works by mail: its folder, settings, store and addresses, and the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.desk import Desk, State, Table, seat_token
from referee.desk.records import ATTIC_FOLDER
from referee.desk.service import expect_library
from referee.errors import FileError, RefereeError
from referee.game import is_address, unreadable, unwritten
from referee.game.amend.gate import create_private
from referee.mail.addresses import Mailbox, Tag, is_reachable, small
from referee.mail.settings import FILE, Settings, read_settings, template

PACKAGE_PAUSE = timedelta(minutes=1)
"""Pause before another attempt at a letter whose game waits for its package."""

KILLED = "it ended the process that handled it, again and again"
"""The note of a letter that was set aside for that."""

ABOUT_NO_GAME = "answered (another game)"
"""The note of a letter whose address names a game that it is not about."""

FILED_KINDS = ("list", "junk", "bounce")
"""The kinds of filed letters that the host should see."""


@dataclass(frozen=True, slots=True)
class Office:
    """The parts of a desk by mail that all others need."""

    folder: Path
    settings: Settings
    desk: Desk

    @property
    def mailbox(self) -> Mailbox:
        """The desk's own addresses and message ids."""
        address, former = self.settings.address, self.settings.formerly
        # The ids of letters go on with the first address: programs thread by them, and reports name them.
        ids = self.settings.ids or (former or (address,))[0].rpartition("@")[2]
        trust = self.settings.trust
        return Mailbox(
            address,
            ids,
            formerly=former,
            authserv=frozenset(map(small, trust.authserv)),
            received_by=frozenset([small(trust.received_by)] if trust.received_by else ()),
            hops=frozenset(map(small, trust.hops)),
            strips=trust.strips,
            mark=lambda name: self.desk.key.mark(name),
        )

    @property
    def port_mark(self) -> str:
        """The desk's mark at its port, by which it knows itself; a desk restored from a backup has another one."""
        return self.desk.key.mark("port")

    def seat_address(self, state: State, side: str) -> str:
        """The secret address for letters of a side; it changes with every ply, and with the player."""
        return self.mailbox.address_for(Tag(state.id, seat_token(self.desk.key, state, side)))

    def page_address(self, state: State, side: str) -> str | None:
        """The address of a game on the web, with the key of the seat if moves can be chosen there; or None."""
        pages = self.settings.pages
        if pages is None:
            return None
        address = f"{pages.rstrip('/')}/g/{state.id}"
        if self.settings.web.moves == "mail" or state.invitation is not None or state.closed is not None:
            return address
        return f"{address}#{side}-{state.turn}-{seat_token(self.desk.key, state, side)}"

    def calendar_address(self, address: str) -> str | None:
        """The address of the calendar of an address (in small letters); None without web pages."""
        pages = self.settings.pages
        return None if pages is None else f"{pages.rstrip('/')}/calendar/{self.desk.key.calendar(address)}.ics"

    def password(self, file: str) -> str:
        """The password in a file of the desk's folder; RefereeError `password` if others may read it."""
        path = self.folder / file
        try:
            if path.stat().st_mode & 0o077:
                raise RefereeError("password", f"others can read {path}: chmod 600 {path}")
            return path.read_text(encoding="utf-8").strip()
        except OSError as error:
            message = f"the password in {path} cannot be read: {(error.strerror or '').lower()}"
            raise RefereeError("password", message) from None
        except UnicodeDecodeError:
            raise RefereeError("password", f"the password in {path} cannot be read: it is not UTF-8") from None


def sides_of(table: Table, address: str) -> list[str]:
    """The sides of a game that an address is registered for."""
    return [side for side in table.state.position.sides if small(table.address(side)) == small(address)]


def now() -> datetime:
    """The time by this machine's clock, in UTC."""
    return datetime.now(UTC)


@contextmanager
def office_in(folder: Path) -> Iterator[Office]:
    """The office of the desk that is kept in a folder; FileError if its settings cannot be read, or are wrong.

    RefereeError `store`, `no-desk`, or `newer-desk` if its store is missing, or cannot be opened; `other-desk` if it
    is the store of another desk.
    """
    expect_library()
    if not (file := folder / FILE).exists():
        message = "there is no desk here: --desk names the folder of one, and 'referee desk init' makes one"
        raise unreadable(str(file), "unreadable", message)
    settings = read_settings(file)
    store = place_of(folder, settings.store)
    if isinstance(store, Path) and not (store.is_file() and store.stat().st_size):
        # Creating another one in its place would make all games and letters vanish without a word.
        raise RefereeError("store", f"the desk's store is missing: {store}; is its disk mounted?")
    with office_of(folder, settings, store) as office:
        yield office


@contextmanager
def office_of(folder: Path, settings: Settings, place: str | Path) -> Iterator[Office]:
    """The office of the desk that has its store at a place; RefereeError as `office_in` does."""
    with Desk.opened(place, folder / ATTIC_FOLDER, map(small, settings.addresses)) as desk:
        if settings.id not in (None, desk.id):
            # A letter that is taken into another desk's store is lost to the players of this one.
            message = f"this is the store of another desk: its id is {desk.id}, and the settings say {settings.id}"
            raise RefereeError("other-desk", message)
        yield Office(folder, settings, desk)


def place_of(folder: Path, store: str) -> str | Path:
    """The place of the settings' store: a file, or the address of a database."""
    return store if "://" in store else folder / store


def create_office(folder: Path, address: str, store: str) -> Path:
    """Create a desk in a folder that has none: its store and its settings, both private.

    RefereeError `address` if a desk cannot have it; `folder` if others can look into it; `store` if it cannot be
    opened. FileError `exists` if there is a desk already; `unwritable`. Then no settings are left behind.
    """
    expect_library()
    expect_address(address)
    path = folder / FILE
    try:
        close_folder(folder)
        if path.exists():
            raise FileExistsError
        with Desk.created(place_of(folder, store)) as begun:
            text = template(address, store, begun.id, begun.key.signer.public)
        create_private(path, text.encode())
        try:
            read_settings(path)
        except FileError:  # such as a store called `[`
            path.unlink()
            raise
    except FileExistsError:
        raise unreadable(str(path), "exists", "this folder already has a desk") from None
    except OSError as error:
        raise unwritten(path, error, "the settings") from None
    return path


def expect_address(address: str) -> None:
    """Expect an address that a desk can have; RefereeError `address` otherwise."""
    if not (is_address(address) and is_reachable(address)) or "+" in address:
        raise RefereeError("address", "expected an address such as desk@example.org, without a +")


def close_folder(folder: Path) -> None:
    """Make a private folder, or close an empty one; RefereeError `folder` if others can look at files in it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not folder.stat().st_mode & 0o077:
        return
    if any(folder.iterdir()):
        message = (
            f"others can look into {folder}, and there are files in it: chmod 700 {folder}, or name a new folder"
        )
        raise RefereeError("folder", message)
    folder.chmod(0o700)
