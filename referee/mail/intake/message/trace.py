"""Fields of mail servers in a letter: Received (RFC 5321), Authentication-Results (RFC 8601), DKIM (RFC 6376).

Any sender can write such fields, and chooses the greeting (HELO) in the Received line of the server that took the
letter. So a field counts only where its place and its structure leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from referee.mail.addresses import Mailbox, small
from referee.mail.intake.message.headers import Headers, as_header_text, guard, one_line

LONGEST_HOP = 2_000
"""Maximum characters of a structured field; a longer one is ignored."""

MOST_SIGNATURES = 5
"""Maximum signatures of a letter that count, from the top."""

_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_DOMAIN = re.compile(rf"(?=.{{3,190}}$){_LABEL}(?:\.{_LABEL})+")
_SELECTOR = re.compile(rf"(?=.{{1,60}}$){_LABEL}(?:\.{_LABEL})*")
_CLIENT = re.compile(r"\(([a-z0-9._-]+) \[(?:ipv6:)?[0-9a-f.:]+\]\)")
"""The name of a client that its server has looked up in DNS, next to the address."""

_LONGEST_DATE = 200
_FROM = ("header.from", "=")


@dataclass(frozen=True, slots=True)
class Hop:
    """A Received line: the server that wrote it, its client, the protocol, and the time."""

    server: str
    client: str
    protocol: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """The entrance of a letter from outside: the number of fields above that Received line, and its time."""

    above: int
    at: datetime | None


def crossing(headers: Headers, mailbox: Mailbox) -> Crossing | None:
    """The Received line of the boundary; None unless the host's own servers wrote every line above it.

    A boundary that passes a letter to itself by LMTP, as Postfix to Dovecot, has a second line above.
    """
    last = None
    for above, (name, value) in enumerate(headers.fields):
        if name != "received":
            continue
        found = hop(one_line(as_header_text(value)))
        if found is None or found.server not in mailbox.boundary | mailbox.hops:
            return last
        if found.server in mailbox.boundary:
            last = Crossing(above, found.at)
            if "lmtp" not in found.protocol or found.client not in mailbox.boundary | mailbox.hops:
                return last
    return last


def hop(line: str) -> Hop | None:
    """The content of a Received line; None where its structure leaves a doubt, such as a second `by`."""
    clauses, _, date = (without_comments(line) or "").partition(";")
    words = small(clauses).split()
    if ";" in date or words.count("by") != 1:
        return None
    by = words.index("by")
    if by not in (0, 2) or (by and words[0] != "from") or len(words) == by + 1:
        return None
    protocol = words[by + 3] if words[by + 2 : by + 3] == ["with"] and len(words) > by + 3 else ""
    return Hop(words[by + 1], words[1] if by else "", protocol, guard(_moment, date, None))


def provider_time(headers: Headers, mailbox: Mailbox, hosts: Collection[str]) -> datetime | None:
    """The time when a sender's mail provider took a letter; None without a chain of Received lines to there.

    The boundary server of `mailbox` must have looked up the name of its client. `hosts` are the ends of the names of
    the provider's servers.
    """
    border = crossing(headers, mailbox)
    lines = Headers(headers.fields[border.above :] if border else ()).raw("received")
    named = _CLIENT.findall(small(lines[0][:LONGEST_HOP])) if lines else []
    if len(named) != 1 or not _is_of(str(named[0]), hosts):
        return None
    taken = None
    for found in map(hop, lines[1:]):
        if found is None or not _is_of(found.server, hosts):
            break
        taken = found.at
        # Whatever is below this line, the sender may have written.
        if found.protocol.endswith("a") or (found.client and not _is_of(found.client, hosts)):
            break
    return taken


def times_taken(headers: Headers) -> frozenset[datetime]:
    """Times at which servers on the way claim to have taken a letter; the last one is not asked."""
    return frozenset(found.at for found in map(hop, headers.raw("received")[1:]) if found and found.at)


def key_names(headers: Headers) -> tuple[str, ...]:
    """DNS names of the DKIM keys that a letter claims, lower case, unique."""
    names = map(_key_name, headers.raw("dkim-signature")[:MOST_SIGNATURES])
    return tuple(dict.fromkeys(name for name in names if name))


def is_vouched(headers: Headers, mailbox: Mailbox) -> bool:
    """True if the host's own server reports `dmarc=pass`, once and for the domain of the only sender.

    Any sender can write such a report. So it counts only above the boundary's Received line, where only the host's
    servers can write; or anywhere, if the boundary strips reports that others wrote in its name.
    """
    senders = headers.addresses("from")
    if len(senders) != 1 or len(headers.raw("from")) != 1:
        return False
    domain = small(senders[0].address).rpartition("@")[2]
    verdicts = [verdict for report in _reports(headers, mailbox) for verdict in _verdicts(report)]
    if len(verdicts) != 1:
        return False
    words = verdicts[0]
    named = [words[at + 2 : at + 3] for at, word in enumerate(words[:-1]) if (word, words[at + 1]) == _FROM]
    return words[:3] == ["dmarc", "=", "pass"] and named == [[domain]]


def without_comments(value: str) -> str | None:
    """A structured field (RFC 5322, section 3.2) with blanks for comments and `""` for quoted strings.

    None if it is too long, or if a comment or a quoted string in it has no end.
    """
    if len(value) > LONGEST_HOP:
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


def _reports(headers: Headers, mailbox: Mailbox) -> Iterator[str]:
    """Results of the host's own server, from the top to the first report of another server."""
    border = crossing(headers, mailbox)
    trusted = headers.fields if mailbox.strips else headers.fields[: border.above if border else 0]
    for name, value in trusted:
        if name != "authentication-results":
            continue
        server, _, results = (without_comments(one_line(as_header_text(value))) or "").partition(";")
        if small(server).split()[:1] not in [[known] for known in mailbox.authserv]:
            return
        yield results


def _verdicts(results: str) -> Iterator[list[str]]:
    """The words of every DMARC result; each `=` is a word of its own."""
    for result in small(results).split(";"):
        words = result.replace("=", " = ").split()
        if words and words[0].partition("/")[0].startswith("dmarc"):
            yield words


def _is_of(name: str, hosts: Collection[str]) -> bool:
    return any(name == host or name.endswith(f".{host}") for host in hosts)


def _key_name(signature: str) -> str:
    """The DNS name of a DKIM signature's key; empty if it cannot be one."""
    tags = dict(tag.split("=", 1) for tag in small("".join(signature.split())).split(";") if "=" in tag)
    selector, domain = tags.get("s", ""), tags.get("d", "")
    return f"{selector}._domainkey.{domain}" if _SELECTOR.fullmatch(selector) and _DOMAIN.fullmatch(domain) else ""


def _moment(date: str) -> datetime:
    moment = parsedate_to_datetime(date[:_LONGEST_DATE])
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
