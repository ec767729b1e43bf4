"""Where the lines of one letter do not agree: a question to its writer, and no decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.desk.acts import DECIDING, Accept, Command, Decline, Message, Move, Reveal
from referee.mail.intake.lines import Line


@dataclass(frozen=True, slots=True)
class Said:
    """A command, and the line that says it."""

    command: Command
    line: Line


@dataclass(frozen=True, slots=True)
class Question:
    """Why a letter decides nothing: a stable code, a sentence, and the lines that do not agree."""

    code: str
    message: str
    lines: tuple[Line, ...] = ()


def question(commands: Sequence[Said], failed: Sequence[Line], unclosed: Line | None) -> Question | None:
    """The first thing that must be asked about these commands, if there is any.

    Args:
        commands: what the letter asks for, each command once.
        failed: the lines that were meant as a command and are none.
        unclosed: the line that begins a message without an end.
    """
    return next(_questions(commands, failed, unclosed), None)


def perhaps_quoted(doubted: Sequence[Said]) -> Question:
    """What must be asked about commands that stand where they may be part of a quotation."""
    message = (
        f"{_listed(doubted)} may be quoted from another letter: there is somebody else's address above it, or quoted "
        "lines that were broken anew. If it was meant, it needs a letter of its own"
    )
    return Question("perhaps-quoted", message, tuple(said.line for said in doubted))


def parts_differ(text: Sequence[Said], page: Sequence[Said], doubted: Sequence[Said] = ()) -> Question | None:
    """What must be asked if the text part and the HTML part do not ask for the same.

    Messages may differ in their words, as texts and pages do. What is `doubted` in the text is asked about anyway.
    """
    if _wishes(text) == _wishes(page) - _wishes(doubted):
        return None
    message = "the letter's text and its HTML do not ask for the same; please send it as plain text"
    return Question("parts-differ", message, tuple(said.line for said in (*text, *page)))


def _wishes(commands: Sequence[Said]) -> set[str]:
    return {_named(said.command) for said in commands}


def _named(command: Command) -> str:
    """A command as it is written; a message without its words."""
    return "message" if isinstance(command, Message) else str(command)


def _questions(commands: Sequence[Said], failed: Sequence[Line], unclosed: Line | None) -> Iterator[Question]:
    if unclosed is not None:
        yield Question("open-message", "a message begins, and no line [end] closes it", (unclosed,))
    deciding = [said for said in commands if isinstance(said.command, DECIDING)]
    moves = [said.command for said in deciding if isinstance(said.command, Move)]
    where = tuple(said.line for said in deciding)
    if len(deciding) > 1 and len(moves) < len(deciding):
        yield Question("contradiction", f"the letter says {_listed(deciding)}; only one of these can be done", where)
    elif len({move.text for move in moves}) > 1:
        yield Question("two-moves", f"the letter holds different moves: {_listed(deciding)}", where)
    elif len(moves) > 1:
        yield Question("two-rounds", f"the letter gives one move for different rounds: {_listed(deciding)}", where)
    if deciding and failed:
        message = f"the letter says {_listed(deciding)}, and something else that is meant as a move but is none"
        yield Question("unclear", message, (*where, *failed))
    for kinds, code, message in _APART:
        if len(found := [said for said in commands if isinstance(said.command, kinds)]) > 1:
            yield Question(code, f"{message}: {_listed(found)}", tuple(said.line for said in found))


_APART: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((Accept, Decline), "contradiction", "a draw is either accepted or declined"),
    ((Reveal,), "two-reveals", "the letter reveals different moves"),
)


def _listed(said: Sequence[Said]) -> str:
    return " and ".join(f"[{_named(one.command)}]" for one in said[:3])
