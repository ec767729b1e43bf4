"""The log of a game: numbered events, bound by digests (spec/log.md), and read one line at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from referee.desk.log.bodies import CODECS, canonical, event_data, event_of
from referee.desk.log.events import LOG_FORMAT, Digest, LogEvent, Rekeyed, kind_of
from referee.desk.log.signatures import digest_of
from referee.errors import RefereeError, shown
from referee.game import decode_utf8, unreadable
from referee.game.file.document import unread

START = "0" * 64
"""The digest before the first event."""

GAME_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
"""A game's id goes into addresses and file names: at most 32 small letters, digits and hyphens."""

LONGEST_ENTRY = 1 << 20

_TIME = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_TEXTS = ("at", "before", "digest", "game", "kind")
_KEYS = frozenset({*_TEXTS, "body", "number", "came"})


@dataclass(frozen=True, slots=True)
class Came:
    """The letter of an act: its SHA-256 and its times; no clock uses that of the `provider`, the player's own."""

    letter: Digest
    server: str
    provider: str | None = None
    signature: str | None = None


_CAME = CODECS.of(Came | None)


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in a game's log; `before` is the digest of the entry before it, `came` the letter of an act."""

    game: str
    number: int
    at: datetime
    event: LogEvent
    before: str
    digest: str
    came: Came | None = None

    @property
    def signatures(self) -> tuple[str, ...]:
        """The player signatures in this entry."""
        former = None if isinstance(self.event, Rekeyed) else getattr(self.event, "old", None)
        said = (self.came.signature if self.came else None, former)
        return tuple(one for one in said if one is not None)

    @property
    def covered(self) -> dict[str, Any]:
        """The content that its digest covers."""
        return {
            "game": self.game,
            "number": self.number,
            "at": write_time(self.at),
            "kind": kind_of(self.event),
            "body": event_data(self.event),
            "before": self.before,
            "came": _CAME.write(self.came),
        }

    def as_json(self) -> dict[str, Any]:
        """The entry as an export has it."""
        return {**self.covered, "digest": self.digest}

    def as_line(self) -> str:
        """The entry as one canonical line of JSON, without its end."""
        return canonical(self.as_json())


def new_entry(
    game: str, number: int, at: datetime, event: LogEvent, before: str, *, came: Came | None = None
) -> Entry:
    """An event as the next entry of a log."""
    entry = Entry(game, number, at, event, before, "", came)
    return replace(entry, digest=digest(entry))


def digest(entry: Entry) -> str:
    """SHA-256 of the content of an entry and of the entry before it."""
    return digest_of(f"referee event {LOG_FORMAT}", canonical(entry.covered))


def chain_faults(entry: Entry, last: Entry | None) -> Iterator[tuple[str, str]]:
    """Faults of an entry after the last one: a code and a sentence each."""
    number, before = (last.number + 1, last.digest) if last else (0, START)
    if last and entry.game != last.game:
        yield "chain", f"this entry belongs to another game, {shown(entry.game)}"
    if entry.number != number:
        yield "chain", f"expected entry {shown(number)}, not {shown(entry.number)}"
    if entry.before != before:
        yield "chain", "it does not follow the entry before it: that one has another digest"
    if entry.digest != digest(entry):
        yield "digest", "its digest does not fit what it says"
    if last and entry.at < last.at:
        yield "time", "it is earlier than the entry before it"


def read_entry(line: str) -> Entry:
    """The entry in a line of an export; RefereeError `json`, `event` or `canonical`."""
    try:
        line.encode()
        return _read(line, json.loads(line))
    except (ValueError, RecursionError):
        raise RefereeError("json", "this line is not JSON") from None


def _read(line: str, data: object) -> Entry:
    if not isinstance(data, dict) or data.keys() != _KEYS:
        raise RefereeError("event", f"an entry has the names {', '.join(sorted(_KEYS))}")
    if {type(data[name]) for name in _TEXTS} != {str} or type(data["number"]) is not int:
        raise RefereeError("event", "number must be a whole number, and all others but body and came must be texts")
    if not GAME_ID.fullmatch(data["game"]):
        raise RefereeError("event", f"{shown(data['game'])} is not the id of a game")
    at, came, event = read_time(data["at"]), came_of(data["came"]), event_of(data["kind"], data["body"])
    entry = Entry(data["game"], data["number"], at, event, data["before"], data["digest"], came)
    if canonical(data) != line:
        raise RefereeError("canonical", "the line does not have the bytes that the digest is made of")
    return entry


def came_of(data: object) -> Came | None:
    """The letter of an act, from plain data; RefereeError `event` if it is not as logs have it."""
    if not _CAME.fits(data):
        raise RefereeError("event", "how an act came is said in texts: letter, server, provider and signature")
    came: Came | None = _CAME.read(data)
    for time in (came.server, came.provider) if came else ():
        if time is not None:
            read_time(time)
    return came


def write_time(at: datetime) -> str:
    """A time as logs have it: RFC 3339 in UTC with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def read_time(text: str) -> datetime:
    """The time in a text; RefereeError `event` if it is not as logs write it."""
    try:
        if _TIME.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    raise RefereeError("event", f"expected a time in UTC with microseconds, not {shown(text)}")


@contextmanager
def read_lines(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file; FileError `unreadable`, and those of `lines`."""
    try:
        with path.open("rb") as file:
            yield log_lines(file, str(path))
    except OSError as error:
        raise unread(path, error) from None


def log_lines(file: BinaryIO, name: str) -> Iterator[str]:
    """The lines of a file without ends and byte order mark, at least one; FileError `too-large` or `encoding`."""
    number = 0
    while raw := file.readline(LONGEST_ENTRY + 1):
        number += 1
        if len(raw) > LONGEST_ENTRY:
            raise unreadable(name, "too-large", f"a line is longer than {LONGEST_ENTRY >> 20} MiB", number)
        yield from decode_utf8(raw, name, number).removesuffix("\n").split("\n")
    if number == 0:
        yield ""
