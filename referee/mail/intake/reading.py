"""What the lines of a letter ask for, read one by one.

Nothing is guessed. A line that is no command changes nothing and is listed back; where the lines do not agree
there is a question (referee/mail/intake/questions.py), and until it is answered the letter decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from referee.desk.acts import DECIDING, Command, Message, Move, Reveal, acts
from referee.errors import NotationError, Span
from referee.mail.intake.announcements import is_attribution
from referee.mail.intake.clearsigned import signed_lines
from referee.mail.intake.grammar import CLOSES, OPENS, parse_command
from referee.mail.intake.lines import Line, bare, lines
from referee.mail.intake.manners import is_polite, signature, without_please
from referee.mail.intake.questions import Question, Said, perhaps_quoted, question
from referee.mail.intake.quotes import is_strange, own
from referee.notation import parse_move
from referee.notation.moves import LONGEST

_SEALS = ("seal ", "reveal ")
_CELL = re.compile(r"\b[A-Za-z]{1,2}[0-9]")
_LONGEST_WORD = 6
_LONGEST_FITTING = 12
_RUN = re.compile(r"[0-9]{3}|[^\W\d_]{3}")
"""What no word of a move holds: there are letters and digits by ones and twos, and signs."""
_LONGEST_COMMAND, _MOST_COMMANDS = 300, 8
"""A line that is longer, or holds more commands, is prose."""
_MOST_READ = 600
"""Lines of the writer's own that are read, those that semicolons divide counted apart; nobody writes as many."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A line that begins like a move or a seal and is none: what is wrong with it, and where."""

    line: Line
    error: NotationError


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in a letter.

    `commands` are what it asks for, each once; `doubted` those that stand where they may be part of a quotation, and
    are not among them. `failed` are the lines that were meant as a command; `unknown` the others that were not
    understood, `ignored` those that need not be. `stop` is the line at which the reading ended before the letter did.
    """

    commands: tuple[Said, ...] = ()
    failed: tuple[Failed, ...] = ()
    unknown: tuple[Line, ...] = ()
    ignored: tuple[Line, ...] = ()
    question: Question | None = None
    stop: Line | None = None
    doubted: tuple[Said, ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        """All that its writer must be asked."""
        doubt = perhaps_quoted(self.doubted) if self.doubted else None
        return tuple(one for one in (self.question, doubt) if one is not None)

    @property
    def acting(self) -> tuple[Said, ...]:
        """The commands that do more than show something."""
        return tuple(said for said in self.commands if acts(said.command))

    @property
    def binding(self) -> tuple[Said, ...]:
        """The commands to carry out; while there is a question, only those that decide nothing."""
        if self.question is None:
            return self.commands
        return tuple(said for said in self.commands if not isinstance(said.command, (*DECIDING, Reveal)))


def read_commands(text: str, game: str | None, names: Iterable[str] = (), addresses: Collection[str] = ()) -> Reading:
    """The commands of a letter's text.

    Args:
        text: the whole text, quotations and all.
        game: whose notation the moves are in; None if the letter's game is not known, and no line is a move.
        names: the writer's own, which they may sign with.
        addresses: the writer's own, in small letters; a command that acts is doubted below the address of another.
    """
    mine, stop, quoted, torn = own(signed_lines(lines(text)))
    if sum(len(_pieces(line.text)) for line in mine) > _MOST_READ:
        message = f"the letter holds more than {_MOST_READ:,} lines of your own, too many to read"
        return Reading(question=Question("too-long", message), stop=stop)
    found, waiting, strange = _Found(), iter(mine), False
    own_words = signature(names)
    for line in waiting:
        read = _read(line.text, game)
        doubtful = strange or line.number in torn
        if read == OPENS:
            written = _until_end(waiting)
            if written is not None:
                found.add([Message(words)] if (words := "\n".join(written).strip()) else [], line, doubtful=doubtful)
            elif doubtful:
                found.unknown.append(line)
            else:
                found.unclosed = line
        elif isinstance(read, NotationError):
            answers = quoted is not None and line.number > quoted.number
            found.fail(Failed(line, read), rivals=not (doubtful or answers) and _rivals(read))
        elif isinstance(read, tuple):
            found.add(read, line, doubtful=doubtful)
        elif not (is_polite(line.text, own_words) or is_attribution(line.text)):
            found.unknown.append(line)
        elif line.text:
            found.ignored.append(line)
        strange = strange or is_attribution(line.text) or is_strange(line.text, addresses)
    return found.reading(stop)


def speaks(text: str, game: str) -> bool:
    """Whether any line of a text is, or fails to be, a command: no line of the desk's own letters may."""
    readings = (read_commands(line.text, game) for line in lines(text))
    return any(reading.commands or reading.failed or reading.question for reading in readings)


