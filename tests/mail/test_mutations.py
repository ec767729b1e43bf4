"""Broken letters of all kinds, through a real desk: none is lost, raises, or makes a forbidden move."""

from __future__ import annotations

import logging
import random
import re
import resource
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from referee.desk import Key, kind_of, seat_token
from referee.desk.store.tables.schema import LETTER_IN
from referee.game import GameFile
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game
from referee.mail.office import Office
from referee.mail.transport.receipt import receive
from referee.rules import GAMES
from tests.mail.monsters import MONSTERS, mutated
from tests.support.corpus import letters
from tests.support.correspondence import Correspondence, check, corresponding
from tests.support.examples import sampled
from tests.support.timing import within

SETTINGS = "ids: desk.example.org\ntrust: {authserv: [mx.example.org]}\n"
SLOWEST = 2.0
"""Maximum seconds of processor time for a letter and its answer."""
MOST_MEMORY = 120
"""Maximum growth in megabytes over all letters of a run."""

ADA = "ada@example.com"
CORPUS_GAME, CORPUS_TOKEN = b"spring-b3-7", b"k4wq2m7x"
ALWAYS = {"message", "vacation"}
"""Acts that the key of an older letter still allows."""

Twist = Callable[[bytes, bytes, random.Random], bytes]


def forged(raw: bytes, token: bytes, chance: random.Random) -> bytes:
    """Another key of the same length."""
    return raw.replace(token, bytes(chance.choice(b"abcdefghijklmnopqrstuvwxyz234567") for _ in token))


def nearly(raw: bytes, token: bytes, chance: random.Random) -> bytes:
    """A key with one letter wrong, missing or too much."""
    at = chance.randrange(len(token))
    other = chance.choice((b"", b"77", b"." + token[at : at + 1]))
    return raw.replace(token, token[:at] + other + token[at + 1 :])


def returned(raw: bytes, token: bytes, _: random.Random) -> bytes:
    """The address that undeliverable letters come back to."""
    return raw.replace(token, b"r-0123456789abcd")


def repeated(raw: bytes, _: bytes, chance: random.Random) -> bytes:
    """Repeated fields of the header, below or above the others."""
    head, gap, rest = raw.partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    for _n in range(chance.choice((1, 3, 400))):
        fields.insert(chance.randrange(len(fields) + 1), chance.choice(fields))
    return b"\n".join(fields) + gap + rest


def nested(raw: bytes, _: bytes, chance: random.Random) -> bytes:
    """The letter in a letter, some levels deep."""
    head = b"\n".join(
        line for line in raw.partition(b"\n\n")[0].split(b"\n") if line[:5].lower() in (b"from:", b"to: d")
    )
    for depth in range(chance.choice((1, 2, 5, 12))):
        part = chance.choice((b"message/rfc822", b"multipart/mixed; boundary=b%d" % depth))
        raw = head + b"\nContent-Type: " + part + b"\n\n" + b"--b%d\n" % depth * part.startswith(b"multi") + raw
    return raw


def with_zeros(raw: bytes, _: bytes, chance: random.Random) -> bytes:
    """Zero bytes anywhere."""
    data = bytearray(raw)
    for _n in range(chance.choice((1, 5, 50))):
        data.insert(chance.randrange(len(data) + 1), 0)
    return bytes(data)


def in_another_charset(raw: bytes, _: bytes, chance: random.Random) -> bytes:
    """Another charset, right or not, declared everywhere."""
    name = chance.choice((b"utf-16", b"utf-7", b"cp037", b"iso-2022-jp", b"x-unknown", b"rot13", b"\xff", b"utf-8"))
    return re.sub(rb'charset="?[\w-]+"?', b"charset=" + name, raw)


def cut(raw: bytes, _: bytes, chance: random.Random) -> bytes:
    """Only the beginning."""
    return raw[: chance.randrange(len(raw) + 1)]


def doubled(raw: bytes, _: bytes, __: random.Random) -> bytes:
    """Twice in one."""
    return raw + raw


def bytewise(raw: bytes, _: bytes, chance: random.Random) -> bytes:
    """Bytes changed, left out, doubled, moved, or taken from other letters."""
    return mutated(raw, chance, list(letters().values()))


