"""From a line to its commands (grammar/letter.lark)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, cast

from referee.desk import acts
from referee.desk.law.admission import LONGEST_WORD
from referee.desk.log.acts import Command
from referee.errors import NotationError, Span
from referee.mail.intake import requests
from referee.mail.intake.message.phrases import without_please
from referee.mail.intake.message.text import NONCE, bare
from referee.mail.intake.openings import begins_opening
from referee.mail.intake.terms import hours_of
from referee.notation.moves import LONGEST_MOVE, misfit, parse_move
from referee.notation.tables import TableParser, Word, table_of

if TYPE_CHECKING:
    from lark import Lark

OPENS, CLOSES = "message", "end"
"""The first and the last line of a message."""

_SEALS = ("seal ", "reveal ")
_WRONG_NONCE = re.compile(r"reveal .* (?P<digits>[0-9a-f]{16,})", re.IGNORECASE)
_KEY_AT_END = re.compile(r"(?P<word>.*?)(?:,? +(?:(?:and|with) +)*key:? +(?P<key>[0-9a-f]{64}))?", re.IGNORECASE)
_AND_WORD = re.compile(r",? *(?:(?:and|with) +)*word:? *", re.IGNORECASE)
_CELL = re.compile(r"\b[A-Za-z]{1,2}[0-9]")
_RUN = re.compile(r"[0-9]{3}|[^\W\d_]{3}")
"""Three letters or digits in a row: no word of a move has them."""
_DIGITS = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)
"""A digest or a key: in it, some games find the beginning of a move."""
_LONGEST_WORD = 6
_LONGEST_FITTING = 12
_LONGEST_COMMAND, _MOST_COMMANDS = 300, 8
"""A longer line, or one with more commands, is prose."""

SEAL_WORDS = {
    "NONCE": "64 hexadecimal digits",
    "HIDDEN": "the move, and after it the nonce of 64 hexadecimal digits",
    "_FOR": "the word for",
    "_ROUND": "the word round",
    "ROUND": "the number of a later round",
}
"""The terminals behind `seal` and `reveal`: only errors in these commands are explained."""

Said = Command | requests.Request | requests.SetTaste | requests.PassOn


def parse_line(text: str, game: str | None) -> tuple[Said, ...] | NotationError | str | None:
    """The commands of a line; None for a line of anything else.

    `OPENS` and `CLOSES` are the ends of a message. A line that was meant as a command but is none gives its error.
    Moves are in the notation of `game`; if it is None, no line is a move.
    """
    if _DIGITS.fullmatch(text):
        return None
    cried = text.endswith("!")
    if not pieces(text) or not (text := without_please(bare(text))):
        return None
    if cried and text.casefold() == str(acts.Never()):
        return None  # a cry of surprise, and no choice for good
    parts = pieces(text)
    if len(parts) == 1:
        one = _parse_piece(text, game)
        return one if isinstance(one, NotationError | str) or one is None else (one,)
    found = [_parse_piece(part, game) for part in parts if part]
    commands = tuple(one for one in found if not isinstance(one, NotationError | str) and one is not None)
    if len(commands) == len(found):
        return commands
    if any(begins_opening(part) for part in parts):
        message = "please ask for a new game in a letter of its own"
        return NotationError(message, text=text, span=Span(1, text.index(";") + 1), code="apart")
    if any(isinstance(one, acts.MakeMove | NotationError) for one in found):
        message = "expected exactly one command between semicolons"
        if any(one in (OPENS, CLOSES) for one in found):
            message = "'message' and 'end' need lines of their own"
        return NotationError(message, text=text, span=Span(1, text.index(";") + 1))
    return None


def command_of(text: str) -> Said | None:
    """The one command that a text is, whatever the game; None for a move and for anything else."""
    found = parse_line(text, None)
    return found[0] if isinstance(found, tuple) and len(found) == 1 else None


def as_move(text: str) -> acts.MakeMove:
    """A line taken as a move, which it need not be, with its round apart."""
    said = _table_parser().parse(text)
    return said if isinstance(said, acts.MakeMove) else acts.MakeMove(text)


def pieces(text: str) -> list[str]:
    """The parts of a line between semicolons; none if the line is empty or prose."""
    if not text or len(text) > _LONGEST_COMMAND or text.count(";") >= _MOST_COMMANDS:
        return []
    return [piece.strip() for piece in text.split(";")]


def is_rival(error: NotationError) -> bool:
    """True if the writer may have meant this line as the move that the letter also has.

    Such a line begins as moves or seals do, and most of its words could be in one; prose never does.
    """
    if error.text.casefold().startswith(_SEALS):
        return True
    begins = error.span is not None and bool(error.text[: error.span.column - 1].strip())
    words = [word for word in error.text.split() if any(map(str.isalnum, word))]
    fitting = sum(len(word) <= _LONGEST_FITTING and _RUN.search(word) is None for word in words)
    return (begins or ";" in error.text) and 2 * fitting > len(words)


def _parse_piece(text: str, game: str | None) -> Said | NotationError | str | None:
    command = cast("Said | str | None", _table_parser().parse(text))
    if command is None and text.casefold().startswith(_SEALS):
        return _seal_error(text)
    if not isinstance(command, acts.MakeMove):
        return command
    if game is None or len(command.text) > LONGEST_MOVE:
        return None
    if (column := misfit(game, command.text)) is not None and not _is_meant_as_move(command.text, column):
        return None  # most letters end with such a line, and no error in it is worth a run of lark
    try:
        return acts.MakeMove(str(parse_move(game, command.text)), command.round)
    except NotationError as error:
        column = error.span.column if error.span else 1
        return _detach(error) if _is_meant_as_move(command.text, column) else None


def _detach(error: NotationError) -> NotationError:
    """The same error without its traceback, which would keep the parser's state in memory."""
    return error.with_suggestions(error.suggestions)


