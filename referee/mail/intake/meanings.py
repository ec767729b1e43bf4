"""Meanings of lines that are not written as commands: one legal meaning is done, several are asked about.

A bare answer chooses one of them, and words that have none can be passed on afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Self, cast

from referee.desk import State, acts
from referee.desk.log.bodies import CODECS
from referee.errors import RefereeError
from referee.mail.intake.commands import CommandLine, Question, Reading
from referee.mail.intake.courtesies import cores, hesitates
from referee.mail.intake.grammar import Said, as_move, command_of, parse_line
from referee.mail.intake.message.phrases import answer_meant, command_meant, expression, is_aside, without_please
from referee.mail.intake.message.text import LetterLine
from referee.mail.intake.requests import Join, PassOn, SetTaste
from referee.notation.habits import legal_meanings, moves_meant
from referee.notation.moves import LONGEST_MOVE, move_text
from referee.notation.spoken import is_spoken_move, suggested
from referee.rules import Position
from referee.terminal import join_words

MOST_CHOICES = 9
"""Maximum choices in a question: a digit answers it."""

_MOST_WEIGHED = 8
"""Maximum lines that are weighed."""

_MOST_WORDS = 16
"""Maximum words of a line that is searched for a move; a longer one is prose."""

_FEW_WORDS = 6
"""Maximum words of a line that is searched for a command, and of a move."""

_LONGEST_COMMAND = 60
"""Maximum characters of a command that is asked about."""

_SIGNS = "[](){}<>\"'*_.,:;!? "
"""Signs around words that belong to no move and to no command."""

_DENIAL = re.compile(r"(?:no|not|never)(?: (?!problem|worr|bad)[\w']+){0,3}[.!]*", re.IGNORECASE)
"""A short line that says no."""

_MUSING = re.compile(r"\b(?:if|should|would|could)\b.*\?$", re.IGNORECASE)
"""A line that asks about the move below it."""

_UNFINISHED = (Join, SetTaste, acts.Try)
"""Commands that take any word next to theirs."""


class Meant(NamedTuple):
    """A line that the desk asks about, and the commands that it may stand for; `near` if these are only guesses."""

    line: LetterLine
    choices: tuple[str, ...]
    near: bool = False


def understood(state: State, side: str, reading: Reading) -> Reading:
    """The reading with the move that one of its lines means, if all its lines leave one legal move, and no doubt."""
    return _certain(state, side, _with_move(state, side, reading))


def _with_move(state: State, side: str, reading: Reading) -> Reading:
    deciding = [said for said in reading.commands if isinstance(said.command, acts.DECIDING)]
    if reading.questions or reading.answer or not _can_move(state, side):
        return reading
    lines = [*(failed.line for failed in reading.failed), *reading.unknown[:_MOST_WEIGHED]]
    found = [(line, moves) for line in lines if (moves := legal_moves_meant(state, side, line.text))]
    certain = all(all(moves.values()) and line.number in reading.ground.apart for line, moves in found)
    meant = {move for _, moves in found for move in moves}
    if deciding and certain and (other := meant - {_canonical(state, said.command) for said in deciding}):
        names = (*(str(said.command) for said in deciding), *sorted(other))
        message = f"the letter says {join_words(f'[{one}]' for one in names[:_FEW_WORDS])}"
        question = Question("two-moves", message, (deciding[0].line, found[0][0]), names)
        return replace(_without(reading, [line for line, _ in found]), question=question)
    others = {failed.line for failed in reading.failed} - {line for line, _ in found}
    if deciding or len(meant) != 1 or not certain or others:
        return reading
    line = found[0][0]
    said = CommandLine(acts.MakeMove(meant.pop(), as_move(line.text).round), line, free=True)
    return replace(_without(reading, [line for line, _ in found]), commands=(*reading.commands, said))


def _certain(state: State, side: str, reading: Reading) -> Reading:
    """The reading, with a question instead of what cannot be taken back and may not be meant."""
    back = next((line for line in reading.unknown if expression("retract").search(line.text)), None)
    moves = (acts.MakeMove, acts.Seal, acts.Reveal) if back else ()
    said = [one for one in reading.commands if is_final(state, side, one.command) or isinstance(one.command, moves)]
    doubted = said if back else [one for one in said if _may_be_prose(reading, one)]
    doubted += [one for one in reading.commands if one not in doubted and _is_denied(reading, one)]
    if not doubted or reading.questions or state.closed:
        return reading
    names = tuple("accept" if isinstance(one.command, acts.OfferDraw) else str(one.command) for one in doubted)
    message = f"it is not clear whether you mean {join_words([f'[{one}]' for one in names], 'or')}"
    question = Question("unsure", message, (doubted[0].line, *((back,) if back else ())), names)
    kept = tuple(one for one in reading.commands if one not in doubted)
    return replace(reading, commands=kept, question=question)


def _may_be_prose(reading: Reading, said: CommandLine) -> bool:
    """True if a command may be a part of a sentence, or its line meant otherwise."""
    line = said.line
    below = [one.text for one in reading.unknown if one.number > line.number and not is_aside(one.text)]
    goes_on = any(text[:1].islower() for text in below)
    return goes_on or line.number not in reading.ground.apart or hesitates(line.text, said.command)


def _is_denied(reading: Reading, said: CommandLine) -> bool:
    """True if the lines around a move make a sentence with it, or another line than `accept` says no."""
    lines = {one.number: one.text for one in (*reading.unknown, *reading.ignored)}
    if isinstance(said.command, acts.Accept):
        return any(_DENIAL.fullmatch(text) for text in lines.values())
    above, below = lines.get(said.line.number - 1, ""), lines.get(said.line.number + 1, "")
    runs = above[-1:].isalnum() and below[:1].islower() and not (is_aside(above) or is_aside(below))
    return isinstance(said.command, acts.MakeMove) and (runs or _MUSING.search(above) is not None)


def is_final(state: State, side: str, command: Said) -> bool:
    """True for a command that ends a game, or declines an invitation, and cannot be taken back."""
    match command:
        case acts.Accept() | acts.OfferDraw():
            return state.is_offered(side)
        case acts.Decline():
            return state.invitation is not None
        case _:
            return isinstance(command, acts.Resign | acts.Withdraw | acts.Abort | acts.Never)


def _without(reading: Reading, lines: Collection[LetterLine]) -> Reading:
    """The reading without lines that are understood."""
    failed = tuple(one for one in reading.failed if one.line not in lines)
    return replace(reading, failed=failed, unknown=tuple(one for one in reading.unknown if one not in lines))


def _canonical(state: State, command: object) -> str:
    """A move as its game writes it; another command as it is."""
    return move_text(state.game, command.text) if isinstance(command, acts.MakeMove) else str(command)


def legal_moves_meant(state: State, side: str, line: str) -> dict[str, bool]:
    """The legal moves that a line means in other words or signs; each true if the line cannot mean anything else."""
    return legal_meanings(state.position, side, _moves_meant(state.game, line))


@lru_cache(1 << 10)
def _moves_meant(game: str, line: str) -> tuple[tuple[str, bool], ...]:
    """The moves that a line means in other words or signs, each true if nothing in it speaks against that."""
    if len(line) > LONGEST_MOVE or len(line.split()) > _MOST_WORDS:
        return ()
    texts = cores(as_move(line.rstrip("? ")).text)
    return next(filter(None, (moves_meant(game, text, line) for text in texts)), ())


def words(reading: Reading, game: str) -> str:
    """The lines of a letter that may be for another player: its writer's own ones that nobody takes for a command."""
    own = (line for line in reading.unknown if line.number in reading.ground.own)
    prose = [line for line in own if not _moves_meant(game, line.text)]
    if not prose or reading.questions or reading.answer:
        return ""
    first, last = min(line.number for line in prose), max(line.number for line in prose)
    courtesy = [one for one in reading.ignored if one.number in reading.ground.own and first < one.number < last]
    said, above = list[str](), first - 1
    for line in sorted({*prose, *courtesy}):
        said += ["", line.raw.strip()] if line.number > above + 1 else [line.raw.strip()]
        above = line.number
    return "\n".join(said).strip()


