"""The life of a game of a club, as the rows that the desk would have written.

Its log folds, and an audit accepts it; letters in and out have the sizes of those of a desk.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from bench.playouts import Playout
from referee.desk import LOSS, START, TIMEOUT, Past, Terms, canonical, commitment
from referee.desk.log import log
from referee.desk.log.events import LOG_FORMAT

COLUMNS = {
    "event": "game, number, at, kind, body, before, digest, came",
    "content": "digest, bytes",
    "letter_in": "digest, received, raw, next, attempts, done, note, content, account, size, cut",
    "outbox": "id, game, kind, recipient, draft, queued, next, attempts, sent, note",
    "secret": "game, name, value",
    "day_head": "day, game, number",
    "standing": "game, number, at, phase, paused, glance",
    "due": "game, number, at",
}
"""The tables that are filled, and their columns in the order of the rows here."""

Rows = dict[str, list[str]]
"""Rows by table, as COPY of PostgreSQL takes them."""

ASKED = 0.1
"""The share of moves before which a player asks for the board."""

_QUOTED = "".join(f"> line {number} of what was quoted\\r\\n" for number in range(4))
"""As `letter` of `bench.letters` writes it, for COPY."""

_MINUTE = timedelta(minutes=1)


write_time = lru_cache(256)(log.write_time)
"""As logs have a time; most are written again and again."""


class Pace(NamedTuple):
    """The mean time of a side for a move, at most twice as long; the terms leave a little more."""

    mean: timedelta
    terms: Terms

    @classmethod
    def of(cls, games: int, an_hour: float) -> Pace:
        """The pace at which these games bring this number of letters in an hour.

        In a third of the games both sides think at the same time, and some letters are questions.
        """
        mean = timedelta(hours=games / an_hour * 1.34)
        days = max(1, -(-mean * 2.2 // timedelta(days=1)))
        remind = max(1, (timedelta(days=days) - mean * 1.45) // timedelta(hours=1))
        return cls(mean, Terms.read({"days": days, "zone": "UTC", "reminders": [remind], "timeout": LOSS}))

    @property
    def term(self) -> timedelta:
        """The time for a move."""
        return timedelta(days=self.terms.days)

    @property
    def notice(self) -> timedelta:
        """The time of a reminder before the deadline."""
        return timedelta(hours=self.terms.reminders[0])

    def thought(self, chance: random.Random) -> timedelta:
        """The time of a side for this move."""
        return self.mean * (chance.random() + chance.random())


@dataclass(slots=True)
class Game:
    """A game and its state: the sides to move, their deadlines, and the sealed moves."""

    id: str
    slot: int
    playout: Playout
    pace: Pace
    desk: str | None
    rows: Rows
    at: datetime
    number: int = -1
    letters: int = 0
    ended: bool = False
    owing: dict[str, datetime] = field(default_factory=dict)
    sealed: dict[str, tuple[str, str]] = field(default_factory=dict)
    _ply: int = 0
    _head: str = START
    _opening: str = START
    _began: str = START
    _day: str = ""
    _told: dict[str, int] = field(default_factory=dict)

    def course(self, chance: random.Random) -> Iterator[datetime]:
        """The course of the game; yields the times at which it goes on."""
        self._open()
        for ply, owing in enumerate(self.playout.owing, 1):
            self._ply = ply
            due, last = self.at + self.pace.term, self._ply > len(self.playout.plies)
            self.owing = dict.fromkeys(owing, due)
            yield from self._end(chance, due) if last else self._plied(chance, due)

    def standing_row(self) -> str:
        """The row of `standing`."""
        playout, end = self.playout, self.playout.end if self.ended else None
        made = sum(map(len, playout.plies[: max(0, self._ply - 1)]))
        rounds = -(-made // playout.moves_a_round) if end else made // playout.moves_a_round + 1
        seats = ",".join(f'"{side}":{self._seat_glance(side)}' for side in playout.sides)
        how, winner = (f'"{end.how}"', f'"{end.winner}"' if end.winner else "null") if end else ("null", "null")
        glance = (
            f'{{"id":"{self.id}","game":"{playout.rules}","round":{max(1, rounds)},"invited":false,"open":false,'
            f'"paused":false,"how":{how},"winner":{winner},"zone":"UTC","seats":{{{seats}}}}}'
        )
        phase = "finished" if end else "running"
        return f"{self.id}\t{self.number}\t{write_time(self.at)}\t{phase}\tf\t{glance}\n"

    def due_row(self) -> str:
        """The row of `due`."""
        due = next(iter(self.owing.values()), None)
        if due is None:
            return f"{self.id}\t{self.number}\t\\N\n"
        reminding = due - self.pace.notice
        return f"{self.id}\t{self.number}\t{write_time(due if self.at >= reminding else reminding)}\n"

    def end_day(self) -> None:
        """Write the row of `day_head` for the last day on which something happened, unless it is written."""
        if self._day:
            self.rows["day_head"].append(f"{self._day}\t{self.id}\t{self.number}\n")
            self._day = ""

    def _seat_glance(self, side: str) -> str:
        due, standing = self.owing.get(side), "sealed" if side in self.sealed else "waiting"
        standing = "over" if self.ended else standing if due is None else "to-move"
        when, deadline = ("null", "false") if due is None else (f'"{due.isoformat()}"', "true")
        said = f'"player":"{self._name(side)}","standing":"{standing}","due":{when},"deadline":{deadline}'
        return f'{{{said},"key":null}}'

    def _open(self) -> None:
        playout = self.playout
        body = {
            "log": LOG_FORMAT,
            "game": playout.rules,
            "rules": playout.version,
            "title": None,
            "players": {side: self._name(side) for side in playout.sides},
            "options": {},
            "clock": self.pace.terms.as_json(),
            "owing": playout.owing[0],
            "desk": self.desk,
            "keys": {},
        }
        self._enter("opened", canonical(body), self.at)
        self._opening = self._began = self._head
        self._told = dict.fromkeys(playout.sides, -1)
        for side in playout.sides:
            self.rows["secret"].append(f"{self.id}\taddress/{side}\t{self._address(side)}\n")
            self._news(side, self.at)

    def _plied(self, chance: random.Random, due: datetime) -> Iterator[datetime]:
        """A ply: each side's letter, and a reminder to late sides."""
        since, reminding = self.at, _up_to_minute(due - self.pace.notice)
        reminded = False
        for at, side in sorted((since + self.pace.thought(chance), side) for side in self.owing):
            if not reminded and at > reminding:
                yield reminding
                self._remind(due, reminding)
                reminded = True
            yield at
            if chance.random() < ASKED:
                self._ask(side, at)
            self._move(side, at)

    def _end(self, chance: random.Random, due: datetime) -> Iterator[datetime]:
        """The end of the game: by the clock, by a letter, or by the moves that were made."""
        end = self.playout.end
        if end.how == TIMEOUT:
            yield (reminding := _up_to_minute(due - self.pace.notice))
            self._remind(due, reminding)
            yield (over := _up_to_minute(due))
            self._close(over)
        elif end.by is not None:
            yield (at := min(self.at + self.pace.thought(chance), _up_to_minute(due - self.pace.notice) - _MINUTE))
            came, before = self._letter(end.by, "resign", "resigned", at), self._told[end.by]
            self._enter("resigned", f'{{"side":"{end.by}"}}', at, came)
            self._close(at, but=end.by)
            self._answer(end.by, at, came, _points("You have resigned."), "done", "", before)
        else:
            self._close(self.at)

    def _move(self, side: str, at: datetime) -> None:
        """A side's letter with its move; the last of a ply makes it."""
        playout, before = self.playout, self._told[side]
        move = playout.plies[self._ply - 1][side]
        came = self._letter(side, move, "moved", at)
        del self.owing[side]
        proof = self._seal(side, move, at, came) if playout.simultaneous else ""
        said = f"Your move was read as [{move}] and is accepted."
        if self.owing:
            said += " It is sealed, and cannot be changed."
        else:
            nonces = ",".join(f'"{one}":"{self.sealed[one][1]}"' for one in sorted(self.sealed))
            made, then = playout.made[self._ply - 1], playout.then[self._ply - 1]
            body = f'{{"known":null,"moves":{made},"nonces":{{{nonces}}},"owing":{then},"ply":{self._ply}}}'
            self._enter("played", body, at, "null" if self.sealed else came)
            self._began = self._head
            self.sealed = {}
        self._answer(side, at, came, _points(said), "done", proof, before)
        for other in playout.sides:
            if other != side:
                self._news(other, at)

    def _seal(self, side: str, move: str, at: datetime, came: str) -> str:
        """Enter that a move is in; return the line of the answer with the proof."""
        nonce = sha256(f"{self.id} {self._ply} {side}".encode()).hexdigest()
        past = Past(self._opening, self._began)
        promise = commitment(self.id, self._ply, side, self.playout.protocol, move, bytes.fromhex(nonce), past)
        body = f'{{"commitment":"{promise}","head":"{self._began}","ply":{self._ply},"side":"{side}"}}'
        self._enter("submitted", body, at, came)
        self.rows["secret"].append(f"{self.id}\tmove/{self._ply}/{side}\t{move} {nonce}\n")
        self.sealed[side] = move, nonce
        return f'"Commitment to your move: {promise}"'

    def _ask(self, side: str, at: datetime) -> None:
        self._answer(side, at, self._letter(side, "board", "asked", at), "", "shown", "", self.number)

    def _remind(self, due: datetime, at: datetime) -> None:
        """Remind all sides with a duty, by letter."""
        deadline, hours, owing = write_time(due), self.pace.terms.reminders[0], [*self.owing]
        for side in owing:
            self._enter("reminded", f'{{"deadline":"{deadline}","hours":{hours},"side":"{side}"}}', at)
        for side in owing:
            self._news(side, at)

    def _close(self, at: datetime, *, but: str | None = None) -> None:
        end = self.playout.end
        body = {"by": end.by, "how": end.how, "winner": end.winner, "score": end.score}
        self._enter("closed", canonical({**body, "notes": None, "secret": None, "unplayed": {}}), at)
        self.ended, self.owing = True, {}
        for side in self.playout.sides:
            if side != but:
                self._news(side, at)
        self.end_day()

    def _enter(self, kind: str, body: str, at: datetime, came: str = "null") -> None:
        """Add an entry to the log."""
        text, before = write_time(at), self._head
        if text[:10] != self._day:
            self.end_day()
            self._day = text[:10]
        self.number += 1
        self.at = at
        said = f'{{"at":"{text}","before":"{before}","body":{body},"came":{came},"game":"{self.id}","kind":"{kind}",'
        self._head = sha256(f'referee event {LOG_FORMAT}\n{said}"number":{self.number}}}\n'.encode()).hexdigest()
        self.rows["event"].append(
            f"{self.id}\t{self.number}\t{text}\t{kind}\t{body}\t{before}\t{self._head}\t{came}\n"
        )

    def _letter(self, side: str, said: str, note: str, at: datetime) -> str:
        """A handled letter from a side; return the log's record of it."""
        self.letters += 1
        when, address = write_time(at), self._address(side)
        token = sha256(f"{self.id} {side} {self._ply}".encode()).hexdigest()[:16]
        to = f"desk+{self.id}.{token}@example.org"
        envelope = f"Return-Path: <{address}>\\r\\nDelivered-To: <{to}>\\r\\n"
        raw = (
            f"From: A Player <{address}>\\r\\nTo: {to}\\r\\nSubject: Re: my move\\r\\n"
            f"Message-ID: <{self._message_id()}>\\r\\nDate: {_day(at.date())} {when[11:19]} +0000\\r\\n"
            f"Content-Type: text/plain; charset=utf-8\\r\\n\\r\\n{said}\\r\\n\\r\\nBest wishes\\r\\n\\r\\n{_QUOTED}"
        )
        whole = f"{envelope}{raw}".replace("\\r\\n", "\r\n").encode()
        size = len(raw.replace("\\r\\n", "\r\n"))
        content, digest = sha256(whole[-size:]).hexdigest(), sha256(whole).hexdigest()
        self.rows["content"].append(f"{content}\t{raw}\n")
        self.rows["letter_in"].append(
            f"{digest}\t{when}\t{envelope}\t\\N\t1\t{when}\t{side}: {note}\t{content}\t{address}\t{len(whole)}\tf\n"
        )
        return f'{{"letter":"{digest}","provider":null,"server":"{when}","signature":null}}'

    def _answer(self, side: str, at: datetime, came: str, answers: str, gist: str, proofs: str, since: int) -> None:
        """The answer to a side's last letter."""
        digest = came[11:75]
        thread = f'{{"digest":"{digest}","message_id":"<{self._message_id()}>"}}'
        seat = side if since < self.number else f"{side}.{digest[:16]}"
        self._post("answer", side, seat, digest, at, (answers, gist, proofs, since, thread))
        self._told[side] = self.number

    def _news(self, side: str, at: datetime) -> None:
        self._post("news", side, side, self._head, at, ("", "", "", self._told[side], "null"))
        self._told[side] = self.number

    def _post(
        self, kind: str, side: str, seat: str, mark: str, at: datetime, said: tuple[str, str, str, int, str]
    ) -> None:
        """A letter to a side, which was sent."""
        when, (answers, gist, proofs, since, thread) = write_time(at), said
        draft = (
            f'{{"answers":[{answers}],"asked":[],"at":"{when}","gist":"{gist}","number":{self.number},'
            f'"proofs":[{proofs}],"side":"{side}","since":{since},"thread":{thread},"unsigned":false}}'
        )
        identity = f"<{self.id}.{self.number}.{seat}.{mark[:20]}.referee@example.org>"
        self.rows["outbox"].append(
            f"{identity}\t{self.id}\t{kind}\t{self._address(side)}\t{draft}\t{when}\t\\N\t1\t{when}\t\n"
        )

    def _message_id(self) -> str:
        return f"{self.id}.{self.letters}@players.example"

    def _name(self, side: str) -> str:
        return f"Player {self.slot} {side}"

    def _address(self, side: str) -> str:
        return f"{side}-{self.slot}@example.org"


@lru_cache(16)
def _day(day: date) -> str:
    """A day as the header of a letter has it."""
    return f"{day:%a, %d %b %Y}"


def _points(said: str) -> str:
    return f'{{"kind":"points","texts":["{said}"]}}'


def _up_to_minute(at: datetime) -> datetime:
    """The next full minute, when the clock is looked at."""
    return at.replace(second=0, microsecond=0) + _MINUTE
