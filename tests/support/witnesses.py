"""The letters in a desk's store as evidence about its logs."""

from __future__ import annotations

import json
from types import MappingProxyType

from referee.desk import Audit, audit
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.mailboxes import as_mailbox
from referee.mail.evidence.signers import Keys
from referee.mail.office import Office
from tests.oracles.verifier.addresses import token
from tests.oracles.verifier.seats import seats_of


def mailbox(office: Office) -> bytes:
    """All letters that came to a desk."""
    return b"".join(as_mailbox(one.letter for one in office.desk.inbox.history()))


def witnessed(office: Office, name: str, keys: Keys = MappingProxyType({})) -> tuple[Audit, LetterEvidence]:
    """The audit of a log with the letters of its desk, and the keys that signed them."""
    witness = LetterEvidence([mailbox(office)], keys)
    return audit((entry.as_line() for entry in office.desk.log(name)), witness=witness), witness


def expect_tokens(office: Office, game: str) -> int:
    """Check that each letter went to the seat that another program computes for its act."""
    exported = "".join(f"{entry.as_line()}\n" for entry in office.desk.log(game))
    root = json.loads(exported.splitlines()[0])["digest"]
    raw = {one.letter.digest: one.letter.raw.decode("latin-1").casefold() for one in office.desk.inbox.history()}
    seats = seats_of(exported)
    for seat in seats:
        secret = office.desk.keys.current.addresses(game, seat.ends).hex()
        to = f"+{game}.{token(secret, game, root, seat.side, seat.holder, seat.ply)}@"
        assert to in raw[seat.letter], seat
    return len(seats)


def expect_letters(office: Office, name: str) -> None:
    """Check that every act of an honest desk is in its letter."""
    report, witness = witnessed(office, name)
    assert report.findings == (), name
    assert (witness.found, witness.unsent) == (witness.acts, 0)