def in_capitals(raw: bytes, _: bytes, __: random.Random) -> bytes:
    """As some old programs write."""
    return raw.upper()


TWISTS: tuple[Twist, ...] = (
    *(forged, nearly, returned, repeated, nested, with_zeros, in_another_charset, cut, doubled, in_capitals),
    *(bytewise,) * 8,
)


class Club:
    """A desk with a game of each kind; when one is over, the next is opened. Ada plays the first side of each."""

    def __init__(self, post: Correspondence, chance: random.Random) -> None:
        self.post, self.chance = post, chance
        self.names: dict[str, str] = {}
        self.opened = 0
        post.office.desk.keys.renew(Key(b"k" * 32))  # so that the letters are always the same
        for game in GAMES:
            self.open(game)

    @property
    def office(self) -> Office:
        return self.post.office

    def open(self, game: str) -> None:
        self.opened += 1
        name = self.names[game] = f"spring-{self.opened}"
        file = GameFile(game)
        addresses = {side: f"{side}@players.example" for side in file.description.sides}
        addresses[file.description.sides[0]] = ADA
        open_game(self.office, name, file, self.post.at, terms=None, addresses=addresses)
        self.post.collect()

    def tokens(self, name: str) -> dict[bytes, tuple[str, str, bool]]:
        """The valid keys of a game: the side, the address, and True if it can still move."""
        held, key = self.office.desk.games.held(name), self.office.desk.key
        assert held.state is not None
        turns = range(1, len(held.state.plies) + 2)
        return {
            seat_token(key, held.state, side, turn).encode(): (
                side,
                held.secrets[f"address/{side}"],
                turn == turns[-1],
            )
            for side in held.state.position.sides
            for turn in turns
        }

    def number(self, name: str) -> int:
        """The number of entries in the log of a game."""
        return self.office.desk.state(name).number + 1

    def letter(self) -> tuple[bytes, bytes]:
        """A letter of a player about one of the games, as their mail program writes it, and the key in it."""
        name = self.names[self.chance.choice(GAMES)]
        state = self.office.desk.state(name)
        keys = self.tokens(name)
        token, (side, address, _) = self.chance.choice(
            [one for one in keys.items() if one[1][2] or self.chance.random() < 0.1]
        )
        if self.chance.random() < 0.4:
            raw = self.chance.choice(list(letters().values()))
            raw = (
                raw.replace(CORPUS_TOKEN, token)
                .replace(CORPUS_GAME, name.encode())
                .replace(ADA.encode(), address.encode())
            )
        else:
            move = state.position.any_move(side, self.chance.randrange) if side in state.owing else "board"
            said = self.chance.choice(
                (str(move),) * 6 + ("resign", "offer draw\naccept", "message\nhello\nend", "help")
            )
            raw = (
                f"From: {side} <{address}>\nTo: desk+{name}.{token.decode()}@example.org\nSubject: Re: [{name}]\n"
                f"Message-ID: <{self.chance.random()}@players.example>\nMIME-Version: 1.0\n"
                f"Content-Type: text/plain; charset=utf-8\n\n{said}\n\n> It is your turn: round 1.\n"
            ).encode()
        return raw, token


def moved_by_the_right_one(
    club: Club, raw: bytes, before: dict[str, int], keys: dict[str, dict[bytes, tuple[str, str, bool]]]
) -> int:
    """Check that new entries of a log are of a side whose key and address are in the letter; return their number."""
    seen = raw.lower().translate(None, bytes(range(33)))  # an address may contain blanks
    new = 0
    for name, number in before.items():
        if club.number(name) == number:
            continue
        for entry in club.office.desk.log(name)[number:]:
            new += 1
            side, kind = getattr(entry.event, "side", None), kind_of(entry.event)
            mine = {
                (one, fresh)
                for token, (one, address, fresh) in keys[name].items()
                if token in seen and address.encode() in seen
            }
            assert mine, f"{kind} of {side} without a key and its address"
            if side is not None:
                assert (side, True) in mine or (kind in ALWAYS and (side, False) in mine), kind
    return new


