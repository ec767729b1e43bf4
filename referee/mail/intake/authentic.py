"""Whether the own mail server vouches for the sender (Authentication-Results, RFC 8601)."""

from __future__ import annotations

import re

from referee.mail.intake.addresses import Mailbox
from referee.mail.intake.headers import Headers

_NOISE = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|(\Z))|\([^()]*\)')
_LONGEST, _DEEPEST = 2_000, 3
"""So long may a report be, and so deep may comments stand in its comments; beyond that it counts for nothing."""

_DMARC = re.compile(r"dmarc\s*=\s*pass\b", re.IGNORECASE)
_FROM = re.compile(r"\bheader\.from\s*=\s*([^\s;]+)", re.IGNORECASE)


def vouched(headers: Headers, mailbox: Mailbox) -> bool:
    """Whether the topmost report is the own server's and says `dmarc=pass` for the domain of the one sender.

    Reports further down may be anybody's: the sender can write them into his letter himself.
    """
    senders = headers.addresses("from")
    if len(senders) != 1 or len(headers.raw("from")) != 1:
        return False
    name, _, results = _bare(headers.first("authentication-results")).partition(";")
    server = name.split()[:1]
    if not server or server[0].casefold() not in {known.casefold() for known in mailbox.authserv}:
        return False
    domain = senders[0].address.rpartition("@")[2]
    verdicts = [result.strip() for result in results.split(";") if result.strip().lower().startswith("dmarc")]
    return len(verdicts) == 1 and _passes(verdicts[0], domain)


def _passes(verdict: str, domain: str) -> bool:
    named = _FROM.findall(verdict)
    return _DMARC.match(verdict) is not None and [name.casefold() for name in named] == [domain]


def _bare(value: str) -> str:
    """The report without what is quoted or in brackets, where anything can stand."""
    if len(value) > _LONGEST:
        return ""
    for _ in range(_DEEPEST):
        value = _NOISE.sub(lambda found: " " if found[1] is None else "(", value)  # `(` for a quote without end
    return "" if "(" in value else value
