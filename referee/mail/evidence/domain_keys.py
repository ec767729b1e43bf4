"""DKIM keys of players' letters, looked up in DNS after the letters have been handled."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from referee.mail.office import Office

if TYPE_CHECKING:
    from dns.resolver import Resolver

_QUESTION = 2.0
"""Seconds to wait for the answers to one question."""

MOST_QUESTIONS = 20

_LONGEST = 4_000
"""Maximum characters of a record; a key of 4096 bits has about 750."""

_KEY = re.compile(r"(?:^|;)\s*p\s*=")

Ask = Callable[[str], str | None]
"""Asks DNS for the key at a name: its record, empty if there is none; None without an answer."""


def look_up(office: Office, at: datetime, ask: Ask | None = None) -> int:
    """Ask DNS for missing keys, by this machine's resolver or by `ask`; return the number of records."""
    told = 0
    for name, day in office.desk.domain_keys.to_ask(MOST_QUESTIONS):
        ask = ask or asking()
        record = ask(name)
        office.desk.domain_keys.keep(name, day, at, record)
        told += bool(record)
    return told


def asking(resolver: Resolver | None = None) -> Ask:
    """A question to a resolver; by default that of this machine, if it has one."""
    # Imported here, because most deliveries have nothing to ask.
    from dns.exception import DNSException
    from dns.rdtypes.ANY.TXT import TXT
    from dns.resolver import NXDOMAIN, NoAnswer, Resolver

    def record(name: str) -> str | None:
        try:
            answers = found.resolve(f"{name}.", "TXT", lifetime=_QUESTION)
        except (NXDOMAIN, NoAnswer):
            return ""
        except (DNSException, OSError):
            return None
        texts = (b"".join(one.strings).decode("ascii", "replace") for one in answers if isinstance(one, TXT))
        plain = (text for text in texts if len(text) <= _LONGEST and text.isascii() and text.isprintable())
        return next((text for text in plain if _KEY.search(text)), "")

    try:
        found = resolver or Resolver()
    except DNSException:
        return lambda _: None
    return record
