"""The receipt of a letter: it is stored as it came, and only then acknowledged."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from referee.desk import Incoming
from referee.mail.addresses import Tag, small
from referee.mail.intake.message.headers import envelope_end
from referee.mail.intake.message.limits import LIMITS
from referee.mail.office import Office

KEPT = 64_000
"""Bytes kept of a letter whose sender has used up a day's share of the store: any honest move fits."""


def receive(
    office: Office, raw: bytes, at: datetime, *, recipient: str | None = None, sender: str | None = None
) -> Incoming:
    """Store a letter, with its envelope before it as mail servers write it; then it can be acknowledged.

    If a letter is larger than the desk reads, or its sender has sent too much in a day, only its beginning is kept:
    the desk will refuse it for its size.
    """
    lines = [
        f"{name}: <{_plain(address)}>\r\n".encode("utf-8", "surrogateescape")
        for name, address in (("Return-Path", sender), ("Delivered-To", recipient))
        if address is not None
    ]
    written = envelope_end(raw, KEPT)
    envelope, raw = b"".join([*lines, raw[:written]]), raw[written : written + LIMITS.size + 1]
    account = account_of(sender, envelope)
    if len(raw) > KEPT and account is not None and _full(office, account, len(raw), at):
        account = _seat(office, envelope) or account  # a stranger can write in a player's name, but not to their seat
    cut = len(raw) > KEPT and account is not None and _full(office, account, len(raw), at)
    raw = raw[:KEPT] if cut else raw
    stored, _ = office.desk.inbox.receive(raw, at, envelope=envelope, account=account, cut=cut)
    return stored


def account_of(sender: str | None, envelope: bytes) -> str | None:
    """The account that is charged for a letter: the envelope's sender, `<>` for reports; None if unknown."""
    if sender is None:
        found = re.match(rb"return-path:\s*<([^<>\s]{0,320})>", envelope, re.IGNORECASE)
        if found is None:
            return None
        sender = found[1].decode(errors="replace")
    return small(_plain(sender)) or "<>"


def _seat(office: Office, envelope: bytes) -> str | None:
    """The seat whose key is in the topmost recipient of an envelope, as the name of an account."""
    tag = tag_of(office, envelope)
    catalogue = office.desk.catalogue
    if tag is None or not tag.key or catalogue.rules(tag.game) is None or not catalogue.playable([tag.game]):
        return None
    seat = office.desk.table(tag.game).seat(tag.key)
    return f"{tag.game}/{seat.side}" if seat else None


def tag_of(office: Office, envelope: bytes) -> Tag | None:
    """The game and the key in the topmost recipient of an envelope."""
    found = re.search(rb"^delivered-to:\s*<?([^<>\s]{1,320})", envelope, re.IGNORECASE | re.MULTILINE)
    return office.mailbox.tag(found[1].decode(errors="replace")) if found else None


def _full(office: Office, account: str, size: int, at: datetime) -> bool:
    charged = office.desk.inbox.charged(account, at - timedelta(days=1))
    return charged + size > office.settings.megabytes_a_day * 1_000_000


def _plain(address: str) -> str:
    return "".join(char for char in address.strip().strip("<>") if char.isprintable() and char not in "<>")