def questions(before: State, state: State, side: str, reading: Reading) -> tuple[Meant, ...]:
    """The choices for each line that the desk asks about, in order; `before` is the state before the letter."""
    found = [Meant(question.lines[0], question.choices) for question in reading.questions if question.choices]
    for said in reading.binding if _can_move(before, side) else ():
        if isinstance(said.command, acts.MakeMove) and (near := _nearest(before, side, said.command)):
            found.append(Meant(said.line, near, near=True))
    for failed in reading.failed:
        text = failed.line.text.casefold()
        if not (before.closed or ";" in text or text.startswith(("seal", "reveal"))):
            meant = tuple(legal_moves_meant(before, side, failed.line.text))
            near = () if meant else suggested(before.game, failed.error.text, choices(before.position, side))
            found.append(Meant(failed.line, meant or near, bool(near)))
    hints = [Meant(line, possible(line.text, state, side)) for line in reading.unknown[:_MOST_WEIGHED] if line.text]
    found += [one for one in hints if one.choices]
    spoken = next((one.line for one in hints if is_spoken_move(before.game, one.line.text)), None)
    if spoken and not any(one.choices for one in hints) and _can_move(before, side):
        found.append(Meant(spoken, suggested(before.game, spoken.text, choices(before.position, side)), near=True))
    return tuple(found)


