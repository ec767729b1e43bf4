"""Commands in the lines of a letter, and questions where they contradict each other.

The desk never guesses. A line that is not a command changes nothing, and the answer lists it. Where the lines
contradict each other there is a question to the writer, and until it is answered the letter decides nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from referee.desk import acts
from referee.errors import NotationError, Span
from referee.mail.intake.courtesies import bare_answer, plain_command
from referee.mail.intake.grammar import CLOSES, OPENS, Said, is_rival, parse_line, pieces
from referee.mail.intake.message.announcements import is_attribution
from referee.mail.intake.message.phrases import is_polite, signature, without_greeting, without_please
from referee.mail.intake.message.text import (
    SIGNATURE,
    LetterLine,
    letter_lines,
    signature_in,
    unwrapped,
    without_signature,
)
from referee.mail.intake.openings import begins_opening, read_opening
from referee.mail.intake.plans import is_cut, plan_among
from referee.mail.intake.quotes import NO_GROUND, Ground, ground, is_strange, own_lines, without_pgp
from referee.mail.intake.requests import PassOn, Request, SetTaste
from referee.mail.intake.titles import games_in
from referee.terminal import join_words

_MOST_FREE = 8
"""Maximum lines searched for a command in free words."""

_LONGEST_NAME = 3
"""Maximum words of a name below a farewell."""

_ENDING = (acts.OfferDraw, acts.Accept, acts.Decline, acts.Resign, acts.Withdraw, acts.Abort, acts.UseKey, acts.Try)
"""Acts with which a plan would be over at once, and trials, whose lines are no plan."""

_MARKS = str.maketrans("*-\u2022\u00a0", "    ")

_MOST_LINES = 600
"""Maximum lines of the writer's own, each piece between semicolons counted."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command, its line, and the digits of its signature, if the next line has one.

    It is `free` if its writer used other words, so that the answer repeats them.
    """

    command: Said
    line: LetterLine
    signature: str = ""
    free: bool = False


@dataclass(frozen=True, slots=True)
class FailedLine:
    """A line that begins like a move or a seal but is none, and its error."""

    line: LetterLine
    error: NotationError


@dataclass(frozen=True, slots=True)
class Question:
    """A reason why a letter decides nothing: a stable code, a sentence, and the contradicting lines.

    `choices` are commands of which a bare answer chooses one.
    """

    code: str
    message: str
    lines: tuple[LetterLine, ...] = ()
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a letter, line by line.

    `commands` are those to carry out, each once. `doubted` are others that may be part of a quotation. `failed` are
    lines that were meant as commands, `unknown` are other lines that were not understood, `ignored` are greetings and
    the like. `stop` is the line at which reading stopped before the end. `ground` has the lines that are surely the
    writer's own.
    """

    commands: tuple[CommandLine, ...] = ()
    failed: tuple[FailedLine, ...] = ()
    unknown: tuple[LetterLine, ...] = ()
    ignored: tuple[LetterLine, ...] = ()
    question: Question | None = None
    stop: LetterLine | None = None
    doubted: tuple[CommandLine, ...] = ()
    ground: Ground = NO_GROUND

    @property
    def apart(self) -> frozenset[str]:
        """The texts of the lines that are no commands and stand for themselves."""
        lines = (*self.unknown, *self.ignored, *(failed.line for failed in self.failed))
        return frozenset(line.text for line in lines if line.number in self.ground.apart)

    @property
    def answer(self) -> str:
        """`yes`, `no` or the number of a choice, if the letter begins with that and has no commands."""
        return bare_answer(self.answering.text) if self.answering else ""

    @property
    def answering(self) -> LetterLine | None:
        """The line that is a bare answer, if the letter begins with it and has no commands."""
        own = [line for line in (*self.unknown, *self.ignored) if line.number in self.ground.apart]
        found = [line for line in own if bare_answer(line.text)]
        if len(found) != 1 or self.commands or self.failed or self.questions:
            return None
        return found[0] if found[0] <= min(self.unknown, default=found[0]) else None

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions to the writer."""
        doubt = _doubt_question(self.doubted) if self.doubted else None
        return tuple(one for one in (self.question, doubt) if one is not None)

    @property
    def acting(self) -> tuple[CommandLine, ...]:
        """The commands that do more than show something."""
        return tuple(said for said in self.commands if does(said.command))

    @property
    def binding(self) -> tuple[CommandLine, ...]:
        """The commands to carry out; while there is a question, only those that decide nothing.

        The offer of a draw decides nothing either, unless the question is about it.
        """
        if self.question is None:
            return self.commands
        deciding = (*acts.DECIDING, acts.Reveal, acts.Plan, Request)
        others = (said for said in self.commands if not isinstance(said.command, deciding))
        about = self.question.lines
        return tuple(one for one in others if not isinstance(one.command, acts.OfferDraw) or one.line not in about)


def read_commands(text: str, game: str | None, names: Iterable[str] = (), addresses: Collection[str] = ()) -> Reading:
    """The commands in a letter's whole text, its moves in the notation of `game`; None for no moves.

    `names` are the writer's, with which they may sign. `addresses` are the writer's, in small letters; an act below
    any other address is doubtful.
    """
    every = without_pgp(letter_lines(text))
    mine, stop, quoted, torn, among = own_lines(every, game)
    if sum(len(pieces(line.text)) for line in mine) > _MOST_LINES:
        message = f"the letter holds more than {_MOST_LINES:,} lines of your own, too many to read"
        return Reading(question=Question("too-long", message), stop=stop)
    found, own_words = _Found(), signature(names)
    opening, mine = _opening_among(mine, game, own_words)
    doubted, understood = {*torn, *among}, set[int]()
    waiting, strange = deque(mine), False
    planned = plan_among(mine, game)
    in_plan = {line.number for line in planned}
    torn_plan = is_cut(planned, every, mine)
    while waiting:
        line, behind = without_signature(waiting.popleft())
        if behind is not None:
            waiting.appendleft(behind)
        doubtful = strange or line.number in torn
        doubted |= {line.number} if strange else set()
        if (digits := signature_in(line.text)) is not None:
            understood.add(line.number)
            found.sign(line, digits)
            continue
        found.last = None if line.text else found.last
        if opening is not None and line == opening.line:
            found.add([opening.command], line, doubtful=doubtful)
            continue
        if line.number in in_plan:
            understood.add(line.number)
            torn_plan = torn_plan or doubtful
            if line == planned[-1]:
                found.add([acts.Plan("\n".join(one.raw for one in planned))], planned[0], doubtful=torn_plan)
            continue
        commands = parse_line(line.text, game)
        understood |= {line.number} if isinstance(commands, tuple) else set()
        if commands == OPENS:
            below = {line.number, *(one.number for one in waiting)}
            words = _until_end(waiting)
            if words is not None:
                understood |= below - {one.number for one in waiting}
                found.add([acts.Message(said)] if (said := "\n".join(words).strip()) else [], line, doubtful=doubtful)
            elif doubtful:
                found.unknown.append(line)
            else:
                found.unclosed = line
        elif isinstance(commands, NotationError):
            found.failed.append(FailedLine(line, commands))
            answers = quoted is not None and line.number > quoted.number
            if not (doubtful or answers) and is_rival(commands):
                found.rivals.append(line)
        elif isinstance(commands, tuple):
            found.add(_with_tries(commands, waiting, game), line, doubtful=doubtful)
        elif not (is_polite(line.text, own_words) or is_attribution(line.text)) or _hides_command(line.text, game):
            found.unknown.append(line)
        elif line.text:
            found.ignored.append(line)
        strange = strange or is_attribution(line.text) or is_strange(line.text, addresses)
    top = quoted is None or any(line.text and line.number < quoted.number for line in mine)
    stands = ground(mine, doubted, understood, own_words, top=top)
    return _with_free_words(replace(found.reading(stop), ground=stands))


def _with_free_words(reading: Reading) -> Reading:
    """The reading with the command that a line has between courtesies.

    One that does something must be all that the letter says, and not below a quotation.
    """
    for line in (one for one in reading.unknown[:_MOST_FREE] if one.number in reading.ground.apart):
        rest = tuple(one for one in reading.unknown if one != line)
        others = [one for one in rest if one.number in reading.ground.own or not _is_signature(one.text)]
        alone = reading.ground.top and not (others or reading.commands or reading.failed or reading.questions)
        command = plain_command(line.text)
        if command is not None and (alone or not does(command)):
            free = CommandLine(command, line, free=True)
            return _with_free_words(replace(reading, commands=(*reading.commands, free), unknown=rest))
    return reading


def _is_signature(text: str) -> bool:
    """True if a line below a farewell can be a name."""
    return len(text.split()) <= _LONGEST_NAME and text.istitle()


def _opening_among(
    lines: Sequence[LetterLine], game: str | None, own_words: frozenset[str]
) -> tuple[CommandLine | None, tuple[LetterLine, ...]]:
    """The new game in a writer's lines, and the lines without its description.

    It consists of a line that begins it, which stays, and of all lines below that are no commands of their own.
    """
    first = next((at for at, line in enumerate(lines) if begins_opening(_beginning(line))), None)
    if first is None:
        return None, tuple(lines)
    words, others, talking = [_beginning(lines[first])], list(lines[: first + 1]), False
    for line in lines[first + 1 :]:
        said = parse_line(line.text, game)
        talking = talking or said == OPENS
        is_command = isinstance(said, tuple) and not all(isinstance(one, acts.Vacation) for one in said)
        if talking or is_command or is_polite(line.text, own_words) or is_attribution(line.text):
            others.append(line)
        else:
            words.append(_plain(line))
    return CommandLine(read_opening("\n".join(words)), lines[first]), tuple(others)


def _plain(line: LetterLine) -> str:
    return without_please(unwrapped(line.text))


def _beginning(line: LetterLine) -> str:
    """A line as it may begin a new game: without a greeting, if a game is named after that."""
    plain = _plain(line)
    rest = without_please(without_greeting(plain))
    return rest if rest != plain and games_in(rest) else plain


def _hides_command(text: str, game: str | None) -> bool:
    """True if a line greets, and a command follows that is not carried out: the desk asks about it."""
    rest = without_greeting(text)
    return rest != text and isinstance(parse_line(rest, game), tuple)


def does(command: Said) -> bool:
    """True if a command does more than show something."""
    return isinstance(command, Request | SetTaste | PassOn) or acts.acts(command)


@lru_cache(4096)
def speaks(text: str, game: str | None) -> bool:
    """True if any line of a text is a command, or tries to be one: no line of the desk's own letters may."""
    lines = (line for line in letter_lines(text) if _may_speak(line, game))
    readings = (read_commands(line.text, game) for line in lines)
    return any(reading.commands or reading.failed or reading.question for reading in readings)


