"""Mailboxes kept as files: the letters in them, and the log heads that these show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType

from referee.desk import Head, HeadSource, Incoming, each_once, heads_in
from referee.desk.log.heads import stands_alone
from referee.mail.addresses import HEAD, MARKER, Mailbox, split_tag
from referee.mail.evidence.signers import Keys, Proof, signed_by
from referee.mail.intake.letter import read_letter
from referee.mail.intake.message.html import beginning, text_of
from referee.mail.intake.message.limits import LIMITS, header_block, unix_lines
from referee.mail.intake.message.text import decode_text

NO_DESK = Mailbox("nobody@invalid", "invalid")
"""A mailbox for letters that are read without a desk."""

LARGEST_MAILBOX = 256 << 20

_BEGINS = re.compile(rb"^From \S.*\n(?=[!-9;-~]+:)", re.MULTILINE)
_MARK = re.compile(rb"^From ([^\n]*)\n", re.MULTILINE)
_NAMED = re.compile(rb"([0-9a-f]{64})@letters\b")
_TO_QUOTE, _TO_UNQUOTE = re.compile(rb"^(?=>*From )", re.MULTILINE), re.compile(rb"^>(?=>*From )", re.MULTILINE)
_OWN = re.compile(rf"^{MARKER}:".encode(), re.IGNORECASE | re.MULTILINE)
_SIGNED = re.compile(rf"^{HEAD}:(.*(?:\n[ \t].*)*)".encode(), re.IGNORECASE | re.MULTILINE)
_FOOT = re.compile(r"^--[ \r]*$", re.MULTILINE)
_FIELD = re.compile(rb"[!-9;-~]+:")
_PAGE = re.compile(r"\s*<(?:!doctype|html|body|div|p)\b", re.IGNORECASE)


def as_mailbox(letters: Iterable[Incoming]) -> Iterator[bytes]:
    """A mailbox file (mboxrd) of letters, each mark with a digest; `kept_letters` gives the same bytes again."""
    for one in letters:
        yield f"From {one.digest}@letters {one.received.ctime()}\n".encode()
        yield _TO_QUOTE.sub(b">", one.raw) + b"\n"


def kept_letters(content: bytes) -> Iterator[tuple[bytes, str]]:
    """The letters of a mailbox file (mboxrd), byte for byte, each with the digest in its mark, if it has one.

    A file without marks is one letter.
    """
    for mark, raw in _parted(content, _MARK):
        if mark is None:
            yield raw, ""
        else:
            named = _NAMED.match(mark[1])
            yield _TO_UNQUOTE.sub(b"", raw.removesuffix(b"\n")), named[1].decode() if named else ""


def _parted(content: bytes, begins: re.Pattern[bytes]) -> Iterator[tuple[re.Match[bytes] | None, bytes]]:
    """The marks of a mailbox, each with what is below it; all of a file that begins with none."""
    marks = [*begins.finditer(content)]
    if not marks or marks[0].start() != 0:
        yield None, content
        return
    for mark, end in zip(marks, [*(one.start() for one in marks[1:]), len(content)], strict=True):
        yield mark, content[mark.end() : end]


def with_other_line_ends(raw: bytes) -> Iterator[bytes]:
    """A letter with either line end throughout: a program that copies a mailbox can have converted them."""
    lines = unix_lines(raw.removesuffix(b"\r"))
    yield lines
    yield lines.replace(b"\n", b"\r\n")


def mailbox_lines(content: bytes) -> bytes:
    """A mailbox with unix line ends; a carriage return alone ends no line: behind one, a letter can have a mark."""
    return content.replace(b"\r\n", b"\n")


def letters_of(content: bytes) -> Iterator[bytes]:
    """The letters of a mailbox file with unix line ends; a file without its marks is one letter."""
    return (raw for _, raw in _parted(content, _BEGINS))


def is_own(letter: bytes) -> bool:
    """True if a letter with unix line ends is one that a desk has sent, as its header says."""
    return _OWN.search(header_block(letter)) is not None


def heads_of(content: bytes, keys: Keys = MappingProxyType({})) -> tuple[Head, ...]:
    """The log heads in a file: letter, mailbox, page, or text with feet of letters; `keys` are DKIM keys."""
    unix = mailbox_lines(content)
    if _FIELD.match(unix) or _BEGINS.match(unix):
        return _heads_of_letters(letters_of(unix), keys)
    text = decode_text(content)
    shown = text_of(beginning(text, len(text), LIMITS.tags)) if _PAGE.match(text) else text
    return each_once(heads_in(shown) if stands_alone(shown) else _quoted(heads_in(shown)))


def own_heads(content: bytes, keys: Keys) -> tuple[Head, ...]:
    """The log heads in those letters of a mailbox file that claim to be a desk's."""
    return _heads_of_letters(filter(is_own, letters_of(mailbox_lines(content))), keys)


def _heads_of_letters(letters: Iterable[bytes], keys: Keys) -> tuple[Head, ...]:
    """The log heads that letters with unix line ends show, those of a desk at their feet, signed in a field.

    Above its foot a letter of a desk passes on what players say, and they can say anything. The same goes for what
    other letters quote. Any sender can write a letter that claims to be a desk's, so its head has the address of its
    sender only if that address's provider has signed the letter.
    """
    return each_once(head for one in letters for head in _told(one, keys))


def _told(raw: bytes, keys: Keys) -> tuple[Head, ...]:
    letter = read_letter(raw, NO_DESK)
    body = letter.body
    *above, foot = _FOOT.split(body.text)
    # Letters in a row without the marks of a mailbox are read as one.
    if above and is_own(raw) and len(_OWN.findall(raw)) == 1 and (heads := heads_in(foot)):
        proven = signed_by(raw, letter, keys).proof is Proof.SIGNED
        sender = split_tag(letter.senders[0].address)[0] if proven else ""
        shown = (*heads, *heads_in(body.other)[-len(heads) :])
        fields = " ".join(found.decode(errors="replace") for found in _SIGNED.findall(header_block(raw)))
        signed = {str(head): head for head in heads_in(fields)}
        # The provider may not have signed the field, so a head that is there alone has no proven sender.
        alone = (
            replace(head, source=HeadSource.LETTER) for name, head in signed.items() if name not in map(str, shown)
        )
        told = (replace(head, signature=signed.get(str(head), head).signature or head.signature) for head in shown)
        return (*(replace(head, source=HeadSource.LETTER, sender=sender) for head in told), *alone)
    return tuple(head for text in (decode_text(raw), body.text, body.other) for head in _quoted(heads_in(text)))


def _quoted(heads: Iterable[Head]) -> tuple[Head, ...]:
    return tuple(replace(head, source=HeadSource.QUOTATION) for head in heads)