def _nearest(state: State, side: str, move: acts.MakeMove) -> tuple[str, ...]:
    """The legal moves nearest to one that is not legal."""
    try:
        state.position.parse(side, move.text)
    except RefereeError as error:
        return error.suggestions
    return ()


def all_choices(asked: Sequence[Meant]) -> tuple[str, ...]:
    """The choices of all questions, in the order of their numbers."""
    return tuple(dict.fromkeys(chain.from_iterable(one.choices for one in asked)))[:MOST_CHOICES]


def possible(line: str, state: State, side: str) -> tuple[str, ...]:
    """The legal moves that a line means, or else the one move or command within it; empty if there is none."""
    meant = tuple(legal_moves_meant(state, side, line)) if _can_move(state, side) else ()
    found = hint(line, state, side)
    return meant or ((found,) if found else ())


def hint(line: str, state: State, side: str) -> str:
    """The legal move of a side, or the command, within a line; empty if there is none."""
    said = line.split()
    if len(said) > _MOST_WORDS:
        return ""
    runs = ((text, True) for text in _runs(said)) if _can_move(state, side) else ()
    moves = legal_meanings(state.position, side, runs)
    commands = map(_command, _ends(said)) if len(said) <= _FEW_WORDS else ()
    found = next(filter(None, chain(moves, commands)), "") or command_meant(line.strip(_SIGNS))
    answers = isinstance(command_of(found), acts.Accept | acts.Decline)
    begins = not any(side in ply for ply in state.plies) and not answer_meant(line.strip(_SIGNS))
    return "" if answers and not (begins or has_offer(state, side)) else found


def has_offer(state: State, side: str) -> bool:
    """True if a side has a draw offer or an invitation to answer."""
    return state.is_offered(side) or state.standing(side) == "invited"


@lru_cache(4)
def choices(position: Position, side: str) -> tuple[str, ...]:
    """A side's legal moves; they are cached because large boards have tens of thousands."""
    return tuple(map(str, position.legal_moves(side)))


def _can_move(state: State, side: str) -> bool:
    return state.closed is None and not state.undrawn and side not in state.seals


def _runs(said: Sequence[str]) -> Iterator[str]:
    """All runs of adjacent words, the longest first."""
    for length in range(min(len(said), _FEW_WORDS), 0, -1):
        for at in range(len(said) - length + 1):
            yield " ".join(said[at : at + length]).strip(_SIGNS)


def _ends(said: Sequence[str]) -> Iterator[str]:
    """The words that a line ends with, and those that it begins with, the fewest first."""
    for length in range(1, len(said) + 1):
        yield " ".join(said[-length:]).strip(_SIGNS)
        yield " ".join(said[:length]).strip(_SIGNS)


def _command(text: str) -> str:
    command = command_of(text) if len(text) <= _LONGEST_COMMAND else None
    return "" if command is None or isinstance(command, _UNFINISHED) else without_please(text).casefold()


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
        return cast(Self, _PENDING.read(json.loads(text))) if text else None

    def __str__(self) -> str:
        return json.dumps(_PENDING.write(self))

    def is_answered(self, state: State, replied: int | None) -> bool:
        """True if a letter answers the question; `replied` is the newest entry in the letter that it replies to."""
        return self.turn == state.turn and self.number == (state.number if replied is None else replied)


_PENDING = CODECS.of(Pending)


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
    command = _chosen(meant[0], state)
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
                yield _chosen(choice, state)


def _chosen(choice: str, state: State) -> Said:
    """The command of a choice."""
    (said,) = cast("tuple[Said]", parse_line(choice, state.game))
    return said
