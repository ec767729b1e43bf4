"""Whether the own mail server vouches for the sender (Authentication-Results, RFC 8601)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.mail.intake.addresses import Mailbox, small
from referee.mail.intake.headers import Headers, as_text, one_line
from referee.mail.intake.trace import crossing, uncommented

_FIELD = "authentication-results"


def vouched(headers: Headers, mailbox: Mailbox) -> bool:
    """Whether the own server reports `dmarc=pass`, once and for the domain of the one sender.

    Anybody can write such a report. So it counts only above the Received line of the boundary, where nobody but the
    own servers can put anything; or anywhere, if the boundary strips reports that others wrote in its name.
    """
    senders = headers.addresses("from")
    if len(senders) != 1 or len(headers.raw("from")) != 1:
        return False
    domain = small(senders[0].address).rpartition("@")[2]
    verdicts = [verdict for report in _reports(headers, mailbox) for verdict in _verdicts(report)]
    return len(verdicts) == 1 and _passes(verdicts[0], domain)


def _reports(headers: Headers, mailbox: Mailbox) -> Iterator[str]:
    """The results in the reports of the own server, from the top to the first report that is not."""
    border = crossing(headers, mailbox)
    trusted = headers.fields if mailbox.strips else headers.fields[: border.above if border else 0]
    for name, value in trusted:
        if name != _FIELD:
            continue
        server, _, results = (uncommented(one_line(as_text(value))) or "").partition(";")
        if small(server).split()[:1] not in [[known] for known in mailbox.authserv]:
            return
        yield results


def _verdicts(results: str) -> Iterator[list[str]]:
    """The words of every result about DMARC; each `=` is a word of its own."""
    for result in small(results).split(";"):
        words = result.replace("=", " = ").split()
        if words and words[0].partition("/")[0].startswith("dmarc"):
            yield words


def _passes(words: list[str], domain: str) -> bool:
    named = [words[at + 2 : at + 3] for at, word in enumerate(words[:-1]) if (word, words[at + 1]) == _FROM]
    return words[:3] == ["dmarc", "=", "pass"] and named == [[domain]]


_FROM = ("header.from", "=")
