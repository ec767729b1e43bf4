"""What became of each line of a letter, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.desk import Answer
from referee.errors import pointed
from referee.mail.composing.text import broken, fenced, items, quoted, shortened, wrapped
from referee.mail.intake import Question, Said

_MOST_SHOWN = 10
"""So many lines that were not understood are listed back."""

_DONE = {
    "resigned": "You have resigned.",
    "offered": "You offer a draw. The offer stands until another side has moved.",
    "accepted": "You agree to a draw.",
    "declined": "You decline the draw.",
    "message": "Your message is passed on.",
}


def answered(said: Said | None, answer: Answer) -> list[str]:
    """What came of one line of the letter."""
    if answer.refused:
        return refused(said.line.text if said else "", answer)
    text = _done(answer.code, answer.data)
    if answer.repeated:
        text += " That was so before; nothing has changed."
    return items([text])


def refused(line: str, answer: Answer) -> list[str]:
    """Why a line was refused: a caret below its place, the reason, and what could be tried."""
    lines = wrapped(f"NOT done: {answer.message} ({answer.code})", first="- ")
    if answer.span is not None and line:
        lines += fenced(pointed(line, answer.span.column, 60))
    elif line:
        lines += fenced(f"    {piece}" for piece in broken(line))
    return lines + [f"    try {quoted(move)}" for move in answer.suggestions]


def asked_back(question: Question) -> list[str]:
    """A question about lines that do not agree."""
    again = "Please write again, with just one of them." if len(question.lines) > 1 else "Please write again."
    text = f"NOT done, but asked: {question.message}. {again} ({question.code})"
    return wrapped(text, first="- ") + fenced(f"    {shortened(line.written.strip())}" for line in question.lines[:4])


def not_understood(lines: Iterable[str], suggestions: Iterable[str] = ()) -> list[str]:
    """Lines that are no command, as they were written, and what could be tried instead; they change nothing."""
    written = [line for line in lines if line]
    if not written:
        return []
    told = wrapped("Not understood, and nothing was done with it:", first="- ")
    shown = [f"    {shortened(line)}" for line in written[:_MOST_SHOWN]]
    more = [f"    ... and {len(written) - _MOST_SHOWN} more lines"] if len(written) > _MOST_SHOWN else []
    return told + fenced(shown + more) + [f"    try {quoted(move)}" for move in suggestions]


def _done(code: str, data: Mapping[str, Any]) -> str:
    match code:
        case "moved":
            return "".join(_moved(data))
        case "sealed":
            return (
                "Your sealed move is in and binds you. Keep the move and its nonce to yourself: once every move is "
                f"in, you are asked to reveal them. Commitment: {data['commitment']}"
            )
        case "revealed":
            return f"You have revealed {quoted(data['move'])}; it is what you sealed."
        case "claimed":
            return f"You have claimed: {data['what']}."
        case "vacation":
            return f"You are on vacation from {data['first']} to {data['last']}, both days included."
        case _:
            return _DONE[code]


def _moved(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"Your move was read as {quoted(data['move'])} and is accepted."
    if data["commitment"] is not None:
        yield (
            " It is sealed: nobody else is shown it before every move of this round is in, and it cannot be changed. "
            f"Commitment: {data['commitment']}"
        )
