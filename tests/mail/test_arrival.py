"""Facts about a letter's way for the log: its DKIM keys, and its time at the server of the player's provider."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.mail.evidence.domain_keys import asking, look_up
from referee.mail.evidence.mailboxes import NO_DESK
from referee.mail.intake.letter import read_letter
from referee.mail.intake.message.trace import key_names, provider_time
from tests.mail.resolver import resolver
from tests.support.command_line import referee
from tests.support.correspondence import BEGIN, GAME, corresponding
from tests.support.rows import each
from tests.support.signed_letters import DOMAIN, move, place, playing, record, stamped


@pytest.mark.slow
def test_keys_come_from_dns_and_no_letter_waits_for_them(tmp_path: Path) -> None:
    """A record that cannot be a key is none; a question without an answer is asked again, a few times."""
    halves = [record(DOMAIN)[:200], record(DOMAIN)[200:]]
    records = {
        place(DOMAIN): {"TXT": ['"a greeting"', " ".join(f'"{half}"' for half in halves)]},
        place("b.example"): {"TXT": ['"no key"']},
    }
    with resolver(records) as found, playing(tmp_path / "desk", "boundary") as post:
        ask = asking(found)
        assert ask(place(DOMAIN)) == record(DOMAIN)
        assert (ask(place("b.example")), ask(place("c.example"))) == ("", "")
        move(post, "south")
        assert [look_up(post.office, post.at, lambda _: None) for _ in range(6)] == [0] * 6
        assert look_up(post.office, post.at, ask) == 0, "it was asked for often enough"
        post.pass_time(24)
        move(post, "north")
        assert look_up(post.office, post.at, ask) == 1


def test_a_desk_may_keep_no_keys(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "dkim: ignore\n") as post:
        post.stamp = stamped
        post.open("boundary")
        move(post, "south")
        assert not post.office.desk.domain_keys.to_ask(1)


NAMES = {
    "v=1; d=Example.org; s=S1; b=x": "s1._domainkey.example.org",
    "d=example.org;\r\n\ts=a.b": "a.b._domainkey.example.org",
    "d=example.org": "",
    "d=localhost; s=s1": "",
    "d=exa mple.org; s=s1": "s1._domainkey.example.org",
    "d=example.org; s=s1/../x": "",
    "d=example.org; s=" + "a" * 80: "",
    "d=" + "a." * 120 + "org; s=s1": "",
    "d=ex\u00e4mple.org; s=s1": "",
}


@each(NAMES)
def test_the_place_of_a_key(field: str) -> None:
    headers = read_letter(f"DKIM-Signature: {field}\r\n\r\n".encode(), NO_DESK).headers
    assert key_names(headers) == ((NAMES[field],) if NAMES[field] else ())


MX = replace(NO_DESK, received_by=frozenset({"mx.example.org"}))
BY_MX = "from {} by mx.example.org with ESMTPS id 1; Mon, 01 Mar 2027 12:00:09 +0000"
INSIDE = "by m1.mail.example with SMTP id 2; Mon, 01 Mar 2027 12:00:05 +0000"
TAKEN = "from [192.0.2.7] (pc [192.0.2.7]) by smtp.mail.example with ESMTPSA id 3; Mon, 01 Mar 2027 12:00:01 +0000"
OLD = "from x (x [192.0.2.8]) by m0.mail.example with ESMTP id 4; Mon, 01 Mar 2027 10:00:00 +0000"
OUT = "m2.mail.example (m2.mail.example [192.0.2.1])"
WAYS: dict[str, tuple[list[str], int | None]] = {
    "from the player's hands": ([BY_MX.format(OUT), INSIDE, TAKEN, OLD], 1),
    "no further than what the provider's servers say": ([BY_MX.format(OUT), INSIDE, OLD.replace("m0.mail", "o")], 5),
    "from a client that only calls itself so": ([BY_MX.format("m2.mail.example (pc [192.0.2.9])"), TAKEN], None),
    "from a client with a name in its greeting": (
        [BY_MX.format("x (m2.mail.example [192.0.2.1]) (pc [192.0.2.9])"), TAKEN],
        None,
    ),
    "from another provider": ([BY_MX.format("o.example (o.example [192.0.2.1])"), TAKEN], None),
    "without any other line": ([BY_MX.format(OUT)], None),
    "from a server whose name only ends so": ([BY_MX.format(OUT), TAKEN.replace("smtp.mail", "evilmail")], None),
}


@each(WAYS)
def test_when_the_player_s_provider_took_a_letter(way: str) -> None:
    lines, second = WAYS[way]
    raw = "".join(f"Received: {line}\r\n" for line in lines) + "From: ada@mail.example\r\n\r\nresign\r\n"
    taken = provider_time(read_letter(raw.encode(), MX).headers, MX, ["mail.example"])
    assert taken == (None if second is None else BEGIN + timedelta(seconds=second))


@pytest.mark.slow
def test_the_provider_s_time_is_in_the_log_and_moves_no_clock(tmp_path: Path) -> None:
    settings = "trust: {authserv: [mx.example.org]}\nproviders: {players.example: mail.example}\n"
    above = "".join(f"Received: {one}\n" for one in (BY_MX.format(OUT), TAKEN))
    with corresponding(tmp_path / "desk", settings) as post:
        post.open("boundary", {"days": 5})
        post.pass_time(1)
        move(post, "south", above=above)
        came = post.office.desk.log(GAME)[1].came
        assert came is not None
        assert (came.provider, came.server) == ("2027-03-01T12:00:01.000000Z", "2027-03-01T13:00:00.000000Z")
        assert str(came.provider) in referee("desk", "log", GAME, "--desk", tmp_path / "desk").out
        post.at = BEGIN
        move(post, "north", above=above)
        later = post.office.desk.log(GAME)[-1].came
        assert later is not None
        assert later.provider is None, "it cannot have taken a letter after the desk did"
        post.holds()
