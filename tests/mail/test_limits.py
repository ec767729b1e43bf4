"""The daily limits hold for all workers of a desk together, and leave a share to each group of people."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from referee.mail.handlers import permission, reception
from referee.mail.handlers.pipeline import handle
from referee.mail.host.checks.concerns import concern_diagnoses
from referee.mail.office import create_office, office_in
from referee.mail.transport.receipt import receive
from tests.support.correspondence import BEGIN
from tests.support.friends import ADA, BEN, CLEO, DESK, SETTINGS, Friends, friends

Found = TypeVar("Found")

WORKERS = 3
SLOW = 0.01
"""Seconds between a look at a limit and what it allows, so that the other workers look meanwhile."""


@pytest.mark.slow
def test_workers_together_keep_within_the_limits(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Openings, invitations and notes; and of several invitations to one address only the first goes out.

    All writers are newcomers, and share half of the daily limit.
    """
    for room, name in (
        (permission, "expect_within_limits"),
        (permission, "may_invite"),
        (reception, "note_allowance"),
    ):
        monkeypatch.setattr(room, name, _slow(getattr(room, name)))
    path = create_office(tmp_path / "desk", DESK, where)
    limits = "invitations: {a-day: 4}\nanswers: {notes-a-day: 2}\n"
    path.write_text(f"{path.read_text()}\npictures: false\n{SETTINGS}{limits}")
    with ExitStack() as stack:
        offices = [stack.enter_context(office_in(tmp_path / "desk")) for _ in range(WORKERS)]
        post = Friends(offices[0])
        for number in range(2 * WORKERS):
            invited = BEN if number < WORKERS else f"friend@m{number}.example"
            receive(post.office, post.letter(f"a@d{number}.example", f"new boundary with {invited}"), post.at)
        for number in range(2 * WORKERS):
            receive(post.office, post.letter(f"b@d{number}.example", "hello", vouched=False), post.at)
        waiting = post.office.desk.inbox.waiting(post.at)

        def work(number: int) -> None:
            for letter in waiting[number::WORKERS]:
                handle(offices[number], letter, BEGIN)

        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(work, range(WORKERS)))
        sent = post.office.desk.outbox.take(post.at, 1000)
        kinds = Counter(one.kind.partition("/")[0] for one in sent)
        assert sum(one.recipient == BEN for one in sent) == 1
        assert len(post.games) == kinds["invitation"] == 2
        assert kinds["note"] == 2
        post.holds()


@pytest.mark.slow
def test_newcomers_leave_half_of_a_day_to_players(tmp_path: Path) -> None:
    """Players of yesterday can open games, even if an attacker owns many domains."""
    with friends(tmp_path, f"{SETTINGS}invitations: {{a-day: 6}}\nknown: [known.example]\n") as post:
        post.write(ADA, f"new boundary with {BEN}")
        post.answer(BEN, "accept")
        assert concern_diagnoses(post.office, post.at) == []
        post.pass_time(2)
        for number in range(4):
            owner, other = f"a@d{number}.example", f"b@e{number}.example"
            post.write(owner, f"new boundary with {other}")
            if number < 3:
                post.answer(other, "accept")
        assert len(post.games) == 1 + 3
        assert [one.about for one in concern_diagnoses(post.office, post.at)] == ["openings"]
        assert "opens no more games by letter today for people who are new here" in post.said("a@d3.example")
        assert post.write("b@e0.example", f"new boundary with {CLEO}").keys() == {"b@e0.example"}, "new today"
        post.write(BEN, "new boundary", vouched=False)
        assert "Did you write" in str(post.letters[BEN][-1]["Subject"])
        for one in (ADA, ADA, "eve@known.example", ADA):
            post.write(one, "new boundary")
        assert len(post.games) == 1 + 6
        assert "opens no more games by letter today:" in post.said(ADA)
        post.holds()


def _slow(look: Callable[..., Found]) -> Callable[..., Found]:
    def slowly(*args: object, **options: object) -> Found:
        found = look(*args, **options)
        time.sleep(SLOW)
        return found

    return slowly