def _may_speak(line: LetterLine, game: str | None) -> bool:
    """False for a line that alone is certainly no command, which is found out in a third of the time."""
    said, behind = without_signature(line)
    if behind is not None or signature_in(line.text) is not None or parse_line(said.text, game) is not None:
        return True
    return begins_opening(_beginning(said)) or plain_command(said.text) is not None


def parts_differ(
    text: Sequence[CommandLine], page: Sequence[CommandLine], doubted: Sequence[CommandLine] = ()
) -> Question | None:
    """The question if the text part and the HTML part of a letter have different commands.

    The words of a message may differ. The `doubted` commands of the text have their own question.
    """
    if _wishes(text) == _wishes(page) - _wishes(doubted):
        return None
    message = "the letter's text and its HTML ask for different things; please send plain text"
    return Question("parts-differ", message, tuple(said.line for said in (*text, *page)))


@dataclass(slots=True)
class _Found:
    said: _Once = field(default_factory=lambda: _Once())
    doubted: _Once = field(default_factory=lambda: _Once())
    failed: list[FailedLine] = field(default_factory=list)
    rivals: list[LetterLine] = field(default_factory=list)
    unknown: list[LetterLine] = field(default_factory=list)
    ignored: list[LetterLine] = field(default_factory=list)
    unclosed: LetterLine | None = None
    last: Said | None = None

    def add(self, commands: Iterable[Said], line: LetterLine, *, doubtful: bool) -> None:
        """Add the commands of a line; those of a doubtful line that act are doubted."""
        for command in commands:
            self.last = command
            if not (doubtful and does(command)):
                self.said.add(command, line)
            elif not self.said.has(command):
                self.doubted.add(command, line)

    def sign(self, line: LetterLine, digits: str) -> None:
        """Add the signature of the command above; without one, the line is unknown."""
        if self.last is None:
            self.unknown.append(line)
        elif len(digits) != SIGNATURE:
            message = f"a signature has {SIGNATURE} hexadecimal digits, as `referee sign` prints them"
            error = NotationError(f"{message}; here are {len(digits)}", text=line.text, span=Span(1, 1))
            self.failed.append(FailedLine(line, error))
        else:
            self.said.sign(self.last, digits)
            self.doubted.sign(self.last, digits)

    def reading(self, stop: LetterLine | None) -> Reading:
        commands, doubted = tuple(self.said.values()), tuple(self.doubted.values())
        question = next(_questions(commands, self.rivals, self.unclosed), None)
        rest = (tuple(self.failed), tuple(self.unknown), tuple(self.ignored))
        return Reading(commands, *rest, question, stop, doubted)


