"""A host who has the desk's key and store, and invents entries; letters judge the log."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from referee.desk import Audit, Entry, Incoming, audit
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.mailboxes import as_mailbox
from referee.mail.evidence.signers import Keys
from tests.support.correspondence import BEGIN, GAME
from tests.support.forgeries import Timed, rechained
from tests.support.signed_letters import (
    known_keys,
    move,
    playing,
)


def judged(entries: list[Entry], content: bytes, keys: Keys | None = None) -> tuple[Audit, LetterEvidence]:
    witness = LetterEvidence([content], known_keys() if keys is None else keys)
    return audit((entry.as_line() for entry in entries), witness=witness), witness


Letters = dict[str, bytes]


class Host:
    """A host with the log and the letters of a game of boundary, which the tests change."""

    def __init__(self, folder: Path) -> None:
        with playing(folder, "boundary") as post:
            for _ in range(2):
                move(post, "south")
                move(post, "north")
            post.write("south", "offer draw")
            post.write("north", "decline")
            post.pass_time(1)
            post.write("north", "resign")
            self.timed = [Timed(one.at, one.event, one.came) for one in post.office.desk.log(GAME)]
            self.letters: Letters = {one.letter.digest: one.letter.raw for one in post.office.desk.inbox.history()}
            self.kinds = post.kinds

    def letter(self, kind: str, which: int = 0) -> bytes:
        came = self.timed[self._place(kind, which)].came
        assert came is not None
        return self.letters[came.letter]

    def put(self, raw: bytes, kind: str, which: int = 0) -> Host:
        """Give an act another letter; one that has acted already keeps its time, as the log alone would show."""
        number, digest = self._place(kind, which), hashlib.sha256(raw).hexdigest()
        came, was = self.timed[number].came, self.timed[number].at
        at = was
        assert came is not None
        came = replace(came, letter=digest)
        for one in self.timed[:number]:
            if one.came is not None and one.came.letter == digest:
                came, at = replace(came, server=one.came.server), self.timed[number - 1].at
        self.timed[number:] = [one._replace(at=at if one.at == was else one.at) for one in self.timed[number:]]
        self.timed[number] = self.timed[number]._replace(came=came)
        self.letters[digest] = raw
        return self

    def same(self, kind: str, other: str) -> Host:
        """Give an act the letter of another one."""
        return self.put(self.letter(other), kind)

    def judged(self, keys: Keys | None = None) -> tuple[Audit, LetterEvidence]:
        kept = as_mailbox(Incoming(digest, BEGIN, raw) for digest, raw in self.letters.items())
        return judged(rechained(GAME, self.timed), b"".join(kept), keys)

    def _place(self, kind: str, which: int) -> int:
        return [number for number, one in enumerate(self.kinds) if one == kind][which]


def bare(raw: bytes) -> bytes:
    """A letter without its signature."""
    return re.sub(rb"DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*", b"", raw)


def again(host: Host) -> Host:
    """The same host, without any changes."""
    fresh = object.__new__(Host)
    fresh.timed, fresh.letters, fresh.kinds = [*host.timed], {**host.letters}, host.kinds
    return fresh


def recipient(raw: bytes) -> bytes:
    found = re.search(rb"\nTo: (\S+)", raw)
    assert found is not None
    return found[1]
