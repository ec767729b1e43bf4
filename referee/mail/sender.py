"""Whose letter it is: by the secret token of its address, from the address that is registered for the seat."""

from __future__ import annotations

from dataclasses import dataclass

from referee.desk import Key, State
from referee.desk.case import Secrets, address_name
from referee.mail.composing.letter import turn
from referee.mail.intake import Letter
from referee.mail.intake.addresses import small

NO_TOKEN = "no-token"
OTHER_ADDRESS = "other-address"
NOT_VOUCHED = "not-vouched"


@dataclass(frozen=True, slots=True)
class Seating:
    """The side that a letter is from, its registered address, and the ply that its token is for.

    `doubt` is why the letter cannot decide anything: it bears no token of a seat, or was sent from another address
    than the seat's, or the own mail server does not vouch for its sender.
    """

    side: str
    address: str
    ply: int
    doubt: str = ""


def seated(letter: Letter, state: State, secrets: Secrets, key: Key, *, require_vouched: bool) -> Seating | None:
    """The seat that a letter of this game is from; None if it is nobody's.

    An address can be written by anybody, so that it moves nothing without the token; a token can be copied to
    anybody, so that it moves nothing from another address.
    """
    given = letter.tag.key if letter.tag is not None and letter.tag.game == state.id else ""
    seat = key.seat(state.id, state.holders, turn(state), given)
    if seat is None:
        return _by_address(letter, state, secrets)
    address = secrets.get(address_name(seat.side), "")
    doubt = ""
    if not _sent_from(letter, address):
        doubt = OTHER_ADDRESS
    elif require_vouched and not letter.vouched:
        doubt = NOT_VOUCHED
    return Seating(seat.side, address, seat.ply, doubt)


def _by_address(letter: Letter, state: State, secrets: Secrets) -> Seating | None:
    """The seat whose registered address a letter without a token bears; of several, one that owes a move."""
    addresses = {side: secrets.get(address_name(side), "") for side in state.position.sides}
    mine = [side for side, address in addresses.items() if _sent_from(letter, address)]
    if not mine:
        return None
    side = next((side for side in mine if side in state.owing), mine[0])
    return Seating(side, addresses[side], turn(state), NO_TOKEN)


def _sent_from(letter: Letter, address: str) -> bool:
    """Whether an address is that of the letter's one sender; plus signs and dots in it count."""
    return len(letter.senders) == 1 and small(letter.senders[0].address) == small(address) != ""