class _Once(dict[Said, CommandLine]):
    """Commands, each with its first line; a move has its round if any line names one."""

    def add(self, command: Said, line: LetterLine) -> None:
        said = CommandLine(command, line)
        if isinstance(command, acts.MakeMove):
            if command.round is None and self.has(command):
                return
            if command.round is not None and (bare := self.pop(acts.MakeMove(command.text), None)):
                said = CommandLine(command, bare.line, bare.signature)
        self.setdefault(command, said)

    def sign(self, command: Said, signature: str) -> None:
        for one, said in self.items():
            moves = isinstance(command, acts.MakeMove) and isinstance(one, acts.MakeMove) and one.text == command.text
            if moves or one == command:
                self[one] = replace(said, signature=signature)

    def has(self, command: Said) -> bool:
        """True if the command is there, for any round."""
        moves = (one.text for one in self if isinstance(one, acts.MakeMove))
        return command.text in moves if isinstance(command, acts.MakeMove) else command in self


def _with_tries(commands: tuple[Said, ...], waiting: deque[LetterLine], game: str | None) -> tuple[Said, ...]:
    """The commands of a line; a `try` has the moves after it and below it, which must never be made.

    Those below it are the lines with a bar, and moves right below the others.
    """
    at = next((at for at, one in enumerate(commands) if isinstance(one, acts.Try)), None)
    if at is None:
        return commands
    tried = [one for one in commands[at:] if isinstance(one, acts.Try | acts.MakeMove)]
    lines = [line for one in tried for line in (one.lines if isinstance(one, acts.Try) else (str(one),))]
    below = 0
    for number, line in enumerate(waiting, 1):
        if _goes_on(line.text, game, near=number == below + 1):
            below = number
        elif line.text:
            break
    lines += [line.text for line in (waiting.popleft() for _ in range(below)) if line.text]
    return (*commands[:at], acts.Try(tuple(lines)), *(one for one in commands[at:] if one not in tried))


