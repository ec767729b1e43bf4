"""A mail server between the players and the desk: it delays letters, repeats some, and loses connections."""

from __future__ import annotations

import heapq
import smtplib
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from tests.support.servers import Client


@dataclass(frozen=True, order=True)
class Parcel:
    """A letter that is to be handed over at a time; `again` if it was handed over before."""

    due: float
    number: int
    recipient: str
    raw: bytes
    again: bool = False


@dataclass
class Carrier:
    """Hands letters over by LMTP until they are acknowledged, from several threads."""

    port: int
    chance: Random
    disturbed: bool
    acknowledged: dict[tuple[str, bytes], int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    handing: threading.Event = field(default_factory=threading.Event)
    """Set while a letter is handed over."""

    def __post_init__(self) -> None:
        self._parcels: list[Parcel] = []
        self._busy = 0
        self._number = 0
        self._lock = threading.Condition()
        self._ended = False
        self._threads = [threading.Thread(target=self._carry) for _ in range(4)]

    def __enter__(self) -> Carrier:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._ended = True
            self._lock.notify_all()
        for thread in self._threads:
            thread.join()

    def take(self, recipient: str, raw: bytes, *, again: bool = False, within: float = 0) -> None:
        """Have a letter handed over at a random time within `within` seconds."""
        with self._lock:
            self._number += 1
            due = time.monotonic() + self.chance.uniform(0, within)
            heapq.heappush(self._parcels, Parcel(due, self._number, recipient, raw, again))
            self._lock.notify()

    @property
    def idle(self) -> bool:
        """True if every letter was acknowledged."""
        with self._lock:
            return not self._parcels and not self._busy

    def answered(self) -> bool:
        """True if the desk listens."""
        with suppress(OSError, smtplib.SMTPException), Client(self.port):
            return True
        return False

    def _carry(self) -> None:
        while (parcel := self._next()) is not None:
            try:
                self._hand_over(parcel)
            except (OSError, smtplib.SMTPException):
                self.counts["tried again"] += 1
                self.take(parcel.recipient, parcel.raw, again=parcel.again, within=0.2)
            finally:
                with self._lock:
                    self._busy -= 1

    def _next(self) -> Parcel | None:
        """The next letter whose time has come; None at the end."""
        with self._lock:
            while not self._ended:
                rest = self._parcels[0].due - time.monotonic() if self._parcels else None
                if rest is not None and rest <= 0:
                    self._busy += 1
                    return heapq.heappop(self._parcels)
                self._lock.wait(rest)
        return None

    def _hand_over(self, parcel: Parcel) -> None:
        with Client(self.port) as client:
            client.mail("someone@players.example")
            if client.rcpt(parcel.recipient)[0] != 250 or client.docmd("DATA")[0] != 354:
                raise smtplib.SMTPServerDisconnected("not now")
            self.handing.set()
            if self.disturbed and self.chance.random() < 0.1:
                client.send(parcel.raw[: self.chance.randrange(len(parcel.raw))])
                client.close()
                self.counts["cut off"] += 1
                raise smtplib.SMTPServerDisconnected("cut off")
            client.send(parcel.raw + b".\r\n")
            code, _ = client.getreply()
            if code != 250:
                raise smtplib.SMTPServerDisconnected(f"{code}")
        self._acknowledged(parcel)

    def _acknowledged(self, parcel: Parcel) -> None:
        key = (parcel.recipient, parcel.raw)
        self.acknowledged[key] = self.acknowledged.get(key, 0) + 1
        self.counts["again" if parcel.again else "first"] += 1
        if not self.disturbed or parcel.again:
            return
        if self.chance.random() < 0.3:
            self.take(parcel.recipient, parcel.raw, again=True, within=20)
        if self.chance.random() < 0.1:
            head, _, rest = parcel.raw.partition(b"\r\n")
            scanned = b"\r\nX-Scanned: by another one\r\n"
            self.take(parcel.recipient, head + scanned + rest, again=True, within=20)
