"""Whole games by real mail, begun by their players alone: from `new` to the last letter, without the host."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.mail.office import office_in
from tests.e2e.mail_games import served_by_mail
from tests.e2e.players import Player, player, send, text
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.real_servers import Servers
from tests.support.servers import ADDRESS

MISSING = real_servers.missing("postfix", "dovecot")
pytestmark = [pytest.mark.slow(minutes=3), pytest.mark.skipif(MISSING != "", reason=MISSING)]

OPEN = "open: known\nknown: [players.example]\n"
GAMES = {
    "laser-chess": (["ada", "ben"], "as blue, setup grail\n3 days a move, bank 10 days", 8),
    "beams": (["cleo", "dan"], "beginner's set, columns 9, rows 13\nno clock", 200),
    "the-beam": (["eve", "fay", "gil", "hal"], "a week a move", 200),
}
"""Game -> its players, their words, and the number of moves after which each of them resigns."""

EXAMPLE = re.compile(r"such as \[([^\]]*)\] without the brackets")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Servers]]:
    """A desk that is served and lets people open games, and the mail servers around it."""
    folder = tmp_path_factory.mktemp("desk")
    with served_by_mail(folder, OPEN) as servers:
        yield folder, servers


@pytest.mark.parametrize("game", GAMES)
def test_friends_play_a_game(
    desk: tuple[Path, Servers], tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    folder, servers = desk
    names, words, most = GAMES[game]
    began = time.monotonic()
    with ExitStack() as mailboxes:
        people = [player(servers, f"{name}@players.example", []) for name in names]
        for one in people:
            mailboxes.enter_context(one.mailbox)
        first, *others = people
        rivals = " and ".join(one.address for one in others)
        send(
            servers,
            [letter(first.address, ADDRESS, f"Hello,\n\nnew {game} with {rivals}\n{words}\n\nThanks", "a game")],
        )
        play(servers, people, most)
    seconds = time.monotonic() - began
    with office_in(folder) as office:
        (name,) = [name for name in office.desk.catalogue.ids() if name.startswith(game)]
    log = tmp_path / "log.jsonl"
    log.write_text(referee("desk", "export", name, "--format", "log", "--desk", folder).out)
    assert referee("desk", "audit", log).status == 0
    assert '"kind":"closed"' in log.read_text().splitlines()[-1]
    assert [one.twice() for one in people] == [[]] * len(people), "every letter came once"
    with capsys.disabled():
        print(
            f"\n{game}: {sum(len(one.letters) for one in people)} letters to {len(people)} players in {seconds:.1f} s"
        )


@pytest.mark.parametrize(("game", "words"), [("boundary", "engine:2, as south"), ("the-beam", "engines, as p3")])
def test_a_person_plays_with_an_engine(desk: tuple[Path, Servers], tmp_path: Path, game: str, words: str) -> None:
    """From the first letter to the audit, without another person."""
    folder, servers = desk
    one = player(servers, f"ida-{game}@players.example", [])
    with one.mailbox:
        send(servers, [letter(one.address, ADDRESS, f"new {game} with {words}", "a game")])
        play(servers, [one], 4 if game == "boundary" else 200)
    with office_in(folder) as office:
        (name,) = [name for name in office.desk.catalogue.games_of(one.address) if name.startswith(game)]
    log = tmp_path / "log.jsonl"
    log.write_text(referee("desk", "export", name, "--format", "log", "--desk", folder).out)
    audited = referee("audit", log)
    assert audited.status == 0
    assert "follow from the seed that was promised" in audited.out
    assert one.twice() == []


def play(servers: Servers, people: list[Player], most: int, seconds: float = 1200) -> None:
    """Have all players answer their letters, until all know that the game is over."""
    end, made = time.monotonic() + seconds, dict.fromkeys([one.address for one in people], 0)
    while not all(one.over for one in people):
        for number, one in enumerate(people):
            for came in one.read():
                if (words := said(one, came, made, most)) is not None:
                    send(servers, [reply(one.address, came, words, number)])
        assert time.monotonic() < end, servers.log.read_text()[-4000:]
        time.sleep(0.02)


def said(one: Player, came: EmailMessage, made: dict[str, int], most: int) -> str | None:
    """A player's answer: acceptance, the move that the letter suggests, or resignation."""
    to, subject = str(came["Reply-To"]), str(came["Subject"])
    if "Did you write" in subject or "Invitation from" in subject:
        return "accept"
    example = EXAMPLE.search(" ".join(text(came).split()))
    if example is None or to in one.answered:
        return None
    one.answered.add(to)
    made[one.address] += 1
    return example[1] if made[one.address] < most else "resign"


def reply(sender: str, came: EmailMessage, words: str, style: int) -> EmailMessage:
    """An answer as mail programs write it: quoted below, quoted above, or unmarked below a header."""
    quoted = "".join(f"> {line}\n" for line in text(came).splitlines())
    bodies = (
        f"{words}\n\nOn Monday the referee wrote:\n{quoted}",
        f"On Monday, 1 March 2027 at 12:00, The referee <{ADDRESS}> wrote:\n{quoted}\n{words}\n\n-- \n{sender}\n",
        f"{words}\n\n-----Original Message-----\nFrom: The referee <{ADDRESS}>\nSubject: Re: a game\n\n{text(came)}",
        f"{words}\n\nSent from my phone\n\n{quoted}",
    )
    answer = letter(sender, str(came["Reply-To"]), bodies[style % len(bodies)], f"Re: {came['Subject']}")
    answer["In-Reply-To"] = answer["References"] = came["Message-ID"]
    return answer


def letter(sender: str, to: str, body: str, subject: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Message-ID"] = f"<{time.monotonic_ns()}.{sender}>"
    message.set_content(body)
    return message