def _goes_on(text: str, game: str | None, *, near: bool) -> bool:
    """True if a line continues a `try` above it: it has a bar, or it is `near` and means a move."""
    commands = parse_line(text, game)
    if isinstance(commands, tuple):
        return near and any(isinstance(one, acts.MakeMove) for one in commands)
    return "|" in text or (near and isinstance(commands, NotationError))


def _until_end(waiting: deque[LetterLine]) -> list[str] | None:
    """The lines of a message up to its end; None if it has none."""
    words: list[str] = []
    while waiting:
        line = waiting.popleft()
        if parse_line(line.text, None) == CLOSES:
            return words
        words.append(line.raw.rstrip())
    return None


def _questions(
    commands: Sequence[CommandLine], rivals: Sequence[LetterLine], unclosed: LetterLine | None
) -> Iterator[Question]:
    """Questions about these commands, the most important first.

    `rivals` are lines that are not moves, but that the writer may have meant as one; `unclosed` begins a message
    without an end.
    """
    if unclosed is not None:
        yield Question("open-message", "a message begins, but no line [end] closes it", (unclosed,))
    ended = [said for said in commands if isinstance(said.command, _ENDING) or said.command == acts.Plan()]
    if ended and any(isinstance(said.command, acts.Plan) and said.command.text for said in commands):
        message = f"a plan does not go with {_list(ended)}: send it in a letter of its own"
        yield Question("apart", message, tuple(said.line for said in ended))
    deciding = [said for said in commands if isinstance(said.command, acts.DECIDING)]
    moves = [said.command for said in deciding if isinstance(said.command, acts.MakeMove)]
    where = tuple(said.line for said in deciding)
    if len(deciding) > 1 and len(moves) < len(deciding):
        message = f"the letter says {_list(deciding)}; only one of these can be done"
        yield Question("contradiction", message, where, _names(deciding))
    elif len({move.text for move in moves}) > 1:
        yield Question("two-moves", f"the letter holds different moves: {_list(deciding)}", where, _names(deciding))
    elif len(moves) > 1:
        yield Question("two-rounds", f"the letter gives one move for different rounds: {_list(deciding)}", where)
    if deciding and rivals:
        message = f"the letter says {_list(deciding)}, and another line looks like a move but is none"
        yield Question("unclear", message, (*where, *rivals), _names(deciding))
    if len(commands) > 1 and any(isinstance(said.command, Request) for said in commands):
        message = f"the letter says {_list(commands)}; ask for one of these in a letter of its own"
        yield Question("apart", message, tuple(said.line for said in commands))
    for kinds, code, message in _APART:
        if len(found := [said for said in commands if isinstance(said.command, kinds)]) > 1:
            yield Question(code, f"{message}: {_list(found)}", tuple(said.line for said in found))


