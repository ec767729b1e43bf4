"""From a move's text to the move: each game's grammar, with every distinct text parsed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, cast, overload

from referee.errors import NotationError, Span, expect
from referee.notation.tables import TableParser, table_of
from referee.rules import GAMES, Move, game_named, part
from referee.rules.frozen import Frozen
from referee.rules.guard import blamed, broken_game

if TYPE_CHECKING:
    from lark import Lark

    from referee.notation.forms.notation import GrammarText
    from referee.rules import beams, boundary, laser_chess, the_beam

LONGEST_MOVE = 100
"""Maximum characters of one move."""

REMEMBERED_MOVES = 1 << 16
"""Maximum distinct texts of a game's moves that are parsed only once."""

_REMEMBERED_ERRORS = 1 << 10
"""Maximum distinct texts that are no moves and explained only once."""


@overload
def parse_move(game: Literal["beams"], text: str) -> beams.Move: ...
@overload
def parse_move(game: Literal["boundary"], text: str) -> boundary.Move: ...
@overload
def parse_move(game: Literal["the-beam"], text: str) -> the_beam.Move: ...
@overload
def parse_move(game: Literal["laser-chess"], text: str) -> laser_chess.Move: ...
@overload
def parse_move(game: str, text: str) -> Move: ...
def parse_move(game: str, text: str) -> Move:
    """The move of a text in a game's notation, without a board.

    Raises:
        NotationError: with the place of the error and the expected text.
        RefereeError: `unknown-game`.
        TypeError: the game's name or the move is not a `str`.

    >>> import referee
    >>> move = referee.parse_move("boundary", "s d4 e5, p f6 e6")
    >>> str(move)
    'S d4-e5 P f6-e6'
    """
    expect(str, game, "the name of a game")
    expect(str, text, "the text of a move")
    if len(text) > LONGEST_MOVE:
        message = f"no move is longer than {LONGEST_MOVE} characters"
        raise NotationError(message, text=text, span=Span(1, LONGEST_MOVE + 1))
    move = _known_move(game, text)
    return _parse_by_grammar(game, text) if move is None else move


def move_text(game: str, text: str) -> str:
    """The move of a text in canonical notation; empty if the text is none."""
    move = known_move(game, text)
    return "" if move is None else str(move)


def known_move(game: str, text: str) -> Move | None:
    """The move of a text; None if it is none, without the explanation, which takes most of the time of an error."""
    return _known_move(game, text) if len(text) <= LONGEST_MOVE else None


@lru_cache(REMEMBERED_MOVES)
def _known_move(game: str, text: str) -> Move | None:
    quick = _table_parser(game)
    if quick is not None:
        move: Move | None = quick.parse(text)
        return move
    try:
        return _parse_by_grammar(game, text)
    except NotationError:
        return None


def misfit(game: str, text: str) -> int | None:
    """The column (from 1) at which a text ceases to be a move; None for a move, and for games without a table."""
    quick = _table_parser(game)
    return quick.misfit(text) if quick else None


def _parse_by_grammar(game: str, text: str) -> Move:
    """The same as `parse_move`, but by lark, which can also explain errors."""
    found = _explained(game, text)
    if isinstance(found, NotationError):
        raise found.with_suggestions(())
    return found


@lru_cache(_REMEMBERED_ERRORS)
def _explained(game: str, text: str) -> Move | NotationError:
    """The move of a text; or else why it is none, without suggestions."""
    from lark.exceptions import UnexpectedInput

    from referee.notation.grammar import notation_error

    try:
        with _blamed(game):
            move: object = _lark(game).parse(text)
            expect(Move, move, "a move")
        return cast(Move, move)
    except UnexpectedInput as error:
        return notation_error(error, text, notation(game).WORDS, whole="move")


