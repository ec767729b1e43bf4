"""Recipients of letters, compared with the seats, plies and desk of their acts (spec/log.md)."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.desk import Entry, State, events
from referee.desk.law.seat_addresses import token_of
from referee.mail.addresses import Mailbox, Tag, split_tag
from referee.mail.intake.letter import Letter

ANY_PLY = events.MessageSent | events.VacationTaken
"""Acts that a letter to the address of any ply can bring."""

_Use = tuple[str, str, str]
"""A letter, by its digest, its acting side, and the token of the seat in its address, if any."""


@dataclass(slots=True)
class _Destination:
    """The address of a letter, and the entry and the ply of its first act.

    `plain` are the addresses of the desk without their tags. `token` is empty for a letter that need not name a seat;
    `bound` is true if only a letter of its ply can bring its act.
    """

    number: int
    side: str
    plain: frozenset[str]
    token: str
    holder: int
    ply: int
    bound: bool = False


@dataclass(slots=True)
class Destinations:
    """The recipients of a log's letters.

    `mailboxes` are the desk's, as all ends name them. `waiting` are the letters since then, which can only be
    compared with each other until the next end reveals the secrets of its addresses. `renewals` counts the further
    keys of the desk: with each the addresses of a ply change.
    """

    mailboxes: tuple[str, ...] = ()
    waiting: dict[_Use, _Destination] = field(default_factory=dict)
    renewals: int = 0
    _secrets: list[bytes] = field(default_factory=list)
    _owners: dict[str, str] = field(default_factory=dict)
    _plies: dict[str, int] = field(default_factory=dict)
    _tokens: dict[tuple[object, ...], str] = field(default_factory=dict)
    _accused: set[_Use] = field(default_factory=set)

    @property
    def claimed(self) -> tuple[str, ...]:
        """The mailboxes with seats in letters since the last end: the desk's, if all is well."""
        return tuple(sorted({plain for one in self.waiting.values() if one.token for plain in one.plain}))

    def to_desk(self, state: State | None, entry: Entry, side: str, letter: Letter) -> Iterator[str]:
        """Faults of the recipient of a letter that may name no seat."""
        plain = frozenset(split_tag(one)[0] for one in addressed(letter))
        yield from self._noted(state, entry, side, plain, "")

    def to_seat(self, state: State, entry: Entry, side: str, letter: Letter, mailbox: Mailbox) -> Iterator[str]:
        """Faults of the recipient of a letter that must name a seat, as far as they can be known now.

        `mailbox` is the recipient in its envelope.
        """
        tag, named = letter.tag, seats_named(letter, entry.game, mailbox)
        if tag is None or tag.game != entry.game or not tag.key:
            yield "its letter was written to no seat of this game"
        elif named and tag not in named.values():
            yield "its letter was written to another address than the one to which it came"
        else:
            plain = frozenset(split_tag(one)[0] for one, there in named.items() if there == tag)
            yield from self._noted(state, entry, side, plain, tag.key)

    def _noted(
        self, state: State | None, entry: Entry, side: str, plain: frozenset[str], token: str
    ) -> Iterator[str]:
        if state is not None and state.closed is not None:
            if plain and self.mailboxes and not plain & {*self.mailboxes}:
                yield f"its letter was written to {_listed(plain)}, which is no mailbox of this desk"
            return
        assert entry.came is not None
        name = (entry.came.letter, side, token)
        holder, ply = (state.holders[side], state.turn) if state is not None else (0, 1)
        one = self.waiting.setdefault(name, _Destination(entry.number, side, plain, token, holder, ply))
        one.bound = one.bound or not isinstance(entry.event, ANY_PLY)
        if token and name not in self._accused:
            wrong = self._contradiction(one, 0 if state is None else state.closings)
            if wrong:
                self._accused.add(name)
                yield wrong

    def _contradiction(self, one: _Destination, closings: int) -> str | None:
        """The contradiction to earlier letters: an address has one seat and ply, and a ply of a seat one address."""
        if (owner := self._owners.setdefault(one.token, one.side)) != one.side:
            return f"its letter was written to the seat of {owner}"
        if not one.bound:
            return None
        if (ply := self._plies.setdefault(one.token, one.ply)) != one.ply:
            return f"its letter was written in ply {ply}"
        place = one.side, one.holder, one.ply, closings, self.renewals
        if self._tokens.setdefault(place, one.token) != one.token:
            return f"its letter was written to another address than an earlier one of {one.side} in ply {one.ply}"
        return None

    def told(self, state: State, event: events.Closed) -> Iterator[str]:
        """Faults of letters since the last end whose addresses are not those that the end reveals."""
        if event.addresses is None:
            return
        mailboxes = event.addresses["mailboxes"]
        self.mailboxes = tuple(dict.fromkeys((*self.mailboxes, *mailboxes)))
        secrets = [bytes.fromhex(one) for one in event.addresses["secrets"]]
        self._secrets += secrets
        for name, one in self.waiting.items():
            if one.plain and not one.plain & {*mailboxes}:
                to = _listed(one.plain)
                yield f"the letter of entry {one.number} was written to {to}, which is no mailbox of this desk"
            elif one.token and name not in self._accused and not _fits(state, secrets, one):
                yield f"the letter of entry {one.number} was written {_meant(state, self._secrets, one)}"
        self.waiting = {}


def addressed(letter: Letter) -> list[str]:
    """The addresses of a letter, as its sender gives them."""
    return [one.address for one in letter.headers.addresses("to", "cc")]


def seats_named(letter: Letter, game: str, mailbox: Mailbox) -> dict[str, Tag]:
    """The seats by a letter's addresses: of any game on a desk, of this game on any other."""
    found = {}
    for address in addressed(letter):
        plain = split_tag(address)[0]
        tag = Mailbox(plain, plain).tag(address)
        if tag is not None and tag.key and (tag.game == game or mailbox.owns(address)):
            found[address] = tag
    return found


def _fits(state: State, secrets: list[bytes], one: _Destination) -> bool:
    """True if a letter was written to the seat and in the ply of its act, or for talk in an earlier one."""
    plies = (one.ply,) if one.bound else range(1, one.ply + 1)
    made = (token_of(secret, state.id, state.root, one.side, one.holder, ply) for secret in secrets for ply in plies)
    return any(hmac.compare_digest(token.encode(), one.token.encode(errors="replace")) for token in made)


def _meant(state: State, secrets: list[bytes], one: _Destination) -> str:
    """The seat and the ply that a letter was written for."""
    for secret in secrets:
        for side, last in state.holders.items():
            for holder in range(last + 1):
                for ply in range(1, state.turn + 1):
                    if token_of(secret, state.id, state.root, side, holder, ply) == one.token:
                        whose = f"to the seat of {side}" if side != one.side else f"in ply {ply}"
                        return f"{whose}, and not for ply {one.ply} of {one.side}"
    return "to no seat of this game, as the end shows"


def _listed(plain: frozenset[str]) -> str:
    return " and ".join(sorted(plain))
