"""Log heads as letters show them: the line that two people compare, and below it the desk's signature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum

from referee.desk.log.log import GAME_ID
from referee.desk.log.signatures import Signer, head_text, signed
from referee.errors import Refusal, shown

_WIDTH = 78
"""Maximum width of a line at the foot of a letter."""

_BREAKS = 4
"""Maximum breaks within a digest; with more of them it is a row of numbers."""

_QUOTED = re.compile(r"^[\s>|]+", re.MULTILINE)
_UNSEEN = re.compile("[\N{ZERO WIDTH SPACE}\N{SOFT HYPHEN}\N{WORD JOINER}\N{ZERO WIDTH NO-BREAK SPACE}]")
_DIGITS = "(?:[0-9a-f] ?){{{}}}[0-9a-f](?![0-9a-f])"
_SHOWN = re.compile(
    rf"(?<![\w.-])(?P<game>{GAME_ID.pattern}) (?P<number>[0-9]{{1,9}}) (?:head )?(?P<digest>{_DIGITS.format(63)})"
    rf"(?: signed (?P<first>{_DIGITS.format(63)}) signed (?P<second>{_DIGITS.format(63)}))?"
)
_TOLD = re.compile(rf"(?P<game>{GAME_ID.pattern}) (?P<number>[0-9]{{1,9}}) (?:head )?(?P<digits>.*)")


class HeadSource(IntEnum):
    """The text that shows a head, the most trusted first: the reader's line, a letter's foot, or a quotation."""

    READER, LETTER, QUOTATION = range(3)


@dataclass(frozen=True, slots=True)
class Head:
    """The number and digest of a log's newest entry, the desk's signature, and the proven sender of its letter."""

    game: str
    number: int
    digest: str
    signature: str | None = None
    source: HeadSource = field(default=HeadSource.READER, compare=False)
    sender: str = ""

    def __str__(self) -> str:
        return f"{self.game} {self.number} {self.digest}"

    @property
    def lines(self) -> Iterator[str]:
        """The head as a letter shows it."""
        # Digits alone on a line could be taken for a move: every line begins with a word.
        yield from (f"{self.game} {self.number}", f"head {self.digest}") if len(str(self)) > _WIDTH else (str(self),)
        if self.signature is not None:
            half = len(self.signature) // 2
            yield from (f"signed {self.signature[:half]}", f"signed {self.signature[half:]}")

    def signed_by(self, signer: Signer) -> Head:
        """This head with the signature of the desk."""
        return replace(self, signature=signer.sign(head_text(self.game, self.number, self.digest)))

    def is_signed(self, key: str) -> bool:
        """True if the private half of a key has signed this head."""
        text = head_text(self.game, self.number, self.digest)
        return self.signature is not None and signed(key, text, self.signature)


def heads_in(text: str) -> tuple[Head, ...]:
    """The heads that a text shows, each once, however it was quoted and wherever its lines were broken."""
    shown = (found for found in _SHOWN.finditer(_unbroken(text)) if found["digest"].count(" ") <= _BREAKS)
    return tuple(dict.fromkeys(map(_head, shown)))


def each_once(heads: Iterable[Head]) -> tuple[Head, ...]:
    """Heads without repetitions, each from its most trusted source, and with its signature if that has one."""
    found: dict[Head, Head] = {}
    for head in heads:
        found[head] = min(head, found.get(head, head), key=lambda one: one.source)
    signed = {(str(head), head.sender, head.source) for head in found.values() if head.signature is not None}
    return tuple(
        head
        for head in found.values()
        if head.signature is not None or (str(head), head.sender, head.source) not in signed
    )


def stands_alone(text: str) -> bool:
    """True for a text of nothing but log heads, such as lines that a player has written down."""
    return not _SHOWN.sub("", _unbroken(text)).strip()


def told_head(text: str) -> Head:
    """The one head in a text, in capitals and groups of digits if the writer likes; RefereeError `no-heads`."""
    line = _unbroken(text.casefold())
    found = heads_in(line)
    if len(found) == 1:
        return found[0]
    told = _TOLD.fullmatch(line)
    if found or told is None:
        raise Refusal("no-heads", "expected one line with game, number and digest, as 'referee gossip' prints it")
    digits = told["digits"].replace(" ", "")
    if stray := re.sub("[0-9a-f]", "", digits):
        raise Refusal("no-heads", f"{shown(stray[0])} is none of the digits 0 to 9 and a to f")
    if len(digits) != 64:
        raise Refusal("no-heads", f"the line has {len(digits)} digits of the head: expected all 64")
    return Head(told["game"], int(told["number"]), digits)


def _unbroken(text: str) -> str:
    """The text as one line, without the marks of quotations and invisible characters."""
    return " ".join(_UNSEEN.sub("", _QUOTED.sub("", text)).split())


def _head(found: re.Match[str]) -> Head:
    digits = (found[name] or "" for name in ("digest", "first", "second"))
    digest, first, second = (text.replace(" ", "") for text in digits)
    return Head(found["game"], int(found["number"]), digest, first + second or None)
