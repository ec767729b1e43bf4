"""Bare answers to the desk's questions, and words that a player passes on afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Self, cast

from referee.desk import State
from referee.desk.log import acts
from referee.mail.intake.commands import CommandLine, Question, Reading
from referee.mail.intake.courtesies import hesitates
from referee.mail.intake.grammar import Said, parse_line
from referee.mail.intake.meanings import all_choices, has_offer, is_final, questions, understood, words
from referee.mail.intake.requests import PassOn


@dataclass(frozen=True, slots=True)
class Pending:
    """Matters that a player's letter left open: the choices that the answer asked about, and words not passed on.

    `number` is that of the newest entry in the answer, and `turn` that of the ply that was to be played then.
    """

    letter: str
    number: int
    turn: int
    choices: tuple[str, ...] = ()
    words: str = ""

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The value of a text; None for an empty one."""
        data = json.loads(text) if text else None
        return data and cls(**{**data, "choices": tuple(data["choices"])})

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    def is_answered(self, state: State, replied: int | None) -> bool:
        """True if a letter answers the question; `replied` is the newest entry in the letter that it replies to."""
        return self.turn == state.turn and self.number == (state.number if replied is None else replied)


def resolved(
    state: State, side: str, reading: Reading, pending: Pending | None, *, asked: bool, plain: bool
) -> Reading:
    """The reading with the command that a bare answer stands for, or with a question.

    `asked` is true if the letter answers the `pending` question. `plain` is true if nothing else than an offer can
    have been answered.
    """
    choices = pending.choices if pending is not None and asked else ()
    answer, line = reading.answer, reading.answering
    offer = {"yes": ("accept",), "no": ("decline",)}.get(answer, ()) if has_offer(state, side) else ()
    number = int(answer) if answer.isdigit() else 0
    picked = choices if answer == "yes" else choices[max(number - 1, 0) : number]
    meant = tuple(dict.fromkeys((*picked, *offer)))
    if line is None or not meant:
        return reading
    clear = bool(picked) or (not choices if answer == "no" else plain)
    command = _command(meant[0], state)
    unsure = is_final(state, side, command) and hesitates(line.text, command)
    certain = clear and len(meant) == 1 and not unsure and set(reading.unknown) <= {line}
    rest = tuple(one for one in reading.unknown if one != line)
    if not certain:
        question = Question("which", "it is not clear what your answer is about", (line,), meant)
        return replace(reading, question=question, unknown=rest)
    said = CommandLine(command, line, free=True)
    return replace(reading, commands=(said,), unknown=rest)


def passing_on(reading: Reading, text: str) -> Reading:
    """The reading with these words as a message where it asks to pass words on, if there are any."""
    said = tuple(
        replace(one, command=acts.Message(text)) if isinstance(one.command, PassOn) and text else one
        for one in reading.commands
    )
    return replace(reading, commands=said)


def meant_by(state: State, side: str, reading: Reading, earlier: Reading | None) -> Iterator[Said]:
    """Everything that a letter may stand for beside its own commands, given an earlier one that it refers to."""
    yield acts.Message(words(reading, state.game))
    if reading.answer in ("yes", "no"):
        yield acts.Accept() if reading.answer == "yes" else acts.Decline()
    if earlier is None:
        return
    if any(isinstance(one.command, PassOn) for one in reading.commands):
        yield acts.Message(words(earlier, state.game))
    if reading.answer and reading.answer != "no":
        for asked in (earlier, understood(state, side, earlier)):
            for choice in all_choices(questions(state, state, side, asked)):
                yield _command(choice, state)


def _command(choice: str, state: State) -> Said:
    """The command of a choice."""
    (said,) = cast("tuple[Said]", parse_line(choice, state.game))
    return said