_APART: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((acts.Accept, acts.Decline), "contradiction", "you can accept a draw or decline it, but not both"),
    ((acts.OfferDraw, acts.Resign), "contradiction", "you can offer a draw or resign, but not both"),
    ((acts.Reveal,), "two-reveals", "the letter reveals different moves"),
)
"""Commands that exclude each other although neither decides the ply."""


def _doubt_question(doubted: Sequence[CommandLine]) -> Question:
    message = (
        f"{_list(doubted)} may be quoted from another letter: it is below another person's address, or among "
        "quoted lines that a mail program has wrapped again. If you mean it, send it in a letter of its own"
    )
    return Question("perhaps-quoted", message, tuple(said.line for said in doubted), _names(doubted))


def _names(said: Sequence[CommandLine]) -> tuple[str, ...]:
    """The commands among which an answer may choose."""
    return tuple(str(one.command) for one in said if not isinstance(one.command, acts.Message | acts.Plan))


def _list(said: Sequence[CommandLine]) -> str:
    return join_words(f"[{_name(one.command)}]" for one in said[:3])


def _wishes(commands: Sequence[CommandLine]) -> set[str]:
    return {_name(said.command) for said in commands}


def _name(command: Said) -> str:
    """A command as a line; a message without its words, and a plan without its marks and indentation."""
    if isinstance(command, acts.Plan) and command.text:
        return " ".join(command.text.translate(_MARKS).split())
    return "message" if isinstance(command, acts.Message) else str(command)
