"""Letters that a host invents: written in a player's name on the desk's own machine, and read by the desk.

The mail server of the players signs what they send (DKIM), and the desk keeps its key. The host does not have the
half of it that signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from referee.desk import Seal, commitment
from tests.support.correspondence import Correspondence
from tests.support.desks import NONCE
from tests.support.signed_letters import DOMAIN, move, signed, signed_with_ed25519

HOST = "host.example"
"""A domain of the host, who can sign anything for it."""

FORGERS: Mapping[str, Callable[[bytes], bytes]] = {
    "unsigned": bytes,
    "signed for the host's domain": lambda raw: signed(raw, HOST),
    "signed with the host's key": lambda raw: signed(raw, DOMAIN, "the host"),
}
"""Forgeries that the host makes of an invented letter."""


class Invention(NamedTuple):
    """A host's use of letters that no player has sent; `begins` plays the honest part before it."""

    shows: str
    begins: Callable[[Correspondence], None]
    invents: Callable[[Correspondence], None]
    games: tuple[str, ...] = ("beams", "boundary", "laser-chess", "the-beam")


def one_ply(post: Correspondence) -> None:
    """Each side moves once."""
    for _ in post.state.position.sides:
        move(post, min(post.state.owing))


def offered(post: Correspondence) -> None:
    """Each side moves once, and the first one offers a draw."""
    one_ply(post)
    post.write(post.state.position.sides[0], "offer draw")


def sealed(post: Correspondence) -> None:
    """The last side seals its own move, and all moves are in."""
    one_ply(post)
    state, side = post.state, post.state.position.sides[-1]
    made = _first_move(post, side)
    promise = commitment(state.id, state.ply, side, state.protocol, made, NONCE, state.past)
    post.write(side, str(Seal(promise)))
    for other in state.position.sides[:-1]:
        move(post, other)


def nothing(post: Correspondence) -> None:
    """Nobody has played."""


def resigns(post: Correspondence) -> None:
    """The last side resigns."""
    post.write(post.state.position.sides[-1], "resign")


def agrees(post: Correspondence) -> None:
    """The last side accepts a draw."""
    post.write(post.state.position.sides[-1], "accept")


def reveals_otherwise(post: Correspondence) -> None:
    """The last side reveals its move with another nonce."""
    side = post.state.position.sides[-1]
    post.write(side, f"reveal {_first_move(post, side)} {'00' * 32}")


def plays_alone(post: Correspondence) -> None:
    """All sides move, and the last one resigns."""
    one_ply(post)
    resigns(post)


INVENTIONS = (
    Invention("a whole game is invented", nothing, plays_alone),
    Invention("a player resigns who did not", one_ply, resigns),
    Invention("a player agrees to a draw who did not", offered, agrees),
    Invention("a reveal is said to have failed, by an invented letter", sealed, reveals_otherwise, ("beams",)),
)

TRUSTED = "trust: {authserv: [mx.example.org]}\nproviders: {players.example: mail.example}\n"
"""Settings of a desk that trusts the provider of the players for the time of a letter."""


def carried(raw: bytes, taken: datetime, came: datetime) -> bytes:
    """A letter as the desk's server stores it, and the players' provider signed it when it took it."""
    above = "".join(f"{line}\r\n" for line in _received(taken, came)).encode()
    return above + signed_with_ed25519(raw, DOMAIN, taken)


def _received(taken: datetime, came: datetime) -> Iterator[str]:
    border = "from out.mail.example (out.mail.example [192.0.2.1]) by mx.example.org with ESMTPS id 1"
    yield f"Received: {border}; {came:%a, %d %b %Y %H:%M:%S +0000}"
    home = "from home (home [192.0.2.7]) by out.mail.example with ESMTPSA id 2"
    yield f"Received: {home}; {taken:%a, %d %b %Y %H:%M:%S +0000}"


def _first_move(post: Correspondence, side: str) -> str:
    return str(next(iter(post.state.position.legal_moves(side))))
