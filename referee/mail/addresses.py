"""The desk's own addresses and message ids, which name the game of a letter."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from email.headerregistry import Address
from functools import lru_cache
from hmac import compare_digest
from typing import NamedTuple

from referee.desk import GAME_ID

MARKER = "x-referee-desk"
"""The field that every letter of a desk has."""

HEAD, PROOF = "x-referee-head", "x-referee-proof"
"""The fields of its signed log head, and of digests to check later."""

_GAME = GAME_ID.pattern
_TAG = re.compile(rf"({_GAME})(?:\.([a-z0-9.-]{{1,60}}))?")
_OWN_ID = re.compile(
    rf"<({_GAME})\.([0-9]{{1,9}})\.([a-z0-9-]{{1,20}}(?:\.[0-9a-f]{{16}})?)(?:\.[0-9a-f]{{20}})?\.referee@([^<>@\s]+)>"
)
"""A message id of the desk, with or without its twenty secret digits."""

_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

RETURNED = "r-"
"""Beginning of the key in a return address, for undeliverable letters; the letter's secret follows."""

_RETURN_SECRET = 14
"""Digits of that secret: a return address is as long as the address of a seat."""

_LONGEST = 254
"""Maximum characters of an address (RFC 5321)."""

_SHARED = frozenset({"ac", "co", "com", "edu", "go", "gov", "gv", "ltd", "me", "ne", "net", "or", "org"})
"""Names below the domain of a country under which domains are registered, as in `co.uk`."""

_BRACKETED = re.compile(r"\[([^\[\]]{1,60})\]")


def small(address: str) -> str:
    """An address in the form to compare: A to Z in small letters (RFC 5321), everything beyond ASCII unchanged."""
    return address.translate(_SMALL)


class ToldLetter(NamedTuple):
    """A letter of a desk by its message id: its game, the number of its newest entry, and its seat."""

    game: str
    number: int
    seat: str


@dataclass(frozen=True, slots=True)
class Tag:
    """The text after the plus sign of an address: the game, and a key that only the desk can read."""

    game: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.game}.{self.key}" if self.key else self.game


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The addresses of a desk; all names are in small letters.

    `address` is the desk's plain address, `formerly` are those at which letters still arrive, and `ids` is the domain
    of its message ids. `authserv` are the names under which the host's own mail server reports its checks (RFC 8601);
    a report under another name is ignored. `received_by` are the host's servers for letters from outside, by default
    those of `authserv`; `hops` are those that pass letters on from there to the desk. `strips` is true if the host's
    server removes reports that others wrote in its name. `mark` gives the secret part of a message id. Without it a
    sender could send a letter ahead under a coming id, and mail programs would drop the desk's own letter as a copy.
    """

    address: str
    ids: str
    authserv: frozenset[str] = frozenset()
    received_by: frozenset[str] = frozenset()
    hops: frozenset[str] = frozenset()
    strips: bool = False
    formerly: tuple[str, ...] = ()
    mark: Callable[[str], str] = field(default=lambda _: "", repr=False, compare=False)

    @property
    def boundary(self) -> frozenset[str]:
        """The servers at the boundary of the host's machines."""
        return self.received_by or self.authserv

    def address_for(self, tag: Tag) -> str:
        """The address for letters about a game, or from one of its seats."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{tag}@{domain}"

    def owns(self, address: str) -> bool:
        """True if an address is the desk's, present or former, with any tag or none."""
        return split_tag(address)[0] in self._addresses

    def tag(self, address: str) -> Tag | None:
        """The tag of one of the desk's addresses; None if it has no valid tag."""
        plain, tag = split_tag(address)
        found = _TAG.fullmatch(tag) if plain in self._addresses else None
        return Tag(found[1], found[2] or "") if found else None

    def tags_in(self, text: str) -> Iterator[Tag]:
        """The tags of all of the desk's addresses in a text."""
        said = small(text)
        for address in self._addresses:
            local, _, domain = map(re.escape, address.rpartition("@"))
            for one in re.finditer(rf"{local}\+{_TAG.pattern}@{domain}", said):
                yield Tag(one[1], one[2] or "")

    @property
    def _addresses(self) -> tuple[str, ...]:
        return tuple(map(small, (self.address, *self.formerly)))

    def message_id(self, game: str, event: int, seat: str) -> str:
        """The id of the letter to a seat about an event: the same one each time."""
        return f"<{self._with_mark(f'{game}.{event}.{seat}')}.referee@{self.ids}>"

    def notice_id(self, digest: str) -> str:
        """The id of a note to a person without a seat, from the digest of their letter."""
        return f"<{self._with_mark(digest[:32])}.notice.referee@{self.ids}>"

    def told_by(self, message_id: str) -> ToldLetter | None:
        """The letter of this desk with an id that only its reader can know; None for any other id."""
        found = self._own(message_id)
        name = f"{found[1]}.{found[2]}.{found[3]}" if found else ""
        if not name or self._with_mark(name) == name:
            return None
        known = f"<{self._with_mark(name)}.referee@{self.ids}>"
        return told_by(known) if compare_digest(known.encode(), message_id.encode()) else None

    def claimed_by(self, message_id: str) -> ToldLetter | None:
        """The letter of this desk that an id names, which may be made up; None if it is not the desk's."""
        return told_by(message_id) if self._own(message_id) else None

    def return_address(self, message_id: str) -> str:
        """The return address of a letter with this id; empty for a note.

        Its secret is of this letter alone, so only a server that has had the letter can report what became of it.
        """
        found = self._own(message_id)
        return self.address_for(Tag(found[1], self.return_key(message_id))) if found else ""

    def return_key(self, message_id: str) -> str:
        """The key in the return address of a letter with this id."""
        return RETURNED + self.mark(f"return/{message_id}")[:_RETURN_SECRET]

    def is_own(self, message_id: str) -> bool:
        """True if only this desk gives message ids like this one."""
        return self._own(message_id) is not None or small(message_id).endswith(f".notice.referee@{small(self.ids)}>")

    def _with_mark(self, name: str) -> str:
        mark = self.mark(name)
        return f"{name}.{mark}" if mark else name

    def _own(self, message_id: str) -> re.Match[str] | None:
        found = _OWN_ID.fullmatch(message_id)
        return found if found and small(found[4]) == small(self.ids) else None


