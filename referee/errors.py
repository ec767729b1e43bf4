"""Errors for players: refusals and findings, each with its stable code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.terminal import Pen, plain_pen, visible

LONGEST_SHOWN = 60
"""Maximum characters of a text that a sentence about it repeats."""


def expect(kind: type | tuple[type, ...], value: object, what: str) -> None:
    """Raise TypeError unless a value is of a kind: the calling program made a mistake."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {what}, not {shown(value)}")


def shown(value: object) -> str:
    """A value for a sentence: as Python writes it, cut off if it is long."""
    return cut(repr(value), LONGEST_SHOWN)


def cut(text: str, most: int) -> str:
    """A text, cut off after `most` characters."""
    return text if len(text) <= most else f"{text[:most]}..."


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text: line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong in a file: its place, and what would be right.

    `line` and `column` count from 1. `excerpt` is the line as written and `caret` the column in it to point at;
    they differ from the place only if a move list is inside a quoted string.

    >>> import referee
    >>> try:
    ...     referee.loads("{game: beams, dat: 2027-03-01}")
    ... except referee.FileError as error:
    ...     print(error.findings[0].code, error.findings[0].suggestions)
    unknown-key ('date',)
    """

    code: str
    message: str
    line: int = 1
    column: int = 1
    suggestions: tuple[str, ...] = ()
    excerpt: str = ""
    caret: int = 0

    def at(self, line: int, column: int) -> Finding:
        """The same finding at another place; its excerpt and caret stay."""
        return replace(self, line=line, column=column, caret=self.caret or self.column)

    def as_json(self) -> dict[str, object]:
        """The finding as `referee check --format jsonl` prints it."""
        return {
            "line": self.line,
            "column": self.column,
            "code": self.code,
            "message": self.message,
            "suggestions": list(self.suggestions),
        }

    def as_text(self, file: str = "", pen: Pen = plain_pen) -> str:
        """The finding for people: place, code and sentence, then the line with a caret, then what to try."""
        place = pen(f"{visible(file)}:{self.line}:{self.column}:", "place") + " " if file else ""
        lines = [f"{place}{pen(self.code, 'error')}: {visible(self.message)}"]
        if self.excerpt:
            line, caret = pointed(self.excerpt, self.caret or self.column)
            lines += [line, caret.replace("^", pen("^", "error"))]
        lines += [f"    try: {pen(visible(suggestion), 'hint')}" for suggestion in self.suggestions]
        return "\n".join(lines)


def pointed(line: str, column: int, width: int = 70) -> list[str]:
    """The line, cut to `width` around the column, and below it a caret at that column (counted from 1)."""
    start = max(0, column - width + 10)
    shown = "".join(char if char.isprintable() else " " for char in line[start : start + width])
    dots = "..." if start else ""
    return [f"    {dots}{shown}".rstrip(), " " * (4 + len(dots) + column - 1 - start) + "^"]


class RefereeError(Exception):
    """An error for a player: the fault, its place, and suggestions.

    `code` is stable and documented, `message` a plain sentence, `span` the place in the text that was read
    (if there was one). Each of `suggestions` can be pasted. It is not a ValueError: ValueErrors and TypeErrors are
    mistakes of the calling program, and catching those must not hide a message for a player.

    >>> import referee
    >>> try:
    ...     referee.start("chess")
    ... except referee.RefereeError as error:
    ...     print(error.code)
    unknown-game
    """

    def __init__(
        self, code: str, message: str, *, span: Span | None = None, suggestions: tuple[str, ...] = ()
    ) -> None:
        expect(str, code, "a code")
        expect(str, message, "a sentence as the message")
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.span = span
        self.suggestions = suggestions

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[RefereeError], args: tuple[Any, ...]) -> RefereeError:
    """An unpickled error before it gets its attributes: each kind has its own constructor."""
    return kind.__new__(kind, *args)


class NotationError(RefereeError):
    """The text is not a move anywhere; `text` is what was read, `span` where it went wrong.

    >>> import referee
    >>> try:
    ...     referee.parse_move("beams", "P M1 B3")
    ... except referee.NotationError as error:
    ...     print(error.code, error.span)
    syntax Span(line=1, column=8)
    """

    def __init__(
        self, message: str, *, text: str, span: Span, suggestions: tuple[str, ...] = (), code: str = "syntax"
    ) -> None:
        super().__init__(code, message, span=span, suggestions=suggestions)
        self.text = text

    def with_suggestions(self, suggestions: tuple[str, ...]) -> NotationError:
        """The same error, with legal moves to try instead."""
        span = self.span or Span(1, 1)
        return NotationError(self.message, text=self.text, span=span, suggestions=suggestions, code=self.code)

    @property
    def finding(self) -> Finding:
        """The same as a finding, its place counted in the text that was read."""
        place = self.span or Span(1, 1)
        return Finding(self.code, self.message, place.line, place.column, self.suggestions, excerpt=self.text)


class IllegalMove(RefereeError):  # noqa: N818 - a name of the field and of the contract
    """A move, but not one that may be made here and now; the position is as it was.

    >>> import referee
    >>> try:
    ...     referee.start("boundary").check("north", referee.parse_move("boundary", "P f1-e2"))
    ... except referee.IllegalMove as error:
    ...     print(error)
    not-your-turn: it is not north's turn: south is to move
    """


class Refusal(RefereeError):  # noqa: N818 - a refusal is no mistake
    """Something other than a move that cannot be done here and now; nothing has changed."""


class PackageFault(Exception):  # noqa: N818 - no mistake of a player
    """Code of another package's game failed: `broken-game`.

    It is not a RefereeError: no move, letter or file is to blame, so nothing that refuses these may catch it.

    >>> import referee
    >>> issubclass(referee.PackageFault, referee.RefereeError)
    False
    """

    code = "broken-game"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class OptionError(RefereeError):
    """Options that cannot start a game; `faults` names each option and what is wrong with it.

    >>> import referee
    >>> try:
    ...     referee.start("beams", columns="many", mode="both")
    ... except referee.OptionError as error:
    ...     print([option for option, _ in error.faults])
    ['columns', 'mode']
    """

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__("option", "; ".join(message for _, message in faults))
        self.faults = faults


class FileError(RefereeError):
    """A file that is wrong, with all its findings.

    `unreadable` marks a file that could not be read at all (exit status 2); other files were read and are
    wrong (exit status 1).

    >>> import referee
    >>> try:
    ...     referee.loads('{"game": "boundary", "dat": 2027, "moves": "P a1"}', "ours.json")
    ... except referee.FileError as error:
    ...     print(error.file, [(finding.column, finding.code) for finding in error.findings])
    ours.json [(22, 'unknown-key'), (35, 'syntax')]
    """

    def __init__(self, file: str, findings: tuple[Finding, ...], *, unreadable: bool = False) -> None:
        first = findings[0]
        super().__init__(
            first.code, first.message, span=Span(first.line, first.column), suggestions=first.suggestions
        )
        self.file = file
        self.findings = findings
        self.unreadable = unreadable

    def __str__(self) -> str:
        return self.as_text()

    def as_text(self, pen: Pen = plain_pen) -> str:
        """All findings for people."""
        return "\n".join(finding.as_text(self.file, pen) for finding in self.findings)

    def named(self, file: str) -> FileError:
        """The same error under another file name."""
        return FileError(file, self.findings, unreadable=self.unreadable)
