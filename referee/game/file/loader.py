"""From a game file's text, or a bare move list, to the game; every finding with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from referee.errors import (
    FileError,
    Finding,
    NotationError,
    OptionError,
    PackageFault,
    RefereeError,
    Span,
    expect,
    shown,
)
from referee.game.file.document import HIDDEN, MOST_FINDINGS, Document, decode_utf8, read_bytes
from referee.game.file.draft import DraftError, Unread
from referee.game.file.ends import spoken_ending
from referee.game.file.faults import MoveFault, of_another_game, told_once
from referee.game.file.gamefile import AnnotatedMove, End, GameFile, Player, Round
from referee.game.file.headed_list import headed_list
from referee.game.file.header import header
from referee.game.file.judge import judge
from referee.game.file.mistakes import near_game, near_option, near_side, other_file
from referee.game.file.moves_block import with_bar
from referee.game.file.syntax import move_list, parse_document
from referee.notation.habits import Habit, fits_board, habit
from referee.notation.movelist import NOT_CLOSED, MoveLine, parse_move_line, parse_plain_list
from referee.notation.moves import REMEMBERED_MOVES, parse_move, parser
from referee.notation.spoken import suggested
from referee.rules import Frozen, Game, Position, Termination, game_named, movers

FEW = 5
"""Maximum unparsable moves of a list if time matters."""

_TRIED = 500
"""Maximum unparsable moves of a list for which a habit is looked for."""

LONGEST_ROUND = 100_000
"""Maximum characters in a line of moves."""


def read(path: str | Path) -> GameFile:
    """The game in a game file (YAML or JSON, or a move list with its header in comments).

    Raises:
        FileError: with all findings; the moves are read here but judged when they are replayed.

    >>> import referee
    >>> game = referee.read("games/beams/opening.yaml")
    >>> game.game, game.players["south"].name, len(game.rounds)
    ('beams', 'Ada Lovelace', 5)
    """
    expect((str, Path), path, "the path of a file")
    text = decode_utf8(read_bytes(Path(path)), str(path))
    if Path(path).suffix == ".jsonl":
        message = "this is an archive of games; 'referee check' judges it, anything else takes one game"
        raise _error(str(path), (Finding("archive", message),))
    return loads(text, str(path))


def loads(text: str, file: str = "", *, suggest: bool = True) -> GameFile:
    """The game of a game file's text, or of a move list with its header in comments.

    `suggest` asks for legal moves in place of a wrong one; there may be thousands to choose from. Without it, reading
    stops at the fifth unparsable move, to save time.

    Raises:
        FileError: with all findings; it names `file`.

    >>> import referee
    >>> game = referee.loads('{"game": "boundary", "moves": "1. P a1-b2"}')
    >>> str(next(game.replay()).moves["south"])
    'P a1-b2'
    """
    expect(str, text, "the text of a game file")
    if (found := headed_list(text)) is not None:
        return loads_moves(found.moves, loads(found.header, file), suggest=suggest)
    document = parse_document(text)
    try:
        return _loaded(document, file, suggest=suggest)
    except FileError as error:
        findings = with_bar(document, error.findings)
        if findings is error.findings:
            raise
        raise _error(file, findings) from None


def _loaded(document: Document, file: str, *, suggest: bool) -> GameFile:
    """The game of a document; FileError with all findings, even those that follow from a forgotten bar."""
    if document.data is None and document.findings:
        raise _error(file, other_file(document, document.findings))
    found, faults = header(document)
    findings = [*document.findings, *faults]
    if not found:
        no_mapping = document.data is not None and not isinstance(document.data, dict)
        raise _error(file, other_file(document, tuple(findings)) if no_mapping else tuple(findings))
    end = found.get("end")
    plain: dict[str, Any] = {name: found.get(name) for name in ("game", "rules", "id", "date", "event", "result")}
    begun = partial(
        GameFile,
        **plain,
        players=Frozen(
            {side: Player(one["name"], one.get("email")) for side, one in found.get("players", {}).items()}
        ),
        options=found.get("options", Frozen()),
        start_text=found.get("start"),
        end=None if end is None else End(Termination(end["how"]), end.get("by")),
        file=file,
    )
    known = all(key in found or document.mapping.get(key) is None for key in ("options", "start"))
    return _with_moves(begun, found["game"], document, findings, file, judged=known, suggest=suggest)


def loads_moves(text: str, game: GameFile, *, suggest: bool = True) -> GameFile:
    """A game with the moves of a bare move list; everything else is as it was.

    Raises:
        FileError: with all findings; an unknown game, wrong options and a wrong start are among them.
    """
    return _with_moves(partial(replace, game), game.game, move_list(text), [], game.file, suggest=suggest)


def _with_moves(
    begun: Callable[..., GameFile],
    name: str,
    document: Document,
    findings: list[Finding],
    file: str,
    *,
    judged: bool = True,
    suggest: bool,
) -> GameFile:
    """The game that is begun, with the moves of a document; FileError with these findings and any new ones.

    If there are any, the moves are judged too, as far as they can be read and if their start is known.
    """
    try:
        description = game_named(name)
    except (RefereeError, PackageFault) as error:
        near = near_game(name)
        raise _error(file, (*findings, document.finding(error.code, error.message, ("game",), near))) from None
    reading = _Rounds(name, document, most=MOST_FINDINGS + 1 if suggest else FEW)
    game = begun(rounds=tuple(reading.rounds), trailing_comments=tuple(reading.comments), source=document)
    findings += _misfits(game, description, document)
    start = None
    try:
        start = game.start() if judged else None
    except OptionError as error:
        for name, said in error.faults:
            near = near_option(description, name, game.options.get(name))
            findings.append(document.finding("option", said, ("options", name), near))
    except NotationError as error:
        findings.append(document.in_start(error.finding))
    if not findings and not reading.faults:
        return game
    read = reading.faults if start is None else [_possible(fault, start) for fault in reading.faults]
    faults = told_once(read, whole=reading.is_read)
    if (other := of_another_game(game, read)) is not None:
        findings.append(other)
    elif faults and start is not None:
        findings += _explained(game, faults, suggest=suggest)
    elif findings and start is not None:
        findings += judge(replace(game, end=None, result=None), suggest=suggest).findings
    else:
        findings += [fault.finding for fault in faults]
    if findings:
        wrong = _error(file, tuple(findings))
        raise DraftError(game, wrong.findings) if judged and reading.is_whole else wrong
    return game


def _misfits(game: GameFile, description: Game, document: Document) -> list[Finding]:
    """The findings about a header that does not fit its game: sides and version of the rules."""
    findings = []
    named = [
        *((side, ("players", side)) for side in game.players),
        (game.end.by if game.end else None, ("end", "by")),
    ]
    for side, key in named:
        if side is not None and side not in description.sides:
            message = f"{game.game} has no side {shown(side)}; its sides are: {', '.join(description.sides)}"
            near = near_side(document.data, description.sides, side) if isinstance(document.data, dict) else ()
            findings.append(document.finding("wrong-value", message, key, near))
    for side in (game.result or {}).keys() - set(description.scores):
        message = f"{shown(side)} has no score here, only {', '.join(description.scores)}"
        findings.append(document.finding("wrong-value", message, ("result", side)))
    if game.rules is not None and game.rules not in description.versions:
        known = ", ".join(map(str, description.versions))
        message = f"this referee knows version {known} of the rules of {game.game}, not {shown(game.rules)}"
        findings.append(document.finding("unknown-rules", message, ("rules",)))
    return findings


@cache
def _noted(game: str) -> Callable[[str], AnnotatedMove]:
    """The function from text to annotated move of one game, without mark and comments; it remembers too."""
    parse = parser(game)
    return lru_cache(REMEMBERED_MOVES)(lambda text: AnnotatedMove(parse(text)))


_LONGEST_COMMENT = 20
"""Lines in which the end of a comment is looked for that is too long for one."""

_make = tuple.__new__
_NUMBERS = tuple(f"{number}." for number in range(1, 1001))


class _Rounds:
    """The rounds of a move list, the comments after the last of them, and what is wrong."""

    def __init__(self, game: str, document: Document, most: int) -> None:
        """Read the moves of a document, up to `most` wrong ones."""
        self.rounds: list[Round] = []
        self.comments: list[str] = []
        self.faults: list[MoveFault] = []
        self.is_read = True
        """False if reading stopped before the end of the list."""
        self.is_whole = True
        """False if the rounds are not known, because a line or the end could not be read."""
        self._game, self._document = game, document
        self._parse = parser(game)
        self._sides = game_named(game).sides
        self._size = game_named(game).moves_per_round
        self._number = 1
        self._resumed: int | None = None
        """The number of this round if the last wrong one is left out of the count."""
        self._skipped: int | None = None
        """The number that was left out, if the round may come next: the two have changed places."""
        self._short: tuple[int, int, str] | None = None
        moves = document.moves
        if not self._read_plain(moves, _noted(game)):
            lines = moves.split("\n")
            passed = 0
            for number, text in enumerate(lines, 1):
                if len(self.faults) >= most:
                    self.is_read = self.is_whole = False
                    break
                if number > passed and not self._read(number, text):
                    passed = _end_of_comment(lines, number)

    def _read_plain(self, text: str, noted: Callable[[str], AnnotatedMove]) -> bool:
        """Read the whole list at once if nothing in it is wrong or annotated, as in most lists; otherwise do nothing.

        No line of it has hidden characters, as no notation has them.
        """
        if not (lines := parse_plain_list(text, self._size)):
            return False
        numbers, *columns = zip(*lines, strict=True)
        if any(numbers) and numbers != _NUMBERS[: len(lines)]:
            return False
        whole = len(lines) - (not columns[-1][-1])
        try:
            # `Round` itself would take twice as long to make one.
            rounds = [
                _make(Round, (moves, ()))
                for moves in zip(*(map(noted, column[:whole]) for column in columns), strict=True)
            ]
            rounds += [Round(tuple(noted(move) for move in moves if move)) for _, *moves in lines[whole:]]
        except NotationError:
            return False
        self.rounds = rounds
        return True

    def _read(self, number: int, text: str) -> bool:
        """Read one line of the list; False if a comment in it is not closed."""
        try:
            line = self._parse_line(text)
        except NotationError as error:
            self._fault(error.code, error.message, number, error.span.column if error.span else 1, text)
            self._number += 1
            return error.message != NOT_CLOSED
        if line.number is not None:
            self._count(line.number, number, text)
        if line.moves:
            self._round(number, text, line.moves, (*self.comments, *line.comments))
        elif line.number is not None:
            self._fault("syntax", "a move is missing after the number", number, len(text.rstrip()) + 1, text)
        else:
            self.comments += line.comments
        return True

    def _count(self, written: int, number: int, text: str) -> None:
        """Compare a written number with the next one; what follows from one that is wrong is not told again."""
        expected, is_skipped = self._number, written == self._skipped
        is_right = written in (expected, self._resumed) or is_skipped
        self._number = written + is_skipped
        self._resumed, self._skipped = None, None
        if not is_right:
            self._fault("round-number", f"this is round {expected}, not {written}", number, 1, text)
            self._resumed = expected
            self._skipped = expected if written == expected + 1 else None

    def _parse_line(self, text: str) -> MoveLine:
        if len(text) > LONGEST_ROUND:
            message = f"a line of moves has at most {LONGEST_ROUND:,} characters"
            raise NotationError(message, text=text, span=Span(1, LONGEST_ROUND + 1), code="too-large")
        if hidden := HIDDEN.search(text.replace("\t", " ")):
            message = f"an invisible control character (U+{ord(hidden[0]):04X})"
            raise NotationError(message, text=text, span=Span(1, hidden.start() + 1))
        return parse_move_line(text, self._size)

    def _round(self, number: int, text: str, moves: tuple[Any, ...], comments: tuple[str, ...]) -> None:
        if self._short is not None:
            whole = "half" if self._size == 2 else f"without all {self._size}"
            self._fault("half-round", f"a move is missing: only the last round may be {whole}", *self._short)
        noted = []
        for place, written in enumerate(moves):
            try:
                move = self._parse(written.text)
            except NotationError as error:
                column = written.column - 1 + (error.span.column if error.span else 1)
                said = spoken_ending(written.text, self._sides, None)
                known = None if said or len(self.faults) > _TRIED else habit(self._game, written.text, self._sides)
                message = said.message if said else (known and known.message) or error.message
                finding = self._at(error.code, message, number, column, text)
                if known:
                    finding = replace(finding, suggestions=(known.text,))
                self.faults.append(MoveFault(finding, written.text, len(self.rounds), place, known))
                move = Unread(written.text)
            noted.append(AnnotatedMove(move, written.mark, written.comments))
        is_short = len(moves) < self._size and not any(isinstance(one.move, Unread) for one in noted)
        self._short = (number, 1, text) if is_short else None
        self.rounds.append(Round(tuple(noted), comments))
        self.comments = []
        self._number += 1
        self._resumed = self._resumed and self._resumed + 1

    def _at(self, code: str, message: str, number: int, column: int, text: str) -> Finding:
        return self._document.in_moves(Finding(code, message, number, column, (), text))

    def _fault(self, code: str, message: str, number: int, column: int, text: str) -> None:
        self.is_whole = self.is_whole and code in ("round-number", "half-round")
        self.faults.append(MoveFault(self._at(code, message, number, column, text)))


def _end_of_comment(lines: Sequence[str], number: int) -> int:
    """The number of the line on which a comment ends that a line leaves open; 0 if none closes it."""
    for end, text in enumerate(lines[number : number + _LONGEST_COMMENT], number + 1):
        if "{" in text.partition("}")[0]:
            return 0
        if "}" in text:
            return end
    return 0


def _explained(game: GameFile, faults: list[MoveFault], *, suggest: bool) -> list[Finding]:
    """The findings; a first one about an unparsable move gets the nearest legal moves as suggestions.

    The moves before it are judged on the way; the position after it is unknown.
    """
    first = next((number for number, one in enumerate(faults) if one.finding.code != "round-number"), 0)
    findings = [one.finding for one in faults]
    fault = faults[first]
    if fault.text is None:
        return findings
    before = judge(replace(game, rounds=game.rounds[: fault.round], end=None, result=None), suggest=suggest)
    position = before.position
    if before.findings:
        return [*findings, *before.findings]
    moves = game.rounds[fault.round].moves
    for place, noted in enumerate(moves[: fault.place]):
        if len(position.to_move) != 1:
            break
        try:
            position = position.play(dict.fromkeys(position.to_move, noted.move))
        except RefereeError as error:
            return [*findings, game.finding_at(error.code, error.message, fault.round + 1, place)]
    if not suggest:
        return findings
    due = movers(position)
    side = due[min(fault.place, len(due) - 1)] if due else ""
    said = spoken_ending(fault.text, position.sides, side or None)
    if fault.habit and _can_be_written(fault.habit, position, side):
        return findings
    meant = fault.habit.text if fault.habit else fault.text
    near = said.lines if said else suggested(game.game, meant, position.legal_moves(side))
    findings[first] = replace(fault.finding, suggestions=near)
    return findings


def _possible(fault: MoveFault, start: Position) -> MoveFault:
    """The fault, with the parser's own sentence if its habit means something that this board does not have."""
    if fault.text is None or fault.habit is None or fits_board(fault.habit, start):
        return fault
    try:
        parse_move(start.game, fault.text)
    except NotationError as error:
        return fault._replace(finding=replace(fault.finding, message=error.message, suggestions=()), habit=None)
    return fault


def _can_be_written(known: Habit, position: Position, side: str) -> bool:
    """True if what a habit means is a legal move of a side, or more than a move."""
    try:
        return parse_move(position.game, known.text) in position.legal_moves(side)
    except NotationError:
        return True


def _error(file: str, findings: tuple[Finding, ...]) -> FileError:
    """The error with its findings in the order of the file, up to the maximum."""
    ordered = sorted(findings, key=lambda one: (one.line, one.column))
    if len(ordered) > MOST_FINDINGS:
        first = ordered[MOST_FINDINGS]
        message = f"only the first {MOST_FINDINGS:,} findings are listed; there are more from here on"
        ordered[MOST_FINDINGS:] = [Finding("too-many", message, first.line, first.column)]
    return FileError(file, tuple(ordered))
