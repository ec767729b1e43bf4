"""Signers of letters (DKIM, RFC 6376), by keys that were kept, without DNS.

A mail server signs for its domain that a letter was sent there, with the parts that its signature covers. A missing
signature means nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from enum import Enum
from typing import Any

from referee.desk import DomainKey, canonical, read_time, write_time
from referee.errors import RefereeError
from referee.extras import extra
from referee.game import decode_utf8, unreadable
from referee.mail.addresses import small
from referee.mail.intake.letter import Letter
from referee.mail.intake.message.headers import envelope_end
from referee.mail.intake.message.trace import MOST_SIGNATURES, key_names

BESIDE = ".keys"
"""Ending of the file of keys next to a mailbox."""

MOST_KEYS = 10
"""Maximum keys of one name that are tried, the oldest first."""

_COSTLY = re.compile(rb"[ \t]{2000}")
"""Blanks in a row that no program writes: the time to hash them grows with the square of their number."""

_KEY = re.compile(r"(?:^|;)\s*p\s*=([^;]*)")

_SAID = (b"from", b"to", b"cc", b"subject", b"message-id")
"""Fields that matter to the desk, however often they occur."""

_LARGEST_RSA = 8192
"""Maximum bits of an RSA key: providers have shorter ones, and checking takes longer by the square of the bits."""

_FORM = {b"content-type", b"content-transfer-encoding"}
"""Fields that define how the text is to be read."""

_ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")
"""Algorithms of valid signatures; SHA-1 is none (RFC 8301)."""

_BARE = ("", "7bit", "8bit")
_FOLDED = ("quoted-printable", "base64")

Keys = Mapping[str, tuple[str, ...]]
"""The records of the keys by their names in DNS."""


class Proof(Enum):
    """The result of a signature. Of several, the first of these counts, so that none hides a wrong one."""

    SIGNED = "signed by {}"
    PARTIAL = "signed in part by {}"
    WRONG = "WRONG"
    AMBIGUOUS = "signed by {}, with one of two keys of one name"
    STRANGE = "signed by {}, which is not the sender's domain"
    UNKNOWN = "signed, with keys that are not here"
    PAGE = "not signed, but made on the page, as the desk says"
    NONE = "not signed"


@dataclass(frozen=True, slots=True)
class Signed:
    """The proof by a letter's signatures, its domain, and the time of that domain's server, if given."""

    proof: Proof
    domain: str = ""
    at: datetime | None = None

    def __str__(self) -> str:
        return self.proof.value.format(self.domain)


def _listed(value: bytes) -> tuple[bytes, ...]:
    return tuple(name.strip().lower() for name in value.split(b":"))


def key_lines(keys: Iterable[DomainKey]) -> Iterator[str]:
    """Keys as lines of JSON for a file."""
    for one in keys:
        yield canonical({"name": one.name, "at": write_time(one.at), "record": one.record})


def read_keys(files: Iterable[tuple[str, bytes]]) -> Keys:
    """The keys of files by name and content; FileError `encoding` or `keys`, with the line that holds none."""
    found: dict[str, dict[str, None]] = {}
    for file, content in files:
        for number, line in enumerate(decode_utf8(content, file).splitlines(), 1):
            try:
                data = json.loads(line)
                name, at, record = (str(data[key]) for key in ("name", "at", "record"))
                read_time(at)
            except (ValueError, LookupError, TypeError, RecursionError, RefereeError):
                message = "expected a key as 'referee desk letters --export' writes it: at, name and record"
                raise unreadable(file, "keys", message, number) from None
            found.setdefault(small(name), {})[record] = None
    return {name: tuple(records)[:MOST_KEYS] for name, records in found.items()}


def is_ambiguous(records: Iterable[str]) -> bool:
    """True if records of one name have different keys: one can be forged. A record that withdraws a key has none."""
    found = {"".join(one[1].split()) for one in map(_KEY.search, records) if one}
    return len(found - {""}) > 1


def signed_by(raw: bytes, letter: Letter, keys: Keys) -> Signed:
    """The proof by the signatures of a letter; RefereeError `missing-extra` without the library.

    A signature covers a letter if it covers its whole text, all that a reader takes from the header, and how the text
    is to be read. That of another domain than the sender's proves nothing for or against them.
    """
    names = key_names(letter.headers)
    if not names:
        return Signed(Proof.NONE)
    own = raw[envelope_end(raw, len(raw)) :]
    if not any(name in keys for name in names) or _COSTLY.search(own):
        return Signed(Proof.UNKNOWN)
    proofs = (one.signed(letter, keys) for one in _signatures(own))
    rank = [*Proof].index
    return min(proofs, key=lambda one: rank(one.proof), default=Signed(Proof.NONE))


def _signatures(own: bytes) -> Iterator[_Signature]:
    library = extra("dkim", "proof")
    try:
        message = library.DKIM(own)
    except (library.DKIMException, LookupError, ValueError):
        return
    fields = [one for one in message.headers if one[0].lower() == b"dkim-signature"]
    for one in fields[:MOST_SIGNATURES]:
        try:
            tags = library.util.parse_tag_value(one[1])
            # A signature may have expired since the letter came, and the clock of this machine counts for nothing.
            timeless = {name: value for name, value in tags.items() if name not in (b"t", b"x")}
            library.validate_signature_fields(timeless)
        except (library.DKIMException, library.util.InvalidTagValueList, LookupError, ValueError):
            continue
        if tags[b"a"] in _ALGORITHMS:
            yield _Signature(library, message, one, tags)


@dataclass(frozen=True, slots=True)
class _Signature:
    """One signature in the message that has it, as the library holds both."""

    library: Any = field(repr=False)
    message: Any = field(repr=False)
    line: Any = field(repr=False)
    tags: Mapping[bytes, bytes]

    @property
    def domain(self) -> str:
        return self._tag(b"d")

    def signed(self, letter: Letter, keys: Keys) -> Signed:
        """The proof of this signature."""
        place = f"{self._tag(b's')}._domainkey.{self.domain}"
        usable = [record for record in keys.get(place, ()) if self._is_usable(record)]
        if not usable:
            return Signed(Proof.UNKNOWN, self.domain)
        covered = [*_listed(self.tags[b"h"])]
        holds = any(self._holds(covered, record) for record in usable)
        if not self._is_of(letter):
            return Signed(Proof.STRANGE if holds else Proof.NONE, self.domain)
        if not holds:
            return Signed(Proof.WRONG, self.domain)
        if is_ambiguous(keys[place]):
            return Signed(Proof.AMBIGUOUS, self.domain)
        whole = self._is_whole(covered) and not letter.has_stray_ends
        since = re.fullmatch(rb"[0-9]{1,10}", self.tags.get(b"t", b""))
        at = datetime.fromtimestamp(int(since[0]), UTC) if since else None
        return Signed(Proof.SIGNED if whole else Proof.PARTIAL, self.domain, at)

    def _is_whole(self, covered: list[bytes]) -> bool:
        """True if nothing that counts can have been added to the letter or changed in it."""
        there = Counter(name.lower() for name, _ in self.message.headers)
        times = Counter(covered)
        formed = times.keys() >= _FORM or is_plain_form(self.message.headers, self.message.body)
        return b"l" not in self.tags and formed and all(times[name] >= there[name] for name in _SAID)

    def _is_of(self, letter: Letter) -> bool:
        """True if its domain is that of the letter's sender, above it or below it."""
        sender = small(letter.senders[0].address).rpartition("@")[2] if len(letter.senders) == 1 else ""
        return bool(sender) and (f".{sender}".endswith(f".{self.domain}") or self.domain.endswith(f".{sender}"))

    def _tag(self, name: bytes) -> str:
        return small(self.tags[name].decode("ascii", "replace"))

    def _is_usable(self, record: str) -> bool:
        """True if a record has a key for such a letter; one that was withdrawn has none."""
        try:
            said = self.library.util.parse_tag_value(record.encode())
            _, size, kind, reports = self.library.evaluate_pk("", record.encode())
        except Exception:  # the library raises nearly anything over an odd record
            return False
        # If a record names another service, the library finds no kind, or says that it is for reports.
        fits = kind == b"ed25519" or (kind == b"rsa" and self.message.minkey <= size <= _LARGEST_RSA)
        hashes, flags = _listed(said.get(b"h", b"sha256")), _listed(said.get(b"t", b""))
        identity = self._tag(b"i") if b"i" in self.tags else f"@{self.domain}"
        strict = b"s" in flags and not identity.endswith(f"@{self.domain}")
        return bool(fits and not reports and b"sha256" in hashes and not strict)

    def _holds(self, covered: list[bytes], record: str) -> bool:
        try:
            # It adds to the list of fields.
            return bool(self.message.verify_sig(self.tags, [*covered], self.line, lambda *_, **__: record.encode()))
        except (self.library.DKIMException, LookupError, ValueError):
            return False


def is_plain_form(fields: Sequence[tuple[bytes, bytes]], body: bytes) -> bool:
    """True if the fields about a letter's text only repeat what the text itself shows.

    Some mail servers do not sign these fields. With other fields the same signed text can be read as another one: an
    attached part, or the second half of a broken line, then appears alone.
    """
    names = [name.lower() for name, _ in fields]
    if max(names.count(b"content-type"), names.count(b"content-transfer-encoding")) > 1:
        return False
    said = (name + b":" + value for name, value in fields if name.lower().startswith(b"content-"))
    form: Message = message_from_bytes(b"".join(said))
    lines = [line.rstrip() for line in body.strip().splitlines()]
    boundary = form.get_boundary()
    if form.get_content_maintype() == "multipart":
        marks = [b"--%s%s" % ((boundary or "").encode(errors="replace"), end) for end in (b"", b"--")]
        return bool(boundary) and [*lines[:1], *lines[-1:]] == marks
    if form.get_content_type() != "text/plain" or body.lstrip().startswith((b"--", b"<")):
        return False
    encoding = str(form.get("content-transfer-encoding", "")).strip().lower()
    return encoding in _FOLDED or (encoding in _BARE and not any(line.endswith(b"=") for line in lines))