def continuations(game: str, text: str) -> tuple[str, ...]:
    """Everything that may follow the beginning of a move, in words; NotationError if the text is none."""
    from lark.exceptions import UnexpectedInput

    from referee.notation.grammar import accepted, notation_error

    words = notation(game).WORDS
    interactive = _lark(game).parse_interactive(text)
    try:
        with _blamed(game):
            interactive.exhaust_lexer()
    except UnexpectedInput as error:
        raise notation_error(error, text, words, whole="move", accepts=accepted(interactive)) from None
    expected = accepted(interactive)
    return tuple(words[name] for name in words if name in expected)


class Notation(Protocol):
    """The notation module of a game."""

    GRAMMAR: str | Path | GrammarText
    """The name of its grammar in grammar/, the file of another package's own, or its text."""
    WORDS: Mapping[str, str]
    """The name of each terminal in messages, in the order of messages."""
    BEGINNINGS: Mapping[str, str]
    """Keyword -> everyday words that a move may begin with instead, as a regular expression."""
    PARTS: Mapping[str, str]
    """Everyday words in the rest of a move -> notation, as regular expressions, applied in order."""
    ToMove: type
    """The maker of moves: lark's transformer of the grammar's trees, or a plain class with the same methods."""


class NoteWords(NamedTuple):
    """The words of a game in people's notes, regular expressions in tables of its notation module.

    `ALIASES` are everyday names -> the notation each may mean, `SHORT_FORMS` whole moves in short, `HEADINGS` words
    for options -> YAML, `ENOUGH` is the least content of a move without its keyword, `NAMES` further names.
    """

    ALIASES: Mapping[str, tuple[str, ...]] = Frozen()
    SHORT_FORMS: Mapping[str, str] = Frozen()
    HEADINGS: Mapping[str, str] = Frozen()
    ENOUGH: str = r"[a-z]\d|\d\W+\d"
    NAMES: tuple[str, ...] = ()


@cache
def note_words(game: str) -> NoteWords:
    """The words of a game in people's notes."""
    module = notation(game)
    return NoteWords(**{name: getattr(module, name) for name in NoteWords._fields if hasattr(module, name)})


@cache
def terminals(game: str) -> tuple[str, ...]:
    """The regular expression of each terminal of a game's grammar but blanks."""
    quick = _table_parser(game)
    named = quick.table.terminals if quick else {one.name: one.pattern.to_regexp() for one in _lark(game).terminals}
    return tuple(expression for name, expression in named.items() if name != "BLANKS")


@cache
def notation(game: str) -> Notation:
    """The notation module of a game; what it lacks is made of the forms of its moves."""
    description = game_named(game)
    module = part(description, description.notation) if description.notation else None
    if hasattr(module, "GRAMMAR") and hasattr(module, "FIELDS"):
        return cast(Notation, module)
    from referee.notation.forms.columns import position_notation
    from referee.notation.forms.notation import notation_of

    with _blamed(game):
        if hasattr(module, "GRAMMAR"):
            made = position_notation(description, description.start({}))
        else:
            made = vars(notation_of(description))
        return cast(Notation, SimpleNamespace(**{**made, **(vars(module) if module else {})}))


@contextmanager
def _blamed(game: str) -> Iterator[None]:
    """A block that makes the moves of a game: errors that are not of its parser are the game's faults."""
    if game in GAMES:
        yield
        return
    from traceback import walk_tb

    from lark.exceptions import UnexpectedInput

    with blamed(lambda: game, passes=(UnexpectedInput,)):
        try:
            yield
        except UnexpectedInput as error:
            modules = (frame.f_globals["__name__"] for frame, _ in walk_tb(error.__traceback__))
            if {module.partition(".")[0] for module in modules} - {"referee", "lark"}:
                raise broken_game(game, error) from error
            raise


@cache
def _table_parser(game: str) -> TableParser | None:
    """The parser by table; None for another package's own grammar, which has none."""
    grammar, maker = notation(game).GRAMMAR, notation(game).ToMove
    return TableParser(table_of(grammar), maker()) if isinstance(grammar, str) else None


@cache
def _lark(game: str) -> Lark:
    from referee.notation.grammar import load

    return load(notation(game).GRAMMAR, notation(game).ToMove)
