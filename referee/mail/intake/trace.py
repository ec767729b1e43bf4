"""Which of the host's own servers a letter passed: its Received lines (RFC 5321, section 4.4).

Anybody can write such lines, and a sender's greeting (HELO) stands in the line of the server that took the letter.
So a line counts only where its place and its structure leave no doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from referee.mail.intake.addresses import Mailbox, small
from referee.mail.intake.headers import Headers, as_text, guarded, one_line

LONGEST = 2_000
"""Characters of a structured field that is read; a longer one counts for nothing."""

_LONGEST_DATE = 200


@dataclass(frozen=True, slots=True)
class Hop:
    """A server that took a letter over: its name, who handed the letter over, the protocol, and when that was."""

    server: str
    client: str
    protocol: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where a letter came in from outside: how many fields stand above that Received line, and its time."""

    above: int
    at: datetime | None


def crossing(headers: Headers, mailbox: Mailbox) -> Crossing | None:
    """The Received line of the boundary; None unless every line above it is one of the host's own servers'.

    A boundary that hands a letter over to itself by LMTP, as from Postfix to Dovecot, has a second line above.
    """
    last = None
    for above, (name, value) in enumerate(headers.fields):
        if name != "received":
            continue
        found = hop(one_line(as_text(value)))
        if found is None or found.server not in mailbox.boundary | mailbox.hops:
            return last
        if found.server in mailbox.boundary:
            last = Crossing(above, found.at)
            if "lmtp" not in found.protocol or found.client not in mailbox.boundary | mailbox.hops:
                return last
    return last


def hop(line: str) -> Hop | None:
    """What a Received line says; None where its structure leaves any doubt, such as a second `by`."""
    clauses, _, date = (uncommented(line) or "").partition(";")
    words = small(clauses).split()
    if ";" in date or words.count("by") != 1:
        return None
    by = words.index("by")
    if by not in (0, 2) or (by and words[0] != "from") or len(words) == by + 1:
        return None
    protocol = words[by + 3] if words[by + 2 : by + 3] == ["with"] and len(words) > by + 3 else ""
    return Hop(words[by + 1], words[1] if by else "", protocol, guarded(_moment, date, None))


def uncommented(value: str) -> str | None:
    """A structured field (RFC 5322, section 3.2) with blanks for comments and `""` for quoted strings.

    None if it is too long, or where one of these has no end.
    """
    if len(value) > LONGEST:
        return None
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for char in value:
        if escaped:
            escaped = False
        elif char == "\\":
            if not (depth or quoted):
                return None
            escaped = True
        elif quoted:
            quoted = char != '"'
        elif char == "(":
            depth += 1
            kept.append(" ")
        elif char == ")":
            depth -= 1
            if depth < 0:
                return None
        elif not depth:
            quoted = char == '"'
            kept.append('""' if quoted else char)
    return None if depth or quoted or escaped else "".join(kept)


def _moment(date: str) -> datetime:
    moment = parsedate_to_datetime(date[:_LONGEST_DATE])
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
