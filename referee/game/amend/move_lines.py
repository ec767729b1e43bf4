"""Changes to lines of a move list: a ply less, a mark, a comment; the rest of each line stays as it was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.errors import RefereeError
from referee.game.amend.insertion import reopened, rest_of
from referee.game.file.document import HIDDEN
from referee.game.file.dumper import comment_text, fits_block
from referee.game.file.gamefile import line_of
from referee.notation.movelist import parse_move_line

MARKS = ("!", "?", "!!", "??", "!?", "?!")

LONGEST_COMMENT = 2000
"""Maximum characters of a comment that an edit adds."""

_MARK = re.compile(r"[ \t]*[!?]{1,2}")
_PADDING = re.compile(r" +(?= \|)")


def without_last(lines: Sequence[str], size: int, moves: int) -> list[str]:
    """The lines without the last `moves` moves, which are in one round; what is noted on them goes with them.

    Comments before a round stay, those on its line on a line of their own.
    """
    number = _rounds(lines, size)[-1]
    line = lines[number]
    parsed = parse_move_line(line, size)
    if len(parsed.moves) <= moves:
        before = " ".join(map(comment_text, parsed.comments))
        indent = line[: len(line) - len(line.lstrip())]
        return [*lines[:number], *([indent + before] if before else []), *lines[number + 1 :]]
    bar = line.rindex("|", 0, parsed.moves[-moves].column - 1)
    return [*lines[:number], reopened(line[:bar].rstrip()), *lines[number + 1 :]]


def with_mark(lines: Sequence[str], size: int, line: int, place: int, mark: str) -> list[str]:
    """The lines with a mark, none if it is empty, at the move at `place` (from 0) of round `line` (from 1)."""
    number = _rounds(lines, size)[line - 1]
    text = lines[number]
    move = parse_move_line(text, size).moves[place]
    end = move.column - 1 + len(move.text)
    old = _MARK.match(text, end) if move.mark else None
    rest = text[old.end() if old else end :]
    new = f"{text[:end]} {mark}" if mark else text[:end]
    return [*lines[:number], _aligned(new, rest, len(text) - len(rest)), *lines[number + 1 :]]


def with_comment(lines: Sequence[str], size: int, line: int, place: int | None, comment: str) -> list[str]:
    """The lines with a comment after the move at `place` (from 0) of round `line` (from 1), or before the round."""
    number = _rounds(lines, size)[line - 1]
    text = lines[number]
    if place is None:
        blanks = text[: len(text) - len(text.lstrip())]
        return [*lines[:number], blanks + comment_text(comment), *lines[number:]]
    moves = parse_move_line(text, size).moves
    end = len(text) - len(rest_of(text))
    if place + 1 < len(moves):
        end = text.rindex("|", 0, moves[place + 1].column - 1)
    end = len(text[:end].rstrip())
    if "}" in comment and text[end:].strip():
        raise RefereeError("comment", "more follows on the line, so the comment is in braces: leave out the }")
    new = f"{text[:end]} {comment_text(comment)}"
    return [*lines[:number], _aligned(new, text[end:], end), *lines[number + 1 :]]


def judge_comment(comment: str) -> None:
    """Raise RefereeError `comment` unless the text is one line that can be seen and is not too long."""
    if not comment.strip() or HIDDEN.search(comment) or not fits_block(comment):
        raise RefereeError("comment", "a comment is one line of text, without hidden characters")
    if len(comment) > LONGEST_COMMENT:
        raise RefereeError("comment", f"a comment has at most {LONGEST_COMMENT:,} characters")


def round_line(lines: Sequence[str], size: int, line: int) -> str:
    """The text of round `line` (from 1)."""
    return lines[_rounds(lines, size)[line - 1]]


def _aligned(new: str, rest: str, old: int) -> str:
    """A line whose beginning has grown beyond `old` characters, with less padding before the bar that follows."""
    padding = _PADDING.match(rest)
    spare = min(len(new) - old, padding.end()) if padding else 0
    return new + rest[max(spare, 0) :]


def _rounds(lines: Sequence[str], size: int) -> list[int]:
    """The numbers (from 0) of the lines with moves."""
    return [number for number, line in enumerate(lines) if line_of(line, size).moves]
