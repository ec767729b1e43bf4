"""OpenTimestamps files over the roots of days (spec/log.md, "Stamps").

A stamp begins with one branch for each calendar server: the digest of the stamped file, 16 random bytes, and the
SHA-256 of both. That alone goes to the calendar. A branch ends with a promise or a proof of its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from warnings import catch_warnings

from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import OpAppend, OpSHA256
from opentimestamps.core.serialize import BytesDeserializationContext, BytesSerializationContext, DeserializationError
from opentimestamps.core.timestamp import DetachedTimestampFile, Timestamp
from opentimestamps.timestamp import nonce_timestamp

from referee.errors import Refusal

_HIGHEST_BLOCK = 100_000_000
"""Bitcoin gets there in about two thousand years."""

_MOST_REQUESTS = 32
"""Maximum calendars that a stamp waits for; a new one is meant for four."""

_MOST_PROMISES = 8
"""Attestations in one answer; a calendar gives one, and a pool of calendars one for each."""

_silence = partial(catch_warnings, action="ignore", category=PendingDeprecationWarning)
"""Ignores a warning of opentimestamps that an operation may be dropped one day."""


@dataclass(frozen=True, slots=True)
class CalendarRequest:
    """A request to a calendar: to accept a digest or, if `taken`, to show the way from there to a block."""

    calendar: str
    digest: bytes
    taken: bool


@dataclass(frozen=True, slots=True)
class Stamp:
    """The bytes of an OpenTimestamps file; RefereeError `stamp` if they are none."""

    content: bytes

    def __post_init__(self) -> None:
        if any(height > _HIGHEST_BLOCK for height in self.blocks):
            raise Refusal("stamp", "names a block that cannot be")
        if len(self.requests) > _MOST_REQUESTS:
            raise Refusal("stamp", f"names more than {_MOST_REQUESTS} calendars")

    def covers(self, stamped: bytes) -> bool:
        """True if this is the stamp of a file with these bytes."""
        return bytes(_read_file(self.content).file_digest) == sha256(stamped).digest()

    @property
    def requests(self) -> tuple[CalendarRequest, ...]:
        """Open requests: one for each calendar that has not shown a way to a block."""
        file = _read_file(self.content)
        sha, branches = OpSHA256(), file.timestamp.ops.items()
        new = {one.ops[sha].msg for operation, one in branches if isinstance(operation, OpAppend) and sha in one.ops}
        return tuple(
            CalendarRequest(promise.uri, bytes(node.msg), node.msg not in new)
            for node in _nodes(file.timestamp)
            if not _blocks(node)
            for promise in sorted(one for one in node.attestations if isinstance(one, PendingAttestation))
        )

    @property
    def blocks(self) -> tuple[int, ...]:
        """The heights of the Bitcoin blocks at the ends of calendars' ways; the blocks are not checked."""
        return tuple(sorted(set(_blocks(_read_file(self.content).timestamp))))

    def answered(self, request: CalendarRequest, answer: bytes) -> Stamp:
        """This stamp with a calendar's answer to one of its requests; RefereeError `stamp` if that is of no use."""
        way = _read_answer(request, answer)
        file = _read_file(self.content)
        for node in _nodes(file.timestamp):
            if node.msg == request.digest:
                if not request.taken:
                    node.attestations.discard(PendingAttestation(request.calendar))
                with _silence():
                    node.merge(way)
                break
        return Stamp(_as_bytes(file))


def new_stamp(stamped: bytes, calendars: Sequence[str]) -> Stamp:
    """A stamp that no calendar has seen yet; it notes for which calendars it is meant."""
    file = DetachedTimestampFile(OpSHA256(), Timestamp(sha256(stamped).digest()))
    for calendar in calendars:
        nonce_timestamp(file.timestamp).attestations.add(PendingAttestation(calendar))
    return Stamp(_as_bytes(file))


def _read_file(content: bytes) -> Any:  # noqa: ANN401 - opentimestamps has no types
    try:
        with _silence():
            return DetachedTimestampFile.deserialize(BytesDeserializationContext(content))
    except (DeserializationError, ValueError, RecursionError):
        raise Refusal("stamp", "is no OpenTimestamps file, or a damaged one") from None


def _read_answer(request: CalendarRequest, answer: bytes) -> Any:  # noqa: ANN401 - opentimestamps has no types
    """The way from a digest that a calendar shows: to a block, or to its promise of one."""
    context = BytesDeserializationContext(answer)
    try:
        with _silence():
            way = Timestamp.deserialize(context, request.digest)
        context.assert_eof()
    except (DeserializationError, ValueError, RecursionError):
        raise Refusal("stamp", "its answer is no timestamp") from None
    said = list(way.all_attestations())
    blocks = [(digest, one.height) for digest, one in said if isinstance(one, BitcoinBlockHeaderAttestation)]
    if any(len(digest) != sha256().digest_size or height > _HIGHEST_BLOCK for digest, height in blocks):
        raise Refusal("stamp", "its answer names a block that cannot be")
    if way.attestations or len(said) > _MOST_PROMISES:
        raise Refusal("stamp", "its answer is not what a calendar says")
    if not blocks and (request.taken or not any(isinstance(one, PendingAttestation) for _, one in said)):
        raise Refusal("stamp", "its answer shows no way to a block")
    return way


def _as_bytes(file: Any) -> bytes:  # noqa: ANN401 - opentimestamps has no types
    context = BytesSerializationContext()
    try:
        file.serialize(context)
    except (ValueError, RecursionError):
        raise Refusal("stamp", "the answers do not fit into one file") from None
    return bytes(context.getbytes())


def _nodes(top: Any) -> Iterator[Any]:  # noqa: ANN401 - opentimestamps has no types
    yield top
    for below in top.ops.values():
        yield from _nodes(below)


def _blocks(node: Any) -> list[int]:  # noqa: ANN401 - opentimestamps has no types
    return [one.height for _, one in node.all_attestations() if isinstance(one, BitcoinBlockHeaderAttestation)]