def told_by(message_id: str) -> ToldLetter | None:
    """The letter of some desk with this id, which may be forged; None if no desk gives such ids."""
    found = _OWN_ID.fullmatch(message_id)
    return ToldLetter(found[1], int(found[2]), found[3].partition(".")[0]) if found else None


def subject_games(subject: str) -> tuple[str, ...]:
    """Texts in square brackets in a subject that can be a game's id, such as `spring-b3-7`."""
    found = (inside.strip().casefold() for inside in _BRACKETED.findall(subject))
    return tuple(dict.fromkeys(inside for inside in found if GAME_ID.fullmatch(inside)))


def split_tag(address: str) -> tuple[str, str]:
    """An address in small letters without its tag, and the tag."""
    local, _, domain = small(address).rpartition("@")
    plain, _, tag = local.partition("+")
    return f"{plain}@{domain}", tag


def is_party(text: str) -> bool:
    """True if a text is an address, or a domain alone."""
    return is_reachable(text if "@" in text else f"somebody@{text}") and not text.startswith("@")


def is_among(address: str, parties: Iterable[str]) -> bool:
    """True if an address is one of these, or belongs to one of these domains or to a domain below it."""
    name = small(address)
    domain = "." + name.rpartition("@")[2]
    return any(name == small(one) if "@" in one else domain.endswith(f".{small(one)}") for one in parties)


def person(address: str) -> str:
    """An address in the form for limits, without dots and tags after a plus sign, as most providers ignore them."""
    local, _, domain = small(address).rpartition("@")
    return f"{local.partition('+')[0].replace('.', '') or local}@{domain}"


def owned_domain(address: str) -> str:
    """The part of an address's domain that has one owner, who can make up any number of names below it."""
    labels = small(address).rpartition("@")[2].split(".")
    return ".".join(labels[-3 if len(labels[-1]) == 2 and labels[-2:-1] and labels[-2] in _SHARED else -2 :])


@lru_cache(1024)
def is_reachable(address: str) -> bool:
    """True if any mail server accepts an address in the header of a letter: in ASCII (RFC 5322)."""
    if not address.isascii() or len(address) > _LONGEST:
        return False
    try:
        return Address(addr_spec=address).addr_spec == address
    except Exception:  # the standard library raises nearly anything over an odd address
        return False
