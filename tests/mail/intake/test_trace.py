"""Received lines and reports: those of the host's mail server are told from those that the sender wrote."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.message.trace import LONGEST_HOP, hop, without_comments
from tests.support.corpus import HEADER, MAILBOX, letter
from tests.support.rows import each
from tests.support.timing import within

DATE = "Mon, 1 Mar 2027 11:05:12 +0100 (CET)"
PASS = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"
FAIL = "Authentication-Results: mx.example.org; dmarc=fail header.from=example.com\n"
SPF = "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=example.com\n"
MX = f"Received: from mail.example.com (mail.example.com [192.0.2.25]) by mx.example.org with ESMTPS id 1; {DATE}\n"
STORE = f"Received: from mx.example.org (mx.example.org [10.0.0.2]) by store.example.org with ESMTP id 2; {DATE}\n"
LMTP = f"Received: from mx.example.org by mx.example.org with LMTP id 3; {DATE}\n"
OTHER = f"Received: from mail.example.com by mx2.example.org with ESMTPS id 4; {DATE}\n"
HOPS = replace(MAILBOX, hops=frozenset({"store.example.org"}))
STRIPS = replace(MAILBOX, strips=True)

# A Received line, and the server that wrote it; None if that is not certain.
LINES: dict[str, str | None] = {
    f"from a.example (a.example [192.0.2.1])\n\tby mx.example.org (Postfix) with ESMTPS\n\tfor <d@x>;{DATE}": "mx",
    f"from a.example ([192.0.2.1] helo=b) by mx.example.org with esmtps (TLS1.3) tls TLS (Exim 4.96); {DATE}": "mx",
    f"from a ([::1]) by MX.example.org (15.1) with Microsoft SMTP Server (id 1) via Frontend Transport; {DATE}": "mx",
    f"by mx.example.org with SMTP id 1; {DATE}": "mx",
    f"from by.example (by mx.example.net) by mx.example.org with SMTP; {DATE}": "mx",
    "from a.example by mx.example.org with SMTP": "mx",
    f"from a by mx.example.org (unknown [192.0.2.1]) by relay.example.net with SMTP id 1; {DATE}": None,
    f"from by mx.example.org (unknown [192.0.2.1]) by relay.example.net with SMTP id 1; {DATE}": None,
    f"from a by mx.example.org ( (unknown [192.0.2.1]) by relay.example.net with SMTP id 1; {DATE}": None,
    f'from a by mx.example.org " (unknown [192.0.2.1]) by relay.example.net with SMTP id 1; {DATE}': None,
    f"from a by mx.example.org; x (unknown [192.0.2.1]) by relay.example.net with SMTP id 1; {DATE}": None,
    f"from a) by mx.example.org (x (unknown [192.0.2.1]) by relay.example.net with SMTP id 1; {DATE}": None,
    f"from a\\ by mx.example.org with SMTP id 1; {DATE}": None,
    f"from a b by mx.example.org with SMTP id 1; {DATE}": None,
    f"(qmail 1234 invoked by uid 89); {DATE}": None,
    "from a by": None,
    "": None,
}


@each(LINES)
def test_the_server_of_a_received_line_follows_its_only_by(line: str) -> None:
    found = hop(" ".join(line.split()))
    assert (found and found.server) == (LINES[line] and "mx.example.org")


# The lines above the letter's own fields, the sender of the letter, and whether the sender is vouched for.
TRACES = {
    "a report above the boundary": (f"{PASS}{MX}", MAILBOX, True),
    "what delivery puts on top is nothing": (f"Return-Path: <a@b>\nDelivered-To: x@y\n{PASS}{MX}", MAILBOX, True),
    "a report below it is the sender's": (f"{MX}{PASS}", MAILBOX, False),
    "nor is there a boundary": (PASS, MAILBOX, False),
    "a forged boundary below the real one": (f"{MX}{PASS}{MX}", MAILBOX, False),
    "the boundary says no": (f"{FAIL}{MX}{PASS}{MX}", MAILBOX, False),
    "two reports of it, one about DMARC": (f"{SPF}{PASS}{MX}", MAILBOX, True),
    "two reports of it that contradict each other": (f"{PASS}{FAIL}{MX}", MAILBOX, False),
    "a second server at the boundary that is not named": (f"{OTHER}{PASS}{MX}", MAILBOX, False),
    "a line that nobody can read ends it": (f"{MX.replace('from', 'from a')}{PASS}{MX}", MAILBOX, False),
    "a hop that is not named": (f"{STORE}{PASS}{MX}", MAILBOX, False),
    "a hop that is named": (f"{STORE}{PASS}{MX}", HOPS, True),
    "a report of a hop is above the boundary too": (f"{PASS}{STORE}{MX}", HOPS, True),
    "a letter that met the hop only": (f"{PASS}{STORE}", HOPS, False),
    "a forged boundary below hop and boundary": (f"{STORE}{MX}{PASS}{MX}", HOPS, False),
    "the boundary hands over to itself": (f"{LMTP}{PASS}{MX}", MAILBOX, True),
    "and nothing below the next line counts": (f"{LMTP}{MX}{PASS}{MX}", MAILBOX, False),
    "LMTP from elsewhere is the boundary": (f"{LMTP.replace('from mx', 'from ab')}{PASS}{MX}", MAILBOX, False),
    "a server that strips, its report below": (f"{MX}{PASS}", STRIPS, True),
    "a server that strips, of another's no word": (f"{MX}{PASS.replace('mx.', 'mx.ab.')}{PASS}", STRIPS, False),
    "a server that strips, and says no": (f"{MX}{FAIL}{PASS}", STRIPS, False),
    "boundary and reporter have names of their own": (
        f"{PASS}{OTHER}", replace(MAILBOX, received_by=frozenset({"mx2.example.org"})), True,
    ),
}  # fmt: skip


@each(TRACES)
def test_a_report_counts_above_the_boundary_only(name: str) -> None:
    trace, mailbox, vouched = TRACES[name]
    assert read_letter(f"{trace}{HEADER}\n".encode(), mailbox).vouched is vouched


PIECES = (
    *("(", ")", '"', "\\", ";", "by", "from", "with", "LMTP", "mx.example.org", "x", " ", "\n\t", "header.from="),
    *("dmarc=pass header.from=example.com", "mx.example.org; dmarc=pass header.from=example.com", "\u017f", "\0"),
)
GREETING = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def greeted(greeting: str) -> Letter:
    """A letter from a sender who greets an unnamed server, and forges the rest of the trace."""
    line = f"from {greeting} (unknown [192.0.2.9]) by relay.example.net (Postfix) with ESMTP id 9 for <d@x>; {DATE}"
    return read_letter(f"Received: {line}\n{PASS}{MX}{HEADER}\n".encode(), MAILBOX)


@given(GREETING)
def test_no_greeting_makes_a_server_of_ours(greeting: str) -> None:
    found = greeted(greeting)
    assert not found.vouched
    assert found.received is None


@given(GREETING)
def test_a_greeting_at_our_own_server_moves_no_boundary(greeting: str) -> None:
    line = f"from {greeting} (unknown [192.0.2.9]) by mx.example.org (Postfix) with ESMTP id 9 for <d@x>; {DATE}"
    assert not read_letter(f"Received: {line}\n{PASS}{MX}{HEADER}\n".encode(), MAILBOX).vouched


@given(st.text(alphabet='()"\\;ab ', max_size=40))
def test_nothing_of_a_comment_is_left(comment: str) -> None:
    assert without_comments(comment.replace("\\", "").replace("(", "").replace(")", "").join("()")) == " "
    quoted = comment.replace("\\", "\\\\").replace('"', '\\"')
    assert without_comments(f'a "{quoted}" b') == 'a "" b'


def test_the_time_is_that_of_the_boundary() -> None:
    for trace in (MX, f"{LMTP.replace('11:05:12', '11:09:12')}{MX}"):
        found = letter("", "").received, read_letter(f"{trace}{HEADER}\n".encode(), MAILBOX).received
        assert found[0] is None
        assert found[1] is not None
        assert found[1].isoformat() == "2027-03-01T10:05:12+00:00"
    for date in ("some day", "Fri, 31 Dec 9999 23:59:59 -2359", ""):
        assert read_letter(f"{MX.replace(DATE, date)}{HEADER}\n".encode(), MAILBOX).received is None


@each(["(", ")", '"', "\\", "()", '"\\', "(\\", "by ", "; ", "= ", "dmarc", "dmarc="])
def test_a_trace_costs_no_more_than_its_length(unit: str) -> None:
    assert without_comments(unit * (LONGEST_HOP + 1)) is None
    header = f"{PASS}Received: from {unit * 2_000}\nAuthentication-Results: mx.example.org; {unit * 2_000}\n"
    with within(0.5):
        found = [read_letter(f"{header}{HEADER}\n".encode(), mailbox).vouched for mailbox in (MAILBOX, STRIPS)]
    assert not found[0]