@pytest.mark.parametrize(
    "count", [9, pytest.param(15, marks=pytest.mark.slow), pytest.param(2_500, marks=pytest.mark.slow(minutes=2))]
)
def test_mutated_letters(count: int, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chance = random.Random(20270301 + count)
    entries, answers, held = 0, 0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with corresponding(tmp_path / "desk", SETTINGS) as post, caplog.at_level(logging.WARNING):
        club = Club(post, chance)
        for _ in range(count):
            post.pass_time(1)
            raw, token = club.letter()
            for _twist in range(chance.choice((0, 1, 1, 1, 2, 3))):
                raw = chance.choice(TWISTS)(raw, token, chance)
            with post.office.desk.reading():
                before = {name: club.number(name) for name in club.names.values()}
                keys = {name: club.tokens(name) for name in club.names.values()}
            with within(SLOWEST):
                stored = receive(post.office, raw, post.at)
                handle_waiting(post.office, post.at)
            assert stored.raw == raw
            answers += len(post.collect())
            post.letters.clear()
            entries += moved_by_the_right_one(club, raw, before, keys)
            for game, name in club.names.items():
                if post.office.desk.state(name).closed is not None:
                    club.open(game)
        rows = post.office.desk.games.database.read(select(LETTER_IN.c.done, LETTER_IN.c.note))
        counts = post.office.desk.upkeep.counts()
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) // 1024
    kinds = Counter(re.split(r"[:,]", row.note)[0] for row in rows)
    print(
        f"{count} mutated letters, {len(rows)} of them different: {entries} entries, {club.opened} games, {answers} "
        f"letters out; {memory} MB; notes: {dict(kinds.most_common(12))}"
    )
    assert not caplog.records
    assert all(row.done and row.note for row in rows)
    assert (counts["waiting"], counts["aside"]) == (0, 0)
    assert memory < MOST_MEMORY
    assert entries > count // 20, "the mutations leave too little that is read"


HUGE: dict[str, Callable[[bytes], bytes]] = {
    "30 MB": lambda head: head + b"\nP M1 A2 12\n" + b"x" * 30_000_000,
    "30 MB of lines": lambda head: head + b"\n" + b"P M1 A2 12\n" * 2_700_000,
    "5,000 parts": lambda head: (
        head + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nP M1 A2 12\n" * 5_000
    ),
    "100,000 fields": lambda head: head + b"X-Field: P M1 A2 12\n" * 100_000 + b"\nP M1 A2 12\n",
    "100,000 senders": lambda head: head + b"From: a@example.org\n" * 100_000 + b"\nP M1 A2 12\n",
    "nested 3,000 deep": lambda head: head + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 3_000 + b"\nx\n",
    "letters in letters": lambda head: head + b"Content-Type: message/rfc822\n\n" * 3_000 + b"\nx\n",
    "one field of 20 MB": lambda head: head + b"Subject: " + b"x " * 10_000_000 + b"\n\nP M1 A2 12\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(HUGE, 4))
def test_huge_letters(name: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        ((address, (invitation,)), *_) = post.letters.items()
        raw = HUGE[name](f"From: {address}\nTo: {invitation['Reply-To']}\n".encode())
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with within(SLOWEST):
            came = post.post(raw)
        memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) // 1024
        print(f"{name}: {len(raw):,} bytes took {memory} MB")
        assert memory < MOST_MEMORY
        assert len(came) <= 1
        assert all(len(one.as_bytes()) < 10_000 for one in came.values())
        assert post.kinds == ["opened"]
        assert post.office.desk.upkeep.counts()["aside"] == 0
        assert sum(map(len, post.letters.values())) - 2 == len(came)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(MONSTERS, 72))
def test_monsters(name: str, tmp_path: Path) -> None:
    """The worst letters for the intake, about an existing game."""
    with corresponding(tmp_path / "desk", SETTINGS) as post:
        club = Club(post, random.Random(1))
        token = next(iter(club.tokens("spring-1")))
        raw = MONSTERS[name]().replace(CORPUS_TOKEN, token).replace(CORPUS_GAME, b"spring-1")
        with within(SLOWEST):
            receive(post.office, raw, post.at)
            handle_waiting(post.office, post.at)
        came = post.collect()
        assert len(came) <= 1
        for message in came.values():
            check(message, "beams")
        assert post.office.desk.upkeep.counts()["aside"] == 0
