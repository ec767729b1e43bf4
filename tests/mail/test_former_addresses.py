"""Former addresses of a desk: letters to them arrive as before, and answers leave from the present one."""

from __future__ import annotations

from dataclasses import replace
from email.utils import parseaddr
from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.mail.addresses import Tag
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.nondelivery import undelivered
from referee.mail.host.relocation import move
from referee.mail.office import Office, office_in
from referee.mail.settings import FILE, read_settings
from referee.mail.transport.receipt import receive
from tests.support.command_line import referee
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.examples import sampled
from tests.support.friends import ADA, BEN, friends
from tests.support.servers import BEGIN, Client, desk_at, free_port, letter, listener
from tests.support.tables import table

OLD, NEW, NEWEST = "desk@example.org", "referee@club.example", "desk@club.example"
CASES = table(Path(__file__).with_name("returns.yaml"))
BOUNCE = next(case["letter"] for case in CASES if case["shows"] == "Postfix, for good")


def moved(post: Correspondence, office: Office) -> Correspondence:
    """The same correspondence, once the desk is at its new address."""
    after = Correspondence(office)
    after.at, after.letters, after.count = post.at, post.letters, post.count
    return after


@pytest.mark.slow
@pytest.mark.parametrize("ways", sampled([((NEW, OLD, NEW),), ((NEW,),), ((NEW, NEWEST),)], 3))
def test_a_game_goes_on_over_a_move(tmp_path: Path, ways: tuple[str, ...]) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5})
        first = str(post.letters[address("south")][0]["Message-ID"])
        for way in ways:
            assert move(tmp_path / "desk", way, post.at) == 2
        with office_in(tmp_path / "desk") as office:
            after = moved(post, office)
            told_all = {""}
            for _, told in after.deliver():
                assert parseaddr(str(told["From"]))[1] == ways[-1]
                assert parseaddr(str(told["Reply-To"]))[1].endswith(ways[-1].partition("@")[2])
                told_all.add(" ".join(text(told).split()))
            assert len([one for one in told_all if f"writes from {ways[-1]}." in one]) == 2
            assert first in str(after.letters[address("south")][-1]["References"])
            after.write("south", "P M1 A2 12", last=0)
            assert after.kinds == ["opened", "submitted"]
            after.write("north", "P M1 A2 12")
            assert after.kinds[-1] == "played"
            for sent in after.letters.values():
                assert parseaddr(str(sent[-1]["Reply-To"]))[1].endswith(ways[-1].partition("@")[2])
            after.holds()


@pytest.mark.slow
def test_a_report_at_a_former_return_address_marks_the_seat(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5})
        identity = str(post.letters[address("south")][0]["Message-ID"])
        back = post.office.mailbox.return_address(identity)
        move(tmp_path / "desk", NEW, post.at)
        with office_in(tmp_path / "desk") as office:
            raw = BOUNCE
            for word, said in (("RETURN", back), ("TO", address("south")), ("ID", identity)):
                raw = raw.replace(word, said)
            receive(office, raw.replace("\n", "\r\n").encode(), post.at)
            handle_waiting(office, post.at)
            assert [one.side for one in undelivered(office, GAME, post.at)] == ["south"]


def test_the_desk_takes_letters_for_all_its_addresses(tmp_path: Path) -> None:
    with desk_at(tmp_path / "desk", listen=free_port()) as office:
        settings = replace(office.settings, address=NEW, formerly=(OLD, "Old@Example.net"))
        assert settings.addresses == (NEW, OLD, "Old@Example.net")
        here = Office(office.folder, settings, office.desk)
        tags = [f"{one.replace('@', '+g.k2@')}" for one in settings.addresses]
        with listener(here) as port, Client(port) as client:
            wanted = [*settings.addresses, *tags]
            assert {client.hand_over(letter(), one)[0][0] for one in wanted} == {250}
            client.mail("a@example.org")
            assert client.rcpt("other@example.net")[0] == 550
        assert {here.mailbox.tag(one) for one in tags} == {Tag("g", "k2")}
        assert [*here.mailbox.tags_in(" ".join(tags))] == [Tag("g", "k2")] * 3
        assert here.mailbox.address_for(Tag("g")) == "referee+g@club.example"


@pytest.mark.slow
def test_those_who_are_invited_hear_of_it(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}")
        with office_in(tmp_path / "desk") as office:
            assert move(tmp_path / "desk", NEW, post.at) == 2
            assert {one.recipient for one in office.desk.outbox.take(post.at, 10)} == {ADA, BEN}


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        (
            "address: desk@example.org # ours\nname: x\n",
            "address: NEW # ours\nformerly: [desk@example.org]\nname: x\n",
        ),
        ("name: x\n'address': \"desk@example.org\"", "name: x\n'address': NEW\nformerly: [desk@example.org]\n"),
        (
            "formerly:   # ours\n  - a@b.example   # the first\n\n# now\naddress: desk@example.org\n",
            "formerly:   # ours\n  [a@b.example, desk@example.org]   # the first\n\n# now\naddress: NEW\n",
        ),
        ("address: desk@example.org\nformerly: []\n", "address: NEW\nformerly: [desk@example.org]\n"),
        ("address:\n  desk@example.org\nname: é\n", "address:\n  NEW\nformerly: [desk@example.org]\nname: é\n"),
        ("{address: desk@example.org, name: x}\n", None),
    ],
)
def test_the_settings_stay_as_they_are_but_for_the_address(tmp_path: Path, lines: str, after: str | None) -> None:
    with corresponding(tmp_path / "desk"):
        path = tmp_path / "desk" / FILE
        path.write_text(lines, encoding="utf-8")
        path.chmod(0o640)
        done = referee("desk", "move", NEW, "--desk", tmp_path / "desk")
        assert path.read_text(encoding="utf-8") == (lines if after is None else after.replace("NEW", NEW)), done
        assert path.stat().st_mode & 0o777 == 0o640
        assert not path.with_name("desk.yaml.unfinished").exists()
        if after is None:
            assert (done.status, done.err.startswith("settings: ")) == (1, True)
        else:
            settings = read_settings(path)
            assert (settings.address, settings.formerly[-1]) == (NEW, OLD)


def test_no_move_is_half_made(tmp_path: Path) -> None:
    port = free_port()
    with desk_at(tmp_path / "desk", listen=port) as office:
        before = (office.folder / FILE).read_bytes()
        for wrong in ("desk+x@club.example", "nowhere", "dësk@club.example", OLD):
            with pytest.raises(RefereeError, match="address: "):
                move(office.folder, wrong, BEGIN)
        with listener(office), pytest.raises(RefereeError, match="serving: "):
            move(office.folder, NEW, BEGIN)
        assert (office.folder / FILE).read_bytes() == before
        assert office.desk.outbox.take(BEGIN, 10) == []