def _is_meant_as_move(text: str, column: int) -> bool:
    """True if a line that ceases to be a move at a column begins like one, or with a cell or a piece."""
    before, rest = text[: column - 1].split(), text[column - 1 :].split()
    if before:
        return len(before) > 1 or any(map(str.isdigit, rest[0] if rest else before[0]))
    words = text.split()
    short = max(map(len, words)) <= _LONGEST_WORD
    return short and _CELL.search(words[0]) is not None and all(any(map(str.isdigit, word)) for word in words[1:2])


def _seal_error(text: str) -> NotationError:
    """The error in a line that seals or reveals, but not as it should."""
    from lark.exceptions import UnexpectedInput

    from referee.notation.grammar import notation_error

    if cut := _WRONG_NONCE.fullmatch(text):
        here, broken = len(cut["digits"]), ": is the line broken?" if len(cut["digits"]) < NONCE else ""
        message = f"a nonce has {NONCE} hexadecimal digits; here are {here}{broken}"
        return NotationError(message, text=text, span=Span(1, cut.start("digits") + 1))
    try:
        _lark().parse(text)
    except UnexpectedInput as error:
        return _detach(notation_error(error, text, SEAL_WORDS, whole="command"))
    raise AssertionError(text)


class _ToCommand:
    """A method or a class for each rule of the grammar; none of them raises."""

    resign = acts.Resign
    offer = acts.OfferDraw
    decline = acts.Decline
    games = acts.Games
    history = acts.History
    status = acts.Status
    help = acts.Help
    rematch = requests.Rematch
    never = acts.Never
    abort = acts.Abort

    def accept(self, *said: Word | None) -> Command:
        given = [text for text in said if text]
        if not given:
            return acts.Accept()
        if given[0].type == "NONCE":
            word, key = _AND_WORD.sub("", given[1], count=1) if len(given) > 1 else "", str(given[0])
        else:
            found = _KEY_AT_END.fullmatch(given[0].strip())
            word, key = (found["word"], found["key"] or "") if found else (str(given[0]), "")
        return acts.Accept(word.strip()[:LONGEST_WORD], key.casefold())

    def key(self, key: Word) -> Command:
        return acts.UseKey(key.casefold() if key.type == "NONCE" else "")

    def withdraw(self, everywhere: Word | None = None) -> Said:
        return acts.Withdraw() if everywhere is None else requests.ForAll(acts.Withdraw())

    def give(self, whom: Word | None, span: Word, to: Word | None = None) -> Command:
        side = whom or to
        return acts.Give(hours_of(span), side.strip().casefold() if side else None)

    def move(self, number: Word | None, text: Word) -> Command:
        return acts.MakeMove(text.strip(), int(number.rstrip(".):")) if number else None)

    def claim(self, end: Word | None = None) -> Command:
        return acts.Claim(end.casefold() if end else "")

    def message(self) -> str:
        return OPENS

    def end(self) -> str:
        return CLOSES

    def legal(self, prefix: Word | None = None) -> Command:
        return acts.Legal(prefix.strip() if prefix else "")

    def board(self, number: Word | None = None) -> Command:
        return acts.Board(int(number) if number else None)

    def rules(self, name: Word | None = None) -> Command:
        return acts.Rules(_game_name(name))

    def notation(self, name: Word | None = None) -> Command:
        return acts.HowToWrite(_game_name(name))

    def trial(self, moves: Word) -> Command:
        return acts.Try((moves.strip("[] "),))

    def vacation(self, *words: Word | None) -> Said:
        said = [word for word in words if word]
        act = acts.Vacation(" ".join(word.casefold() for word in said if word.type != "ALL"))
        return requests.ForAll(act) if said and said[-1].type == "ALL" else act

    def browsers(self, forgets: Word | None = None) -> Said:
        return acts.PairedBrowsers() if forgets is None else requests.ForgetBrowsers()

    def choose(self, name: Word, value: Word) -> Said:
        return requests.SetTaste(name.casefold(), value.casefold())

    def rename(self, name: Word) -> Said:
        return requests.SetTaste(requests.NAME, " ".join(name.strip("[]\"'. ").split()))

    def join(self, name: Word) -> Said:
        return requests.Join(name.casefold().split()[-1])

    def passing(self, when: Word | None = None) -> Said:
        return requests.SetTaste(requests.PASSING, when.casefold()) if when else requests.PassOn()

    def plan(self, off: Word | None = None) -> Command:
        return acts.Plan() if off else acts.KeptPlan()

    def seal(self, commitment: Word | None = None) -> Command:
        return acts.Seal(commitment.casefold()) if commitment else acts.HowToSeal()

    def ahead(self, number: Word, commitment: Word) -> Command:
        return acts.SealAhead(int(number), commitment.casefold())

    def reveal(self, move: Word, nonce: Word) -> Command:
        return acts.Reveal(move.strip(), nonce.casefold())


def _game_name(name: str | None) -> str:
    """The name of a game in a command; empty for `the game`."""
    said = re.sub(r"^(of|for) ", "", (name or "").casefold())
    return "" if said in ("game", "the game", "this game") else said


@cache
def _table_parser() -> TableParser:
    return TableParser(table_of("letter"), _ToCommand())


@cache
def _lark() -> Lark:
    from referee.notation.grammar import load

    return load("letter", _ToCommand)