@dataclass(slots=True)
class _Found:
    """What was found so far."""

    said: _Once = field(default_factory=lambda: _Once())
    doubted: _Once = field(default_factory=lambda: _Once())
    failed: list[Failed] = field(default_factory=list)
    rivals: list[Line] = field(default_factory=list)
    unknown: list[Line] = field(default_factory=list)
    ignored: list[Line] = field(default_factory=list)
    unclosed: Line | None = None

    def add(self, commands: Iterable[Command], line: Line, *, doubtful: bool) -> None:
        """Take in the commands of a line; those that act, of a doubtful line, apart from the others."""
        for command in commands:
            if not (doubtful and acts(command)):
                self.said.add(command, line)
            elif not self.said.has(command):
                self.doubted.add(command, line)

    def fail(self, failed: Failed, *, rivals: bool) -> None:
        """Take in a line that is none; one that `rivals` may be meant instead of a move that there is."""
        self.failed.append(failed)
        if rivals:
            self.rivals.append(failed.line)

    def reading(self, stop: Line | None) -> Reading:
        """All of it."""
        commands, doubted = tuple(self.said.values()), tuple(self.doubted.values())
        asked = question(commands, self.rivals, self.unclosed)
        rest = (tuple(self.failed), tuple(self.unknown), tuple(self.ignored))
        return Reading(commands, *rest, asked, stop, doubted)


class _Once(dict[Command, Said]):
    """The commands by what they say: the first line of each, moves with the round if any line says it."""

    def __init__(self) -> None:
        super().__init__()
        self._moves: set[str] = set()

    def add(self, command: Command, line: Line) -> None:
        said = Said(command, line)
        if isinstance(command, Move):
            if command.round is None and command.text in self._moves:
                return
            if command.round is not None and (bare := self.pop(Move(command.text), None)):
                said = Said(command, bare.line)
            self._moves.add(command.text)
        self.setdefault(command, said)

    def has(self, command: Command) -> bool:
        """Whether that is among them, for whatever round."""
        return command.text in self._moves if isinstance(command, Move) else command in self


def _until_end(waiting: Iterable[Line]) -> list[str] | None:
    """The lines of a message up to its end; None if it has none."""
    written: list[str] = []
    for line in waiting:
        if _read(line.text, None) == CLOSES:
            return written
        written.append(line.written.rstrip())
    return None


def _read(text: str, game: str | None) -> tuple[Command, ...] | NotationError | str | None:
    """The commands of a line, or one end of a message, or what is wrong with it, or None for a line of anything."""
    if not _pieces(text) or not (text := without_please(bare(text))):
        return None
    pieces = _pieces(text)
    if len(pieces) == 1:
        one = _read_piece(text, game)
        return one if isinstance(one, NotationError | str) or one is None else (one,)
    found = [_read_piece(piece, game) for piece in pieces if piece]
    commands = tuple(one for one in found if not isinstance(one, NotationError | str) and one is not None)
    if len(commands) == len(found):
        return commands
    if any(isinstance(one, Move | NotationError) for one in found):
        message = "between semicolons stands one command, and nothing else"
        return NotationError(message, text=text, span=Span(1, text.index(";") + 1))
    return None


def _pieces(text: str) -> list[str]:
    """What semicolons divide a line into; nothing of a line that is empty or prose."""
    if not text or len(text) > _LONGEST_COMMAND or text.count(";") >= _MOST_COMMANDS:
        return []
    return [piece.strip() for piece in text.split(";")]


def _read_piece(text: str, game: str | None) -> Command | NotationError | str | None:
    try:
        command = parse_command(text)
    except NotationError as error:
        return _kept(error) if text.casefold().startswith(_SEALS) else None
    if not isinstance(command, Move):
        return command
    if game is None or len(command.text) > LONGEST:
        return None
    try:
        return Move(str(parse_move(game, command.text)), command.round)
    except NotationError as error:
        return _kept(error) if _meant_as_move(command.text, error) else None


def _kept(error: NotationError) -> NotationError:
    """The same error anew: the one that was raised holds on to the parser and all that it was doing."""
    return error.with_suggestions(error.suggestions)


def _rivals(error: NotationError) -> bool:
    """Whether a line that is none may be meant as another move than the one that the letter holds as well.

    It begins as moves or seals do, and most of its words could stand in one; so prose never does.
    """
    if error.text.casefold().startswith(_SEALS):
        return True
    begins = error.span is not None and bool(error.text[: error.span.column - 1].strip())
    words = [word for word in error.text.split() if any(map(str.isalnum, word))]
    fitting = sum(len(word) <= _LONGEST_FITTING and _RUN.search(word) is None for word in words)
    return (begins or ";" in error.text) and 2 * fitting > len(words)


def _meant_as_move(text: str, error: NotationError) -> bool:
    """Whether a line that is no move begins like one, or with a cell or a piece."""
    column = error.span.column if error.span else 1
    before, rest = text[: column - 1].split(), text[column - 1 :].split()
    if before:
        return len(before) > 1 or any(map(str.isdigit, rest[0] if rest else before[0]))
    words = text.split()
    short = max(map(len, words)) <= _LONGEST_WORD
    return short and _CELL.search(words[0]) is not None and all(any(map(str.isdigit, word)) for word in words[1:2])
