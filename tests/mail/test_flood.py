"""Floods of letters that ask for games, forged and vouched for: the desk keeps its limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.transport.receipt import receive
from tests.support.friends import SETTINGS, Friends, friends
from tests.support.memory import memory

LIMITS = """\
invitations: {a-day: 12, sender-a-day: 4, address-a-day: 2, domain-a-day: 5}
answers: {notes-a-day: 10, notes-an-hour: 10, an-hour: 5, unasked-a-day: 2}
"""
FLOOD = 2_500
AT_ONCE = 20
"""Letters that wait at each round of the desk."""


def flood(post: Friends, letters: int) -> Iterator[bytes]:
    """Letters from many domains and from one, to many addresses and to one; forged ones invite a w."""
    chance = Random(letters)
    for number in range(letters):
        vouched = chance.random() < 0.5
        sender = f"s{chance.choice((1, number))}@{chance.choice(('evil.example', f'd{number % 50}.example'))}"
        host = chance.choice(("one.example", f"m{number % 40}.example"))
        invited = f"{'v' if vouched else 'w'}{chance.choice((1, number))}@{host}"
        body = f"new boundary with {invited}{chance.choice(('', '', ', nonsense'))}"
        yield post.letter(sender, body, vouched=vouched)


@pytest.mark.parametrize("letters", [60, pytest.param(FLOOD, marks=pytest.mark.slow(minutes=2))])
def test_a_flood_sends_at_most_the_cap(letters: int) -> None:
    with (
        TemporaryDirectory(dir=memory()) as folder,
        friends(Path(folder), SETTINGS + LIMITS) as post,
    ):
        for number, raw in enumerate(flood(post, letters), 1):
            receive(post.office, raw, post.at)
            if number % AT_ONCE == 0:
                handle_waiting(post.office, post.at)
        handle_waiting(post.office, post.at)
        sent = Counter(letter.recipient for letter in post.office.desk.outbox.take(post.at, 1000))
        forged = [recipient for recipient in sent if recipient.startswith("w")]
        assert forged == [], "a forged letter reaches nobody but whose name it has"
        assert sum(recipient.startswith("v") for recipient in sent.elements()) <= 12
        lists = 12 * 2
        assert sent.total() <= 12 + 12 + 12 + 10 + lists, "invitations, openings, questions, notes, lists of games"
        assert max(sent.values()) <= 4 + 2 + 1 + 1 + 2
        post.holds()
